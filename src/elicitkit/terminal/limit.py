"""The time limit of a question: how it is told, when to warn, and that it can start anew.

A person is told how long they have before they begin, and once more when a minute is
left, or a third of a short limit (UX20, WCAG 2.2.1). The clock is the turn's; nothing
here waits or reads one.
"""

from __future__ import annotations

import math
from typing import Final

from elicitkit.core.ports import Turn
from elicitkit.i18n import Catalog

_SOON: Final = 60.0
_SHORT: Final = 90.0
"""A limit up to here is warned of when a third is left."""
_STEP: Final = 10.0
"""How often a shown rest changes in the last minute: a count by the second is a nuisance."""


class Limit:
    """How much time is left, in words."""

    def __init__(self, turn: Turn | None, texts: Catalog) -> None:
        self._turn = turn
        self._t = texts.t
        self._warn_at: float | None = None
        self._begin()

    def _begin(self) -> None:
        left = self.left
        self._warn_at = None if left is None else _SOON if left > _SHORT else left / 3

    @property
    def left(self) -> float | None:
        """Seconds left; None without a limit."""
        return None if self._turn is None else self._turn.seconds_left()

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        left = self.left
        return left is not None and left <= 0

    def told(self) -> str | None:
        """The time that is left, in words; None without a limit."""
        left = self.left
        if left is None:
            return None
        minutes, seconds = divmod(max(math.ceil(left), 0), 60)
        key = "limit.seconds" if not minutes else "limit.both" if seconds else "limit.minutes"
        return self._t("limit.left", time=self._t(key, minutes=minutes, seconds=seconds))

    def due(self) -> float | None:
        """Seconds until the person is to be warned; None where that is not to come."""
        left = self.left
        if left is None or self._warn_at is None:
            return None
        return max(left - self._warn_at, 0.0)

    def warned(self) -> None:
        """The person has been warned."""
        self._warn_at = None

    def changes(self) -> float | None:
        """Seconds until what ``told()`` says, coarsely, is another; None without a limit."""
        left = self.left
        if left is None:
            return None
        step = _SOON if left > _SOON else _STEP
        return max(left % step, 0.0) or step

    def extend(self) -> bool:
        """Start the time anew; False where there is no limit."""
        if self._turn is None or self.left is None:
            return False
        self._turn.extend()
        self._begin()
        return True

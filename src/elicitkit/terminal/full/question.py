"""A desk for a question: what works on every one of them, and how it ends.

Only "No, do not give" declines; whatever software or an ended terminal does is a cancel with
its reason (UX04). Esc at the outermost level opens a list with all that is possible, and
behind it, away from what sends, the mute (UX21).
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Final

from elicitkit.core.model import Cancel, Decline, Response
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Picking, Row, Rows, Typing
from elicitkit.terminal.limit import Limit

OUT: Final = (Row("decline"), Row("cancel"))
"""The rows that end a question without an answer."""


class Question(Desk):
    """One question, up to its decision."""

    def __init__(self, asked: Asked, limit: Limit, texts: Catalog, root: Rows) -> None:
        super().__init__(asked, limit, texts, root)
        self.response: Response | None = None
        self._acts |= {
            "decline": partial(self._leave, Decline()),
            "cancel": partial(self._leave, Cancel("dismissed")),
            "extend": self._extend,
            "mute": self._ask_mute,
            "mute_yes": self._mute,
        }

    @property
    def over(self) -> bool:
        """Whether there is a decision."""
        return self.response is not None

    def end(self, reason: str) -> None:
        """The input has ended, the terminal is gone, or the person ended it by Ctrl-C."""
        self._decide(Cancel(reason))

    def _entered(self) -> None:
        if isinstance(self.level, Typing | Picking):
            self._take(self.level)
        else:
            super()._entered()

    @abstractmethod
    def _take(self, level: Typing | Picking) -> None:
        """Take what was typed or picked."""

    def _decide(self, response: Response) -> None:
        if self.response is None:
            self.response = response

    def _leave(self, response: Response) -> None:
        """Decline or cancel."""
        self._decide(response)

    def outermost(self) -> None:
        """Ask what to do."""
        rows = [Row("go_on"), Row("help"), Row("read")]
        rows += [Row("extend")] if self.limit.left is not None else []
        rows += [Row("cancel"), Row("decline")]
        rows += [Row("mute")] if self.asked.turn is not None else []
        self.levels.append(Rows(kind="menu", rows=rows))

    def _extend(self) -> None:
        self.levels.pop()
        self.extend()

    def _ask_mute(self) -> None:
        self.levels.append(Rows(kind="mute", rows=(Row("back"), Row("mute_yes"))))

    def _mute(self) -> None:
        if self.asked.turn is not None:
            self.asked.turn.mute()
            self._decide(Cancel("muted"))

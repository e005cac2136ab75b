"""Which url elicitations a server told to be completed, for those that are not open yet.

A notice of completion and the consent it belongs to travel in no order (G33), and an id that
comes again, or that nobody knows, is no news (M24, A47). Ids are opaque (M20, A44).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

_REMEMBERED: Final = 256
"""Elicitation ids that are remembered beyond their pages."""


class Notices:
    """The notices of one connection that found no open page."""

    def __init__(self) -> None:
        # By their hashes, so that an id of a megabyte weighs no more than any other.
        self._early: OrderedDict[int, bool] = OrderedDict()

    def came(self, elicitation_id: str) -> None:
        """A notice came, and no page of this id is open."""
        self._early.setdefault(hash(elicitation_id), True)
        self._forget()

    def take(self, elicitation_id: str) -> bool:
        """Whether the notice came already; it counts once, and none that comes later does."""
        key = hash(elicitation_id)
        early = self._early.pop(key, False)
        self._early[key] = False
        self._forget()
        return early

    def _forget(self) -> None:
        if len(self._early) > _REMEMBERED:
            self._early.popitem(last=False)

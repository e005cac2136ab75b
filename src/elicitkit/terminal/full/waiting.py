"""A desk for a page that is open elsewhere: again, finished, or given up (M26).

None of the three is marked at first, so that an Enter left over from consent says nothing.
"""

from __future__ import annotations

from functools import partial

from elicitkit.core.open_page import Way
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked_url import WAYS, AskedPage
from elicitkit.terminal.commands import fold
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Row, Rows
from elicitkit.terminal.limit import Limit


class WaitDesk(Desk):
    """One open page, and the place of the person before it."""

    def __init__(self, asked: AskedPage, texts: Catalog) -> None:
        rows = (Row("again"), Row("finished"), Row("give_up"))
        root = Rows(kind="wait", rows=rows, at=None)
        super().__init__(asked, Limit(None, texts), texts, root)
        self.way: Way | None = None
        self._acts |= {way: partial(self._go, way) for way in ("again", "finished", "give_up")}

    @property
    def over(self) -> bool:
        """Whether the person has said something."""
        return self.way is not None

    def _go(self, way: Way) -> None:
        if self.way is None:
            self.way = way

    def end(self, reason: str) -> None:
        """Whatever ends the input gives up."""
        self._go("give_up")

    def outermost(self) -> None:
        """Esc ends no wait; it says what does."""
        self._nothing()

    def _nothing(self) -> None:
        self.tell(self._t("wait.unmarked"))

    def _name(self, level: Rows, text: str) -> None:
        way = WAYS.get(fold(text))
        if way is None:
            self._nothing()
        else:
            level.find(way)

    def _keys_told(self) -> str:
        return self._t("wait.keys_told")

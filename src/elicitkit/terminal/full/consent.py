"""A desk for a URL: three rows, of which none is marked, and a line for its domain.

Enter alone opens nothing. Where the findings warn, opening takes the domain, typed; where
they refuse, there is no row for it at all (UX17). What counts as consent is
``terminal/asked_url.py``.
"""

from __future__ import annotations

from elicitkit.core.model import Accept
from elicitkit.core.typed import NO
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked_url import OPEN, AskedUrl
from elicitkit.terminal.commands import fold
from elicitkit.terminal.full.levels import Picking, Row, Rows, Typing
from elicitkit.terminal.full.question import OUT, Question
from elicitkit.terminal.limit import Limit


class ConsentDesk(Question):
    """One URL, and the place of the person before it."""

    def __init__(self, asked: AskedUrl, limit: Limit, texts: Catalog) -> None:
        rows = OUT if asked.opens == "never" else (Row("open"), *OUT)
        super().__init__(asked, limit, texts, Rows(kind="ask", rows=rows, at=None))
        self._url = asked
        self._acts |= {"open": self._open}

    def _open(self) -> None:
        if self._url.opens == "at_once":
            self._decide(Accept())
        else:
            self.levels.append(Typing())

    def _take(self, level: Typing | Picking) -> None:
        if self._url.opens == "typed" and self._url.agreed(level.text):
            self._decide(Accept())
        else:
            self.tell(self._url.slip(level.text)[0])

    def _name(self, level: Rows, text: str) -> None:
        if fold(text) in OPEN and self._url.opens != "never":
            level.find("open")
        elif fold(text) in NO:
            level.find("decline")
        else:
            self._nothing()

    def _nothing(self) -> None:
        never = self._url.opens == "never"
        self.tell(self._t("consent.act.never" if never else "consent.unmarked"))

    def _keys_told(self) -> str:
        return self._t("consent.keys_told")

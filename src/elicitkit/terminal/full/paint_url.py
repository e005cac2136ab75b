"""What a URL has on the screen: its domain, all of it, and what was found.

The domain is bold and alone on its line, and never cut; in the URL below it the host is
bold, too (UX17). What does not fit is one key away, and the screen says how much it is.
"""

from __future__ import annotations

from elicitkit.i18n import Catalog
from elicitkit.terminal.asked_url import AskedUrl
from elicitkit.terminal.fold import fold
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Picking, Reading, Row, Rows, Typing
from elicitkit.terminal.full.paint import Painter
from elicitkit.terminal.full.picture import BOLD, PLAIN, Line


class UrlPainter(Painter):
    """Draws the desk of a URL that is asked about, or of a page that is open."""

    def __init__(self, desk: Desk, asked: AskedUrl, texts: Catalog) -> None:
        super().__init__(desk, texts)
        self._asked = asked
        self._labels = asked.labels()

    @property
    def _in_sight(self) -> bool:
        return not isinstance(self._desk.level, Reading)

    def _title(self) -> list[Line]:
        if not self._in_sight:
            return []
        address = self._asked.address
        domain = f"  {address.domain}" if address.domain else ""
        return [
            *self._fold(PLAIN, [self._asked.what()]),
            *self._fold(BOLD, [domain] if domain else []),
            *self._fold(PLAIN, (f"  {text}" for text in address.also())),
        ]

    def _url(self) -> list[Line]:
        if not self._in_sight:
            return []
        address = self._asked.address
        return [
            *(line for text in address.whole() for line in self._host_strong(text)),
            *self._fold(PLAIN, self._asked.beside()),
        ]

    def _host_strong(self, text: str) -> list[Line]:
        """The URL on as many lines as it takes, the host in it bold."""
        start = text.find(self._asked.address.host, text.find("//") + 2)
        end = start + len(self._asked.address.host)
        lines: list[Line] = []
        at = len(text) - len(text.lstrip())
        for line in fold(text, self._columns):
            margin = len(line) - len(line.lstrip())
            place = [min(max(one - at, 0) + margin, len(line)) for one in (start, end)]
            lines.append(Line(PLAIN, line, (place[0], place[1])))
            at += len(line) - margin
        return lines

    def _findings(self) -> list[Line]:
        return self._fold(PLAIN, self._asked.told()) if self._in_sight else []

    def _lead(self) -> list[Line]:
        match self._desk.level:
            case Rows(kind="menu"):
                return self._fold(BOLD, [self._t("consent.menu")])
            case Rows(kind="mute"):
                return self._fold(BOLD, self._menu_title())
            case Rows():
                return self._fold(PLAIN, self._asked.lead())
            case Typing():
                return self._fold(BOLD, [self._asked.act()])
            case Picking() | Reading():
                return []

    def _label(self, row: Row) -> str:
        return self._labels.get(row.do) or super()._label(row)

    def _keys(self) -> str:
        match self._desk.level:
            case Rows(kind="ask"):
                return self._t("consent.keys.ask")
            case Rows(kind="wait"):
                return self._t("consent.keys.wait")
            case Typing():
                return self._t("consent.keys.typing")
            case _:
                return super()._keys()

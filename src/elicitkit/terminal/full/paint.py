"""A desk as a picture: who asks, the message, the list to move in, what was told, the keys.

Linear from top to bottom, without boxes or colour: what is marked carries ``>`` as well as
a style, and every state is a word (UX08). Each text of a server comes through the catalog's
``inert`` before it stands here (UX15). What only a form has on the screen is
``paint_form.py``, what only a URL has ``paint_url.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from elicitkit.i18n import Catalog
from elicitkit.terminal.fold import clip, fold
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Level, Picking, Reading, Row, Rows, Typing
from elicitkit.terminal.full.picture import (
    BOLD,
    MARKED,
    PLAIN,
    Line,
    Picture,
    Shares,
    cut,
    share,
)

MARK = "> "
_NO_MARK = "  "
_ROOMY = 20
"""Rows from which there is an empty line before the keys."""


class Painter:
    """Draws one desk at any size."""

    def __init__(self, desk: Desk, texts: Catalog) -> None:
        self._desk = desk
        self._texts = texts
        self._t = texts.t
        self._columns = 80

    def paint(self, columns: int, rows: int) -> Picture:
        """The whole screen at this size."""
        self._columns = columns
        air = [Line(PLAIN, "")] if rows >= _ROOMY else []
        head, foot = self._head(), [*air, *self._fold(PLAIN, [self._keys()])]
        message, url, findings = self._message(), self._url(), self._findings()
        title, lead = self._title(), self._lead()
        prompt = self._prompt()
        fixed = len(head) + len(title) + len(lead) + len(foot) + (prompt is not None)
        below = [*self._field(), *self._fold(BOLD, self._desk.notices)]
        room = max(rows - fixed, 1)
        body, cursor = self._body(room)
        wants: Shares = {
            "below": len(below),
            "body": len(body),
            "findings": len(findings),
            "url": len(url),
            "message": len(message),
        }
        if lead and sum(wants.values()) < room:
            lead.append(Line(PLAIN, ""))
        shares = share(room, wants)
        self._remember_unread(wants, shares)
        self._desk.page = max(shares["body"] - 1, 1)
        return Picture(
            top=[
                *head,
                *cut(message, shares["message"], self._left),
                *title,
                *cut(url, shares["url"], self._left),
                *cut(findings, shares["findings"], self._left),
                *lead,
            ],
            body=body,
            cursor=cursor,
            height=max(shares["body"], 1),
            below=cut(below, shares["below"], self._left),
            prompt=prompt,
            foot=foot,
        )

    def _left(self, count: int) -> str:
        return clip(self._t("full.cut", count=count), self._columns)

    def _fold(self, style: str, texts: Iterable[str]) -> list[Line]:
        return [Line(style, line) for text in texts for line in fold(text, self._columns)]

    def _remember_unread(self, wants: Shares, shown: Shares) -> None:
        if isinstance(self._desk.level, Reading):
            return
        parts = [self._desk.asked.whole()]
        if wants["below"] > shown["below"]:
            at_hand = (line.text for line in self._at_hand(whole=True))
            parts += ["", *at_hand, *self._desk.notices]
        # A list scrolls; what else does not fit is to be read on its own.
        cut_off = any(wants[part] > shown[part] for part in wants if part != "body")
        self._desk.unread = "\n".join(parts) if cut_off else ""

    # From the top.

    def _head(self) -> list[Line]:
        who, *more = self._desk.asked.head()
        told = self._desk.limit.told()
        more += [told] if told is not None else []
        return [*self._fold(BOLD, [who]), *self._fold(PLAIN, more)]

    def _message(self) -> list[Line]:
        if isinstance(self._desk.level, Reading):
            return []
        hidden = self._desk.asked.hidden()
        texts = [self._desk.asked.message(), *([hidden] if hidden is not None else [])]
        return [*self._fold(PLAIN, texts), Line(PLAIN, "")]

    def _title(self) -> list[Line]:
        """What the list is; never cut."""
        return self._fold(BOLD, self._menu_title())

    def _menu_title(self) -> list[str]:
        match self._desk.level:
            case Rows(kind="menu"):
                return [self._t("full.menu")]
            case Rows(kind="mute"):
                return [self._t("mute.ask", who=self._desk.asked.who)]
            case _:
                return []

    def _url(self) -> list[Line]:
        """A URL, where the screen is about one."""
        return []

    def _findings(self) -> list[Line]:
        """What was found about it."""
        return []

    def _lead(self) -> list[Line]:
        """What stands right before the list; never cut."""
        return []

    # The list.

    def _body(self, room: int) -> tuple[list[Line], int]:
        match self._desk.level:
            case Rows() as level:
                return self._rows(level)
            case Reading() as level:
                return self._page(level, room), 0
            case Typing():
                below = self._desk.levels[-2]
                return self._rows(below) if isinstance(below, Rows) else ([], 0)
            case Picking() as level:
                return self._options(level)

    def _options(self, level: Picking) -> tuple[list[Line], int]:
        return [], 0

    def _rows(self, level: Rows) -> tuple[list[Line], int]:
        lines: list[Line] = []
        spans: list[int] = []
        cursor = 0
        for place, row in enumerate(level.rows):
            texts = self._row(level, row)
            spans.append(len(texts))
            if place == level.at:
                level.line = min(level.line, len(texts) - 1)
                cursor = len(lines) + level.line
            lines += marked(texts, level.line if place == level.at else None)
        level.spans = spans
        return lines, cursor

    def _row(self, level: Rows, row: Row) -> list[str]:
        return fold(self._label(row), self._columns - len(MARK))

    def _label(self, row: Row) -> str:
        return self._t(f"full.do.{row.do}", who=self._desk.asked.who)

    def _page(self, level: Reading, room: int) -> list[Line]:
        lines = self._fold(PLAIN, [level.text])
        level.top = min(level.top, max(len(lines) - room, 0))
        return lines[level.top : level.top + room]

    # The field at hand.

    def _field(self) -> list[Line]:
        texts = self._at_hand()
        lines = [line for style, text, _ in texts for line in self._fold(style, [text])]
        return [Line(PLAIN, ""), *lines] if lines else []

    def _at_hand(self, *, whole: bool = False) -> Sequence[Line]:
        """The texts of what is marked, typed or picked, not folded yet."""
        return []

    # The bottom.

    def _prompt(self) -> str | None:
        return MARK if isinstance(self._desk.level, Typing) else None

    def _keys(self) -> str:
        return self._t(f"full.keys.{_of(self._desk.level)}")


def marked(texts: Sequence[str], at: int | None) -> Iterator[Line]:
    """The lines of one row, of which the one with the cursor carries the mark."""
    for line, text in enumerate(texts):
        style = MARKED if line == at else BOLD if at is not None else PLAIN
        yield Line(style, (MARK if line == at else _NO_MARK) + text)


def _of(level: Level) -> str:
    match level:
        case Rows(kind=kind):
            return kind
        case Typing():
            return "typing"
        case Picking(ticks=None):
            return "picking"
        case Picking():
            return "ticking"
        case Reading():
            return "reading"

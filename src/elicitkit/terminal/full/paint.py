"""A desk as a picture: who asks, the message, one line a field, the field at hand, the keys.

Linear from top to bottom, without boxes or colour: what is marked carries ``>`` as well as
a style, and every state is a word (UX08). Each text of a server comes through the catalog's
``inert`` before it stands here (UX15).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from elicitkit.core.fields import UNSET
from elicitkit.core.form import Entry
from elicitkit.i18n import Catalog
from elicitkit.terminal.describe import DESCRIPTION, Words
from elicitkit.terminal.fold import clip, fold
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Level, Picking, Reading, Row, Rows, Typing
from elicitkit.terminal.full.picture import BOLD, MARKED, PLAIN, Line, Picture, cut, share

_MARK = "> "
_NO_MARK = "  "
_ROOMY = 20
"""Rows from which there is an empty line before the keys."""


class Painter:
    """Draws one desk at any size."""

    def __init__(self, desk: Desk, texts: Catalog) -> None:
        self._desk = desk
        self._form = desk.form
        self._texts = texts
        self._t = texts.t
        self._words = Words(texts)
        self._columns = 80

    def paint(self, columns: int, rows: int) -> Picture:
        """The whole screen at this size."""
        self._columns = columns
        air: list[Line] = [(PLAIN, "")] if rows >= _ROOMY else []
        head, foot = self._head(), [*air, *self._fold(PLAIN, [self._t(self._keys())])]
        message = self._message()
        title = self._fold(BOLD, self._title())
        prompt = self._prompt()
        fixed = len(head) + len(title) + len(foot) + (prompt is not None)
        below = [*self._field(), *self._fold(BOLD, self._desk.notices)]
        body, cursor = self._body(max(rows - fixed, 1))
        shares = share(max(rows - fixed, 1), message=len(message), body=len(body), below=len(below))
        self._remember_unread(message, below, shares.message, shares.below)
        self._desk.page = max(shares.body - 1, 1)
        return Picture(
            top=[*head, *cut(message, shares.message, self._left), *title],
            body=body,
            cursor=cursor,
            height=max(shares.body, 1),
            below=cut(below, shares.below, self._left),
            prompt=prompt,
            foot=foot,
        )

    def _left(self, count: int) -> str:
        return clip(self._t("full.cut", count=count), self._columns)

    def _fold(self, style: str, texts: Iterable[str]) -> list[Line]:
        return [(style, line) for text in texts for line in fold(text, self._columns)]

    def _remember_unread(
        self, message: Sequence[Line], below: Sequence[Line], shown: int, under: int
    ) -> None:
        parts = [self._desk.asked.message()]
        if len(below) > under:
            at_hand = (text for _, text in self._at_hand(whole=True))
            parts += ["", *at_hand, *self._desk.notices]
        cut_off = len(message) > shown or len(below) > under
        if not isinstance(self._desk.level, Reading):
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
        return [*self._fold(PLAIN, texts), (PLAIN, "")]

    def _title(self) -> list[str]:
        who = self._desk.asked.who
        match self._desk.level:
            case Rows(kind="review"):
                return [self._t("review.heading", who=who)]
            case Rows(kind="menu"):
                return [self._t("full.menu")]
            case Rows(kind="mute"):
                return [self._t("mute.ask", who=who)]
            case Rows(kind="ask"):
                return self._asked_for()
            case Picking(name=name):
                return [self._heading(name)]
            case _:
                return []

    def _asked_for(self) -> list[str]:
        if self._form.shape == "empty":
            return [self._t("full.nothing_to_fill")]
        (one,) = self._form.fields
        return [self._words.label(one), *self._words.description(one)]

    def _heading(self, name: str) -> str:
        entry = self._form.entry(name)
        return self._t(
            "field.heading",
            place=self._desk.names.index(name) + 1,
            count=len(self._desk.names),
            who=self._desk.asked.who,
            label=self._words.label(entry.field),
            need=self._words.need(entry.field),
            kind=self._words.kind(entry.field),
        )

    # The list.

    def _body(self, room: int) -> tuple[list[Line], int]:
        match self._desk.level:
            case Rows() as level:
                return self._rows(level)
            case Picking() as level:
                return self._options(level)
            case Reading() as level:
                return self._page(level, room), 0
            case Typing() as level:
                below = self._desk.levels[-2]
                lines, cursor = self._rows(below) if isinstance(below, Rows) else ([], 0)
                return lines, cursor

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
            lines += _marked(texts, level.line if place == level.at else None)
        level.spans = spans
        return lines, cursor

    def _row(self, level: Rows, row: Row) -> list[str]:
        room = self._columns - len(_MARK)
        if row.do != "field":
            text = self._t(f"full.do.{row.do}", who=self._desk.asked.who)
            return fold(text, room)
        entry = self._form.entry(row.name)
        place = self._desk.names.index(row.name) + 1
        if level.kind == "review":
            return fold(self._words.row(place, entry), room)
        return [clip(self._words.row(place, entry, whole=False), room)]

    def _options(self, level: Picking) -> tuple[list[Line], int]:
        lines: list[Line] = []
        cursor = 0
        chosen = self._chosen(level)
        several = level.ticks is not None
        for place, one in enumerate(level.shown):
            if place == level.at:
                cursor = len(lines)
            sign = "x" if one.const in chosen else " "
            box = f"[{sign}] " if several else f"({sign}) "
            texts = fold(box + one.label, self._columns - len(_MARK))
            lines += _marked(texts, 0 if place == level.at else None)
        return lines, cursor

    def _chosen(self, level: Picking) -> Sequence[str]:
        if level.ticks is not None:
            return level.ticks
        value = self._form.entry(level.name).value
        if isinstance(value, bool):
            return ["yes" if value else "no"]
        return [value] if isinstance(value, str) else []

    def _page(self, level: Reading, room: int) -> list[Line]:
        lines = self._fold(PLAIN, [level.text])
        level.top = min(level.top, max(len(lines) - room, 0))
        return lines[level.top : level.top + room]

    # The field at hand.

    def _field(self) -> list[Line]:
        lines = [line for style, text in self._at_hand() for line in self._fold(style, [text])]
        return [(PLAIN, ""), *lines] if lines else []

    def _at_hand(self, *, whole: bool = False) -> list[Line]:
        """The texts of the field that is marked, typed or picked, not folded yet."""
        match self._desk.level:
            case Rows(kind="fields", row=Row("field", name)) | Typing(name=name):
                entry = self._form.entry(name)
                heading = (BOLD, self._heading(name))
                return [heading, *self._about(entry), *self._state(entry)]
            case Picking() as level:
                entry = self._form.entry(level.name)
                said = self._said(level, whole=whole)
                return [*self._about(entry), *self._state(entry), *said]
            case _:
                return []

    def _about(self, entry: Entry) -> Iterator[Line]:
        yield from ((PLAIN, text) for text in self._words.description(entry.field))
        yield from ((PLAIN, f"  {hint}") for hint in self._words.hints(entry.field))

    def _said(self, level: Picking, *, whole: bool) -> Iterator[Line]:
        """What the server says of the marked option, or of all."""
        shown = level.shown if whole else [level.pick] if level.pick is not None else []
        for one in shown:
            if one.description:
                said = self._texts.inert(one.description, DESCRIPTION)
                yield PLAIN, f"  {one.label}: {said}"

    def _state(self, entry: Entry) -> list[Line]:
        if entry.state == "answered" and entry.errors:
            return [(BOLD, text) for text in self._words.complaints(entry)]
        if entry.value is not UNSET:
            key = "full.suggested" if entry.state == "untouched" else "full.answered"
            return [(PLAIN, self._t(key, value=self._words.brief(entry, entry.value)))]
        if entry.field.required:
            return [(BOLD, self._t("state.empty_required"))]
        key = "full.left_out" if entry.state == "omitted" else "full.unanswered"
        return [(PLAIN, self._t(key))]

    # The bottom.

    def _prompt(self) -> str | None:
        match self._desk.level:
            case Typing():
                return _MARK
            case Picking():
                return self._t("full.filter")
            case _:
                return None

    def _keys(self) -> str:
        return f"full.keys.{_of(self._desk.level)}"


def _marked(texts: Sequence[str], at: int | None) -> Iterator[Line]:
    """The lines of one row, of which the one with the cursor carries the mark."""
    for line, text in enumerate(texts):
        style = MARKED if line == at else BOLD if at is not None else PLAIN
        yield style, (_MARK if line == at else _NO_MARK) + text


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

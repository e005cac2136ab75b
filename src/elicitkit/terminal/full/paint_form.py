"""What a form has on the screen: one line a field, its options, and the field at hand.

Constraints are seen before anything is typed (UX12); what can be answered from a row is
said below the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elicitkit.core.fields import UNSET, ChoiceField, Other
from elicitkit.core.form import Entry
from elicitkit.i18n import Catalog
from elicitkit.terminal.describe import DESCRIPTION, Words
from elicitkit.terminal.fold import clip, fold
from elicitkit.terminal.full.form import FormDesk
from elicitkit.terminal.full.levels import Picking, Row, Rows, Typing
from elicitkit.terminal.full.paint import MARK, Painter, marked
from elicitkit.terminal.full.picks import FALSE, TRUE, Pick
from elicitkit.terminal.full.picture import BOLD, PLAIN, Line


class FormPainter(Painter):
    """Draws the desk of a form."""

    def __init__(self, desk: FormDesk, texts: Catalog) -> None:
        super().__init__(desk, texts)
        self._form = desk.form
        self._names = desk.names
        self._words = Words(texts)

    def _title(self) -> list[Line]:
        match self._desk.level:
            case Rows(kind="review"):
                heading = [self._t("review.heading", who=self._desk.asked.who)]
            case Rows(kind="ask"):
                heading = self._asked_for()
            case Picking(name=name):
                heading = [self._heading(name)]
            case _:
                return super()._title()
        return self._fold(BOLD, heading)

    def _asked_for(self) -> list[str]:
        if self._form.shape == "empty":
            return [self._t("full.nothing_to_fill")]
        (one,) = self._form.fields
        return [self._words.label(one), *self._words.description(one)]

    def _heading(self, name: str) -> str:
        entry = self._form.entry(name)
        return self._t(
            "field.heading",
            place=self._names.index(name) + 1,
            count=len(self._names),
            who=self._desk.asked.who,
            label=self._words.label(entry.field),
            need=self._words.need(entry.field),
            kind=self._words.kind(entry.field),
        )

    def _row(self, level: Rows, row: Row) -> list[str]:
        room = self._columns - len(MARK)
        if row.do != "field":
            return super()._row(level, row)
        entry = self._form.entry(row.name)
        place = self._names.index(row.name) + 1
        if level.kind == "review":
            return fold(self._words.row(place, entry), room)
        return [clip(self._words.row(place, entry, whole=False), room)]

    def _options(self, level: Picking) -> tuple[list[Line], int]:
        lines: list[Line] = []
        cursor = 0
        several = level.ticks is not None
        for place, one in enumerate(level.shown):
            if place == level.at:
                cursor = len(lines)
            sign = "x" if self._is_chosen(level, one) else " "
            box = f"[{sign}] " if several else f"({sign}) "
            texts = fold(box + one.label, self._columns - len(MARK))
            lines += marked(texts, 0 if place == level.at else None)
        return lines, cursor

    def _is_chosen(self, level: Picking, one: Pick) -> bool:
        value = self._form.entry(level.name).value
        if one.own or isinstance(value, Other):
            return one.own and isinstance(value, Other)
        if level.ticks is not None:
            return one.const in level.ticks
        return one.const == ((TRUE if value else FALSE) if isinstance(value, bool) else value)

    def _at_hand(self, *, whole: bool = False) -> Sequence[Line]:
        """The texts of the field that is marked, typed or picked, not folded yet."""
        match self._desk.level:
            case Rows(kind="fields", row=Row("field", name)) | Typing(name=name) as level:
                entry = self._form.entry(name)
                heading = Line(BOLD, self._heading(name))
                written = self._written(entry) if isinstance(level, Typing) else ()
                return [heading, *self._about(entry), *written, *self._state(entry)]
            case Picking() as level:
                entry = self._form.entry(level.name)
                said = self._said(level, whole=whole)
                return [*self._about(entry), *self._state(entry), *said]
            case _:
                return []

    def _about(self, entry: Entry) -> Iterator[Line]:
        yield from (Line(PLAIN, text) for text in self._words.description(entry.field))
        yield from (Line(PLAIN, f"  {hint}") for hint in self._words.hints(entry.field))

    def _written(self, entry: Entry) -> Iterator[Line]:
        """What the line is for that is typed to a choice."""
        if isinstance(entry.field, ChoiceField):
            yield Line(PLAIN, f"  {self._t('own.write')}")

    def _said(self, level: Picking, *, whole: bool) -> Iterator[Line]:
        """What the server says of the marked option, or of all."""
        shown = level.shown if whole else [level.pick] if level.pick is not None else []
        for one in shown:
            if one.description:
                said = self._texts.inert(one.description, DESCRIPTION)
                yield Line(PLAIN, f"  {one.label}: {said}")

    def _state(self, entry: Entry) -> list[Line]:
        if entry.state == "answered" and entry.errors:
            return [Line(BOLD, text) for text in self._words.complaints(entry)]
        if entry.value is not UNSET:
            key = "full.suggested" if entry.state == "untouched" else "full.answered"
            return [Line(PLAIN, self._t(key, value=self._words.brief(entry, entry.value)))]
        if entry.field.required:
            return [Line(BOLD, self._t("state.empty_required"))]
        key = "full.left_out" if entry.state == "omitted" else "full.unanswered"
        return [Line(PLAIN, self._t(key))]

    def _prompt(self) -> str | None:
        if isinstance(self._desk.level, Picking):
            return self._t("full.filter")
        return super()._prompt()

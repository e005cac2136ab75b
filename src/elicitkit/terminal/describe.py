"""A field in words: what is asked, which answers fit, what stands there now.

Constraints are said before anything is typed (UX12), titles are shown beside what they
send (UX14), and every word that a server wrote is made inert here (UX15). Pure: entries
and a catalog in, lines out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Other,
    OtherField,
    TextField,
    Unset,
    Value,
    kind_of,
)
from elicitkit.core.form import Entry
from elicitkit.core.formats import FORMATS
from elicitkit.core.typed import Menu
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import LABEL

DESCRIPTION: Final = 4_000
BRIEF: Final = 200
"""How much of a value is shown where it is not the review."""


_HOW: Final[Mapping[type[Field], str]] = {
    BooleanField: "hint.boolean",
    ChoiceField: "hint.choice",
    ChoicesField: "hint.choices",
}


def unnamed(one: Field) -> bool:
    """The field is only a holder for one value, as ``value`` is for every server that asks so."""
    return one.title is None and one.name == "value"


class Words:
    """Entries of a form in the words of one language."""

    def __init__(self, texts: Catalog) -> None:
        self._texts = texts
        self._t = texts.t

    def label(self, one: Field) -> str:
        """The label of a field, inert and on one line."""
        if unnamed(one):
            return self._t("field.unnamed")
        return self._texts.inert(one.label, LABEL)

    def need(self, one: Field) -> str:
        return self._t("field.required" if one.required else "field.optional")

    def kind(self, one: Field) -> str:
        if isinstance(one, ChoiceField) and one.other is not None:
            return self._t("kind.choice_other")
        return self._t(f"kind.{kind_of(one)}")

    def own(self, companion: TextField) -> str:
        """The row of a choice behind which an answer of one's own is written."""
        titled = companion.title is not None
        label = self._texts.inert(companion.label, LABEL) if titled else self._t("own.unnamed")
        return self._t("own.row", label=label)

    def about(self, one: Field, menu: Menu | None) -> Iterator[str]:
        """The description, the constraints and the options of a field, for a typed answer."""
        yield from self.description(one)
        yield from (f"  {hint}" for hint in self.hints(one))
        how = _HOW.get(type(one))
        if how is not None:
            yield f"  {self._t(how)}"
        if menu is not None:
            yield from self._options(menu)

    def description(self, one: Field) -> Iterator[str]:
        """What the server says about a field, indented."""
        if one.description:
            text = self._texts.inert(one.description, DESCRIPTION, multiline=True)
            yield from (f"  {line}" for line in text.split("\n"))

    def _options(self, menu: Menu) -> Iterator[str]:
        for place, one in enumerate(menu.options, 1):
            yield f"  {menu.number(place)}. {self._texts.inert(one.label, LABEL)}"
            yield from self._told(one.description)
        if menu.own is not None:
            yield f"  {menu.number(len(menu.options) + 1)}. {self.own(menu.own)}"
            yield from self._told(menu.own.description)

    def _told(self, description: str | None) -> Iterator[str]:
        """What the server says about an option."""
        if description:
            yield f"     {self._texts.inert(description, DESCRIPTION)}"

    def hints(self, one: Field) -> Iterator[str]:
        """The constraints of a field."""
        match one:
            case TextField():
                yield from self._text_hints(one)
            case NumberField() | IntegerField():
                yield from self._range("", one.minimum, one.maximum)
            case ChoicesField():
                yield from self._range("_options", one.min_items or None, one.max_items)
            case BooleanField() | ChoiceField() | OtherField():
                pass
            case _:
                assert_never(one)

    def _text_hints(self, one: TextField) -> Iterator[str]:
        yield from self._range("_characters", one.min_length or None, one.max_length)
        if one.format in FORMATS:
            yield self._t(f"hint.{one.format}")
        elif one.format is not None:
            yield self._t("hint.format", format=self._texts.inert(one.format, LABEL))
        if one.pattern is not None:
            yield self._t("hint.pattern", pattern=self._texts.inert(one.pattern, LABEL))

    def _range(self, of: str, low: float | None, high: float | None) -> Iterator[str]:
        if low is not None and high is not None:
            yield self._t(f"hint.between{of}", low=low, high=high)
        elif low is not None:
            yield self._t(f"hint.min{of}", low=low)
        elif high is not None:
            yield self._t(f"hint.max{of}", high=high)

    def state(self, entry: Entry) -> str:
        """What stands at the field now, and what Enter does."""
        if entry.value is not UNSET:
            state = "suggested" if entry.state == "untouched" else "answered"
            way_out = "" if entry.field.required else "_optional"
            return self._t(f"state.{state}{way_out}", value=self.brief(entry, entry.value))
        if entry.state == "answered":
            return self._bad(entry)
        if entry.field.required:
            return self._t("state.empty_required")
        return self._t("state.left_out" if entry.state == "omitted" else "state.empty_optional")

    def _bad(self, entry: Entry) -> str:
        raw = self.raw(entry)
        if entry.suggested is not UNSET:
            value = self.brief(entry, entry.suggested)
            return self._t("state.bad_suggested", raw=raw, value=value)
        return self._t("state.bad" if entry.field.required else "state.bad_optional", raw=raw)

    def complaints(self, entry: Entry) -> list[str]:
        """What keeps an entry from being sent."""
        label = self.label(entry.field)
        return [
            self._t("slip.error", label=label, error=self._texts.error(error))
            for error in entry.errors
        ]

    def row(self, place: int, entry: Entry, *, whole: bool = True) -> str:
        """One entry on a line of the review, or in brief."""
        label = self.label(entry.field)
        if entry.errors:
            error = " ".join(self._texts.error(error) for error in entry.errors)
            key = "review.row_bad" if entry.raw else "review.row_error"
            raw = self.raw(entry)
            return self._t(key, place=place, label=label, raw=raw, error=error)
        if entry.source == "not_sent":
            return self._t("review.row_not_sent", place=place, label=label)
        value = self.value(entry.field, entry.value) if whole else self.brief(entry, entry.value)
        source = self._t(f"review.{entry.source}")
        return self._t("review.row", place=place, label=label, value=value, source=source)

    def raw(self, entry: Entry) -> str:
        """What was typed, as it can be shown on one line."""
        return self._texts.inert(entry.raw or "", BRIEF)

    def brief(self, entry: Entry, value: Value | Other | Unset) -> str:
        """A value at its field, where a long one is shown in part."""
        whole = self.value(entry.field, value)
        if len(whole) <= BRIEF:
            return whole
        return self._t("value.lines", value=self._texts.inert(whole, BRIEF))

    def value(self, one: Field, value: Value | Other | Unset) -> str:
        """A value exactly as it is sent, with the title of an option before its constant."""
        if isinstance(value, Other):
            return self._t("value.other", text=self._quoted(value.text))
        if isinstance(value, bool):
            return self._t("value.yes" if value else "value.no")
        if isinstance(value, list):
            chosen = [self._option(one, const) for const in value]
            return ", ".join(chosen) or self._t("value.nothing")
        if not isinstance(value, str):
            return str(value)
        return self._option(one, value) if isinstance(one, ChoiceField) else self._quoted(value)

    def _option(self, one: Field, const: str) -> str:
        options = one.options if isinstance(one, ChoiceField | ChoicesField) else ()
        title = next((option.label for option in options if option.const == const), const)
        sent = self._whole(const)
        if title == const:
            return sent
        return self._t("value.option", title=self._texts.inert(title, LABEL), const=sent)

    def _quoted(self, text: str) -> str:
        """Quotation marks where blanks at the ends or nothing at all would not be seen."""
        shown = self._whole(text)
        return shown if text and text == text.strip() else f'"{shown}"'

    def _whole(self, text: str) -> str:
        # The review shows what is sent, so nothing of it is cut; an escape has ten characters.
        return self._texts.inert(text, 10 * len(text) + 1)

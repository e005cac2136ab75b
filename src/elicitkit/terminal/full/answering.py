"""A field on its way from keys to the form engine: opened, taken, or left half done.

A field that is typed opens with the person's own earlier text, a list with their own
ticks; a suggestion is in neither. What was typed or ticked is kept whatever is wrong with
it (UX07, UX10).
"""

from __future__ import annotations

from elicitkit.core.check import FieldError
from elicitkit.core.fields import UNSET, BooleanField, ChoiceField, ChoicesField, Other, Value
from elicitkit.core.form import Entry, Form
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import LABEL
from elicitkit.terminal.describe import Words
from elicitkit.terminal.full.levels import Level, Picking, Typing
from elicitkit.terminal.full.picks import TRUE, picks
from elicitkit.terminal.prompt import holds_controls


class Answering:
    """The answers of one form while they are given."""

    def __init__(self, form: Form, texts: Catalog, words: Words) -> None:
        self._form = form
        self._texts = texts
        self._t = texts.t
        self._words = words
        self._ticks: dict[str, list[str]] = {}

    def open(self, name: str, typed: str | None = None) -> Typing | Picking:
        """The field as it can be answered.

        Args:
            name: Which.
            typed: What was typed to open it, which replaces an earlier text.
        """
        entry = self._form.entry(name)
        menu = self._form.menu(name)
        options = picks(entry.field, self._texts, menu.own if menu is not None else None)
        if not options:
            opened = entry.raw or "" if typed is None else ""
            return Typing(name=name, opened=opened, text=opened if typed is None else typed)
        level = Picking(name=name, options=options, ticks=self._ticked(entry))
        # A blank opens the list, and narrows nothing.
        if typed is not None and typed.strip():
            level.narrow(typed)
        return level

    def own(self, level: Picking) -> Typing:
        """The line for an answer of one's own: with what was typed where no option has it."""
        entry = self._form.entry(level.name)
        opened = entry.raw or "" if isinstance(entry.value, Other) else ""
        typed = level.text.strip() if all(one.own for one in level.shown) else ""
        return Typing(name=level.name, opened=opened, text=typed or opened)

    def _ticked(self, entry: Entry) -> list[str] | None:
        if not isinstance(entry.field, ChoicesField):
            return None
        kept = self._ticks.get(entry.field.name)
        if kept is not None:
            return list(kept)
        return list(entry.value) if isinstance(entry.value, list) else []

    def take(self, level: Typing | Picking) -> bool:
        """Give what stands in the line or the list to the form; False where it does not fit."""
        entry = self._put(level)
        return entry.state == "untouched" or not entry.errors

    def slip(self, level: Typing | Picking) -> str | None:
        """Why nothing can be taken from here at all, in words."""
        match level:
            case Typing(text=text) if holds_controls(text):
                return self._t("slip.controls")
            case Picking(text=text, shown=[]):
                return self._t("full.no_match", text=self._texts.inert(text, LABEL))
            case Picking(ticks=[], changed=False, pick=pick) if pick is not None:
                level.at = None
                return self._t("full.tick")
            case _:
                return None

    def keep(self, level: Level) -> None:
        """Keep what was done to a field that is left without Enter."""
        if isinstance(level, Typing) and not holds_controls(level.text):
            self._put(level)
        if isinstance(level, Picking) and level.changed:
            self._put(level)

    def _put(self, level: Typing | Picking) -> Entry:
        match level:
            case Typing(name=name, text=text):
                if text == level.opened:
                    return self._form.entry(name)
                if isinstance(self._form.entry(name).field, ChoiceField):
                    return self._form.set_other(name, text)
                return self._form.set_text(name, text)
            case Picking(name=name, ticks=list()):
                if not level.changed:
                    return self._form.entry(name)
                self._ticks[name] = level.chosen()
                return self._form.set_value(name, level.chosen())
            case Picking(name=name, pick=pick):
                if pick is None:
                    return self._form.entry(name)
                return self._form.set_value(name, self._value(name, pick.const))

    def _value(self, name: str, const: str) -> Value:
        is_boolean = isinstance(self._form.entry(name).field, BooleanField)
        return const == TRUE if is_boolean else const

    def forget(self, name: str) -> None:
        """Forget the ticks of a field that is left out or begun anew."""
        self._ticks.pop(name, None)

    def suggestion(self, name: str) -> str | None:
        """The suggestion as a text that can be changed; None where it is none, or acts."""
        entry = self._form.entry(name)
        suggested = entry.suggested
        if isinstance(entry.field, ChoiceField) != isinstance(suggested, Other):
            return None
        if suggested is UNSET or isinstance(suggested, bool | list):
            return None
        text = suggested.text if isinstance(suggested, Other) else str(suggested)
        return text if self._texts.inert(text, len(text)) == text else None

    def problem(self, error: FieldError) -> str:
        """One thing that is wrong, with its field."""
        label = self._words.label(self._form.entry(error.field).field)
        return self._t("review.problem", label=label, error=self._texts.error(error))

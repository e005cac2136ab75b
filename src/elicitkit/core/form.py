"""The form engine: what a person does with a form, and what would be sent for it.

Every surface shows this one engine, so that a terminal and a web page agree on what an
answer is. It knows no screen, no clock and never waits.

The rules it keeps (UX07, UX10, UX14 of ``docs/acceptance.md``):

- a field is *untouched*, *answered* or *omitted*, and the three differ: an untouched field
  sends its suggestion, an omitted one sends nothing even if it has a suggestion;
- nothing is invented: without a suggestion an untouched optional field sends nothing and
  an untouched required one is an error, a boolean and a choice included;
- a default that does not fit its own field is no suggestion (G26);
- typed text is kept whatever is wrong with it;
- a choice and its companion are one field, and one of the two is sent, never both;
- ``content()`` exists only when nothing is wrong, and holds what ``review()`` shows.

Not here: reading typed text (``core/typed.py``), bounds and formats (``core/check.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from elicitkit.core.check import MESSAGES, FieldError, check, check_value
from elicitkit.core.errors import UsageError
from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    Other,
    OtherField,
    TextField,
    Unset,
    Value,
)
from elicitkit.core.model import FormRequest
from elicitkit.core.typed import READING_MESSAGES, Menu, Unreadable, parse

State: TypeAlias = Literal["untouched", "answered", "omitted"]
Source: TypeAlias = Literal["suggested", "yours", "not_sent"]
Shape: TypeAlias = Literal["empty", "confirm", "fields"]


class FormNotReady(UsageError):
    """The content of a form was taken while something is wrong with it."""

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        self.errors = errors
        names = ", ".join(repr(error.field) for error in errors)
        super().__init__(f"these fields are not ready to be sent: {names}; see errors()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One field, what the person did with it, and what would be sent for it now."""

    field: Field
    suggested: Value | Other | Unset = UNSET
    """The default, where it fits its own field."""
    state: State = "untouched"
    raw: str | None = None
    """The text as it was typed; None where nothing was."""
    value: Value | Other | Unset = UNSET
    """What would be sent, an ``Other`` under the name of the companion; UNSET for nothing."""
    errors: tuple[FieldError, ...] = ()
    """What keeps this field from being sent."""

    @property
    def label(self) -> str:
        """What a person reads: the title, else the key."""
        return self.field.label

    @property
    def source(self) -> Source:
        """Where the value comes from, for the review."""
        if self.value is UNSET:
            return "not_sent"
        return "suggested" if self.state == "untouched" else "yours"


class Form:
    """One form on its way from question to content.

    >>> from elicitkit.core.fields import IntegerField, RequestedSchema
    >>> form = Form(FormRequest(message="How old?", schema=RequestedSchema(
    ...     fields=(IntegerField(name="age", required=True),))))
    >>> [error.code for error in form.errors()]
    ['required']
    >>> form.set_text("age", " 42 ").value
    42
    >>> form.content()
    {'age': 42}
    """

    def __init__(self, request: FormRequest) -> None:
        self.request = request
        self.schema = request.schema
        self._menus: dict[str, Menu] = {}
        self._companions = request.schema.companions()
        hidden = {one.name for one in self._companions.values()}
        self._entries = {
            one.name: self._untouched(one)
            for one in request.schema.fields
            if one.name not in hidden
        }

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that can be answered here, in the order of the schema."""
        asked = (entry.field for entry in self._entries.values())
        return tuple(one for one in asked if not isinstance(one, OtherField))

    @property
    def others(self) -> tuple[OtherField, ...]:
        """The fields of unknown kinds, which are named and never sent (G27)."""
        return tuple(one for one in self.schema.fields if isinstance(one, OtherField))

    @property
    def shape(self) -> Shape:
        """``empty`` asks for a bare yes; ``confirm`` is one required boolean to be answered."""
        if not self.fields:
            return "empty"
        one = self.fields[0]
        single = len(self.fields) == 1 and isinstance(one, BooleanField) and one.required
        return "confirm" if single and self._entries[one.name].suggested is UNSET else "fields"

    def menu(self, name: str) -> Menu | None:
        """The options of a choice as a person can name them; None for other kinds."""
        one = self.schema[name]
        if not isinstance(one, ChoiceField | ChoicesField):
            return None
        if name not in self._menus:
            self._menus[name] = Menu(one.options, self._companions.get(name))
        return self._menus[name]

    def entry(self, name: str) -> Entry:
        """How the field stands."""
        return self._entries[name]

    def set_text(self, name: str, text: str) -> Entry:
        """Answer a field with typed text.

        An empty text omits the field: it is an answer only where ``set_value`` says so.
        """
        one = self.schema[name]
        blank = text == "" if isinstance(one, TextField) else not text.strip()
        if blank:
            return self._put(replace(_omitted(one, self.entry(name).suggested), raw=text))
        try:
            value = parse(one, text, self.menu(name))
        except Unreadable as error:
            errors = (_error(one, error.code, READING_MESSAGES),)
            return self._answer(one, raw=text, value=UNSET, errors=errors)
        return self._checked(one, raw=text, value=value)

    def set_value(self, name: str, value: Value) -> Entry:
        """Answer a field with a value from a real control, or with a meant ``""`` or ``[]``."""
        one = self.schema[name]
        raw = value if isinstance(value, str) and isinstance(one, TextField) else None
        return self._checked(one, raw=raw, value=value)

    def set_other(self, name: str, text: str) -> Entry:
        """Answer a choice that has a companion with a text of one's own; a blank one omits it."""
        one = self.schema[name]
        if not text.strip():
            return self._put(replace(_omitted(one, self.entry(name).suggested), raw=text))
        return self._answer(one, raw=text, value=Other(text), errors=())

    def omit(self, name: str) -> Entry:
        """Send nothing for this field; its suggestion does not come back by itself."""
        return self._put(_omitted(self.schema[name], self.entry(name).suggested))

    def reset(self, name: str) -> Entry:
        """Make the field untouched again, with its suggestion."""
        return self._put(self._untouched(self.schema[name]))

    def errors(self) -> tuple[FieldError, ...]:
        """All that keeps the form from being sent, in the order of the fields."""
        return tuple(error for entry in self._entries.values() for error in entry.errors)

    def review(self) -> tuple[Entry, ...]:
        """Every field with what would be sent for it, in the order of the schema."""
        return tuple(self._entries.values())

    def content(self) -> dict[str, Value]:
        """The content of the accept, exactly as ``review()`` shows it.

        Raises:
            FormNotReady: Something is wrong; ``errors`` says what.
        """
        held: dict[str, Value] = {}
        for name, entry in self._entries.items():
            if isinstance(entry.value, Other):
                held[self._companions[name].name] = entry.value.text
            elif entry.value is not UNSET:
                held[name] = entry.value
        content, errors = check(self.schema, held)
        errors = self.errors() or errors
        if errors:
            raise FormNotReady(errors)
        return content

    def _checked(self, one: Field, *, raw: str | None, value: Value) -> Entry:
        fitting, errors = check_value(one, value)
        kept = UNSET if errors or fitting is None else fitting
        return self._answer(one, raw=raw, value=kept, errors=errors)

    def _answer(
        self,
        one: Field,
        *,
        raw: str | None,
        value: Value | Other | Unset,
        errors: tuple[FieldError, ...],
    ) -> Entry:
        return self._put(
            Entry(
                field=one,
                suggested=self.entry(one.name).suggested,
                state="answered",
                raw=raw,
                value=value,
                errors=errors,
            )
        )

    def _untouched(self, one: Field) -> Entry:
        suggested = self._suggestion(one)
        errors = _missing(one) if suggested is UNSET else ()
        return Entry(field=one, suggested=suggested, value=suggested, errors=errors)

    def _suggestion(self, one: Field) -> Value | Other | Unset:
        companion = self._companions.get(one.name)
        own = UNSET if companion is None else _suggestion(companion)
        return Other(own) if isinstance(own, str) and own.strip() else _suggestion(one)

    def _put(self, entry: Entry) -> Entry:
        self._entries[entry.field.name] = entry
        return entry


def _omitted(one: Field, suggested: Value | Other | Unset) -> Entry:
    return Entry(field=one, suggested=suggested, state="omitted", errors=_missing(one))


def _suggestion(one: Field) -> Value | Unset:
    default = one.default
    if default is UNSET:
        return UNSET
    value, errors = check_value(one, list(default) if isinstance(default, tuple) else default)
    return UNSET if errors or value is None else value


def _missing(one: Field) -> tuple[FieldError, ...]:
    if not one.required:
        return ()
    if isinstance(one, OtherField):
        return (_error(one, "unsupported", READING_MESSAGES),)
    return (_error(one, "required", MESSAGES),)


def _error(one: Field, template: str, messages: Mapping[str, str]) -> FieldError:
    code, _, variant = template.partition(".")
    params = {"variant": variant} if variant else {}
    return FieldError(field=one.name, code=code, message=messages[template], params=params)

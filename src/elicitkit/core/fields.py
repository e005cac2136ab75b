"""The six field kinds of a requested schema, and the schema itself, as values.

A field says what may be asked, not how a dialect spells it: spelling is
``core/schema.py``, checking is ``core/check.py``. Property kinds that ACP leaves open
(A25) are carried raw as ``OtherField`` and are never shown as one of the six.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal, TypeAlias


class Unset(Enum):
    """The type of ``UNSET``: no value was given, which differs from ``""``, ``0`` and ``false``."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET

Value: TypeAlias = str | int | float | bool | list[str]
"""What the content of an accepted form may hold under one key."""


@dataclass(frozen=True, slots=True)
class Other:
    """An answer of one's own to a choice, where none of the options fits."""

    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: ``const`` travels, ``title`` is shown."""

    const: str
    title: str | None = None
    description: str | None = None

    @property
    def label(self) -> str:
        """What a person reads: the title, else the constant."""
        return self.title or self.const


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    name: str
    """The property key on the wire."""
    title: str | None = None
    description: str | None = None
    required: bool = False

    @property
    def label(self) -> str:
        """What a person reads: the title, else the key."""
        return self.title or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField(_Named):
    """A string. ``format`` outside the four known ones is a hint only (A23)."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    default: str | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField(_Named):
    """A JSON number."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    default: int | float | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegerField(_Named):
    """A JSON number without a fraction; 3.0 is one (G10)."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    default: int | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class BooleanField(_Named):
    """True or false."""

    default: bool | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField(_Named):
    """One of several strings."""

    options: tuple[Option, ...]
    legacy: bool = field(default=False, compare=False)
    """Write the titles as ``enumNames`` wherever the dialect still has it: for an author who
    spelled them so, and for nobody else (G25)."""
    other: str | None = None
    """The name of the companion: the optional text field for an answer that is no option."""
    default: str | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesField(_Named):
    """Several of several strings."""

    options: tuple[Option, ...]
    min_items: int | None = None
    max_items: int | None = None
    default: tuple[str, ...] | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherField(_Named):
    """A property kind this version does not know, kept as it came (A25, A26)."""

    raw: Mapping[str, Any]
    default: Unset = UNSET


Field: TypeAlias = (
    TextField | NumberField | IntegerField | BooleanField | ChoiceField | ChoicesField | OtherField
)
Kind: TypeAlias = Literal["text", "number", "integer", "boolean", "choice", "choices", "other"]

KINDS: Final[Mapping[type[Field], Kind]] = {
    TextField: "text",
    NumberField: "number",
    IntegerField: "integer",
    BooleanField: "boolean",
    ChoiceField: "choice",
    ChoicesField: "choices",
    OtherField: "other",
}


def kind_of(one: Field) -> Kind:
    """The vocabulary's word for this field's kind."""
    return KINDS[type(one)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedSchema:
    """A flat object of fields, in the order in which they are asked."""

    fields: tuple[Field, ...]
    closed: bool = False
    """The schema itself forbids other keys (``additionalProperties: false``)."""
    title: str | None = None
    description: str | None = None
    memo: dict[Any, Any] = field(
        default_factory=dict[Any, Any], init=False, repr=False, compare=False
    )
    """What is computed once per schema (checks, renderings); keyed by the module that computes."""

    def __getitem__(self, name: str) -> Field:
        return self.by_name()[name]

    def by_name(self) -> Mapping[str, Field]:
        """The fields by their property key."""
        found = self.memo.get("by_name")
        if found is None:
            found = self.memo["by_name"] = {one.name: one for one in self.fields}
        return found

    def companions(self) -> Mapping[str, TextField]:
        """The text field for an answer of one's own, by the name of its choice."""
        found = self.memo.get("companions")
        if found is None:
            found = self.memo["companions"] = {
                one.name: text
                for one in self.fields
                if isinstance(one, ChoiceField) and one.other is not None
                if isinstance(text := self.by_name().get(one.other), TextField)
            }
        return found

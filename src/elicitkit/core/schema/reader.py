"""A requested schema as it came, read into fields.

Tolerant where the specifications ask it of readers (A21, A23, A25, G21, G25, G26), and
strict where a form would otherwise show something else than was asked: a keyword of the
wrong type is a malformed request, not something to guess at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeGuard, TypeVar, cast

from elicitkit.core.check import check_value
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest, Problem, join_problems
from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.schema.companions import paired
from elicitkit.core.schema.keywords import ignored_keywords

Raw = Mapping[str, Any]

_ItemT = TypeVar("_ItemT")
_FieldT = TypeVar("_FieldT", TextField, NumberField, IntegerField, BooleanField, ChoiceField)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What came of reading a schema."""

    schema: RequestedSchema | None
    """None when there is a problem that no form can be made of."""
    problems: tuple[Problem, ...]
    ignored: tuple[Problem, ...]
    """What a reader passes over and an author should not rely on: keywords that restrict the
    answer and that no dialect knows, defaults that do not fit, options named twice (G26)."""


def read(raw: object, dialect: Dialect) -> RequestedSchema:
    """The fields of a requested schema.

    Raises:
        InvalidRequest: No form can be made of it; every problem is named.
    """
    reading = inspect(raw, dialect)
    if reading.schema is None:
        raise InvalidRequest(f"requestedSchema: {join_problems(reading.problems)}")
    return reading.schema


def inspect(raw: object, dialect: Dialect) -> Reading:
    """The fields of a requested schema together with everything that is odd about it."""
    reader = _Reader(dialect)
    schema = reader.root(raw)
    return Reading(
        schema=None if reader.problems else schema,
        problems=tuple(reader.problems),
        ignored=tuple(reader.ignored),
    )


@dataclass(slots=True)
class _Reader:
    dialect: Dialect
    problems: list[Problem] = field(default_factory=list[Problem])
    ignored: list[Problem] = field(default_factory=list[Problem])

    def problem(self, path: str, code: str, message: str) -> None:
        self.problems.append(Problem(path, code, message))

    def ignore(self, path: str, code: str, message: str) -> None:
        self.ignored.append(Problem(path, code, message))

    def root(self, raw: object) -> RequestedSchema | None:
        if not isinstance(raw, Mapping):
            self.problem("", "not_an_object", "a requested schema is a JSON object")
            return None
        source = cast(Raw, raw)
        lenient = self.dialect.lenient_root
        if source.get("type") != "object" and not lenient:
            self.problem("type", "not_an_object", 'type must be "object"')
        properties = source.get("properties", {} if lenient else None)
        if not isinstance(properties, Mapping):
            self.problem("properties", "no_properties", "properties must be an object of fields")
            return None
        names = cast(Raw, properties)
        required = self.required(source, names)
        self.note_ignored("", source, "root")
        found = (self.property(name, prop, name in required) for name, prop in names.items())
        fields = tuple(one for one in found if one is not None)
        return RequestedSchema(
            fields=paired(fields, names) if self.dialect.field_meta else fields,
            closed=source.get("additionalProperties") is False,
            title=self.text("title", source),
            description=self.text("description", source),
        )

    def required(self, source: Raw, names: Raw) -> frozenset[str]:
        raw = source.get("required")
        if not self.given(source, "required"):
            return frozenset()
        listed = _list_of(str, raw)
        if listed is None:
            self.problem("required", "malformed", "required must be a list of property names")
            return frozenset()
        for name in listed:
            if name not in names:
                self.problem(
                    "required", "unknown_field", f"required names {name!r}, which is no property"
                )
        return frozenset(listed)

    def property(self, name: str, raw: object, required: bool) -> Field | None:
        path = f"properties.{name}"
        if not isinstance(raw, Mapping):
            self.problem(path, "malformed", "a property is a JSON object with a type")
            return None
        source = cast(Raw, raw)
        kind = source.get("type")
        make = _KINDS.get(kind) if isinstance(kind, str) else None
        if make is None:
            return self.other(path, name, source, required)
        return make(self, path, name, source, required)

    def other(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        if self.dialect.open_properties and isinstance(source.get("type"), str):
            return OtherField(
                name=name,
                title=self.text(f"{path}.title", source, "title"),
                description=self.text(f"{path}.description", source, "description"),
                required=required,
                raw=source,
            )
        nested = source.get("type") == "object"
        code = "nested_object" if nested else "unsupported_type"
        self.problem(path, code, _why_unsupported(source))
        return None

    def base(self, path: str, name: str, source: Raw, required: bool) -> dict[str, Any]:
        return {
            "name": name,
            "title": self.text(f"{path}.title", source, "title"),
            "description": self.text(f"{path}.description", source, "description"),
            "required": required,
        }

    def string(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        if self.given(source, "enum") or self.given(source, "oneOf"):
            return self.choice(path, name, source, required)
        self.note_ignored(path, source, "text")
        made = TextField(
            **self.base(path, name, source, required),
            min_length=self.count(path, source, "minLength"),
            max_length=self.count(path, source, "maxLength"),
            pattern=self.text(f"{path}.pattern", source, "pattern", strict=True),
            format=self.text(f"{path}.format", source, "format", strict=True),
        )
        return self.with_default(path, made, source)

    def number(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        self.note_ignored(path, source, "number")
        made = NumberField(
            **self.base(path, name, source, required),
            minimum=self.bound(path, source, "minimum"),
            maximum=self.bound(path, source, "maximum"),
        )
        return self.with_default(path, made, source)

    def integer(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        self.note_ignored(path, source, "integer")
        made = IntegerField(
            **self.base(path, name, source, required),
            minimum=self.bound(path, source, "minimum", integral=self.dialect.integral_bounds),
            maximum=self.bound(path, source, "maximum", integral=self.dialect.integral_bounds),
        )
        return self.with_default(path, made, source)

    def boolean(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        self.note_ignored(path, source, "boolean")
        made = BooleanField(**self.base(path, name, source, required))
        return self.with_default(path, made, source)

    def choice(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        self.note_ignored(path, source, "choice")
        options = self.options(path, source, "oneOf")
        if options is None or (not options and self.nothing_to_choose(path, required)):
            return None
        made = ChoiceField(**self.base(path, name, source, required), options=options)
        return self.with_default(path, made, source)

    def choices(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        items = source.get("items")
        if not isinstance(items, Mapping):
            self.problem(f"{path}.items", "free_list", _FREE_LIST)
            return None
        listed = cast(Raw, items)
        if listed.get("type", "string") != "string":
            # Not even where it lists strings may this be shown as a choice of strings (A26).
            return self.other_items(path, name, source, required)
        key = "anyOf" if "anyOf" in listed else "oneOf"
        if not self.given(listed, "enum") and not self.given(listed, key):
            return self.free_list(path, name, source, required)
        self.note_ignored(path, source, "choices")
        options = self.options(f"{path}.items", listed, key)
        if options is None or (not options and self.nothing_to_choose(path, required)):
            return None
        made = ChoicesField(
            **self.base(path, name, source, required),
            options=options,
            min_items=self.count(path, source, "minItems"),
            max_items=self.count(path, source, "maxItems"),
        )
        return self.default_choices(path, made, source)

    def other_items(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        if self.dialect.open_properties and isinstance(source["items"]["type"], str):
            return self.other(path, name, source, required)
        self.problem(f"{path}.items.type", "not_strings", "only strings can be options")
        return None

    def free_list(self, path: str, name: str, source: Raw, required: bool) -> Field | None:
        if self.dialect.open_properties:
            # ACP shows the form without what cannot be shown (G27); nobody may send one.
            return self.other(path, name, source, required)
        self.problem(f"{path}.items", "free_list", _FREE_LIST)
        return None

    def with_default(self, path: str, made: _FieldT, source: Raw) -> _FieldT:
        default = source.get("default")
        if default is None:
            return made
        value, errors = check_value(made, default)
        if errors:
            self.ignore(f"{path}.default", "bad_default", _BAD_DEFAULT)
            return made
        return replace(made, default=cast(Any, value))

    def default_choices(self, path: str, made: ChoicesField, source: Raw) -> ChoicesField:
        default = source.get("default")
        if default is None:
            return made
        kept: object = default
        if isinstance(default, list) and self.dialect.lenient_keywords:
            known = {option.const for option in made.options}
            listed = cast("list[object]", default)
            kept = [one for one in listed if isinstance(one, str) and one in known]
        value, errors = check_value(made, kept)
        if errors or kept != default:
            self.ignore(f"{path}.default", "bad_default", _BAD_DEFAULT)
        return made if errors else replace(made, default=tuple(cast("list[str]", value)))

    def nothing_to_choose(self, path: str, required: bool) -> bool:
        tell = self.problem if required else self.ignore
        tell(path, "no_options", "a choice needs at least one option")
        return True

    def options(self, path: str, source: Raw, titled_key: str) -> tuple[Option, ...] | None:
        if self.given(source, titled_key):
            return self.titled(f"{path}.{titled_key}", source[titled_key])
        values = _list_of(str, source["enum"])
        if values is None:
            self.problem(f"{path}.enum", "not_strings", "options must be a list of strings")
            return None
        names = _list_of(str, source.get("enumNames"))
        if names is not None and len(names) == len(values):
            return self.unique(path, map(Option, values, names))
        if source.get("enumNames") is not None:
            self.ignore(f"{path}.enumNames", "enum_names", "give every option of enum its name")
        return self.unique(path, map(Option, values))

    def titled(self, path: str, raw: object) -> tuple[Option, ...] | None:
        listed = cast("list[Raw] | None", _list_of(Mapping, raw))
        if listed is None or not all(isinstance(one.get("const"), str) for one in listed):
            self.problem(path, "not_strings", "each option is an object with a string const")
            return None
        return self.unique(
            path,
            (
                Option(one["const"], _text_or_none(one, "title"), _text_or_none(one, "description"))
                for one in listed
            ),
        )

    def unique(self, path: str, options: Iterable[Option]) -> tuple[Option, ...]:
        found: dict[str, Option] = {}
        for option in options:
            if found.setdefault(option.const, option) is not option:
                self.ignore(path, "repeated_option", "every option must have its own value")
        return tuple(found.values())

    def given(self, source: Raw, key: str) -> bool:
        return source.get(key) is not None or (key in source and not self.dialect.lenient_keywords)

    def text(
        self, path: str, source: Raw, key: str | None = None, *, strict: bool = False
    ) -> str | None:
        value = source.get(key or path)
        if value is None or isinstance(value, str):
            return value
        if strict or not self.dialect.lenient_keywords:
            self.problem(path, "malformed", "must be a string")
        return None

    def count(self, path: str, source: Raw, key: str) -> int | None:
        value = source.get(key)
        if not self.given(source, key):
            return None
        if not _is_number(value) or value < 0 or value != math.floor(value):
            self.problem(f"{path}.{key}", "malformed", "must be a whole number, 0 or more")
            return None
        return int(value)

    def bound(
        self, path: str, source: Raw, key: str, *, integral: bool = False
    ) -> int | float | None:
        value = source.get(key)
        if not self.given(source, key):
            return None
        if not _is_number(value) or (integral and value != math.floor(value)):
            wanted = "a whole number" if integral else "a number"
            self.problem(f"{path}.{key}", "malformed", f"must be {wanted}")
            return None
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def note_ignored(self, path: str, source: Raw, kind: str) -> None:
        for key, hint in ignored_keywords(source, kind):
            where = f"{path}.{key}" if path else key
            self.ignore(where, "ignored_keyword", f"{key} says nothing to a client: {hint}")


_BAD_DEFAULT: Final = "the default does not fit its own field"
_FREE_LIST: Final = "a list needs closed options: items with enum, or with anyOf of const and title"
_KINDS: Final[Mapping[str, Callable[[_Reader, str, str, Raw, bool], Field | None]]] = {
    "string": _Reader.string,
    "number": _Reader.number,
    "integer": _Reader.integer,
    "boolean": _Reader.boolean,
    "array": _Reader.choices,
}


def _why_unsupported(source: Raw) -> str:
    kind = source.get("type")
    if "type" not in source and ("enum" in source or "const" in source):
        return "only strings can be options, with type string beside them"
    if kind == "object":
        return "nested objects cannot be asked for: spread their fields over the form"
    if isinstance(kind, str):
        return f"{kind!r} is no field type: use string, number, integer, boolean or array"
    return "a property needs one type: string, number, integer, boolean or array"


def _text_or_none(source: Raw, key: str) -> str | None:
    value = source.get(key)
    return value if isinstance(value, str) else None


def _list_of(kind: type[_ItemT], raw: object) -> list[_ItemT] | None:
    if not isinstance(raw, list):
        return None
    listed = cast("list[object]", raw)
    return cast("list[_ItemT]", raw) if all(isinstance(one, kind) for one in listed) else None


def _is_number(value: object) -> TypeGuard[int | float]:
    # An int of any size is finite; asking ``math`` would overflow.
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)

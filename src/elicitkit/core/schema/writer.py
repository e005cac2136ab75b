"""Fields written as the one spelling of a dialect.

What a dialect cannot say is a named problem and nothing is sent (M15, G26, G28). A bound
or a default too big for the numbers of a dialect is left out instead: the asking side
checks the answer against the schema that it has. A schema is written once per dialect and
kept, because rendering it anew on every call is most of what a question costs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, assert_never, cast

from elicitkit.core.check import check_value
from elicitkit.core.dialects import FORMATS, Dialect
from elicitkit.core.errors import Problem, SchemaNotExpressible
from elicitkit.core.fields import (
    UNSET,
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
from elicitkit.core.schema.companions import marks

Written = dict[str, Any]

_NumberT = TypeVar("_NumberT", int, float)

_UINT32: Final = (0, 2**32 - 1)
_UINT64: Final = (0, 2**64 - 1)
_INT64: Final = (-(2**63), 2**63 - 1)
_DOUBLE: Final = (-sys.float_info.max, sys.float_info.max)


def write(schema: RequestedSchema, dialect: Dialect) -> Written:
    """The schema in the dialect's spelling. The result is shared: do not change it.

    Raises:
        SchemaNotExpressible: The dialect cannot say all of it; every problem is named.
    """
    # By name: the readings of a draft differ in what is taken, never in what is written.
    key = ("write", dialect.name)
    written = schema.memo.get(key)
    if written is None:
        problems = problems_in(schema, dialect)
        if problems:
            raise SchemaNotExpressible(problems)
        written = schema.memo[key] = _root(schema, dialect)
    return written


def problems_in(schema: RequestedSchema, dialect: Dialect) -> tuple[Problem, ...]:
    """Everything in the schema that the dialect cannot say."""
    return tuple(
        Problem(f"properties.{one.name}", code, message)
        for one in schema.fields
        for code, message in _problems(one, dialect)
    )


def _problems(one: Field, dialect: Dialect) -> Iterator[tuple[str, str]]:
    if isinstance(one, OtherField):
        yield from _other_problems(one.raw, dialect)
    if isinstance(one, TextField) and not _format_known(one.format, dialect):
        known = ", ".join(sorted(FORMATS))
        yield "unknown_format", f"{dialect.name} knows only {known}: leave format out"
    if isinstance(one, ChoicesField) and not dialect.multi_select:
        yield (
            "no_multi_select",
            f"multi-select is not available in {dialect.name}: ask one yes/no per option",
        )
    if isinstance(one, ChoiceField | ChoicesField):
        yield from _option_problems(one.options)
    if one.default is not UNSET and check_value(one, _wire_default(one))[1]:
        yield "bad_default", "the default does not fit its own field"
    yield from _range_problems(one)


def _other_problems(raw: Mapping[str, Any], dialect: Dialect) -> Iterator[tuple[str, str]]:
    if not dialect.open_properties:
        yield "unsupported_type", f"{dialect.name} knows no such property type"
    elif raw.get("type") == "array" and not _of_another_type(raw.get("items")):
        # Shown by nobody, and refused by whoever checks the request against the types.
        yield "free_list", "a list needs closed options: ask for one text, or give options"


def _of_another_type(items: object) -> bool:
    if not isinstance(items, Mapping):
        return False
    return cast("Mapping[str, object]", items).get("type", "string") != "string"


def _format_known(name: str | None, dialect: Dialect) -> bool:
    return name is None or name in FORMATS or dialect.open_formats


def _option_problems(options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    if not options:
        yield "no_options", "a choice needs at least one option"
    if len({option.const for option in options}) != len(options):
        yield "repeated_option", "every option must have its own value"


def _range_problems(one: Field) -> Iterator[tuple[str, str]]:
    low, high = None, None
    match one:
        case TextField():
            low, high = one.min_length, one.max_length
        case NumberField():
            low, high = one.minimum, one.maximum
        case IntegerField():
            low, high = _whole(one.minimum, one.maximum)
        case ChoicesField():
            low, high = one.min_items, one.max_items
            if low is not None and low > len(one.options):
                yield (
                    "empty_range",
                    f"at least {low} of {len(one.options)} options cannot be chosen",
                )
        case BooleanField() | ChoiceField() | OtherField():
            pass
        case _ as unreachable:
            assert_never(unreachable)
    if low is not None and high is not None and low > high:
        yield "empty_range", f"no answer is at least {low} and at most {high}"


def _root(schema: RequestedSchema, dialect: Dialect) -> Written:
    written: Written = {"type": "object"}
    if dialect.schema_texts:
        written |= _texts(schema.title, schema.description)
    marked: Mapping[str, Mapping[str, Any]] = marks(schema) if dialect.field_meta else {}
    written["properties"] = {
        one.name: {**_property(one, dialect), **marked.get(one.name, {})} for one in schema.fields
    }
    required = [one.name for one in schema.fields if one.required]
    if required:
        written["required"] = required
    return written


def _property(one: Field, dialect: Dialect) -> Written:
    if isinstance(one, OtherField):
        return dict(one.raw)
    description = one.description
    if isinstance(one, TextField) and one.pattern is not None and not dialect.pattern:
        # Where the dialect has no keyword the person is told, and the asking side checks (G23).
        description = f"{description or ''} (must match {one.pattern})".strip()
    written = {"type": _TYPES[type(one)], **_texts(one.title, description)}
    match one:
        case TextField():
            written |= _text(one, dialect)
        case NumberField():
            written |= _present(
                minimum=_sized(one.minimum, _DOUBLE, dialect),
                maximum=_sized(one.maximum, _DOUBLE, dialect),
            )
        case IntegerField():
            written |= _integer(one, dialect)
        case BooleanField():
            pass
        case ChoiceField():
            written |= _choice(one, dialect)
        case ChoicesField():
            written |= _present(
                minItems=_sized(one.min_items, _UINT64, dialect),
                maxItems=_sized(one.max_items, _UINT64, dialect),
            )
            written["items"] = _items(one, dialect)
        case _ as unreachable:
            assert_never(unreachable)
    return written | _default(one, dialect)


_TYPES = {
    TextField: "string",
    NumberField: "number",
    IntegerField: "integer",
    BooleanField: "boolean",
    ChoiceField: "string",
    ChoicesField: "array",
}


def _text(one: TextField, dialect: Dialect) -> Written:
    return _present(
        minLength=_sized(one.min_length, _UINT32, dialect),
        maxLength=_sized(one.max_length, _UINT32, dialect),
        pattern=one.pattern if dialect.pattern else None,
        format=one.format,
    )


def _integer(one: IntegerField, dialect: Dialect) -> Written:
    if dialect.integral_bounds:
        low, high = _whole(one.minimum, one.maximum)
        return _present(minimum=_sized(low, _INT64, dialect), maximum=_sized(high, _INT64, dialect))
    return _present(minimum=one.minimum, maximum=one.maximum)


def _sized(
    number: _NumberT | None, within: tuple[float, float], dialect: Dialect
) -> _NumberT | None:
    """The number, or None where the dialect has no room for it."""
    low, high = within
    fits = number is None or not dialect.sized_numbers or low <= number <= high
    return number if fits else None


def _whole(low: int | float | None, high: int | float | None) -> tuple[int | None, int | None]:
    """The bounds that say the same about integers and are integers themselves."""
    return (
        None if low is None else math.ceil(low),
        None if high is None else math.floor(high),
    )


def _choice(one: ChoiceField, dialect: Dialect) -> Written:
    constants = [option.const for option in one.options]
    if not _titled(one.options):
        return {"enum": constants}
    if dialect.titles == "enumNames" or (one.legacy and dialect.legacy_titles):
        return {"enum": constants, "enumNames": [_label(o, dialect) for o in one.options]}
    return {"oneOf": [_option(o, dialect) for o in one.options]}


def _items(one: ChoicesField, dialect: Dialect) -> Written:
    if not _titled(one.options):
        return {"type": "string", "enum": [option.const for option in one.options]}
    return {"anyOf": [_option(o, dialect) for o in one.options]}


def _titled(options: Sequence[Option]) -> bool:
    return any(option.title or option.description for option in options)


def _option(option: Option, dialect: Dialect) -> Written:
    described = option.description if dialect.schema_texts else None
    return {
        "const": option.const,
        "title": _label(option, dialect),
        **_present(description=described),
    }


def _label(option: Option, dialect: Dialect) -> str:
    # Only ACP has a place for an option's description; elsewhere it is folded into the title.
    if option.description and not dialect.schema_texts:
        return f"{option.label} ({option.description})"
    return option.label


def _texts(title: str | None, description: str | None) -> Written:
    return _present(title=title, description=description)


def _present(**values: object) -> Written:
    return {key: value for key, value in values.items() if value is not None}


def _default(one: Field, dialect: Dialect) -> Written:
    default = _wire_default(one)
    if isinstance(one, NumberField) and one.default is not UNSET:
        default = _sized(one.default, _DOUBLE, dialect)
    if isinstance(one, IntegerField) and one.default is not UNSET:
        default = _sized(one.default, _INT64, dialect)
    return {} if default is UNSET or default is None else {"default": default}


def _wire_default(one: Field) -> object:
    return (
        list(one.default)
        if isinstance(one, ChoicesField) and one.default is not UNSET
        else one.default
    )

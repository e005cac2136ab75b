"""What an answer must satisfy: every error of the content at once, each with its field.

Both sides check: the answering side before it sends, the asking side before the author
sees a value (M61, M62, A29, A30). Each field is compiled once to a closure, so that a
check costs what its field needs and a choice of 10,000 options is one look-up. What an
error says is ``core/field_error.py``; each is built once, at compile time.

Types are those of JSON: ``true`` is no number, ``"42"`` is none either, 3.0 is the integer
3, and NaN is nothing (G10). Deliberately not here: reading a schema (``core/schema``),
text typed by a person (``core/form.py``), Python types (``core/derive.py``), and unknown
property kinds and formats, which pass as they are (A23, A25).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, assert_never, cast

from elicitkit.core.field_error import (
    MESSAGES,
    FieldError,
    make_error,
    no_match,
    not_an_option,
    sized,
    wrong_type,
)
from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    OtherField,
    RequestedSchema,
    TextField,
    Value,
)
from elicitkit.core.formats import FORMATS
from elicitkit.core.patterns import compile_pattern

__all__ = ["MESSAGES", "FieldError", "check", "check_value"]

_Errors: TypeAlias = tuple[FieldError, ...]
_Rule: TypeAlias = Callable[[object], Value | _Errors]
"""From the value as it came to the value as it may be used, or to a tuple of what is wrong."""
_Test: TypeAlias = tuple[Callable[[str], bool], FieldError]
_Checked: TypeAlias = tuple[dict[str, Value], _Errors]
_Check: TypeAlias = Callable[[dict[Any, object]], _Checked]

_HUGE: Final = sys.float_info.max
_plain: Final = str.__str__
"""The text without what a subclass adds, such as the members of an Enum."""


def check(schema: RequestedSchema, content: object) -> _Checked:
    """Check the content of an accepted form.

    Args:
        content: As it came; None, an accept without content, is read as ``{}`` (G07).

    Returns:
        The content as it may be used, without the keys nobody asked for and without the
        values in error, and all errors in the order of the fields.
    """
    compiled: _Check | None = schema.memo.get("check")
    if compiled is None:
        compiled = schema.memo["check"] = _compile(schema)
    if type(content) is dict:
        return compiled(content)  # pyright: ignore[reportUnknownArgumentType] open as JSON is
    if content is None:
        return compiled({})
    if isinstance(content, Mapping):
        return compiled(dict(cast("Mapping[Any, object]", content)))  # isinstance leaves both open
    return {}, (make_error("", "wrong_type", variant="content"),)


def check_value(one: Field, value: object) -> tuple[Value | None, tuple[FieldError, ...]]:
    """Check one value that was given; whether one had to be given is for ``check``.

    Returns:
        The value as it may be used, or None and all its errors.
    """
    found = _rule(one)(value)
    return (None, found) if isinstance(found, tuple) else (found, ())


def _compile(schema: RequestedSchema) -> _Check:
    rows = tuple(
        (one.name, _rule(one), make_error(one.name, "required") if one.required else None)
        for one in schema.fields
    )
    known = frozenset(schema.by_name())
    closed = schema.closed

    def run(content: dict[Any, object]) -> _Checked:
        usable: dict[str, Value] = {}
        errors: list[FieldError] = []
        for name, rule, required in rows:
            if name in content:
                found = rule(content[name])
                if isinstance(found, tuple):
                    errors += found
                else:
                    usable[name] = found
            elif required is not None:
                errors.append(required)
        if closed:
            errors += [make_error(str(key), "unknown_field") for key in content if key not in known]
        return usable, tuple(errors)

    return run


def _rule(one: Field) -> _Rule:
    match one:
        case TextField():
            return _text(one)
        case NumberField():
            return _number(one)
        case IntegerField():
            return _integer(one)
        case BooleanField():
            return _boolean(one)
        case ChoiceField():
            return _choice(one)
        case ChoicesField():
            return _choices(one)
        case OtherField():
            return _any
        case _:
            assert_never(one)


def _any(value: object) -> Value:
    # A tuple would pass for errors; JSON has lists only.
    known = list(cast("tuple[object]", value)) if isinstance(value, tuple) else value
    return cast("Value", known)  # a kind nobody here knows: whatever JSON says is its value


def _text(one: TextField) -> _Rule:
    wrong = (wrong_type(one),)
    low, too_short = _least(one.name, "too_short", one.min_length)
    high, too_long = _most(one.name, "too_long", one.max_length)
    tests = tuple(_content_tests(one))
    passes = _all_of(tests)

    def explain(value: str) -> Value | _Errors:
        failed = [too_short] if len(value) < low else []
        if len(value) > high:
            failed.append(too_long)
        for passes, error in tests:
            if not passes(value):
                failed.append(error)
        return tuple(failed) or _plain(value)

    def rule(value: object) -> Value | _Errors:
        if type(value) is str and low <= len(value) <= high and (not passes or passes(value)):
            return value
        return explain(value) if isinstance(value, str) else wrong

    return rule


def _all_of(tests: tuple[_Test, ...]) -> Callable[[str], bool] | None:
    if len(tests) < 2:
        return tests[0][0] if tests else None
    return lambda text: all(passes(text) for passes, _ in tests)


def _content_tests(one: TextField) -> Iterator[_Test]:
    if one.format is not None and one.format in FORMATS:
        error = make_error(one.name, "bad_format", variant=one.format, format=one.format)
        yield FORMATS[one.format], error
    matches = None if one.pattern is None else compile_pattern(one.pattern)
    if one.pattern is not None and matches is not None:
        yield matches, no_match(one.name, one.pattern)


def _number(one: NumberField) -> _Rule:
    low, high = _bounds(one)
    explain = _number_explained(one)

    def rule(value: object) -> Value | _Errors:
        if (type(value) is float or type(value) is int) and low <= value <= high:
            return value
        return explain(value)

    return rule


def _integer(one: IntegerField) -> _Rule:
    low, high = _bounds(one)
    explain = _number_explained(one)
    fraction = (make_error(one.name, "not_integer"),)

    def rule(value: object) -> Value | _Errors:
        if type(value) is int and low <= value <= high:
            return value
        if isinstance(value, float) and math.isfinite(value):
            return explain(int(value)) if value.is_integer() else fraction
        return explain(value)

    return rule


def _bounds(one: NumberField | IntegerField) -> tuple[int | float, int | float]:
    """What surely is within the bounds and finite, whatever the schema says."""
    low = -_HUGE if one.minimum is None else max(one.minimum, -_HUGE)
    high = _HUGE if one.maximum is None else min(one.maximum, _HUGE)
    return low, high


def _number_explained(one: NumberField | IntegerField) -> _Rule:
    """Both bounds are inclusive; Python compares int and float exactly, whatever the size."""
    wrong = (wrong_type(one),)
    not_finite = (make_error(one.name, "not_finite"),)
    low = -math.inf if one.minimum is None else one.minimum
    high = math.inf if one.maximum is None else one.maximum
    too_small = make_error(one.name, "too_small", limit=low)
    too_large = make_error(one.name, "too_large", limit=high)

    def explain(value: object) -> Value | _Errors:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return wrong
        if isinstance(value, float) and not math.isfinite(value):
            return not_finite
        failed = [too_small] if value < low else []
        if value > high:
            failed.append(too_large)
        if failed:
            return tuple(failed)
        return int.__int__(value) if isinstance(value, int) else float.__float__(value)

    return explain


def _boolean(one: BooleanField) -> _Rule:
    wrong = (wrong_type(one),)

    def rule(value: object) -> Value | _Errors:
        return value if value is True or value is False else wrong

    return rule


def _choice(one: ChoiceField) -> _Rule:
    wrong = (wrong_type(one),)
    outside = (not_an_option(one.name, one.options, "", "many"),)
    allowed = frozenset(option.const for option in one.options)

    def rule(value: object) -> Value | _Errors:
        if type(value) is str and value in allowed:
            return value
        if not isinstance(value, str):
            return wrong
        return _plain(value) if value in allowed else outside

    return rule


def _choices(one: ChoicesField) -> _Rule:
    wrong = (wrong_type(one),)
    outside = not_an_option(one.name, one.options, "choices", "choices_many")
    low, too_few = _least(one.name, "too_few", one.min_items)
    high, too_many = _most(one.name, "too_many", one.max_items)
    allowed = frozenset(option.const for option in one.options)

    def rule(value: object) -> Value | _Errors:
        if not isinstance(value, list):
            return wrong
        given = cast("list[str]", value)  # what is no text is no option either
        try:
            inside = allowed.issuperset(given)
        except TypeError:  # an item that has no hash: a list or an object
            inside = False
        if inside and low <= len(given) <= high:
            # An option named twice stays: no text forbids it, and dropping it would hide it.
            return list(map(_plain, given))
        failed = [] if inside else [outside]
        if len(given) < low:
            failed.append(too_few)
        if len(given) > high:
            failed.append(too_many)
        return tuple(failed)

    return rule


def _least(name: str, code: str, limit: int | None) -> tuple[int, FieldError]:
    low = limit or 0
    return low, sized(name, code, low)


def _most(name: str, code: str, limit: int | None) -> tuple[int, FieldError]:
    high = sys.maxsize if limit is None else limit
    return high, sized(name, code, high)

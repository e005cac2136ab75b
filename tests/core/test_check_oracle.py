"""Our checks against jsonschema: 10,000 answers, and every difference has a name.

The oracle is ``Draft202012Validator`` with its format checker. Where both disagree about a
field, one of ``DIFFERENCES`` must say why, and each of them must be met: a difference
nobody can explain, and an explanation nobody needs, both fail.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jsonschema  # noqa: TID251 the oracle
import pytest
from rfc3987_syntax import is_valid_syntax

from elicitkit.core.check import check
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

PAIRS = 10_000
SEED = 20260228

NAMES = ("", "a", "b c", "__proto__", "self", "model_config", "имя", "a.b", "a/b~c", "$ref", "0")
CONSTS = ("low", "high", "", "#F00", "Red", "1", "true", "日本", "a,b")
FORMATS = ("email", "uri", "date", "date-time", "uuid", "colour")
PATTERNS = ("b", "^[a-z]+$", "^\\d{4}-", "^(a+)+$", "^.{0,3}$", "[^ ]@", "^(?!a)", "(a)\\1", "")
NUMBERS = (
    *(0, 1, -1, 3, 42, 2**53, 2**53 + 1, 10**400, -(10**400)),
    *(0.0, -0.0, 3.0, 3.5, 1e-9, 1e300, float(2**53)),
    *(math.nan, math.inf, -math.inf),
)
TEXTS = (
    *("", "a", "b", "abc", "ABC", "aab", "abc\n", "😀😀", "e\u0301", "42", "true", "yes", "a" * 25),
    *("mona@example.com", "mona", "@", "[e-mail]", "a@b c", "é@例え.jp", '"a b"@c.de', "a@-b"),
    *("https://example.com", "http://a/%zz", "//a/b", "urn:a:b", "a b", "http://[::1]/"),
    *("http://[::1", "http://例え.jp/", "mailto:a@b.c", "x:", "http://a:b/", "http://a#b#c"),
    *(
        "2026-02-28",
        "2026-02-30",
        "28/02/2026",
        "0000-01-01",
        "٢٠٢٦-٠٢-٢٨",
        "2024-02-29",
        "20260228",
    ),
    *("2026-02-28T10:00:00Z", "2026-02-28T10:00", "2026-02-28t10:00:00.5z", "2026-02-28 10:00:00Z"),
    *("2026-02-28T24:00:00Z", "2026-02-28T10:00:00+05:30", "2026-02-28T10:00:00+24:00"),
    *("1998-12-31T23:59:60Z", "1998-12-30T23:59:60Z", "2026-02-28T1٠:00:00Z"),
    *("2026-02-28T10:00:00Z\n", "2026-02-28T10:00:00." + "0" * 80 + "Z", "2026-02-28\n"),
)
STRANGE = (None, True, False, [], ["low"], {}, {"a": 1}, "42", "low", 0, 1, 1.5, [1], [["low"]])
CONTENTS = (None, 7, "a", ["a"], True, 1.5)


# The generator.


def a_field(rng: random.Random, name: str) -> Field:
    named: dict[str, Any] = {"name": name, "required": rng.random() < 0.5}
    match rng.randrange(8):
        case 0 | 1:
            return TextField(**named, **sizes(rng, "length", 12))
        case 2:
            chosen = {"format": rng.choice(FORMATS)}
            if rng.random() < 0.3:
                chosen |= {"pattern": rng.choice(PATTERNS)}
            return TextField(**named, **chosen)
        case 3:
            return TextField(**named, pattern=rng.choice(PATTERNS))
        case 4:
            kind = rng.choice((NumberField, IntegerField))
            return kind(**named, minimum=a_bound(rng), maximum=a_bound(rng))
        case 5:
            return rng.choice((BooleanField(**named), OtherField(**named, raw={})))
        case 6:
            return ChoiceField(**named, options=options(rng))
        case _:
            return ChoicesField(**named, options=options(rng), **sizes(rng, "items", 3))


def sizes(rng: random.Random, what: str, most: int) -> dict[str, Any]:
    low, high = (rng.choice((None, rng.randint(0, most))) for _ in range(2))
    return {f"min_{what}": low, f"max_{what}": high}


def a_bound(rng: random.Random) -> int | float | None:
    return rng.choice((None, None, *NUMBERS[:-3]))


def options(rng: random.Random) -> tuple[Option, ...]:
    return tuple(Option(const) for const in rng.sample(CONSTS, rng.randint(1, 5)))


def a_value(rng: random.Random, one: Field) -> object:
    if rng.random() < 0.1:
        return rng.choice(STRANGE)
    match one:
        case TextField():
            return rng.choice(TEXTS)
        case NumberField() | IntegerField():
            return rng.choice(NUMBERS)
        case BooleanField():
            return rng.random() < 0.5
        case ChoiceField():
            return rng.choice((one.options[0].const, rng.choice(CONSTS)))
        case ChoicesField():
            known = [option.const for option in one.options]
            pool = known if rng.random() < 0.7 else [*known, *CONSTS, *STRANGE]
            return rng.choices(pool, k=rng.randint(0, 4))
        case OtherField():
            return rng.choice(STRANGE)


def a_pair(rng: random.Random) -> tuple[RequestedSchema, object]:
    fields = tuple(a_field(rng, name) for name in rng.sample(NAMES, rng.randint(1, 3)))
    schema = RequestedSchema(fields=fields, closed=rng.random() < 0.2)
    if rng.random() < 0.02:
        return schema, rng.choice(CONTENTS)
    content = {one.name: a_value(rng, one) for one in fields if rng.random() < 0.85}
    if rng.random() < 0.2:
        content["nobody asked"] = rng.choice(STRANGE)
    return schema, content


# The oracle.


def json_schema(schema: RequestedSchema) -> dict[str, Any]:
    written: dict[str, Any] = {
        "type": "object",
        "properties": {one.name: json_property(one) for one in schema.fields},
        "required": [one.name for one in schema.fields if one.required],
    }
    return written | ({"additionalProperties": False} if schema.closed else {})


def json_property(one: Field) -> dict[str, Any]:
    match one:
        case TextField():
            keywords = {
                "type": "string",
                "minLength": one.min_length,
                "maxLength": one.max_length,
                "pattern": one.pattern,
                "format": one.format,
            }
        case NumberField() | IntegerField():
            kind = "number" if isinstance(one, NumberField) else "integer"
            keywords = {"type": kind, "minimum": one.minimum, "maximum": one.maximum}
        case BooleanField():
            keywords = {"type": "boolean"}
        case ChoiceField():
            keywords = {"type": "string", "enum": [option.const for option in one.options]}
        case ChoicesField():
            keywords = {
                "type": "array",
                "items": {"type": "string", "enum": [option.const for option in one.options]},
                "minItems": one.min_items,
                "maxItems": one.max_items,
            }
        case OtherField():
            keywords = {}
    return {key: value for key, value in keywords.items() if value is not None}


@pytest.fixture(scope="module")
def formats() -> jsonschema.FormatChecker:
    """The stock checker, and ``uri``, which it has for IRIs only."""
    stock = jsonschema.Draft202012Validator.FORMAT_CHECKER
    checker = jsonschema.FormatChecker(formats=())
    checker.checkers = {**stock.checkers, "uri": (is_uri, ())}
    assert {"email", "date", "date-time"} <= set(stock.checkers)
    return checker


def is_uri(value: object) -> bool:
    return not isinstance(value, str) or (value.isascii() and is_iri(value))


@cache
def is_iri(value: str) -> bool:
    return is_valid_syntax("iri", value)


def fields_in_error(
    schema: RequestedSchema, content: object, formats: jsonschema.FormatChecker
) -> set[str]:
    written = json_schema(schema)
    validator = jsonschema.Draft202012Validator(written, format_checker=formats)
    found: set[str] = set()
    for error in validator.iter_errors(content):
        if error.absolute_path:
            found.add(str(error.absolute_path[0]))
        elif error.validator == "required":
            found |= {name for name in written["required"] if name not in error.instance}
        elif error.validator == "additionalProperties":
            found |= {name for name in error.instance if name not in written["properties"]}
        else:
            found.add("")
    return found


# The differences. Each is about one field whose value only one of the two refuses.


def is_stock_email(one: Field, value: object, ours: bool) -> bool:
    """The stock checker takes whatever has an "@"."""
    return ours and text_format(one) == "email" and value in NOT_ADDRESSES


def is_unknown_format(one: Field, value: object, ours: bool) -> bool:
    """The stock checker knows formats outside the four, which are hints to us (A23)."""
    return not ours and text_format(one) == "uuid" and isinstance(value, str)


def is_shortened_ipv6(one: Field, value: object, ours: bool) -> bool:
    """The grammar of rfc3987-syntax misses the ``::1`` that RFC 3986 section 3.2.2 allows."""
    return not ours and text_format(one) == "uri" and value == "http://[::1]/"


def is_leap_second(one: Field, value: object, ours: bool) -> bool:
    """The stock checker has no leap seconds; RFC 3339 section 5.7 does."""
    return not ours and text_format(one) == "date-time" and value == "1998-12-31T23:59:60Z"


def is_line_end_after_date_time(one: Field, value: object, ours: bool) -> bool:
    """The stock checker ends its expression with ``$``, which lets a line end follow."""
    return ours and text_format(one) == "date-time" and ends_line(value)


def is_long_fraction(one: Field, value: object, ours: bool) -> bool:
    """We bound the digits of a fraction of a second."""
    return ours and text_format(one) == "date-time" and isinstance(value, str) and len(value) > 64


def is_line_end_after_pattern(one: Field, value: object, ours: bool) -> bool:
    """``$`` of Python matches before a line end, that of ECMA-262 does not."""
    pattern = text_pattern(one)
    return ours and pattern is not None and pattern.endswith("$") and ends_line(value)


def is_hint_only(one: Field, value: object, ours: bool) -> bool:
    """Lookaround and backreferences run in no linear engine, so we take them for hints."""
    return not ours and text_pattern(one) in ("^(?!a)", "(a)\\1") and isinstance(value, str)


def is_not_finite(one: Field, value: object, ours: bool) -> bool:
    """JSON has no NaN and no infinity, but jsonschema takes Python's."""
    return ours and isinstance(one, NumberField) and value in UNWRITABLE


def text_format(one: Field) -> str | None:
    return one.format if isinstance(one, TextField) else None


def text_pattern(one: Field) -> str | None:
    return one.pattern if isinstance(one, TextField) else None


def ends_line(value: object) -> bool:
    return isinstance(value, str) and value.endswith("\n")


NOT_ADDRESSES = ("@", "a@b c", "a@-b", "mailto:a@b.c")
UNWRITABLE = NUMBERS[-3:]
DIFFERENCES: tuple[Callable[[Field, object, bool], bool], ...] = (
    is_stock_email,
    is_unknown_format,
    is_shortened_ipv6,
    is_leap_second,
    is_line_end_after_date_time,
    is_long_fraction,
    is_line_end_after_pattern,
    is_hint_only,
    is_not_finite,
)


def explanations(schema: RequestedSchema, content: object, name: str, ours: bool) -> Iterator[str]:
    if content is None:
        # We read an accept without content as an empty form (G07).
        yield "no_content"
    elif isinstance(content, dict) and name in content:
        for difference in DIFFERENCES:
            if difference(schema[name], content[name], ours):
                yield difference.__name__


@pytest.mark.requirement("M61", "M62", "A29", "A30", "G10")
def test_ten_thousand_answers_are_judged_as_by_jsonschema_or_the_difference_has_a_name(
    formats: jsonschema.FormatChecker,
) -> None:
    rng = random.Random(SEED)
    met: Counter[str] = Counter()
    verdicts: Counter[bool] = Counter()
    for _ in range(PAIRS):
        schema, content = a_pair(rng)
        mine = {error.field for error in check(schema, content)[1]}
        theirs = fields_in_error(schema, content, formats)
        verdicts[bool(mine)] += 1
        for name in mine ^ theirs:
            names = list(explanations(schema, content, name, name in mine))
            assert names, f"{name!r} of {schema} with {content!r}: ours {mine}, theirs {theirs}"
            met.update(names)
    assert set(met) == {"no_content", *(one.__name__ for one in DIFFERENCES)}
    # Neither side of the comparison may be the rare one.
    assert min(verdicts.values()) > PAIRS / 5


def test_what_is_usable_is_valid_by_itself() -> None:
    rng = random.Random(SEED + 1)
    for _ in range(1_000):
        schema, content = a_pair(rng)
        usable, errors = check(schema, content)
        again, none = check(schema, usable)
        assert (again, [one for one in none if one.code != "required"]) == (usable, [])
        if isinstance(content, dict):
            given = {one.name for one in schema.fields} & set(content)
            assert set(usable) == given - {one.field for one in errors}

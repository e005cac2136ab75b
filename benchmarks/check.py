"""Content checks against jsonschema and jsonschema-rs, in one run.

    python benchmarks/check.py

Prints how the CPU time of ``elicitkit.core.check`` relates to that of the other checker.
The two of a row run by turns, so that a busy machine slows both; the ratio is the median
over the pairs. Validators are built before the clock starts, and an invalid answer is read
to the last error with its message. Exits with 1 when a row misses its aim.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import jsonschema  # noqa: TID251 the other side of the comparison
import jsonschema_rs

from elicitkit.core.check import check
from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    RequestedSchema,
    TextField,
)

PAIRS = 15
SECONDS = 0.02
"""CPU time one side of a pair runs for, about."""

Run = Callable[[], object]
Kind = tuple[Callable[[str], Field], dict[str, Any], object, object]

OPTIONS = tuple(Option(f"option-{number}", f"Option {number}") for number in range(5))
CONSTS = [option.const for option in OPTIONS]
# Titled options as every dialect since MCP 2025-11-25 writes them, and the bare constants.
TITLED = [{"const": option.const, "title": option.title} for option in OPTIONS]
BARE = {"type": "string", "enum": CONSTS}
KINDS: tuple[Kind, ...] = (
    (
        lambda name: TextField(name=name, required=True, min_length=2, max_length=40),
        {"type": "string", "minLength": 2, "maxLength": 40},
        "Ada Lovelace",
        "A",
    ),
    (
        lambda name: TextField(name=name, required=True, format="email"),
        {"type": "string", "format": "email"},
        "ada@example.com",
        "ada",
    ),
    (
        lambda name: IntegerField(name=name, required=True, minimum=0, maximum=150),
        {"type": "integer", "minimum": 0, "maximum": 150},
        36,
        -1,
    ),
    (
        lambda name: NumberField(name=name, required=True, minimum=0),
        {"type": "number", "minimum": 0},
        1.5,
        "1.5",
    ),
    (
        lambda name: ChoiceField(name=name, required=True, options=OPTIONS),
        {"type": "string", "oneOf": TITLED},
        CONSTS[3],
        "other",
    ),
    (
        lambda name: ChoicesField(name=name, required=True, options=OPTIONS, max_items=3),
        {"type": "array", "items": {"anyOf": TITLED}, "maxItems": 3},
        CONSTS[:2],
        ["other"],
    ),
    (lambda name: BooleanField(name=name, required=True), {"type": "boolean"}, True, "yes"),
)


TEXT, CHOICE, CHOICES = KINDS[0], KINDS[4], KINDS[5]
UNTITLED = {
    id(CHOICE): BARE,
    id(CHOICES): {"type": "array", "items": BARE, "maxItems": 3},
}


def form(
    kinds: tuple[Kind, ...], *, titled: bool
) -> tuple[RequestedSchema, dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A form of these fields: ours, as JSON Schema, a valid answer, one wrong throughout."""
    named = {f"field{number}": kind for number, kind in enumerate(kinds)}
    ours = RequestedSchema(fields=tuple(kind[0](name) for name, kind in named.items()))
    properties = {
        name: kind[1] if titled else UNTITLED.get(id(kind), kind[1]) for name, kind in named.items()
    }
    theirs = {"type": "object", "properties": properties, "required": list(properties)}
    valid = {name: kind[2] for name, kind in named.items()}
    invalid = {name: kind[3] for name, kind in named.items()}
    return ours, theirs, valid, invalid


def of_size(size: int) -> tuple[Kind, ...]:
    return tuple(KINDS[number % len(KINDS)] for number in range(size))


def seconds(run: Run, times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        run()
    return time.process_time() - start


def calibrate(run: Run) -> int:
    """How often ``run`` fits into one side of a pair."""
    times = 1
    while (spent := seconds(run, times)) < SECONDS / 4:
        times *= 2
    return max(1, round(times * SECONDS / spent))


def compare(ours: Run, other: Run) -> tuple[float, float]:
    """The median ratio ours : other, and the microseconds of ours."""
    our_times, other_times = calibrate(ours), calibrate(other)
    ratios: list[float] = []
    micros: list[float] = []
    for _ in range(PAIRS):
        mine = seconds(ours, our_times) / our_times
        ratios.append(mine / (seconds(other, other_times) / other_times))
        micros.append(mine * 1e6)
    return statistics.median(ratios), statistics.median(micros)


def report(name: str, ours: Run, other: Run, aim: float) -> bool:
    ratio, micros = compare(ours, other)
    met = ratio <= aim
    verdict = "ok" if met else "MISSED"
    print(f"{name:44} {micros:9.2f} us   ratio {ratio:7.4f}   aim {aim:5.2f}   {verdict}")
    return met


def against_others(name: str, kinds: tuple[Kind, ...], *, titled: bool = True) -> list[bool]:
    ours, theirs, valid, invalid = form(kinds, titled=titled)
    python = jsonschema.Draft202012Validator(
        theirs, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    rust = jsonschema_rs.Draft202012Validator(theirs, validate_formats=True)
    for content, expected in ((valid, 0), (invalid, len(kinds))):
        assert len(check(ours, content)[1]) == expected
        assert len(list(python.iter_errors(content))) == expected
        assert len(list(rust.iter_errors(content))) == expected

    def by_python(content: object) -> Run:
        return lambda: [error.message for error in python.iter_errors(content)]

    def by_rust(content: object) -> Run:
        return lambda: [error.message for error in rust.iter_errors(content)]

    def by_us(content: object) -> Run:
        return lambda: check(ours, content)

    return [
        report(f"{name}, valid : jsonschema", by_us(valid), by_python(valid), 0.03),
        report(f"{name}, invalid : jsonschema", by_us(invalid), by_python(invalid), 0.05),
        report(f"{name}, invalid : jsonschema-rs", by_us(invalid), by_rust(invalid), 0.5),
    ]


def many_options(bad: bool) -> bool:
    def run(count: int) -> Run:
        options = tuple(Option(f"option-{number:05}") for number in range(count))
        schema = RequestedSchema(fields=(ChoiceField(name="one", options=options),))
        # As from JSON: not the object that stands in the schema.
        content = {"one": "other" if bad else "".join(list(options[-1].const))}
        assert bool(check(schema, content)[1]) is bad
        return lambda: check(schema, content)

    # A tenth more is the noise between two runs of the same thing.
    name = f"10,000 options : 10 options, {'invalid' if bad else 'valid'}"
    return report(name, run(10_000), run(10), 1.1)


def main() -> int:
    met = [
        *against_others("1 titled choice", (CHOICE,)),
        *against_others("1 text", (TEXT,)),
        *against_others("6 fields", of_size(6)),
        *against_others("6 fields, bare options", of_size(6), titled=False),
        *against_others("50 fields", of_size(50)),
    ]
    met += [many_options(bad=False), many_options(bad=True)]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())

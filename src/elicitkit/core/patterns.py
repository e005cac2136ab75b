"""The ``pattern`` of the other side, matched in bounded time or not at all.

A pattern arrives from whoever asks, and an answer from whoever answers: neither may stop
the other (A22). So the expression runs in the Rust engine of pydantic-core, which knows no
backtracking, and never in ``re``. That engine is linear in the text, but a counted
repetition multiplies: ``.{0,9000}z`` takes 13 seconds over 100,000 letters. The product of
both is therefore bounded here, too.

A pattern that does not compile in this engine, such as one with lookaround or a
backreference, is a hint for the person and is not checked by whoever only reads it (G23,
G24). Deliberately not here: a translation of the ECMA-262 syntax of JSON Schema. The two
agree on what forms use; ``\\d`` and ``\\w`` take the digits and letters of every script.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

PATTERN_MAX: Final = 4_096
"""The length of a pattern that is compiled."""
WEIGHT_MAX: Final = 4_400
"""The size of an expression, with its counted repetitions written out, that is compiled.

Its square is below ``STEPS_MAX``: no text is too long that fits into the counts.
"""
STEPS_MAX: Final = 20_000_000
"""Weight times length of the text that is searched: half a second at the very worst."""

_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)
# The classes of every script are big automata; measured, they take twice the time.
_CLASS: Final = re.compile(r"\\[wWdDsSpP]")
# Free spacing would let white space stand between a group and its count.
_FREE_SPACING: Final = re.compile(r"\(\?[A-Za-z-]*x")
_COUNT: Final = re.compile(r"\{(?P<low>[0-9]*)(?:,(?P<high>[0-9]*))?\}")


@lru_cache(maxsize=32)
def compile_pattern(pattern: str) -> Callable[[str], bool] | None:
    """A search for ``pattern`` anywhere in a text, or None where it is a hint only.

    A text too long to be searched within the bound does not match: what was not checked
    must not pass for checked.
    """
    weight = _weight(pattern) if len(pattern) <= PATTERN_MAX else math.inf
    if weight > WEIGHT_MAX:
        return None
    try:
        engine = SchemaValidator(
            core_schema.str_schema(pattern=pattern, strict=True, regex_engine="rust-regex")
        )
    except SchemaError:
        return None
    longest = STEPS_MAX // weight
    search = engine.isinstance_python

    def matches(text: str) -> bool:
        return len(text) <= longest and search(text)

    return matches


def _weight(pattern: str) -> int | float:
    """No less than the number of atoms once every counted repetition is written out."""
    bare = _ESCAPE.sub("_", pattern)
    if _FREE_SPACING.search(bare):
        return math.inf
    size = max(len(bare), 1)
    factor = 2 if _CLASS.search(pattern) else 1
    for found in _COUNT.finditer(bare):
        count = max(_number(found["low"]), _number(found["high"]), 1)
        size += count
        # One atom is repeated after anything else; here it may be a group or a repetition.
        if found.start() and bare[found.start() - 1] in ")}*+?":
            factor *= count
    return size * factor


def _number(digits: str | None) -> int:
    # Ten digits are past every bound, and a longer number is no cheaper to read.
    return int(digits[:10]) if digits else 0

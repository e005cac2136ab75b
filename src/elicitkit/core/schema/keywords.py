"""Keywords of JSON Schema that a requested schema may carry and that say nothing in it.

Some only describe and are passed over without a word. Others restrict the answer, and no
dialect knows them: an author who relies on one is told what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

_IGNORABLE: Final = frozenset(
    {
        "$anchor", "$comment", "$defs", "$id", "$schema", "_meta", "additionalProperties",
        "default", "definitions", "deprecated", "description", "examples", "readOnly", "required",
        "title", "type", "writeOnly",
    }
)  # fmt: skip
_KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "root": frozenset({"properties"}),
    "text": frozenset({"format", "maxLength", "minLength", "pattern"}),
    "number": frozenset({"maximum", "minimum"}),
    "integer": frozenset({"maximum", "minimum"}),
    "boolean": frozenset(),
    "choice": frozenset({"enum", "enumNames", "oneOf"}),
    "choices": frozenset({"items", "maxItems", "minItems"}),
}
_HINTS: Final[Mapping[str, str]] = {
    "exclusiveMinimum": "use minimum (ge= in Python)",
    "exclusiveMaximum": "use maximum (le= in Python)",
    "multipleOf": "check it in a validator of your own; a refused answer is asked for again",
    "uniqueItems": "options are distinct anyway",
    "const": "use enum with one value",
    "enum": "only strings can be options",
}


def ignored_keywords(source: Mapping[str, Any], kind: str) -> Iterator[tuple[str, str]]:
    """Each keyword that restricts the answer without effect, and what to do instead."""
    known = _KNOWN[kind]
    for key in source:
        if key not in known and key not in _IGNORABLE and not key.startswith("x-"):
            yield key, _HINTS.get(key, "leave it out")

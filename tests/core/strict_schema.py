"""What each dialect's own types allow a requested schema to hold, and nothing more.

Written from the types of the specifications (MCP ``schema.ts``, ACP ``schema.json``), apart
from the code under test. One difference is meant and recorded here: ``default`` is allowed
on every kind on 2025-06-18, where only booleans have it, because receivers there take
unknown keys and the default is worth showing.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

from elicitkit.core.dialects import Dialect

Raw = Mapping[str, Any]
Rule = Callable[[Any], bool]

FOUR_FORMATS = {"email", "uri", "date", "date-time"}


def require_strict(raw: Any, dialect: Dialect) -> None:
    """Fail unless the dialect's types allow every key and value of this schema."""
    acp = dialect.protocol == "acp"
    keys: dict[str, Rule] = {
        "type": lambda it: it == "object",
        "properties": lambda it: isinstance(it, dict),
        "required": lambda it: _strings(it) and len(set(it)) == len(it) and bool(it),
    }
    if acp:
        keys |= {"title": _text, "description": _text}
    _require(raw, keys, ("type", "properties"), "root")
    for name, prop in raw["properties"].items():
        assert isinstance(name, str)
        _require_property(prop, dialect, f"properties.{name}")
    assert set(raw.get("required", ())) <= set(raw["properties"])


def _require_property(prop: Raw, dialect: Dialect, where: str) -> None:
    keys: dict[str, Rule] = {"title": _text, "description": _text}
    kind = prop.get("type")
    if kind == "string" and "enum" in prop:
        keys |= {"enum": _options, "default": lambda it: it in prop["enum"]}
        if dialect.name == "mcp-2025-06-18":
            keys["enumNames"] = lambda it: _strings(it) and len(it) == len(prop["enum"])
    elif kind == "string" and "oneOf" in prop:
        assert dialect.name != "mcp-2025-06-18", where
        keys |= {
            "oneOf": lambda it: _titled(it, dialect),
            "default": lambda it: it in [one["const"] for one in prop["oneOf"]],
        }
    elif kind == "string":
        length = _uint32 if dialect.protocol == "acp" else _count
        keys |= {"minLength": length, "maxLength": length, "default": _text}
        keys["format"] = _text if dialect.name == "acp-v2" else lambda it: it in FOUR_FORMATS
        if dialect.name in ("mcp-2025-11-25", "acp-v1", "acp-v2"):
            keys["pattern"] = _text
    elif kind in ("number", "integer"):
        whole = kind == "integer" and dialect.protocol == "acp"
        bound = _whole if whole else _number
        default = _whole if kind == "integer" else _number
        if dialect.protocol == "acp":
            bound = default = _int64 if whole else _double
        keys |= {"minimum": bound, "maximum": bound, "default": default}
    elif kind == "boolean":
        keys["default"] = lambda it: isinstance(it, bool)
    else:
        assert kind == "array", where
        assert dialect.name != "mcp-2025-06-18", where
        keys |= {
            "items": lambda it: _items(it, dialect),
            "minItems": _count,
            "maxItems": _count,
            "default": _strings,
        }
        assert "items" in prop, where
    keys["type"] = _text
    if dialect.protocol == "acp":
        keys["_meta"] = lambda it: isinstance(it, dict)
    _require(prop, keys, ("type",), where)


def _require(raw: Any, keys: Mapping[str, Rule], needed: tuple[str, ...], where: str) -> None:
    assert isinstance(raw, dict), where
    for key, value in raw.items():
        assert key in keys, f"{where} may not hold {key}"
        assert keys[key](value), f"{where}.{key} may not be {value!r}"
    for key in needed:
        assert key in raw, f"{where} needs {key}"


def _items(raw: Any, dialect: Dialect) -> bool:
    if "enum" in raw:
        return set(raw) == {"type", "enum"} and raw["type"] == "string" and _options(raw["enum"])
    return set(raw) == {"anyOf"} and _titled(raw["anyOf"], dialect)


def _titled(raw: Any, dialect: Dialect) -> bool:
    allowed = {"const", "title"} | ({"description"} if dialect.protocol == "acp" else set[str]())
    return (
        isinstance(raw, list)
        and bool(raw)
        and all(
            {"const", "title"} <= set(one) <= allowed and _strings(list(one.values()))
            for one in raw
        )
        and len({one["const"] for one in raw}) == len(raw)
    )


def _options(raw: Any) -> bool:
    return _strings(raw) and bool(raw) and len(set(raw)) == len(raw)


def _text(raw: Any) -> bool:
    return isinstance(raw, str)


def _strings(raw: Any) -> bool:
    return isinstance(raw, list) and all(isinstance(one, str) for one in raw)


def _whole(raw: Any) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool)


def _count(raw: Any) -> bool:
    return _whole(raw) and raw >= 0


def _uint32(raw: Any) -> bool:
    return _count(raw) and raw < 2**32


def _int64(raw: Any) -> bool:
    return _whole(raw) and -(2**63) <= raw < 2**63


def _double(raw: Any) -> bool:
    return _number(raw) and abs(raw) <= sys.float_info.max


def _number(raw: Any) -> bool:
    return _whole(raw) or (isinstance(raw, float) and math.isfinite(raw))

"""What the published schemas of ACP take and refuse, one message a row, and where we differ.

The columns are v1, v2 as its pages have it, and the newer v2 that the TypeScript SDK 2.4.0
brings. A cell is what the specification's own schema says; where our reader knowingly differs,
``ours`` holds what it does and why. ``tests/peers`` holds the first and the last column against
the schemas themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from elicitkit.core.dialects import ACP_V1, ACP_V2, ACP_V2_STRICT, Dialect

Wire = dict[str, Any]

COLUMNS: tuple[Dialect, ...] = (ACP_V1, ACP_V2, ACP_V2_STRICT)
NAMES = ("acp-v1", "acp-v2", "acp-v2-strict")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One message, and what is said of it in each column."""

    message: Any
    spec: str
    ours: str
    why: str


def row(message: Any, spec: str, ours: str = "", why: str = "") -> Row:
    return Row(message=message, spec=spec, ours=ours or spec, why=why)


def without(message: Wire, *keys: str) -> Wire:
    return {key: value for key, value in message.items() if key not in keys}


SCHEMA: Wire = {
    "type": "object",
    "properties": {"f": {"type": "string"}},
    "required": ["f"],
}
FORM: Wire = {
    "sessionId": "s",
    "mode": "form",
    "message": "Who?",
    "requestedSchema": SCHEMA,
}
URL: Wire = {
    "requestId": 12,
    "mode": "url",
    "message": "Sign in",
    "url": "https://example.com/a?b=%20",
    "elicitationId": "e",
}
OTHER: Wire = {"sessionId": "s", "mode": "_voice", "message": "Say it", "seconds": 9}


def schema(raw: Wire) -> Wire:
    return {**FORM, "requestedSchema": raw}


def prop(raw: object, *, required: bool = False) -> Wire:
    made: Wire = {"type": "object", "properties": {"f": raw}}
    return schema(made | ({"required": ["f"]} if required else {}))


CONSTS = [{"const": "a", "title": "A"}]
FRACTION = "a bad default is ignored (G26); tolerant readers drop this one"
HINT = "unknown formats are notes (A23, G21)"
LEFT_OUT = "the field is left out (G26)"
NOTHING = "there is nothing to choose (G26)"
TOLERANT = "reading it costs nothing, and it is met in the wild"
MARKED = "the schema marks it as read as its default where it is malformed"
WITHOUT = "the form is shown without it (G27)"
ROOT = "omitted, null or malformed, it is read as its default (A21)"

REQUESTS: Mapping[str, Row] = {
    # Schemas.
    "enumNames": row(prop({"type": "string", "enum": ["a"], "enumNames": ["A"]}), "ok ok ok"),
    "a $schema and additionalProperties": row(
        schema({**SCHEMA, "$schema": "https://x.example", "additionalProperties": False}),
        "ok ok ok",
    ),
    "exclusiveMinimum": row(prop({"type": "integer", "exclusiveMinimum": 0}), "ok ok ok"),
    "a pattern": row(prop({"type": "string", "pattern": "^a+$"}), "ok ok ok"),
    "a pattern that does not compile": row(prop({"type": "string", "pattern": "("}), "ok ok ok"),
    "an integer with a fractional bound": row(prop({"type": "integer", "minimum": 1.5}), "x x x"),
    "an integer with a fractional default": row(
        prop({"type": "integer", "default": 2.5}), "x x x", "ok ok ok", FRACTION
    ),
    "an integer bound 1.0": row(prop({"type": "integer", "minimum": 1.0}), "ok ok ok"),
    "an integer bound 2^63": row(prop({"type": "integer", "maximum": 2**63}), "ok ok ok"),
    "an unknown format": row(
        prop({"type": "string", "format": "uuid"}), "x ok ok", "ok ok ok", HINT
    ),
    "an empty enum, optional": row(
        prop({"type": "string", "enum": []}), "ok x x", "ok ok ok", LEFT_OUT
    ),
    "an empty enum, required": row(
        prop({"type": "string", "enum": []}, required=True), "ok x x", "x x x", NOTHING
    ),
    "an empty anyOf, required": row(
        prop({"type": "array", "items": {"anyOf": []}}, required=True), "ok x x", "x x x", NOTHING
    ),
    "a default outside the enum": row(
        prop({"type": "string", "enum": ["a"], "default": "b"}), "ok ok ok"
    ),
    "a titled oneOf": row(prop({"type": "string", "oneOf": CONSTS}), "ok ok ok"),
    "a described oneOf": row(
        prop({"type": "string", "oneOf": [{"const": "a", "title": "A", "description": "x"}]}),
        "ok ok ok",
    ),
    "a oneOf entry without title": row(
        prop({"type": "string", "oneOf": [{"const": "a"}]}), "x x x", "ok ok ok", TOLERANT
    ),
    "a oneOf entry that is a number": row(
        prop({"type": "string", "oneOf": [{"const": 1, "title": "A"}]}), "x x x"
    ),
    "multi-select": row(
        prop({"type": "array", "items": {"type": "string", "enum": ["a"]}}), "ok ok ok"
    ),
    "multi-select with titles": row(
        prop({"type": "array", "items": {"anyOf": CONSTS}}), "ok ok ok"
    ),
    "multi-select with anyOf beside type": row(
        prop({"type": "array", "items": {"type": "string", "anyOf": CONSTS}}), "ok ok ok"
    ),
    "multi-select with a bad entry in its default": row(
        prop({"type": "array", "items": {"anyOf": CONSTS}, "default": [1, "a"]}),
        "x x x", "ok ok ok", MARKED,
    ),
    "items.oneOf": row(
        prop({"type": "array", "items": {"oneOf": CONSTS}}), "x x x", "ok ok ok", TOLERANT
    ),
    "a free list of strings": row(
        prop({"type": "array", "items": {"type": "string"}}), "x x x", "ok ok ok", WITHOUT
    ),
    "a list without items": row(prop({"type": "array"}), "x x x"),
    "a list of an unknown type": row(prop({"type": "array", "items": {"type": "_x"}}), "ok ok ok"),
    "an integer with enum": row(prop({"type": "integer", "enum": [1, 2]}), "ok ok ok"),
    "a property of type object": row(prop({"type": "object", "properties": {}}), "ok ok ok"),
    "a property of an own type": row(prop({"type": "_stars", "of": 5}), "ok ok ok"),
    "a list of types": row(prop({"type": ["string", "null"]}), "x x x"),
    "anyOf-Optional": row(prop({"anyOf": [{"type": "string"}, {"type": "null"}]}), "x x x"),
    "a property without type": row(prop({"title": "A"}), "x x x"),
    "a property that is no object": row(prop("string"), "x x x"),
    "keywords of null": row(
        prop(
            {
                "type": "string", "title": None, "minLength": None, "maxLength": None,
                "pattern": None, "format": None, "enum": None, "oneOf": None, "default": None,
            }
        ),
        "ok ok ok",
    ),
    "a negative length": row(prop({"type": "string", "minLength": -1}), "x x x"),
    "a format that is no string": row(prop({"type": "string", "format": 7}), "x x x"),
    "texts of the wrong type": row(
        prop({"type": "string", "title": 7, "description": []}), "x x x", "ok ok ok", MARKED
    ),
    "a default of the wrong type": row(
        prop({"type": "boolean", "default": "yes"}), "x x x", "ok ok ok", MARKED
    ),
    "a schema without type": row(schema(without(SCHEMA, "type")), "ok ok x"),
    "a schema without properties": row(schema({"type": "object"}), "ok ok x"),
    "an empty schema": row(schema({}), "ok ok x"),
    "a schema of another type": row(
        schema({**SCHEMA, "type": "array"}), "x x x", "ok ok x", ROOT
    ),
    "a schema whose type is null": row(schema({**SCHEMA, "type": None}), "x x x", "ok ok x", ROOT),
    "properties of null": row(schema({"type": "object", "properties": None}), "x x x"),
    "required of null": row(schema({**SCHEMA, "required": None}), "ok ok ok"),
    "required that lists a number": row(schema({**SCHEMA, "required": [1]}), "x x x"),
    "required that names no property": row(
        schema({**SCHEMA, "required": ["g"]}), "ok ok ok", "x x x", "nobody could answer it (G28)"
    ),
    "a schema that is no object": row({**FORM, "requestedSchema": None}, "x x x"),
    "a form without a schema": row(without(FORM, "requestedSchema"), "x x x"),
    # Modes.
    "a form without mode": row(without(FORM, "mode"), "x x x"),
    "a url without mode": row(without(URL, "mode"), "x x x"),
    "a mode of null": row({**FORM, "mode": None}, "x x x"),
    "a mode that is an object": row({**FORM, "mode": {"form": {}}}, "x x x"),
    "an unknown mode": row(OTHER, "ok ok ok"),
    "an unknown mode without scope": row(without(OTHER, "sessionId"), "x x x"),
    "an unknown mode with both scopes": row({**OTHER, "requestId": 1}, "ok ok x"),
    "a url": row(URL, "ok ok ok"),
    "a url without elicitationId": row(without(URL, "elicitationId"), "x x x"),
    "a url request without url": row(without(URL, "url"), "x x x"),
    "a url that is no string": row({**URL, "url": ["https://a.co"]}, "x x x"),
    "an elicitationId that is a number": row({**URL, "elicitationId": 7}, "x x x"),
    # Scopes.
    "no scope": row(without(FORM, "sessionId"), "x x x"),
    "both scopes": row({**FORM, "requestId": 3}, "ok ok x"),
    "requestId of null": row({**URL, "requestId": None}, "ok ok x"),
    "a session and a requestId of null": row({**FORM, "requestId": None}, "ok ok ok"),
    "a requestId and a session of null": row({**URL, "sessionId": None}, "ok ok ok"),
    "a requestId that is text": row({**URL, "requestId": ""}, "ok ok ok"),
    "a requestId 3.0": row({**URL, "requestId": 3.0}, "ok ok ok"),
    "a requestId 3.5": row({**URL, "requestId": 3.5}, "x x x"),
    "a requestId of true": row({**URL, "requestId": True}, "x x x"),
    "a sessionId that is a number": row({**FORM, "sessionId": 7}, "x x x"),
    "a tool call": row({**FORM, "toolCallId": "t"}, "ok ok ok"),
    "a tool call of null": row({**FORM, "toolCallId": None}, "ok ok ok"),
    "a tool call that is a number": row(
        {**FORM, "toolCallId": 7}, "x x x", "ok ok ok", MARKED
    ),
    # The rest.
    "no message": row(without(FORM, "message"), "x x x"),
    "a message that is a number": row({**FORM, "message": 7}, "x x x"),
    "_meta": row({**FORM, "_meta": {"message": "no", "mode": "url"}}, "ok ok ok"),
    "_meta of null": row({**FORM, "_meta": None}, "ok ok ok"),
    "_meta that is a list": row({**FORM, "_meta": [1]}, "x x x", "ok ok ok", MARKED),
    "an unknown key": row({**FORM, "x": 1}, "ok ok ok"),
    "params that are a list": row([FORM], "x x x"),
}  # fmt: skip

CHECKED = "core/check refuses it and names the field, on both sides"

ANSWERS: Mapping[str, Row] = {
    "accept": row({"action": "accept", "content": {"f": "x"}}, "ok ok ok"),
    "accept without content": row({"action": "accept"}, "ok ok ok"),
    "content of null": row({"action": "accept", "content": None}, "ok ok ok"),
    "a nested object": row(
        {"action": "accept", "content": {"f": {"a": 1}}}, "x x ok", "ok ok ok", CHECKED
    ),
    "a null value": row(
        {"action": "accept", "content": {"f": None}}, "x x ok", "ok ok ok", CHECKED
    ),
    "a mixed list": row(
        {"action": "accept", "content": {"f": ["a", 1]}}, "x x ok", "ok ok ok", CHECKED
    ),
    "a decimal": row({"action": "accept", "content": {"f": 1.5}}, "ok ok ok"),
    "a list of strings": row({"action": "accept", "content": {"f": ["a"]}}, "ok ok ok"),
    "decline": row({"action": "decline"}, "ok ok ok"),
    "decline with content": row({"action": "decline", "content": {"f": "x"}}, "ok ok ok"),
    "cancel with content that is a list": row({"action": "cancel", "content": [1]}, "ok ok ok"),
    "an unknown action": row({"action": "later"}, "ok ok ok"),
    "an own action with content": row({"action": "_x", "content": {"f": "x"}}, "ok ok ok"),
    "_meta that is a list": row(
        {"action": "accept", "_meta": [1]}, "x x x", "ok ok ok", MARKED
    ),
    "no action": row({"content": {"f": "x"}}, "x x x"),
    "an action of null": row({"action": None}, "x x x"),
    "an action that is a list": row({"action": ["accept"]}, "x x x"),
    "content that is a list": row({"action": "accept", "content": ["x"]}, "x x x"),
    "content that is text": row({"action": "accept", "content": "x"}, "x x x"),
    "a result that is text": row("accept", "x x x"),
}  # fmt: skip

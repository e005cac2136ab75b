"""A choice and the free text beside it: two properties on the wire, one field where that is said.

The marks are those that agents of ACP send (claude-agent-acp, goose, codex).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from elicitkit.core.dialects import ACP_V1, ACP_V2, ACP_V2_STRICT, DIALECTS, Dialect
from elicitkit.core.fields import (
    ChoiceField,
    ChoicesField,
    Field,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.schema import opened, read, write
from tests.core.strict_schema import require_strict

ACP = (ACP_V1, ACP_V2, ACP_V2_STRICT)
MCP = tuple(row for row in DIALECTS.values() if row.protocol == "mcp")
every_acp = pytest.mark.parametrize("dialect", ACP, ids=["v1", "v2", "v2-strict"])
every_mcp = pytest.mark.parametrize("dialect", MCP, ids=lambda row: row.name)

SHARED = {"_askUserQuestionCustomAnswer": {"questionId": "colour", "isCustomAnswer": True}}
CODEX = {"codex": {"questionId": "colour", "isOtherAnswer": True, "isSecret": False}}
CHOICE = {"type": "string", "title": "Colour", "enum": ["red", "blue"]}
TEXT = {"type": "string", "title": "Other"}


def raw(*required: str, choice: Any = CHOICE, **others: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"colour": choice, **others}}
    return schema | {"required": list(required)} if required else schema


def companions(schema: RequestedSchema) -> dict[str, str]:
    return {choice: text.name for choice, text in schema.companions().items()}


@pytest.mark.parametrize("meta", [SHARED, CODEX, SHARED | CODEX], ids=["shared", "codex", "both"])
@every_acp
def test_a_text_with_a_mark_of_agents_is_the_companion_of_its_choice(
    dialect: Dialect, meta: dict[str, Any]
):
    """Ours: what the mark says, whatever the text is called and wherever it stands."""
    for name in ("colour_custom", "colour__other", "bespoke"):
        found = read(raw(**{name: TEXT | {"_meta": meta}}), dialect)
        assert companions(found) == {"colour": name}
        assert [one.name for one in found.fields] == ["colour", name]
    before = {"type": "object", "properties": {"x": TEXT | {"_meta": meta}, "colour": CHOICE}}
    assert companions(read(before, dialect)) == {"colour": "x"}


HOSTILE: dict[str, dict[str, Any]] = {
    "a needed text": raw("x", x=TEXT | {"_meta": SHARED}),
    "a needed choice": raw("colour", x=TEXT | {"_meta": SHARED}),
    "a boolean": raw(x={"type": "boolean", "_meta": SHARED}),
    "a choice": raw(x={"type": "string", "enum": ["a"], "_meta": SHARED}),
    "an unknown kind": raw(x={"type": "color", "_meta": SHARED}),
    "no such choice": raw(choice={"type": "string"}, x=TEXT | {"_meta": SHARED}),
    "a missing partner": {"type": "object", "properties": {"x": TEXT | {"_meta": SHARED}}},
    "a partner of several": raw(
        choice={"type": "array", "items": {"type": "string", "enum": ["a"]}},
        x=TEXT | {"_meta": SHARED},
    ),
    "two texts for one choice": raw(x=TEXT | {"_meta": SHARED}, y=TEXT | {"_meta": CODEX}),
    "two choices for one text": raw(
        size=CHOICE,
        x=TEXT | {"_meta": SHARED | {"codex": {"questionId": "size", "isOtherAnswer": True}}},
    ),
    "a restricted text": raw(x=TEXT | {"minLength": 3, "_meta": SHARED}),
    "a formatted text": raw(x=TEXT | {"format": "email", "_meta": SHARED}),
    "no flag": raw(x=TEXT | {"_meta": {"_askUserQuestionCustomAnswer": {"questionId": "colour"}}}),
    "a flag that is no boolean": raw(
        x=TEXT
        | {"_meta": {"_askUserQuestionCustomAnswer": {"questionId": "colour", "isCustomAnswer": 1}}}
    ),
    "a name that is no string": raw(
        x=TEXT
        | {"_meta": {"_askUserQuestionCustomAnswer": {"questionId": ["a"], "isCustomAnswer": True}}}
    ),
    "a mark that is no object": raw(x=TEXT | {"_meta": {"_askUserQuestionCustomAnswer": True}}),
    "a meta that is no object": raw(x=TEXT | {"_meta": [SHARED]}),
    "another key": raw(x=TEXT | {"_meta": {"other": {"questionId": "colour", "is": True}}}),
    "the name alone": raw(colour_custom=TEXT),
    "a mark on the choice itself": raw(choice=CHOICE | {"_meta": SHARED}, colour_custom=TEXT),
}


@pytest.mark.requirement("A67")
@pytest.mark.parametrize("name", HOSTILE)
@every_acp
def test_whatever_is_doubtful_stays_two_fields_of_their_own(dialect: Dialect, name: str):
    """Spec-mandated: beside the one mark, nothing in ``_meta`` means anything."""
    source = HOSTILE[name]
    bare = {
        **source,
        "properties": {
            key: {word: it for word, it in prop.items() if word != "_meta"}
            for key, prop in source["properties"].items()
        },
    }
    found, plain = read(source, dialect), read(bare, dialect)
    assert companions(found) == {}
    assert list(map(shown, found.fields)) == list(map(shown, plain.fields))


def shown(one: Field) -> Field:
    # An unknown kind is kept as it came, its meta included.
    return replace(one, raw={}) if isinstance(one, OtherField) else one


@every_mcp
def test_no_mark_is_read_where_fields_have_no_meta(dialect: Dialect):
    """Ours: MCP has no ``_meta`` on a field, so nothing of it can be meant."""
    assert companions(read(raw(x=TEXT | {"_meta": SHARED}), dialect)) == {}


PLAIN = {"type": "string", "title": "Colour", "enum": ["red"]}
OTHER = {
    "type": "string",
    "title": "Other: Colour",
    "description": "Only if none of the options fits.",
}


def written(dialect: Dialect) -> dict[str, Any]:
    one = ChoiceField(name="colour", title="Colour", required=True, options=(Option("red"),))
    schema = RequestedSchema(fields=opened(one, ["colour"]))
    made = write(schema, dialect)
    require_strict(made, dialect)
    return made


@every_acp
def test_the_companion_is_marked_on_acp_and_read_back(dialect: Dialect):
    """Ours: the key that more than one agent sends and every client that knows any reads."""
    assert written(dialect) == raw(choice=PLAIN, colour_custom=OTHER | {"_meta": SHARED})
    assert companions(read(written(dialect), dialect)) == {"colour": "colour_custom"}


@every_mcp
def test_on_mcp_they_are_two_optional_fields(dialect: Dialect):
    """Ours: neither may be needed, else nobody could answer with the other alone."""
    assert written(dialect) == raw(choice=PLAIN, colour_custom=OTHER)


def test_what_came_with_the_mark_of_one_agent_goes_on_with_the_shared_one():
    """Ours."""
    found = read(raw(x=TEXT | {"_meta": CODEX}), ACP_V1)
    assert write(found, ACP_V1)["properties"]["x"]["_meta"] == SHARED


def test_a_companion_takes_no_name_that_is_taken():
    """Ours."""
    choice, text = opened(
        ChoiceField(name="a", options=(Option("x"),)), ["a", "a_custom", "a_custom_"]
    )
    assert (choice.other, text.name) == ("a_custom__", "a_custom__")
    assert text.title == "Other"


def test_a_choice_without_its_text_has_no_companion():
    """Ours: a schema may be put together by hand."""
    for other in ("b", "c"):
        one = ChoiceField(name="a", options=(Option("x"),), other=other)
        several = ChoicesField(name="b", options=(Option("x"),))
        assert RequestedSchema(fields=(one, several)).companions() == {}
    one = ChoiceField(name="a", options=(Option("x"),), other="b")
    text = TextField(name="b")
    assert RequestedSchema(fields=(one, text)).companions() == {"a": text}

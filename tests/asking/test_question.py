"""A question before it is put: its name and the way from value to content."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from elicitkit import UsageError
from elicitkit.asking.question import Question, from_raw, from_type
from elicitkit.core.dialects import ACP_V2, MCP_2025_11_25
from elicitkit.core.errors import SchemaNotExpressible


class Trip(BaseModel):
    nights: int = 1
    note: str | None = None


def test_the_digest_is_of_message_and_schema() -> None:
    digest = from_type("When?", Trip).digest
    assert digest == from_type("When?", Trip).digest
    assert digest == from_type("When?", Trip, {"nights": 3}).digest
    assert digest == Question("When?", Trip, initial=Trip(nights=5)).prepared().digest
    assert len({digest, from_type("Where?", Trip).digest, from_type("When?", int).digest}) == 3
    assert len(digest) == 16


def test_a_schema_that_no_mcp_revision_can_say_has_a_digest_as_well() -> None:
    def asked(kind: str) -> str:
        schema = {"type": "object", "properties": {"x": {"type": "string", "format": kind}}}
        return from_raw("Pick", schema, ACP_V2).digest

    assert asked("color") == asked("color")
    assert asked("color") != asked("phone")


def test_what_is_left_empty_is_not_content() -> None:
    assert from_type("When?", Trip).encode(Trip(nights=2)) == {"nights": 2}


def test_an_initial_value_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="'nights' does not fit"):
        from_type("When?", Trip, {"nights": "many"})


def test_a_type_that_no_form_can_ask_for_is_refused_by_name() -> None:
    class Nested(BaseModel):
        trip: Trip

    with pytest.raises(SchemaNotExpressible, match="trip"):
        from_type("When?", Nested)


def test_a_schema_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(SchemaNotExpressible):
        from_raw("When?", {"type": "object"}, MCP_2025_11_25)

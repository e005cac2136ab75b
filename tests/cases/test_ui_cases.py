"""Reports about what a person sees, replayed at a plain terminal behind a client.

The other renderer is held to the same by the suite that both share.
"""

from __future__ import annotations

import pytest

from elicitkit.core.dialects import Dialect
from tests.cases.raw_server import at_a_terminal
from tests.cases.replay import Case, load, replays
from tests.mcp.client_peer import Wire

pytestmark = pytest.mark.anyio
ONE: Wire = {"type": "object", "properties": {"a": {"type": "string"}}}
PROMPT = "\n> "


def mcp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their MCP dialects."""
    return replays(map(load, ids), protocol="mcp")


def question(case: Case) -> Wire:
    return {
        "message": case.given.get("message", "The message"),
        "requestedSchema": case.given.get("requestedSchema", ONE),
    }


@pytest.mark.ux("UX32")
@mcp("098-empty-schema-renders-buttons")
async def test_a_form_without_fields_is_a_question_with_three_ways_out(
    case: Case, dialect: Dialect
) -> None:
    sitting = await at_a_terminal(dialect, question(case), "yes")
    assert sitting.answer == case.expect["response"]
    for shown in ("The message", "Type yes", "no or :decline", ":cancel"):
        assert shown in sitting.seen


@pytest.mark.requirement("M46")
@mcp("100-no-button-is-decline")
async def test_a_no_reaches_the_server(case: Case, dialect: Dialect) -> None:
    sitting = await at_a_terminal(dialect, question(case), ":decline")
    assert sitting.answer == case.expect["response"]


@mcp("101-one-boolean-one-prompt")
async def test_one_yes_or_no_is_asked_once_and_no_is_an_answer(
    case: Case, dialect: Dialect
) -> None:
    sitting = await at_a_terminal(dialect, question(case), *case.expect["user_events"])
    assert sitting.answer == case.expect["response"]
    assert sitting.seen.count(PROMPT) == case.expect["prompts_shown"]


@pytest.mark.requirement("M59")
@mcp(
    "157-url-in-form-field-not-clickable",
    "160-rich-markup-in-message",
    "161-html-in-message",
)
async def test_markup_and_addresses_are_shown_as_they_are_written(
    case: Case, dialect: Dialect
) -> None:
    sitting = await at_a_terminal(dialect, question(case), "x", "s")
    assert sitting.answer is not None
    assert sitting.answer["action"] == "accept"
    assert "\x1b" not in sitting.seen
    shown = sitting.seen.replace("\n  ", " ")
    assert case.given["message"] in shown
    for name, field in case.given.get("requestedSchema", ONE)["properties"].items():
        assert field.get("title", name) in shown
        assert field.get("description", "") in shown


@mcp("163-message-very-long")
async def test_a_long_message_is_read_page_by_page(case: Case, dialect: Dialect) -> None:
    lines = case.given["message_lines"]
    asked = {
        "message": "\n".join(f"line {number}" for number in range(lines)),
        "requestedSchema": ONE,
    }
    rows = case.given["terminal_rows"]
    pages = [":more"] * (lines // rows * 2)
    sitting = await at_a_terminal(dialect, asked, *pages, "x", "s", rows=rows)
    assert sitting.answer == {"action": "accept", "content": {"a": "x"}}
    assert [n for n in range(lines) if f"  line {n}\n" not in sitting.seen] == []
    assert sitting.seen.split("> ", 1)[0].count("\n") <= rows


@mcp("164-many-option-groups")
async def test_every_option_of_many_groups_is_reached(case: Case, dialect: Dialect) -> None:
    count, each = case.given["properties"], case.given["options_each"]
    options = [f"option {number}" for number in range(each)]
    properties = {f"f{n}": {"type": "string", "enum": options} for n in range(count)}
    asked = {"message": "m", "requestedSchema": {"type": "object", "properties": properties}}
    chosen = [n % each for n in range(count)]
    sitting = await at_a_terminal(dialect, asked, *(str(1 + n) for n in chosen), "s", rows=24)
    assert sitting.answer == {
        "action": "accept",
        "content": {f"f{n}": options[choice] for n, choice in enumerate(chosen)},
    }

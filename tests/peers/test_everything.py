"""The reference server of the MCP project, started over stdio as its users start it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult, TextContent

from elicitkit import Answerer
from elicitkit.answering import Scripted
from elicitkit.core.fields import kind_of
from elicitkit.mcp import connect

pytestmark = pytest.mark.anyio

TOOL = "trigger-elicitation-request"
FILLED_IN: dict[str, Any] = {
    "name": "王小明",
    "check": False,
    "firstLine": "",
    "email": "ming@example.com",
    "homepage": "https://example.com/~ming?x=1",
    "birthdate": "2000-02-29",
    "integer": 7,
    "number": 2.5,
    "untitledSingleSelectEnum": "Phoebe",
    "untitledMultipleSelectEnum": ["Drums", "Bass"],
    "titledSingleSelectEnum": "hero-3",
    "titledMultipleSelectEnum": ["fish-1", "fish-2", "fish-3"],
    "legacyTitledEnum": "pet-5",
}
ACCEPT = {"action": "accept", "content": FILLED_IN}
KINDS = {
    "name": "text",
    "check": "boolean",
    "firstLine": "text",
    "email": "text",
    "homepage": "text",
    "birthdate": "text",
    "integer": "integer",
    "number": "number",
    "untitledSingleSelectEnum": "choice",
    "untitledMultipleSelectEnum": "choices",
    "titledSingleSelectEnum": "choice",
    "titledMultipleSelectEnum": "choices",
    "legacyTitledEnum": "choice",
}
SAID = [
    (ACCEPT, 0, "✅ User provided the requested information!"),
    ({"action": "decline"}, 1, "❌ User declined to provide the requested information."),
    ({"action": "cancel"}, 1, "⚠️ User cancelled the elicitation dialog."),
]


def with_types(value: object) -> object:
    """A value that differs from another one of an equal number or truth, such as 1 and true."""
    if isinstance(value, Mapping):
        return {key: with_types(one) for key, one in value.items()}
    return [type(value).__name__, value]


def received(text: str) -> object:
    """What the server says it got."""
    return json.loads(text.removeprefix("\nRaw result: "))


def call(answer: object, folder: Path, command: list[str]) -> tuple[int, list[dict[str, Any]]]:
    file = folder / "answers.json"
    file.write_text(json.dumps([answer]), "utf-8")
    own = [sys.executable, "-m", "elicitkit", "call", "--tool", TOOL, "--json"]
    done = subprocess.run(
        [*own, "--answers", str(file), "--", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("answer", "code", "said"), SAID)
def test_the_command_answers_thirteen_fields_and_the_server_receives_just_that(
    answer: dict[str, Any], code: int, said: str, tmp_path: Path, everything_command: list[str]
) -> None:
    returned, events = call(answer, tmp_path, everything_command)
    question, outcome, result = events
    texts = [block["text"] for block in result["content"]]
    assert returned == code
    assert {field["name"]: field["kind"] for field in question["fields"]} == KINDS
    assert (outcome["event"], outcome["action"]) == ("outcome", answer["action"])
    assert texts[0] == said
    assert with_types(received(texts[-1])) == with_types(answer)


@pytest.mark.requirement("M61")
def test_the_command_never_sends_content_that_does_not_fit(
    tmp_path: Path, everything_command: list[str]
) -> None:
    answer = {"action": "accept", "content": {**FILLED_IN, "integer": 101}}
    returned, events = call(answer, tmp_path, everything_command)
    _, outcome, result, error = events
    assert returned == 1
    assert (outcome["action"], outcome["reason"]) == ("cancel", "invalid_answer")
    assert received(result["content"][-1]["text"]) == {"action": "cancel"}
    assert "integer" in error["message"]


@pytest.mark.parametrize(("answer", "code", "said"), SAID)
async def test_a_connected_client_answers_them_as_well(
    answer: dict[str, Any], code: int, said: str, everything_command: list[str]
) -> None:
    script = Scripted([answer])
    with anyio.fail_after(30):
        async with connect(
            everything_command, name="everything", answerer=Answerer(script)
        ) as client:
            result = await client.call_tool(TOOL, {})
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    (form,) = script.asked
    assert {field.name: kind_of(field) for field in form.schema.fields} == KINDS
    assert texts[0] == said
    assert with_types(received(texts[-1])) == with_types(answer)


async def never_asked(context: object, params: object) -> ElicitResult:
    raise AssertionError("listing tools asks nothing")


async def test_the_reference_server_offers_its_elicitation_tools_to_a_client_that_declares_both(
    everything_command: list[str],
) -> None:
    command, *arguments = everything_command
    server = StdioServerParameters(command=command, args=arguments)
    with anyio.fail_after(30):
        async with Client(server, mode="legacy", elicitation_callback=never_asked) as client:
            listed = await client.list_tools()
            version = client.session.protocol_version
    names = {tool.name for tool in listed.tools}
    assert version == "2025-11-25"
    assert {TOOL, "trigger-url-elicitation"} <= names


async def test_the_reference_server_hides_them_from_a_client_that_declares_nothing(
    everything_command: list[str],
) -> None:
    command, *arguments = everything_command
    server = StdioServerParameters(command=command, args=arguments)
    with anyio.fail_after(30):
        async with Client(server, mode="legacy") as client:
            listed = await client.list_tools()
    assert not {tool.name for tool in listed.tools if "elicitation" in tool.name}


async def test_a_connected_client_is_offered_forms_and_no_url_mode(
    everything_command: list[str],
) -> None:
    with anyio.fail_after(30):
        async with connect(
            everything_command, name="everything", answerer=Answerer.scripted([])
        ) as client:
            listed = await client.list_tools()
    names = {tool.name for tool in listed.tools}
    assert TOOL in names
    assert "trigger-url-elicitation" not in names

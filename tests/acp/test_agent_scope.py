"""What a question says it belongs to: exactly one of a session and a request, as it came."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acp.schema import InitializeResponse

from elicitkit import Ask, SensitiveField
from elicitkit.acp import AgentV2, asks, tool_call
from tests.acp.asked_client import Client, Wire, accept, asked, saying, served
from tests.acp.tool_agent import VERSIONS, Version

pytestmark = pytest.mark.anyio
every_version = pytest.mark.parametrize("version", VERSIONS)

YES = saying(accept(value=True))
NAME = saying(accept(value="main"))
SCOPES = {"sessionId", "toolCallId", "requestId"}


def scopes(client: Client) -> list[Wire]:
    """What each question says it belongs to."""
    return [
        {key: value for key, value in one["params"].items() if key in SCOPES}
        for one in client.questions
    ]


async def suite(ask: Ask) -> str:
    with tool_call("call-1"):
        await ask.confirm("Run them?")
        with tool_call("call-2"):
            await ask.confirm("With the slow ones?")
        await ask.confirm("And the linter?")
    await ask.confirm("Go on?")
    return "done"


async def one(ask: Ask) -> str:
    return str(await ask.confirm("Go on?"))


@pytest.mark.requirement("A13", "A14", "A19")
@every_version
async def test_a_question_in_full(version: Version) -> None:
    async with asked(version, NAME, tools={"one": one}) as client:
        await client.request("session/new", {"cwd": "/ask", "mcpServers": []})
        (question,) = client.questions
        assert question["params"] == {
            "requestId": 2,
            "mode": "form",
            "message": "Which branch?",
            "requestedSchema": {
                "type": "object",
                "properties": {"value": {"type": "string"}},
                "required": ["value"],
            },
        }


@pytest.mark.requirement("A14")
@every_version
async def test_a_prompt_asks_for_its_session_and_perhaps_a_tool_call(version: Version) -> None:
    async with asked(version, YES, tools={"suite": suite}) as client:
        await client.turn("suite", "s-1")
        assert scopes(client) == [
            {"sessionId": "s-1", "toolCallId": "call-1"},
            {"sessionId": "s-1", "toolCallId": "call-2"},
            {"sessionId": "s-1", "toolCallId": "call-1"},
            {"sessionId": "s-1"},
        ]


@pytest.mark.requirement("A14")
@every_version
@pytest.mark.parametrize("id_", [7, "seven", ""])
async def test_outside_a_session_a_question_names_its_request(version: Version, id_: Any) -> None:
    requests = {
        "session/new": {"cwd": "/ask", "mcpServers": []},
        "authenticate" if version == "acp-v1" else "auth/login": {"methodId": "ask"},
        # They name a session that is not open yet.
        "session/load" if version == "acp-v1" else "session/resume": {
            "sessionId": "s", "cwd": "/", "mcpServers": [],
        },
    }  # fmt: skip
    for method, params in requests.items():
        async with asked(version, NAME) as client:
            with_tool = {**params, "_meta": {"tool": "x"}}
            await client.say(id=id_, method=method, params=with_tool)
            assert "result" in await client.answer_to(id_)
            assert scopes(client) == [{"requestId": id_}]


@pytest.mark.requirement("A14")
@every_version
async def test_requests_at_the_same_time_keep_their_ids_apart(version: Version) -> None:
    async with asked(version) as client:
        ids = [
            await client.start("session/new", {"cwd": "/ask", "mcpServers": []}) for _ in range(3)
        ]
        await client.question(3)
        assert scopes(client) == [{"requestId": id_} for id_ in ids]
        for question, id_ in reversed(list(zip(client.questions, ids, strict=True))):
            await client.reply(question, accept(value=f"b{id_}"))
        for id_ in ids:
            answer = await client.answer_to(id_)
            assert answer["result"]["sessionId"] == f"accepted b{id_}"


@pytest.mark.requirement("A14", "G20")
@every_version
async def test_a_request_whose_id_is_null_is_never_named(version: Version) -> None:
    async with asked(version, NAME) as client:
        await client.say(id=None, method="session/new", params={"cwd": "/ask", "mcpServers": []})
        answer = await client.answer_to(None)
        assert answer["result"]["sessionId"] == "unavailable no_back_channel"
        assert client.questions == []


@pytest.mark.requirement("A14")
@every_version
async def test_initialize_can_ask_what_it_has_just_been_told_it_may(version: Version) -> None:
    class Agent:
        @asks
        async def initialize(self, ask: Ask, **_: Any) -> InitializeResponse:
            await ask("Which branch?", str)
            return InitializeResponse(protocol_version=1)

    agent: object = Agent()
    if version != "acp-v1":
        agent = AgentV2(name="a", version="1", strict=version == "acp-v2-strict")

        @agent.on("initialize")
        @asks
        async def initialize(params: dict[str, Any], ask: Ask) -> dict[str, Any]:
            return {"authMethods": [{"id": await ask("Which branch?", str)}]}

    async with served(agent, version, NAME) as client:
        assert scopes(client) == [{"requestId": 1}]
        hello = client.received[-1]["result"]
        assert version == "acp-v1" or hello["authMethods"] == [{"id": "main"}]


@pytest.mark.requirement("A14", "A16", "A67")
@every_version
async def test_meta_changes_neither_the_scope_nor_what_a_handler_sees(version: Version) -> None:
    meta = {
        "session_id": "other", "sessionId": "other", "requestId": 5, "toolCallId": "other",
        "ask": 1, "self": 2, "prompt": [], "mode": "url", "message": "x", "elicitkit_context": 3,
        "example.org/trace": "kept",
    }  # fmt: skip
    prompt = [{"type": "text", "text": json.dumps({"tool": "one"})}]
    async with asked(version, YES, tools={"one": one}) as client:
        id_ = await client.start(
            "session/prompt", {"sessionId": "s-1", "prompt": prompt, "_meta": meta}
        )
        assert (await client.over(id_))["result"] == {"stopReason": "end_turn"}
        assert scopes(client) == [{"sessionId": "s-1"}]
        assert client.questions[0]["params"]["message"] == "Go on?"
        assert "_meta" not in client.questions[0]["params"]


@pytest.mark.requirement("A67")
async def test_meta_that_takes_no_parameters_place_reaches_a_handler_as_ever() -> None:
    seen: list[Any] = []

    class Agent:
        async def initialize(self, **_: Any) -> InitializeResponse:
            return InitializeResponse(protocol_version=1)

        @asks
        async def ext_method(self, method: str, params: Any, ask: Ask) -> dict[str, Any]:
            return {"answer": await ask("Which branch?", str), "method": method}

        @asks
        async def new_session(self, cwd: str, ask: Ask, **more: Any) -> Any:
            seen.append((cwd, more))
            return {"sessionId": "s"}

    async with served(Agent(), "acp-v1", NAME) as client:
        meta = {"cwd": "/other", "trace": 1}
        params = {"cwd": "/", "mcpServers": [], "_meta": meta}
        assert "result" in await client.request("session/new", params)
        assert seen == [
            ("/", {"mcp_servers": [], "additional_directories": None, "trace": 1}),
        ]
        answer = await client.request("_own", {"sessionId": "s-2"})
        assert answer["result"] == {"answer": "main", "method": "own"}
        assert scopes(client) == [{"sessionId": "s-2"}]


@every_version
@pytest.mark.requirement("A32", "A33")
async def test_a_form_that_asks_for_a_secret_never_leaves(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    async def secret(ask: Ask) -> str:
        return await ask("Enter your API key", str)

    async with asked(version, NAME, tools={"secret": secret}) as client:
        error = (await client.turn("secret"))["error"]
        assert error["code"] == -32603
        assert "asks for a secret" in error["message"]
        assert client.questions == []
    (record,) = [one for one in caplog.records if one.name == "elicitkit"]
    assert record.exc_info is not None
    assert record.exc_info[0] is SensitiveField

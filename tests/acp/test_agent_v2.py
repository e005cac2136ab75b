"""ACP v2 alone: its handshake, its prompts that are answered at once, and its states."""

from __future__ import annotations

import json
import logging
from typing import Any

import anyio
import pytest
from acp._transport import memory_transport_pair

from elicitkit import Ask, UsageError
from elicitkit.acp import AgentV2, Asks, asks
from elicitkit.acp.foreground import Foreground, PromptWork
from elicitkit.acp.line import Line
from elicitkit.acp.tasks import Tasks
from elicitkit.core.dialects import ACP_V2
from tests.acp.asked_client import BOTH, Wire, accept, asked, saying, served
from tests.acp.tool_agent import Version, agent_v2
from tests.mcp.servers.handlers import TOOLS, outcome

pytestmark = pytest.mark.anyio
STRICT: Version = "acp-v2-strict"
RUNNING, BLOCKED = {"state": "running"}, {"state": "requires_action"}
TWO = saying(accept(value=2))


def ended(reason: str) -> Wire:
    return {"state": "idle", "stopReason": reason}


def both_readings(test: Any) -> Any:
    return pytest.mark.parametrize("version", ["acp-v2", STRICT])(test)


# The handshake.


@pytest.mark.requirement("G44")
async def test_the_handshake_is_that_of_version_2() -> None:
    agent = AgentV2(
        name="a", version="1", capabilities={"session": {}, "auth": {}}, auth_methods=[{"id": "x"}]
    )
    async with served(agent, "acp-v2") as client:
        assert client.received[0]["result"] == {
            "protocolVersion": 2,
            "info": {"name": "a", "version": "1"},
            "capabilities": {"session": {}, "auth": {}},
            "authMethods": [{"id": "x"}],
        }


@both_readings
async def test_a_newer_client_is_answered_by_version_2(version: Version) -> None:
    async with asked(version, TWO, hello=False) as client:
        answer = await client.shake_hands(BOTH, more={"protocolVersion": 3})
        assert answer["result"] == {
            "protocolVersion": 2,
            "info": {"name": "asking", "version": "1"},
            "capabilities": {"session": {}},
        }


@pytest.mark.requirement("G44")
async def test_a_client_of_version_1_is_told_the_version_or_refused() -> None:
    hello = {"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}
    for version, answered in (("acp-v2", True), (STRICT, False)):
        async with asked(version, TWO, hello=False) as client:  # type: ignore[arg-type]
            answer = await client.request("initialize", hello)
            if answered:
                assert answer["result"]["protocolVersion"] == 2
            else:
                assert answer["error"]["code"] == -32022
                assert answer["error"]["data"] == {"supported": [2], "requested": 1}
            # What it declared is of another version, and nothing here.
            await client.turn("outcome")
            assert client.questions == []


@pytest.mark.requirement("G44")
async def test_an_agent_of_the_sdk_speaks_version_1_to_everybody() -> None:
    async with asked("acp-v1", TWO, hello=False) as client:
        hello = {"protocolVersion": 2, "capabilities": {"elicitation": BOTH}, "info": {}}
        assert (await client.request("initialize", hello))["result"]["protocolVersion"] == 1
        await client.turn("outcome")
        assert client.text == "unavailable not_declared"


@both_readings
@pytest.mark.parametrize("offered", [None, "2", True, 2.0])
async def test_a_version_that_is_no_number_is_refused(version: Version, offered: Any) -> None:
    async with asked(version, hello=False) as client:
        answer = await client.shake_hands(BOTH, more={"protocolVersion": offered})
        assert answer["error"]["code"] == -32602


async def test_what_nobody_serves_is_not_found() -> None:
    async with served(AgentV2(name="a", version="1"), "acp-v2") as client:
        for method in ("session/new", "session/prompt", "_own"):
            answer = await client.request(method, {"sessionId": "s"})
            assert answer["error"]["code"] == -32601
        for params in ([], None, "x"):
            answer = await client.request("session/new", params)  # type: ignore[arg-type]
            assert answer["error"]["code"] == -32602
        for session in (None, 7):
            answer = await client.request("session/prompt", {"sessionId": session})
            assert answer["error"]["code"] == -32602
        await client.tell("_own", {})
        assert (await client.request("session/close", {"sessionId": "s"}))["result"] == {}


def test_a_method_has_one_handler() -> None:
    agent = agent_v2(TOOLS, Asks())
    with pytest.raises(UsageError, match="session/new has a handler"):
        agent.on("session/new")(outcome)


# Prompts and states.


@both_readings
@pytest.mark.requirement("A65")
async def test_a_prompt_in_full(version: Version) -> None:
    async with asked(version) as client:
        id_ = await client.prompted("one")
        question = await client.question()
        await client.reply(question, accept(value=2))
        assert (await client.over(id_))["result"] == {"stopReason": "end_turn"}
        said = {"tool": "one", "arguments": {}}
        message_id = (await client.answer_to(id_))["result"]["messageId"]
        update, state = ("session/update", "sessionUpdate"), "state_update"

        def told(**one: Any) -> Wire:
            params = {"sessionId": "s", "update": one}
            return {"jsonrpc": "2.0", "method": update[0], "params": params}

        assert client.received[1:] == [
            told(
                sessionUpdate="user_message",
                messageId=message_id,
                content=[{"type": "text", "text": json.dumps(said)}],
            ),
            told(sessionUpdate=state, state="running"),
            {"jsonrpc": "2.0", "id": id_, "result": {"messageId": message_id}},
            told(sessionUpdate=state, state="requires_action"),
            question,
            told(sessionUpdate=state, state="running"),
            told(
                sessionUpdate="agent_message_chunk",
                messageId="m",
                content={"type": "text", "text": "2 nights"},
            ),
            told(sessionUpdate=state, state="idle", stopReason="end_turn"),
        ]


@both_readings
@pytest.mark.requirement("A65")
async def test_each_question_is_told_and_its_end(version: Version) -> None:
    person = saying(accept(value="Rome"), accept(value="many"), accept(value=2))
    async with asked(version, person) as client:
        await client.turn("every")
        assert client.states == [RUNNING, *[BLOCKED, RUNNING] * 3, ended("end_turn")]


@both_readings
@pytest.mark.requirement("A65")
async def test_the_state_is_told_before_any_of_several_questions(version: Version) -> None:
    person = saying(accept(value="Rome"), accept(value=2))
    async with asked(version, person) as client:
        await client.turn("tasks")
        blocked = client.received.index(
            next(one for one in client.received if "requires_action" in str(one))
        )
        asked_at = [client.received.index(question) for question in client.questions]
        assert len(asked_at) == 2
        assert min(asked_at) > blocked


@both_readings
@pytest.mark.requirement("A65")
async def test_a_session_is_blocked_when_all_of_its_work_is(version: Version) -> None:
    gates = [anyio.Event(), anyio.Event()]

    async def gated(number: int, ask: Ask) -> str:
        await gates[number].wait()
        return str(await ask("How many nights?", int))

    async with asked(version, tools={"gated": gated}) as client:
        first = await client.prompted("gated", number=0)
        second = await client.prompted("gated", number=1)
        await client.answer_to(second)
        gates[0].set()
        await client.question()
        assert client.states == [RUNNING]
        gates[1].set()
        await client.question(2)
        assert client.states == [RUNNING, BLOCKED]
        for question in client.questions:
            await client.reply(question, accept(value=2))
        await client.over(first)
        assert client.states == [RUNNING, BLOCKED, RUNNING, ended("end_turn")]


@both_readings
@pytest.mark.requirement("A65")
async def test_a_question_about_a_request_changes_no_state(version: Version) -> None:
    async with asked(version) as client:
        id_ = await client.prompted("one")
        await client.question()
        login = await client.start("auth/login", {"methodId": "ask"})
        await client.question(2)
        await client.reply(client.questions[1], accept(value="me"))
        await client.answer_to(login)
        assert client.states == [RUNNING, BLOCKED]
        await client.reply(client.questions[0], accept(value=2))
        await client.over(id_)


@both_readings
@pytest.mark.requirement("A65")
async def test_neither_does_what_happens_on_a_page(version: Version) -> None:
    asking = Asks()
    consented = anyio.Event()

    async def connect(ask: Ask) -> str:
        visit = await ask.visit("Sign in", "https://id.example/", elicitation_id="a")
        consented.set()
        await visit.wait()
        return "connected"

    person = saying({"action": "accept"})
    async with asked(version, person, tools={"connect": connect}, asks=asking) as client:
        id_ = await client.prompted("connect")
        await consented.wait()
        assert await asking.complete("a")
        await client.over(id_)
        assert client.states == [RUNNING, BLOCKED, RUNNING, ended("end_turn")]


@both_readings
async def test_a_limit_around_a_question_leaves_no_wrong_state(version: Version) -> None:
    async def limited(ask: Ask) -> str:
        with anyio.move_on_after(0.01):
            await ask("How many nights?", int)
        return "went on"

    async with asked(version, tools={"limited": limited}) as client:
        await client.turn("limited")
        assert client.states == [RUNNING, BLOCKED, RUNNING, ended("end_turn")]
        assert len(client.cancelled) == 1
        assert client.text == "went on"


@both_readings
async def test_a_handler_says_why_it_stopped(version: Version) -> None:
    agent = AgentV2(name="a", version="1", strict=version == STRICT)

    @agent.on("session/prompt")
    async def prompt(params: Wire) -> str:
        return params["prompt"]

    async with served(agent, version) as client:
        for reason in ("refusal", "_own"):
            await client.request("session/prompt", {"sessionId": "s", "prompt": reason})
            await client.until(lambda: client.states[-1]["state"] == "idle")
            assert client.states[-1] == ended(reason)


@both_readings
async def test_work_that_fails_says_so_and_no_more(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(ask: Ask) -> str:
        raise ValueError("my-own-words")

    caplog.set_level(logging.DEBUG, "elicitkit")
    async with asked(version, tools={"failing": failing}) as client:
        await client.turn("failing")
        failed = {"code": -32603, "message": "Internal error"}
        assert client.states[-1] == {**ended("error"), "error": failed}
    assert "handler_failed method=session/prompt error=ValueError" in caplog.text
    assert "my-own-words" not in caplog.text


@both_readings
async def test_a_request_that_fails_says_no_more_either(version: Version) -> None:
    agent = AgentV2(name="a", version="1", strict=version == STRICT)

    @agent.on("session/new")
    async def failing(params: Wire) -> Wire:
        raise ValueError("my-own-words")

    async with served(agent, version) as client:
        answer = await client.request("session/new", {"cwd": "/"})
        assert (answer["error"]["code"], answer["error"]["message"]) == (-32603, "Internal error")
        assert "my-own-words" not in str(answer)


@both_readings
@pytest.mark.requirement("A65", "G14")
async def test_what_ends_with_its_client_is_cancelled_whatever_it_says(version: Version) -> None:
    async def stubborn(ask: Ask) -> str:
        try:
            await ask("How many nights?", int)
        except BaseException:
            raise ValueError from None
        return "never"

    async with asked(version, tools={"stubborn": stubborn}) as client:
        id_ = await client.prompted("stubborn")
        await client.question()
        await client.tell("session/cancel", {"sessionId": "s"})
        await client.over(id_)
        assert client.states == [RUNNING, BLOCKED, ended("cancelled")]


async def test_work_that_is_cancelled_before_it_begins_never_does() -> None:
    frames, _ = memory_transport_pair()
    foreground = Foreground("s", Line(frames, ACP_V2), Tasks())
    work = PromptWork("s", foreground)
    work.end("session_cancelled")

    async def handler() -> None:
        raise AssertionError

    assert await work.run(handler) == {"stopReason": "cancelled"}


@both_readings
async def test_sessions_that_rest_are_forgotten(version: Version) -> None:
    async with asked(version, TWO) as client:
        for number in range(3):
            await client.turn("one", f"s{number}")
        assert [one["state"] for one in client.idles] == ["idle"] * 3
        for number in range(3):
            await client.tell("session/cancel", {"sessionId": f"s{number}"})
        await client.turn("one", "s0")
        assert client.states[-2:] == [RUNNING, ended("end_turn")]


async def test_a_handler_is_called_by_its_author_without_any_protocol() -> None:
    agent = AgentV2(name="a", version="1")

    @agent.on("session/prompt")
    @asks
    async def prompt(params: Wire, ask: Ask) -> str:
        return str(await ask("How many nights?", int))

    assert await prompt({"sessionId": "s"}, ask=Ask.scripted(2)) == "2"

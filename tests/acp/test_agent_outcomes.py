"""What comes of a question, and how it leaves a handler: never as a crash, never as a guess."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from elicitkit import Ask, InvalidResponse, NotAccepted
from elicitkit.acp import Asks, UnknownAnswer
from tests.acp.asked_client import Wire, accept, asked, saying
from tests.acp.tool_agent import VERSIONS, Version
from tests.mcp.servers.handlers import named, one, outcome

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("version", VERSIONS)]

SECRET = "my-own-words"


async def curious(ask: Ask) -> str:
    try:
        return str(await ask("How many nights?", int))
    except InvalidResponse as answer:
        if not isinstance(answer, UnknownAnswer):
            raise
        return f"{answer.action} {answer.raw['content']['value']}"


async def crashing(ask: Ask) -> str:
    await ask("How many nights?", int)
    raise ValueError(SECRET)


TOOLS: dict[str, Any] = {it.__name__: it for it in (one, outcome, curious, crashing)}


def error(code: int) -> Wire:
    return {"error": {"code": code, "message": SECRET}}


@pytest.mark.requirement("A41", "A42", "G47")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"action": "accept", "content": {"value": 2}}, "accepted 2"),
        ({"action": "decline"}, "declined"),
        ({"action": "decline", "content": {"value": 2}}, "declined"),
        ({"action": "cancel", "content": {"value": 2}}, "cancelled dismissed"),
        (error(-32602), "unavailable client_refused"),
        (error(-32601), "unavailable client_refused"),
        (error(-32800), "cancelled client_cancelled"),
        (error(-32603), "cancelled client_failed"),
        (error(-32000), "cancelled client_failed"),
    ],
    ids=str,
)
async def test_each_answer_is_what_it_is(version: Version, answer: Wire, told: str) -> None:
    async with asked(version, saying(answer), tools=TOOLS) as client:
        await client.turn("outcome")
        assert client.text == told
        assert len(client.questions) == 1


@pytest.mark.requirement("A38", "G07")
@pytest.mark.parametrize("answer", [{"action": "accept"}, {"action": "accept", "content": None}])
async def test_accept_without_content_is_an_empty_form(version: Version, answer: Wire) -> None:
    async with asked(version, saying(answer), tools=TOOLS) as client:
        await client.turn("outcome")
        assert client.text == "cancelled invalid_answer"
        assert len(client.questions) == 3


@pytest.mark.requirement("A30", "G05")
@pytest.mark.parametrize(
    "wrong", [{"value": "2"}, {"value": None}, {"value": {"a": 1}}, {"value": True}, {}], ids=str
)
async def test_an_answer_that_does_not_fit_is_asked_for_again(version: Version, wrong: Any) -> None:
    person = saying(accept(**wrong), accept(value=2))
    async with asked(version, person, tools=TOOLS) as client:
        await client.turn("outcome")
        assert client.text == "accepted 2"
        first, second = [one["params"]["message"] for one in client.questions]
        assert second.startswith(f"{first}\n\nPlease correct:")


@pytest.mark.requirement("A28", "G22")
@pytest.mark.parametrize("action", ["_later", "later", "Accept", ""])
async def test_an_unknown_action_is_never_read_as_a_known_one(
    version: Version, action: str
) -> None:
    answer = {"action": action, "content": {"value": SECRET}}
    async with asked(version, saying(answer), tools=TOOLS) as client:
        await client.turn("outcome")
        ended = await client.turn("curious", "t")
        if version == "acp-v2-strict":
            assert client.text == "cancelled unknown_action"
            assert ended["error"]["data"]["reason"] == "unknown_action"
            return
        assert client.text == f"{action} {SECRET}"
        ended = await client.turn("one", "u")
        assert ended["error"]["code"] == -32602
        assert repr(action) in ended["error"]["message"]
        assert SECRET not in str(ended)


@pytest.mark.parametrize("result", [{}, {"action": 7}, {"action": "accept", "content": [SECRET]}])
async def test_an_answer_that_is_none_never_reaches_the_author(
    version: Version, result: Wire
) -> None:
    async with asked(version, saying(result), tools=TOOLS) as client:
        ended = await client.turn("outcome")
        assert client.text == ""
        assert ended["error"]["code"] == -32602
        assert SECRET not in str(ended)


@pytest.mark.requirement("A42")
@pytest.mark.parametrize(
    ("answer", "data"),
    [
        ({"action": "decline"}, {"outcome": "declined"}),
        ({"action": "cancel"}, {"outcome": "cancelled", "reason": "dismissed"}),
        (error(-32602), {"outcome": "unavailable", "reason": "client_refused"}),
    ],
    ids=str,
)
async def test_a_prompt_or_login_that_was_refused_says_so(
    version: Version, answer: Wire, data: Wire
) -> None:
    async with asked(version, saying(answer), tools=TOOLS) as client:
        login = "authenticate" if version == "acp-v1" else "auth/login"
        for ended in (
            await client.turn("one"),
            await client.request(login, {"methodId": "ask"}),
        ):
            assert ended["error"]["code"] == -32010
            assert ended["error"]["data"] == data
            assert ended["error"]["message"].startswith("Not done: the question '")


@pytest.mark.requirement("G16")
async def test_a_question_whose_time_is_up_is_taken_back(version: Version) -> None:
    async with asked(version, tools=TOOLS, asks=Asks(timeout=0.01)) as client:
        assert (await client.turn("outcome"))["result"]
        assert client.text == "cancelled timed_out"
        (question,) = client.questions
        assert client.cancelled == [question["id"]]
        # What comes later is nobody's answer.
        await client.reply(question, accept(value=2))
        client.person = saying(accept(value=3))
        await client.turn("outcome", "t")
        assert client.text == "cancelled timed_outaccepted 3"


@pytest.mark.requirement("G15")
async def test_a_lost_connection_is_no_answer(version: Version) -> None:
    ended: list[str] = []

    async def waiting(ask: Ask) -> str:
        ended.append(named(await ask.outcome("How many nights?", int)))
        return ended[-1]

    async with asked(version, tools={"waiting": waiting}) as client:
        await client.prompted("waiting")
        await client.question()
        await client.frames.close()
        await client.ended.wait()
    assert ended == ["cancelled disconnected"]


async def test_a_handler_that_fails_ends_the_turn(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    async with asked(version, saying(accept(value=2)), tools=TOOLS) as client:
        ended = await client.turn("crashing")
        assert ended["error"]["code"] == -32603
        if version != "acp-v1":  # there the SDK tells, as it ever does
            assert ended["error"] == {"code": -32603, "message": "Internal error"}
            assert SECRET not in caplog.text
        assert (await client.turn("outcome", "t"))["result"]


async def test_outcomes_of_a_group_leave_it_unwrapped(version: Version) -> None:
    async def grouped(ask: Ask) -> str:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "How many nights?", int)
        return "never"

    async with asked(version, saying({"action": "decline"}), tools={"grouped": grouped}) as client:
        ended = await client.turn("grouped")
        assert ended["error"]["data"] == {"outcome": "declined"}


async def test_an_author_can_handle_every_outcome(version: Version) -> None:
    async def handled(ask: Ask) -> str:
        try:
            return str(await ask("How many nights?", int))
        except NotAccepted as refused:
            return named(refused.outcome)

    async with asked(version, saying({"action": "decline"}), tools={"handled": handled}) as client:
        assert (await client.turn("handled"))["result"] == {"stopReason": "end_turn"}
        assert client.text == "declined"

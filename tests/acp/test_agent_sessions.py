"""The end of what a question belongs to: its request, its session, its connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from acp.schema import InitializeResponse

from elicitkit import Ask, NoRequestInFlight
from elicitkit.acp import AgentV2, Asks, current_request_id
from tests.acp.asked_client import Client, accept, asked, saying, served
from tests.acp.tool_agent import VERSIONS, Version
from tests.mcp.servers.handlers import TOOLS, named

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("version", VERSIONS)]

CANCELLED = {"stopReason": "cancelled"}


def position(client: Client, wanted: Callable[[Any], bool]) -> int:
    """Where in the stream the first message of a kind came."""
    return next(at for at, one in enumerate(client.received) if wanted(one))


async def both(ask: Ask) -> str:
    """Two questions at the same time."""

    async def put(message: str) -> None:
        try:
            ended.append(named(await ask.outcome(message, int)))
        except asyncio.CancelledError:
            ended.append("cancelled with its handler")
            raise

    ended: list[str] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(put, "How many nights?")
        tasks.start_soon(put, "How many beds?")
    return " ".join(ended)


@pytest.mark.requirement("G14", "A66", "A64")
async def test_session_cancel_takes_back_every_question_of_the_session(version: Version) -> None:
    async with asked(version, tools={**TOOLS, "both": both}) as client:
        cancelled = await client.prompted("both", "s")
        other = await client.prompted("outcome", "other")
        await client.question(3)
        await client.tell("session/cancel", {"sessionId": "s"})
        ended = await client.over(cancelled)
        mine = [one["id"] for one in client.questions if one["params"]["sessionId"] == "s"]
        assert sorted(client.cancelled) == sorted(mine)
        if version == "acp-v1":
            assert client.text == "cancelled session_cancelled cancelled session_cancelled"
        else:
            assert ended["result"] == CANCELLED
            assert client.text == ""
        # The person may take as long as they like with what another session asks.
        before = client.text
        await client.reply(
            next(one for one in client.questions if one["params"]["sessionId"] == "other"),
            accept(value=2),
        )
        await client.until(lambda: client.text != before)
        assert client.text.removeprefix(before) == "accepted 2"
        assert (await client.answer_to(other))["result"]


@pytest.mark.requirement("G14")
async def test_a_cancelled_prompt_stops_as_cancelled_and_not_by_an_error(version: Version) -> None:
    async with asked(version) as client:
        id_ = await client.prompted("one")
        await client.question()
        await client.tell("session/cancel", {"sessionId": "s"})
        assert (await client.over(id_))["result"] == CANCELLED


@pytest.mark.requirement("G14")
async def test_after_session_cancel_the_same_work_asks_nothing_more(version: Version) -> None:
    ended: list[str] = []

    async def stubborn(ask: Ask) -> str:
        for _ in range(2):
            try:
                ended.append(named(await ask.outcome("Really?", int)))
            except asyncio.CancelledError:
                ended.append("stopped")
        return "done"

    async with asked(version, tools={"stubborn": stubborn}) as client:
        id_ = await client.prompted("stubborn")
        await client.question()
        await client.tell("session/cancel", {"sessionId": "s"})
        await client.over(id_)
        first = "cancelled session_cancelled" if version == "acp-v1" else "stopped"
        assert ended == [first, "cancelled session_cancelled"]
        assert len(client.questions) == 1
        # The next prompt of the session is new work.
        client.person = saying(accept(value=2))
        await client.turn("stubborn")
        assert ended[2:] == ["accepted 2"] * 2


@pytest.mark.requirement("G14")
async def test_a_cancel_that_overtakes_the_handler_counts(version: Version) -> None:
    async with asked(version) as client:
        id_ = await client.prompted("outcome")
        await client.tell("session/cancel", {"sessionId": "s"})
        ended = await client.over(id_)
        assert client.questions == []
        if version == "acp-v1":
            assert client.text == "cancelled session_cancelled"
        else:  # the prompt was never taken up
            assert ended["error"]["code"] == -32800
            assert client.states == []


@pytest.mark.requirement("A66")
async def test_every_question_is_taken_back_before_close_is_answered(version: Version) -> None:
    tools = {**TOOLS, "both": both}
    async with asked(version, tools=tools, **unstable(version)) as client:
        prompts = [await client.prompted("both"), await client.prompted("one")]
        await client.question(3)
        closing = await client.start("session/close", {"sessionId": "s"})
        assert "result" in await client.answer_to(closing)
        assert len(client.cancelled) == 3
        answered = position(client, lambda one: one.get("id") == closing)
        taken_back = [
            at for at, one in enumerate(client.received) if one.get("method") == "$/cancel_request"
        ]
        assert max(taken_back) < answered
        if version == "acp-v1":
            assert (await client.over(prompts[1]))["result"] == CANCELLED
        else:
            # And the end of the work is told before, too.
            assert client.states[-1] == {"state": "idle", **CANCELLED}
            last = max(
                at
                for at, one in enumerate(client.received)
                if one.get("method") == "session/update"
            )
            assert last < answered


async def test_to_close_a_session_without_questions_is_nothing_special(version: Version) -> None:
    async with asked(version, **unstable(version)) as client:
        for session in ("s", "unknown"):
            assert "result" in await client.request("session/close", {"sessionId": session})
        for params in ({"sessionId": 7}, {}):
            await client.tell("session/cancel", params)
        client.person = saying(accept(value=2))
        assert (await client.turn("one"))["result"]


def unstable(version: Version) -> dict[str, Any]:
    return {"use_unstable_protocol": True} if version == "acp-v1" else {}


@pytest.mark.requirement("A64")
async def test_a_request_that_is_cancelled_takes_its_question_along(version: Version) -> None:
    async with asked(version) as client:
        id_ = await client.start("session/new", {"cwd": "/ask", "mcpServers": []})
        question = await client.question()
        await client.tell("$/cancel_request", {"requestId": id_})
        assert (await client.answer_to(id_))["error"]["code"] == -32800
        assert client.cancelled == [question["id"]]


class Background:
    """A handler that leaves work behind."""

    def __init__(self, *, early: bool) -> None:
        self.ended: list[str] = []
        self.go = asyncio.Event()
        self.over = asyncio.Event()
        self._early = early
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, ask: Ask) -> str:
        self._task = asyncio.create_task(self._later(ask))
        if self._early:
            await self.go.wait()
        return "done"

    async def _later(self, ask: Ask) -> None:
        if not self._early:
            await self.go.wait()
        try:
            self.ended.append(named(await ask.outcome("How many nights?", int)))
        except NoRequestInFlight:
            self.ended.append("no request in flight")
        self.over.set()


@pytest.mark.requirement("M89")
async def test_when_its_request_has_ended_nothing_is_asked(version: Version) -> None:
    work = Background(early=False)
    async with asked(version, tools={"work": work.__call__}) as client:
        assert (await client.turn("work"))["result"]
        work.go.set()
        await work.over.wait()
        assert client.questions == []
    assert work.ended == ["no request in flight"]


@pytest.mark.requirement("A66")
async def test_a_question_that_was_left_open_ends_before_its_request(version: Version) -> None:
    work = Background(early=True)
    async with asked(version, tools={"work": work.__call__}) as client:
        id_ = await client.prompted("work")
        question = await client.question()
        work.go.set()
        ended = await client.over(id_)
        assert ended["error"]["code"] == -32603
        assert "is not answered yet" in ended["error"]["message"]
        assert client.cancelled == [question["id"]]
        taken_back = position(client, lambda one: one.get("method") == "$/cancel_request")
        if version == "acp-v1":
            assert taken_back < position(client, lambda one: one.get("id") == id_)
        else:
            idle = {"sessionUpdate": "state_update", "state": "idle"}
            assert taken_back < position(
                client,
                lambda one: (one.get("params", {}).get("update") or {}).items() >= idle.items(),
            )
        await work.over.wait()
    reason = "request_ended" if version == "acp-v1" else "work_ended"
    assert work.ended == [f"cancelled {reason}"]


@pytest.mark.requirement("A15", "A16")
async def test_two_connections_with_the_same_session_never_cross(version: Version) -> None:
    asks = Asks()
    async with (
        asked(version, asks=asks) as ann,
        asked(version, asks=asks) as bob,
    ):
        prompts = [(one, await one.prompted("outcome", "same")) for one in (ann, bob)]
        questions = [await one.question() for one in (ann, bob)]
        assert questions[0] == questions[1]
        await bob.tell("session/cancel", {"sessionId": "same"})
        await bob.over(prompts[1][1])
        assert ann.cancelled == []
        await ann.reply(questions[0], accept(value=2))
        await ann.over(prompts[0][1])
        assert ann.text == "accepted 2"
        assert bob.text == ("cancelled session_cancelled" if version == "acp-v1" else "")


async def test_a_notification_asks_nothing(version: Version) -> None:
    told: list[str] = []
    done = asyncio.Event()

    async def notified(ask: Ask) -> None:
        assert current_request_id() is None
        try:
            await ask("Really?", bool)
        except NoRequestInFlight:
            told.append("nothing")
        done.set()

    class Agent:
        async def initialize(self, **_: Any) -> InitializeResponse:
            return InitializeResponse(protocol_version=1)

        @Asks()
        async def cancel(self, session_id: str, ask: Ask) -> None:
            await notified(ask)

    agent: object = Agent()
    if version != "acp-v1":
        agent = AgentV2(name="a", version="1")

        @agent.on("session/cancel")
        @Asks()
        async def cancel(params: dict[str, Any], ask: Ask) -> None:
            await notified(ask)

    async with served(agent, version, saying(accept(value=True))) as client:
        await client.tell("session/cancel", {"sessionId": "s"})
        await done.wait()
        assert client.questions == []
    assert told == ["nothing"]

"""A person's time is not the server's, in virtual time: nothing here really waits."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from elicitkit.answering import Answerer
from elicitkit.core.errors import LimitExceeded
from elicitkit.core.model import Accept
from elicitkit.mcp.calls import Calls
from elicitkit.mcp.client import connect
from tests.mcp.client_peer import DONE, QUESTION, Peer, asked, wired
from tests.mcp.desk import Desk
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

ANN = Accept({"name": "Ann"})
TIMED_OUT = -32001


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


async def play(answerer: Answerer, timeout: float, script: Any, calls: int = 1) -> list[str]:
    """Open calls at t=0, play the server's script, and tell how the calls ended, and when."""
    ended: list[str] = []
    async with wired() as (transport, peer), anyio.create_task_group() as tasks:
        tasks.start_soon(peer.shake_hands, "2025-11-25")
        async with connect(
            transport,
            name="mine",
            answerer=answerer,
            read_timeout=timeout,
            protocol_version="2025-11-25",
        ) as client:
            begun = anyio.current_time()

            async def book() -> None:
                try:
                    await client.call_tool("book")
                    end = "done"
                except MCPError as error:
                    end = str(error.code)
                ended.append(f"{end} at {anyio.current_time() - begun:g}")

            async with anyio.create_task_group() as open_calls:
                for _ in range(calls):
                    open_calls.start_soon(book)
                    await peer.receive("tools/call")
                open_calls.start_soon(script, peer, Times(begun))
    return ended


class Times:
    """``await t(92)``: wait for second 92 of the script."""

    def __init__(self, begun: float) -> None:
        self._begun = begun

    async def __call__(self, second: float) -> None:
        await anyio.sleep_until(self._begun + second)


@pytest.mark.requirement("G52", "G16")
@pytest.mark.case("103-human-time-not-counted")
async def test_the_clock_of_a_call_stands_while_its_question_is_open() -> None:
    desk = Desk()

    async def script(peer: Peer, t: Times) -> None:
        await t(2)
        await peer.send(id="q", method="elicitation/create", params=QUESTION)
        await t(92)
        desk.answer(ANN)
        await t(93)
        await peer.reply(peer.calls[-1], DONE)

    assert await play(Answerer(desk), 60, script) == ["done at 93"]


@pytest.mark.requirement("G52")
@pytest.mark.case("104-overlapping-asks-hold-pause")
async def test_the_clock_stands_until_the_last_of_several_questions_is_answered() -> None:
    desk = Desk()

    async def script(peer: Peer, t: Times) -> None:
        for second, key in ((1, "A"), (2, "B")):
            await t(second)
            await peer.send(id=key, method="elicitation/create", params=QUESTION)
        for second in (20, 40):
            await t(second)
            desk.answer(ANN)
        await t(41)
        await peer.reply(peer.calls[-1], DONE)

    assert await play(Answerer(desk), 10, script) == ["done at 41"]


async def test_a_call_goes_on_with_what_it_had_left_and_then_times_out() -> None:
    desk = Desk()

    async def script(peer: Peer, t: Times) -> None:
        await t(4)
        await peer.send(id="q", method="elicitation/create", params=QUESTION)
        await t(1000)
        desk.answer(ANN)

    assert await play(Answerer(desk), 10, script) == [f"{TIMED_OUT} at 1006"]


async def test_a_question_stops_the_clock_of_every_call_of_its_connection() -> None:
    desk = Desk()

    async def script(peer: Peer, t: Times) -> None:
        await t(1)
        await peer.send(id="q", method="elicitation/create", params=QUESTION)
        await t(50)
        desk.answer(ANN)

    ended = await play(Answerer(desk), 10, script, calls=2)
    assert ended == [f"{TIMED_OUT} at 59"] * 2


async def test_a_server_that_is_silent_is_told_that_its_call_was_given_up() -> None:
    told: list[str] = []

    async def script(peer: Peer, t: Times) -> None:
        told.append((await peer.receive())["method"])

    assert await play(Answerer(Desk()), 10, script) == [f"{TIMED_OUT} at 10"]
    assert told == ["notifications/cancelled"]


async def test_a_call_that_begins_while_a_question_is_open_gets_its_whole_time_afterwards() -> None:
    calls = Calls()
    begun = anyio.current_time()

    async def late() -> None:
        with calls.sending("late", 5) as call:
            await anyio.sleep_forever()
        assert call.expired

    async with anyio.create_task_group() as tasks:
        with calls.round_question():
            tasks.start_soon(late)
            await anyio.sleep(100)
    assert anyio.current_time() - begun == pytest.approx(105)


async def modern(peer_script: Any, **options: Any) -> tuple[float, Exception | None]:
    """How long one call of the revision with rounds took, and what it raised."""
    async with (
        wired() as (transport, peer),
        anyio.create_task_group() as tasks,
        connect(transport, name="mine", protocol_version="2026-07-28", **options) as client,
    ):
        tasks.start_soon(peer_script, peer)
        begun, failure = anyio.current_time(), None
        try:
            await client.call_tool("book")
        except Exception as error:
            failure = error
        took = anyio.current_time() - begun
        tasks.cancel_scope.cancel()
    return took, failure


async def wait_for_ever(peer: Peer) -> None:
    while True:
        await peer.reply(await peer.receive("tools/call"), asked(state="s"))


@pytest.mark.requirement("M74")
async def test_rounds_without_a_question_are_repeated_after_a_pause_that_grows() -> None:
    seconds: list[float] = []

    async def script(peer: Peer) -> None:
        for _ in range(8):
            call = await peer.receive("tools/call")
            seconds.append(anyio.current_time())
            assert call["params"].get("requestState") == ("s" if seconds[1:] else None)
            assert "inputResponses" not in call["params"]
            await peer.reply(call, asked(state="s"))
        await peer.reply(await peer.receive("tools/call"), DONE | {"resultType": "complete"})

    took, failure = await modern(script, answerer=Answerer(Desk()))
    assert failure is None
    pauses = [round(after - before) for before, after in pairwise(seconds)]
    assert pauses == [1, 2, 4, 8, 15, 15, 15]
    assert took == pytest.approx(75)


@pytest.mark.requirement("M74")
@pytest.mark.case("181-client-rounds-capped")
async def test_a_server_that_never_comes_to_a_result_is_given_up() -> None:
    took, failure = await modern(wait_for_ever, answerer=Answerer(Desk()))
    assert isinstance(failure, LimitExceeded)
    assert "'mine'" in str(failure)
    assert "900 seconds" in str(failure)
    assert took == pytest.approx(900)


async def test_the_time_without_a_question_can_be_set() -> None:
    took, failure = await modern(wait_for_ever, answerer=Answerer(Desk()), max_idle=3)
    assert isinstance(failure, LimitExceeded)
    assert took == pytest.approx(3)


async def test_a_question_of_a_round_stops_the_clock_of_other_calls() -> None:
    desk = Desk()
    ended: dict[str, float] = {}

    async def call(client: Client, tool: str, begun: float) -> None:
        await client.call_tool(tool)
        ended[tool] = anyio.current_time() - begun

    async with (
        wired() as (transport, peer),
        anyio.create_task_group() as tasks,
        connect(
            transport,
            name="mine",
            answerer=Answerer(desk),
            protocol_version="2026-07-28",
            read_timeout=10,
        ) as client,
    ):
        begun = anyio.current_time()
        tasks.start_soon(call, client, "slow", begun)
        slow = await peer.receive("tools/call")
        tasks.start_soon(call, client, "ask", begun)
        await peer.reply(await peer.receive("tools/call"), asked("k"))
        await anyio.sleep(100)
        desk.answer(ANN)
        await peer.reply(await peer.receive("tools/call"), DONE | {"resultType": "complete"})
        await anyio.sleep(5)
        await peer.reply(slow, DONE | {"resultType": "complete"})
        await anyio.wait_all_tasks_blocked()
    assert ended == {"ask": pytest.approx(100), "slow": pytest.approx(105)}

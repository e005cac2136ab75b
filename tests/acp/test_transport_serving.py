"""Requests that the SDK serves: each knows its id, can be cancelled, and is answered once."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from acp import RequestError, connect_to_agent
from acp._transport import memory_transport_pair
from acp.agent.connection import AgentSideConnection
from acp.connection import Connection
from acp.schema import InitializeResponse, NewSessionResponse, PromptResponse

from elicitkit.acp import (
    ElicitationTransport,
    Incoming,
    Observer,
    Served,
    current_request,
    current_request_id,
)
from tests.acp.rig import Peer, code, connected
from tests.acp.streams import wired

pytestmark = pytest.mark.anyio

INITIALIZE = {"protocolVersion": 1, "clientCapabilities": {}}


class Agent:
    """Serves methods at the same time, and each notes which request it thinks it serves."""

    def __init__(self, together: int = 1) -> None:
        self.seen: dict[str, Any] = {}
        self.cancelled = anyio.Event()
        self._missing = together
        self._all_here = anyio.Event()

    async def _look(self, name: str) -> None:
        before = current_request_id()
        self._missing -= 1
        if not self._missing:
            self._all_here.set()
        await self._all_here.wait()
        self.seen[name] = (before, current_request_id())

    async def initialize(self, **_: Any) -> InitializeResponse:
        await self._look("initialize")
        return InitializeResponse(protocol_version=1)

    async def authenticate(self, **_: Any) -> None:
        await self._look("authenticate")

    async def new_session(self, **_: Any) -> NewSessionResponse:
        await self._look("session/new")
        return NewSessionResponse(session_id="s")

    async def prompt(self, **_: Any) -> PromptResponse:
        try:
            self.seen["prompt"] = current_request_id()
            await anyio.sleep_forever()
        finally:
            self.cancelled.set()

    async def cancel(self, **_: Any) -> None:
        self.seen["cancel"] = current_request()
        self.cancelled.set()


async def test_handlers_that_run_at_once_each_know_their_request() -> None:
    ours, theirs = memory_transport_pair()
    agent, peer = Agent(together=3), Peer(theirs)
    with anyio.fail_after(5):
        async with AgentSideConnection(agent, ElicitationTransport(ours)):
            await peer.ask(7, "initialize", INITIALIZE)
            await peer.ask("seven", "authenticate", {"methodId": "m"})
            await peer.ask(8, "session/new", {"cwd": "/", "mcpServers": []})
            answers = {one["id"] for one in [await peer.hear() for _ in range(3)]}
    assert answers == {7, "seven", 8}
    assert agent.seen == {
        "initialize": (7, 7),
        "authenticate": ("seven", "seven"),
        "session/new": (8, 8),
    }


async def test_a_notification_and_a_task_of_ones_own_serve_no_request() -> None:
    ours, theirs = memory_transport_pair()
    agent, peer = Agent(), Peer(theirs)
    with anyio.fail_after(5):
        async with AgentSideConnection(agent, ElicitationTransport(ours)):
            await peer.ask(1, "no_such", {})
            await peer.hear()
            await peer.tell("session/cancel", {"sessionId": "s"})
            await agent.cancelled.wait()
    assert agent.seen == {"cancel": None}
    assert (current_request(), current_request_id()) == (None, None)


@pytest.mark.parametrize("id_", [1, "one", None])
async def test_a_request_is_open_until_its_answer_goes_out(id_: Any) -> None:
    kept: list[Served] = []

    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        served = current_request()
        assert served is not None
        assert served.open
        assert served.request.raw["params"] == {"x": 1}
        kept.append(served)

    async with connected(handler) as (_, peer, _):
        for _ in range(2):
            await peer.ask(id_, "m", {"x": 1})
            assert await peer.hear() == {"jsonrpc": "2.0", "id": id_, "result": None}
    assert [one.open for one in kept] == [False, False]
    assert kept[0] is not kept[1]


async def test_two_requests_without_an_id_are_both_answered() -> None:
    async with connected() as (_, peer, _):
        await peer.ask(None, "echo", 1)
        await peer.ask(None, "echo", 2)
        assert [(await peer.hear())["result"]["echo"] for _ in range(2)] == [1, 2]


@pytest.mark.requirement("A64")
async def test_a_cancelled_prompt_is_stopped_and_answered_once() -> None:
    ours, theirs = memory_transport_pair()
    agent, peer, transport = Agent(), Peer(theirs), ElicitationTransport(ours)
    with anyio.fail_after(5):
        async with AgentSideConnection(agent, transport) as connection:
            transport.watch(connection)
            await peer.ask(5, "session/prompt", {"sessionId": "s", "prompt": []})
            while "prompt" not in agent.seen:
                await anyio.lowlevel.checkpoint()
            await peer.tell("$/cancel_request", {"requestId": 5})
            answer = await peer.hear()
            assert (answer["id"], code(answer)) == (5, -32800)
            assert agent.cancelled.is_set()
            await peer.tell("$/cancel_request", {"requestId": 5})
            await peer.ask(6, "no_such", {})
            assert (await peer.hear())["id"] == 6


async def test_the_task_that_answers_a_cancelled_request_is_not_a_cancelled_one() -> None:
    states: list[int] = []

    class Looking(Observer):
        async def answering(self, request: Incoming, answer: Any) -> None:
            task = asyncio.current_task()
            assert task is not None
            states.append(task.cancelling())

    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        running.set()
        await anyio.sleep_forever()

    running = anyio.Event()
    async with connected(handler, observer=Looking()) as (_, peer, _):
        await peer.ask(1, "m")
        await running.wait()
        await peer.tell("$/cancel_request", {"requestId": 1})
        await peer.hear()
    assert states == [0]


@pytest.mark.requirement("A64")
async def test_an_unwatched_request_is_served_to_its_end_although_it_is_cancelled() -> None:
    go_on = anyio.Event()

    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        await go_on.wait()
        return "done"

    async with connected(handler) as (_, peer, connection):
        connection._handler = handler
        await peer.ask(1, "m")
        await peer.tell("$/cancel_request", {"requestId": 1})
        await anyio.wait_all_tasks_blocked()
        go_on.set()
        assert await peer.hear() == {"jsonrpc": "2.0", "id": 1, "result": "done"}


async def test_a_cancel_that_comes_while_the_answer_goes_out_does_not_stop_it() -> None:
    class Slow:
        """Sends when it may."""

        def __init__(self) -> None:
            self.sending = anyio.Event()
            self.go_on = anyio.Event()

        async def send(self, message: Any) -> None:
            self.sending.set()
            await self.go_on.wait()
            await ours.send(message)

        async def receive(self) -> Any:
            return await ours.receive()

        async def close(self) -> None:
            await ours.close()

    ours, theirs = memory_transport_pair()
    slow, peer = Slow(), Peer(theirs)
    transport = ElicitationTransport(slow, create=accept)
    with anyio.fail_after(5):
        async with Connection(done, transport) as connection:
            transport.watch(connection)
            for method in ("m", "elicitation/create"):
                slow.sending, slow.go_on = anyio.Event(), anyio.Event()
                await peer.ask(1, method, {})
                await slow.sending.wait()
                await peer.tell("$/cancel_request", {"requestId": 1})
                await anyio.wait_all_tasks_blocked()
                slow.go_on.set()
                assert await peer.hear() == {"jsonrpc": "2.0", "id": 1, "result": {"done": 1}}


async def done(method: str, params: Any, is_notification: bool) -> Any:
    return {"done": 1}


async def accept(params: Any, id_: Any) -> Any:
    return {"done": 1}


async def test_a_handler_of_the_sdk_that_cancels_itself_does_not_leave_the_peer_waiting() -> None:
    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        raise anyio.get_cancelled_exc_class()

    async with connected(handler) as (_, peer, _):
        await peer.ask(1, "m")
        assert code(await peer.hear()) == -32603


async def test_an_answer_that_json_cannot_say_goes_out_without_its_data() -> None:

    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        if method == "result":
            return datetime.now()
        if method == "deep":
            deep: list[Any] = []
            for _ in range(100_000):
                deep = [deep]
            return deep
        raise RequestError(-32602, "Invalid params", {"at": datetime.now()})

    async with wired(handler) as (_, peer, _):
        for method, expected in (("error", -32602), ("result", -32603), ("deep", -32603)):
            await peer.ask(1, method)
            answer = await peer.hear()
            assert (code(answer), answer["error"].keys()) == (expected, {"code", "message"})


async def test_the_sdks_own_client_and_agent_talk_through_it() -> None:
    ours, theirs = memory_transport_pair()
    agent = Agent()
    with anyio.fail_after(5):
        async with (
            AgentSideConnection(agent, ElicitationTransport(ours)),
            connect_to_agent(object(), ElicitationTransport(theirs)) as connection,
        ):
            response = await connection.initialize(protocol_version=1)
    assert response.protocol_version == 1

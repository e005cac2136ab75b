"""What is no message is answered, and what would end the SDK's receive loop never gets there."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest
import trio
from acp import RequestError
from acp._transport import Transport, memory_transport_pair
from acp.connection import Connection

from elicitkit.acp import ElicitationTransport
from elicitkit.core.errors import UsageError
from tests.acp.rig import ACCEPT, FORM, Wire, code, connected, echo

pytestmark = pytest.mark.anyio


async def accept(params: Wire, id_: Any) -> Wire:
    return ACCEPT


async def test_it_is_a_transport_of_the_sdk() -> None:
    ours, _ = memory_transport_pair()
    assert isinstance(ElicitationTransport(ours), Transport)


def test_on_trio_it_says_that_the_sdk_needs_asyncio() -> None:
    async def main() -> None:
        ours, _ = memory_transport_pair()
        ElicitationTransport(ours)

    with pytest.raises(UsageError, match="asyncio"):
        trio.run(main)


@pytest.mark.parametrize(
    "broken",
    [
        "text", 1, True, {}, {"jsonrpc": "2.0"}, {"params": {}}, {"method": None, "id": 1},
        {"method": [1], "id": 1}, {"method": "echo", "id": {}}, {"method": "echo", "id": [1]},
        {"method": "echo", "id": False}, [], [[]], [[{"method": "echo", "id": 1}]], [1], [None],
    ],
)  # fmt: skip
async def test_what_is_no_message_is_answered_and_the_connection_goes_on(broken: Any) -> None:
    async with connected() as (_, peer, _):
        await peer.say(broken)
        assert code(await peer.hear()) == -32600
        await peer.hear_nothing()


@pytest.mark.parametrize("answer", [{}, {"error": None}, {"error": "no"}, {"error": [1]}])
async def test_an_answer_to_the_sdk_that_is_none_fails_its_caller_only(answer: Wire) -> None:
    async with connected() as (_, peer, connection):
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                with pytest.raises(RequestError):
                    await connection.send_request("m")

            tasks.start_soon(ask)
            await peer.say({"jsonrpc": "2.0", "id": (await peer.hear())["id"], **answer})
        await peer.hear_nothing()


async def test_an_id_that_python_takes_for_another_is_no_answer_to_it() -> None:
    async with connected() as (_, peer, connection):
        results: list[Any] = []

        async def ask() -> None:
            results.append(await connection.send_request("m"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            sent = await peer.hear()
            assert sent["id"] == 0
            await peer.say({"id": False, "result": "crossed"})
            await peer.hear_nothing()
            await peer.answer(sent, "right")
        assert results == ["right"]


async def test_the_sdks_request_that_cannot_be_sent_is_not_waited_for() -> None:
    async with connected() as (transport, _, connection):
        await transport._inner.close()
        with pytest.raises(ConnectionError):
            await connection.send_request("m")
        assert transport._sent == {}


@pytest.mark.requirement("G42")
async def test_a_batch_is_served_message_by_message_in_order() -> None:
    heard: list[str] = []

    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        heard.append(method)
        return method

    async with connected(handler, create=accept) as (_, peer, _):
        await peer.say(
            [
                {"jsonrpc": "2.0", "id": 1, "method": "a"},
                {"jsonrpc": "2.0", "method": "b"},
                7,
                {"jsonrpc": "2.0", "id": 2, "method": "elicitation/create", "params": FORM},
                {"jsonrpc": "2.0", "id": 3, "method": "c"},
            ]
        )
        answers = [await peer.hear() for _ in range(4)]
    assert heard == ["a", "b", "c"]
    by_id = {one["id"]: one for one in answers}
    assert (by_id[1]["result"], by_id[2]["result"], by_id[3]["result"]) == ("a", ACCEPT, "c")
    assert code(by_id[None]) == -32600


@pytest.mark.requirement("G42")
async def test_answers_of_the_peer_may_come_in_a_batch() -> None:
    async with connected() as (transport, peer, connection):
        results: list[Any] = []

        async def ours() -> None:
            results.append(await transport.request("m", {}))

        async def the_sdks() -> None:
            results.append(await connection.send_request("m"))

        async with anyio.create_task_group() as tasks:
            for one in (ours, the_sdks):
                tasks.start_soon(one)
            sent = [await peer.hear() for _ in range(2)]
            await peer.say([{"id": one["id"], "result": {"to": one["id"]}} for one in sent])
    assert results == [{"to": "ek-1"}, {"to": 0}]


async def test_a_batch_too_large_gets_one_answer() -> None:
    async with connected() as (_, peer, _):
        await peer.say([1] * 1001)
        assert code(await peer.hear()) == -32600
        await peer.hear_nothing()
        await peer.say([1] * 1000)
        assert {code(await peer.hear()) for _ in range(1000)} == {-32600}
        await peer.hear_nothing()


class Broken:
    """A transport whose every use fails but the first ``receive``."""

    def __init__(self, first: Any) -> None:
        self._first = [first]

    async def send(self, message: Wire) -> None:
        raise OSError("gone")

    async def receive(self) -> Any:
        if self._first:
            return self._first.pop()
        raise OSError("gone")

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    "first", [1, {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": FORM}]
)
async def test_a_transport_that_fails_ends_the_connection(first: Any) -> None:
    transport = ElicitationTransport(Broken(first), create=accept)
    with anyio.fail_after(5):
        async with Connection(echo, transport, listening=False) as connection:
            with pytest.raises(OSError, match="gone"):
                await connection.main_loop()
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(ConnectionError):
                await transport.request("m", {})


async def test_an_answer_that_cannot_be_sent_fails_only_while_the_connection_lasts() -> None:
    first = {"jsonrpc": "2.0", "id": 1, "method": "echo"}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    transport = ElicitationTransport(Broken(first))
    assert await transport.receive() == first
    with pytest.raises(OSError, match="gone"):
        await transport.send(answer)

    transport = ElicitationTransport(Broken(first))
    assert await transport.receive() == first
    await transport.close()
    await transport.send(answer)


async def test_of_two_answers_to_one_request_the_first_goes_out() -> None:
    async with connected() as (transport, peer, _):
        await peer.ask(1, "echo", "first")
        assert (await peer.hear())["result"] == {"echo": "first"}
        await transport.send({"jsonrpc": "2.0", "id": 1, "result": "second"})
        await peer.hear_nothing()


async def test_of_two_answers_to_one_request_without_an_id_the_first_goes_out() -> None:
    async def handler(method: str, params: Any, is_notification: bool) -> Any:
        if method == "m":
            await transport.send({"jsonrpc": "2.0", "id": None, "result": "first"})
        return "second"

    async with connected(handler) as (transport, peer, _):
        await peer.ask(None, "m")
        assert (await peer.hear())["result"] == "first"
        await peer.hear_nothing()


async def test_closing_leaves_no_task_behind() -> None:
    class Stuck(Broken):
        """Accepts one message and no second one."""

        sent = 0

        async def send(self, message: Wire) -> None:
            self.sent += 1
            if self.sent > 1:
                await anyio.sleep_forever()

    before = asyncio.all_tasks()
    stuck = Stuck(None)
    transport = ElicitationTransport(stuck)
    with anyio.fail_after(5):
        with pytest.raises(TimeoutError):
            await transport.request("m", {}, timeout=0)
        await anyio.wait_all_tasks_blocked()
        assert stuck.sent == 2
        assert asyncio.all_tasks() > before
        await transport.close()
    assert asyncio.all_tasks() == before


async def test_it_can_be_closed_twice() -> None:
    async with connected() as (transport, _, _):
        await transport.close()
        await transport.close()

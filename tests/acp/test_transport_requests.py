"""Requests of this side, sent beside the SDK's: raw, with own ids, cancelled in earnest."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from acp import RequestError

from elicitkit.core.errors import InvalidResponse
from tests.acp.rig import ACCEPT, FORM, Wire, connected

pytestmark = pytest.mark.anyio

CREATE = "elicitation/create"


async def test_a_request_goes_out_as_it_is_and_comes_back_as_it_came() -> None:
    params = {"requestId": None, "requestedSchema": {"type": "object", "properties": {}}}
    async with connected() as (transport, peer, _), anyio.create_task_group() as tasks:
        results: list[Wire] = []

        async def ask() -> None:
            results.append(await transport.request(CREATE, params))

        tasks.start_soon(ask)
        sent = await peer.hear()
        assert sent == {"jsonrpc": "2.0", "id": "ek-1", "method": CREATE, "params": params}
        await peer.answer(sent, {"action": "accept", "content": {"a": None}, "x": 1})
    assert results == [{"action": "accept", "content": {"a": None}, "x": 1}]


async def test_a_notification_goes_out_as_it_is() -> None:
    async with connected() as (transport, peer, _):
        await transport.notify("elicitation/complete", {"elicitationId": "a"})
        told = {"jsonrpc": "2.0", "method": "elicitation/complete"}
        assert await peer.hear() == told | {"params": {"elicitationId": "a"}}


async def answered(answer: Wire) -> Wire:
    """What a request gives whose answer is this one, less its id."""
    async with connected() as (transport, peer, _), anyio.create_task_group() as tasks:

        async def reply() -> None:
            await peer.say({"jsonrpc": "2.0", "id": (await peer.hear())["id"], **answer})

        tasks.start_soon(reply)
        return await transport.request(CREATE, FORM)


async def test_an_error_is_raised_with_code_message_and_data() -> None:
    with pytest.RaisesGroup(RequestError) as caught:
        await answered({"error": {"code": -32602, "message": "no url mode", "data": {"a": 1}}})
    (error,) = caught.value.exceptions
    assert isinstance(error, RequestError)
    assert (error.code, str(error), error.data) == (-32602, "no url mode", {"a": 1})


async def test_an_error_beside_a_null_result_is_an_error() -> None:
    with pytest.RaisesGroup(RequestError):
        await answered({"result": None, "error": {"code": 1, "message": "m"}})


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"result": None},
        {"result": "accept"},
        {"result": [ACCEPT]},
        {"error": "no"},
        {"error": {"code": "1", "message": "m"}},
        {"error": {"code": True, "message": "m"}},
        {"error": {"code": 1}},
    ],
)
async def test_what_is_no_answer_is_raised_as_one(answer: Wire) -> None:
    with pytest.RaisesGroup(InvalidResponse):
        await answered(answer)


async def test_a_null_error_beside_a_result_is_none() -> None:
    assert await answered({"result": ACCEPT, "error": None}) == ACCEPT


async def test_whoever_stops_waiting_cancels_the_request_at_the_peer() -> None:
    async with connected() as (transport, peer, _):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(transport.request, CREATE, FORM)
            sent = await peer.hear()
            tasks.cancel_scope.cancel()
        assert await peer.hear() == cancelling(sent)
        # Whatever the peer makes of it comes too late, and is nobody's.
        await peer.answer(sent, ACCEPT)
        await peer.hear_nothing()


async def test_a_request_that_takes_too_long_is_cancelled_at_the_peer() -> None:
    async with connected() as (transport, peer, _):
        with pytest.raises(TimeoutError):
            await transport.request(CREATE, FORM, timeout=0)
        sent = await peer.hear()
        assert await peer.hear() == cancelling(sent)
        await peer.answer(sent, ACCEPT)
        await peer.hear_nothing()


async def test_a_request_that_was_answered_is_not_cancelled() -> None:
    async with connected() as (transport, peer, _):
        asking = asyncio.create_task(transport.request(CREATE, FORM))
        await peer.answer(await peer.hear(), ACCEPT)
        while "ek-1" in transport._pending:
            await anyio.lowlevel.checkpoint()
        # The answer is here, and the one who waits for it has not run yet.
        asking.cancel()
        await asyncio.wait({asking})
        await peer.hear_nothing()


@pytest.mark.parametrize("then", ["answer", "end"])
async def test_a_request_may_be_cancelled_in_the_moment_it_ends(then: str) -> None:
    async with connected() as (transport, peer, _):
        asking = asyncio.create_task(transport.request(CREATE, FORM))
        sent = await peer.hear()
        if then == "answer":
            await peer.answer(sent, ACCEPT)
        asking.cancel()
        if then == "end":
            await transport.close()
        await asyncio.wait({asking})
        assert asking.cancelled()
        assert "ek-1" not in transport._pending
        if then == "answer":
            await peer.hear_nothing()


@pytest.mark.requirement("G15")
@pytest.mark.parametrize("ended_by", ["peer", "us"])
async def test_requests_fail_when_the_connection_ends(ended_by: str) -> None:
    failed: list[int] = []

    async def ask(number: int) -> None:
        with pytest.raises(ConnectionError):
            await transport.request(CREATE, FORM)
        failed.append(number)

    async with connected() as (transport, peer, _):
        async with anyio.create_task_group() as tasks:
            for number in range(3):
                tasks.start_soon(ask, number)
                await peer.hear()
            if ended_by == "peer":
                await peer.hang_up()
            else:
                await transport.close()
        assert failed == [0, 1, 2]
        with pytest.raises(ConnectionError):
            await transport.request(CREATE, FORM)
        with pytest.raises(ConnectionError):
            await transport.notify("elicitation/complete", {})


async def test_a_request_that_cannot_be_written_fails_and_is_not_waited_for() -> None:
    async with connected() as (transport, _, _):
        await transport._inner.close()
        with pytest.raises(ConnectionError):
            await transport.request(CREATE, FORM)
        assert "ek-1" not in transport._pending


@pytest.mark.parametrize("id_", ["ek-9", "ek-", "else", 5, 0, None, True, [1], {"a": 1}, 0.5])
async def test_an_answer_that_nobody_waits_for_is_dropped(id_: Any) -> None:
    async with connected() as (_, peer, _):
        for rest in ({"result": ACCEPT}, {"error": {"code": 1, "message": "m"}}, {"error": "m"}):
            await peer.say({"jsonrpc": "2.0", "id": id_, **rest})
        await peer.say({"jsonrpc": "2.0", "result": ACCEPT})
        await peer.hear_nothing()


async def test_two_hundred_requests_of_both_kinds_each_get_their_own_answer() -> None:
    results: dict[tuple[str, int], Any] = {}

    async def ours(number: int) -> None:
        result = await transport.request("m", {"of": f"ours {number}"})
        results["ours", number] = result["of"]

    async def the_sdks(number: int) -> None:
        result = await connection.send_request("m", {"of": f"sdk {number}"})
        results["sdk", number] = result["of"]

    async with connected() as (transport, peer, connection), anyio.create_task_group() as tasks:
        for number in range(200):
            tasks.start_soon(ours, number)
            tasks.start_soon(the_sdks, number)
        sent = [await peer.hear() for _ in range(400)]
        assert len({repr(one["id"]) for one in sent}) == 400
        for one in reversed(sent):
            await peer.answer(one, one["params"])
    wanted = {("ours", n): f"ours {n}" for n in range(200)}
    assert results == wanted | {("sdk", n): f"sdk {n}" for n in range(200)}


def cancelling(sent: Wire) -> Wire:
    """The notification that cancels a request."""
    params = {"requestId": sent["id"]}
    return {"jsonrpc": "2.0", "method": "$/cancel_request", "params": params}

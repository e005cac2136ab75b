"""Questions of the peer: taken off the stream raw, answered once, ended with the connection."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import pytest
from acp import RequestError

from elicitkit.acp import current_request, current_request_id
from elicitkit.core.errors import InvalidRequest
from tests.acp.rig import ACCEPT, FORM, Wire, code, connected

pytestmark = pytest.mark.anyio

CREATE = "elicitation/create"


async def accept(params: Wire, id_: Any) -> Wire:
    return ACCEPT


class Desk:
    """A handler whose questions stay open until they are told to end."""

    def __init__(self) -> None:
        self.opened = anyio.Event()
        self.go_on = anyio.Event()
        self.open: list[Any] = []

    async def __call__(self, params: Wire, id_: Any) -> Wire:
        self.open.append(id_)
        self.opened.set()
        try:
            await self.go_on.wait()
        finally:
            self.open.remove(id_)
        return ACCEPT


async def test_a_question_reaches_its_handler_as_it_came() -> None:
    odd = FORM | {"x-odd": [1, None], "_meta": {"message": "other"}, "url": "https://Example.com"}
    seen: list[Any] = []

    async def handler(params: Wire, id_: Any) -> Wire:
        seen.append((params, id_, current_request_id()))
        return ACCEPT

    async with connected(create=handler) as (_, peer, _):
        await peer.ask("q", CREATE, odd)
        assert await peer.hear() == {"jsonrpc": "2.0", "id": "q", "result": ACCEPT}
    assert seen == [(odd, "q", "q")]


async def test_without_a_handler_the_sdk_serves_it() -> None:
    async with connected() as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        assert code(await peer.hear()) == -32601


@pytest.mark.parametrize(
    ("message", "id_", "expected"),
    [
        ({"jsonrpc": "2.0", "method": CREATE, "params": FORM}, None, -32600),
        ({"jsonrpc": "2.0", "method": CREATE, "params": FORM, "id": None}, None, -32600),
        ({"jsonrpc": "2.0", "method": CREATE, "params": FORM, "id": [1]}, None, -32600),
        ({"jsonrpc": "2.0", "method": CREATE, "params": FORM, "id": True}, None, -32600),
        ({"jsonrpc": "2.0", "method": CREATE, "params": FORM, "id": 1.5}, None, -32600),
        ({"method": CREATE, "params": FORM, "id": 1}, 1, -32600),
        ({"jsonrpc": "1.0", "method": CREATE, "params": FORM, "id": 1}, 1, -32600),
        ({"jsonrpc": "2.0", "method": CREATE, "id": 1}, 1, -32602),
        ({"jsonrpc": "2.0", "method": CREATE, "params": None, "id": 1}, 1, -32602),
        ({"jsonrpc": "2.0", "method": CREATE, "params": [FORM], "id": 1}, 1, -32602),
        ({"jsonrpc": "2.0", "method": CREATE, "params": "form", "id": "a"}, "a", -32602),
        ({"jsonrpc": "2.0", "method": "elicitation/complete", "id": 3}, 3, -32600),
        ({"jsonrpc": "2.0", "method": "$/cancel_request", "id": 3}, 3, -32600),
    ],
)
async def test_a_broken_envelope_is_answered_at_once(
    message: Wire, id_: Any, expected: int
) -> None:
    async with connected(create=accept, complete=lambda params: None) as (_, peer, _):
        await peer.say(message)
        answer = await peer.hear()
        assert (answer["id"], code(answer)) == (id_, expected)
        await peer.ask(2, CREATE, FORM)
        assert (await peer.hear())["result"] == ACCEPT


async def test_an_integer_written_with_a_point_is_an_integer() -> None:
    async with connected(create=accept) as (_, peer, _):
        await peer.ask(4.0, CREATE, FORM)
        assert (await peer.hear())["id"] == 4


class Text(Exception):
    pass


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (
            InvalidRequest("no such field", data={"field": "x"}),
            {"code": -32602, "message": "no such field", "data": {"field": "x"}},
        ),
        (InvalidRequest("no"), {"code": -32602, "message": "no"}),
        (RequestError(-32000, "log in", None), {"code": -32000, "message": "log in"}),
        (Text("the secret"), {"code": -32603, "message": "Internal error"}),
    ],
)
async def test_what_a_handler_raises_becomes_an_error(raised: Exception, expected: Wire) -> None:
    async def handler(params: Wire, id_: Any) -> Wire:
        raise raised

    async with connected(create=handler) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        assert (await peer.hear())["error"] == expected


async def test_an_operator_sees_the_type_of_what_a_handler_raised_and_no_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def handler(params: Wire, id_: Any) -> Wire:
        raise Text("the secret")

    with caplog.at_level(logging.ERROR, "elicitkit"):
        async with connected(create=handler) as (_, peer, _):
            await peer.ask(1, CREATE, FORM)
            await peer.hear()
    assert caplog.messages == [f"handler_failed method={CREATE} error=Text"]


@pytest.mark.parametrize("result", [None, "accept", [ACCEPT], 1])
async def test_a_handler_that_returns_no_object_is_an_internal_error(result: Any) -> None:
    async def handler(params: Wire, id_: Any) -> Any:
        return result

    async with connected(create=handler) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        assert code(await peer.hear()) == -32603


@pytest.mark.requirement("A64")
async def test_a_cancelled_question_is_closed_and_answered_once() -> None:
    desk = Desk()
    async with connected(create=desk) as (_, peer, _):
        await peer.ask("q", CREATE, FORM)
        await desk.opened.wait()
        await peer.tell("$/cancel_request", {"requestId": "q"})
        assert code(await peer.hear()) == -32800
        assert desk.open == []
        await peer.tell("$/cancel_request", {"requestId": "q"})
        desk.go_on.set()
        await peer.hear_nothing()


@pytest.mark.requirement("A64")
async def test_a_question_cancelled_twice_is_answered_once() -> None:
    opened, cleaning, go_on = anyio.Event(), anyio.Event(), anyio.Event()

    async def handler(params: Wire, id_: Any) -> Wire:
        try:
            opened.set()
            await anyio.sleep_forever()
        finally:
            cleaning.set()
            await go_on.wait()

    async with connected(create=handler) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        await opened.wait()
        await peer.tell("$/cancel_request", {"requestId": 1})
        await cleaning.wait()
        await peer.tell("$/cancel_request", {"requestId": 1})
        await peer.hear_nothing()
        go_on.set()
        assert code(await peer.hear()) == -32800
        await peer.hear_nothing()


async def test_a_question_cancelled_before_its_handler_ran_is_answered_once() -> None:
    async def handler(params: Wire, id_: Any) -> Wire:
        raise NotImplementedError

    async with connected(create=handler) as (_, peer, _):
        await peer.say(
            [
                {"jsonrpc": "2.0", "id": 1, "method": CREATE, "params": FORM},
                {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}},
                {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}},
            ]
        )
        answer = await peer.hear()
        assert (answer["id"], code(answer)) == (1, -32800)
        await peer.hear_nothing()


@pytest.mark.requirement("A64")
async def test_a_handler_may_answer_a_cancelled_question_after_all() -> None:
    opened = anyio.Event()

    async def handler(params: Wire, id_: Any) -> Wire:
        try:
            opened.set()
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            return {"action": "cancel"}

    async with connected(create=handler) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        await opened.wait()
        await peer.tell("$/cancel_request", {"requestId": 1})
        assert (await peer.hear())["result"] == {"action": "cancel"}
        await peer.hear_nothing()


async def test_a_handler_that_cancels_itself_does_not_leave_the_peer_waiting() -> None:
    async def handler(params: Wire, id_: Any) -> Wire:
        raise anyio.get_cancelled_exc_class()

    async with connected(create=handler) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        assert code(await peer.hear()) == -32603


@pytest.mark.parametrize(
    "params", [None, [], {}, {"requestId": None}, {"requestId": [1]}, {"requestId": "1"},
               {"requestId": True}, {"requestId": 2}]
)  # fmt: skip
async def test_cancelling_what_is_not_open_changes_nothing(params: Any) -> None:
    desk = Desk()
    async with connected(create=desk) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        await desk.opened.wait()
        await peer.tell("$/cancel_request", params)
        await peer.hear_nothing()
        desk.go_on.set()
        assert await peer.hear() == {"jsonrpc": "2.0", "id": 1, "result": ACCEPT}


async def test_an_id_in_use_is_refused_by_an_answer_that_fits_neither() -> None:
    desk = Desk()
    async with connected(create=desk) as (_, peer, _):
        await peer.ask(1, CREATE, FORM)
        await desk.opened.wait()
        for method in (CREATE, "echo"):
            await peer.ask(1, method, FORM)
            answer = await peer.hear()
            assert (answer["id"], code(answer)) == (None, -32600)
        desk.go_on.set()
        assert await peer.hear() == {"jsonrpc": "2.0", "id": 1, "result": ACCEPT}
        await peer.ask(1, CREATE, FORM)
        assert (await peer.hear())["result"] == ACCEPT


async def test_more_questions_than_may_be_open_are_refused() -> None:
    desk = Desk()
    async with connected(create=desk, max_open=2) as (_, peer, _):
        for id_ in (1, 2, 3):
            await peer.ask(id_, CREATE, FORM)
        answer = await peer.hear()
        assert (answer["id"], code(answer)) == (3, -32603)
        desk.go_on.set()
        assert {(await peer.hear())["id"] for _ in range(2)} == {1, 2}
        await peer.ask(4, CREATE, FORM)
        assert (await peer.hear())["result"] == ACCEPT


async def test_two_hundred_questions_at_once_each_get_their_own_answer() -> None:
    arrived = 0
    all_here = anyio.Event()

    async def handler(params: Wire, id_: Any) -> Wire:
        nonlocal arrived
        arrived += 1
        if arrived == 200:
            all_here.set()
        await all_here.wait()
        assert current_request_id() == id_
        return {"action": "accept", "content": {"name": params["message"]}}

    async with connected(create=handler) as (_, peer, _):
        ids = [n if n % 2 else str(n) for n in range(200)]
        for id_ in ids:
            await peer.ask(id_, CREATE, FORM | {"message": f"of {id_!r}"})
        answers = [await peer.hear() for _ in ids]
    names = {one["id"]: one["result"]["content"]["name"] for one in answers}
    assert names == {id_: f"of {id_!r}" for id_ in ids}


@pytest.mark.requirement("G15")
@pytest.mark.case("112-disconnect-clears-forms")
@pytest.mark.parametrize("ended_by", ["peer", "us"])
async def test_questions_end_with_the_connection(ended_by: str) -> None:
    desk = Desk()
    async with connected(create=desk) as (transport, peer, _):
        await peer.ask(1, CREATE, FORM)
        await desk.opened.wait()
        assert desk.open == [1]
        if ended_by == "peer":
            await peer.hang_up()
        else:
            await transport.close()
        await anyio.wait_all_tasks_blocked()
        assert desk.open == []


async def test_a_question_that_is_cancelled_while_the_connection_closes_is_not_answered() -> None:
    opened = anyio.Event()
    cleaning = anyio.Event()

    async def handler(params: Wire, id_: Any) -> Wire:
        try:
            opened.set()
            await anyio.sleep_forever()
        finally:
            cleaning.set()
            await anyio.sleep_forever()

    async with connected(create=handler) as (transport, peer, _):
        await peer.ask(1, CREATE, FORM)
        await opened.wait()
        await peer.tell("$/cancel_request", {"requestId": 1})
        await cleaning.wait()
        await transport.close()
        assert await peer._transport.receive() is None


async def test_a_question_that_comes_while_the_connection_closes_is_not_put() -> None:
    opened = anyio.Event()
    put: list[Any] = []

    async def handler(params: Wire, id_: Any) -> Wire:
        put.append(id_)
        try:
            opened.set()
            await anyio.sleep_forever()
        finally:
            await peer.ask(2, CREATE, FORM)
            with anyio.CancelScope(shield=True):
                await anyio.wait_all_tasks_blocked()

    async with connected(create=handler) as (transport, peer, _):
        await peer.ask(1, CREATE, FORM)
        await opened.wait()
        await transport.close()
    assert put == [1]


async def test_a_handler_may_close_its_own_connection() -> None:
    closed = anyio.Event()
    desk = Desk()

    async def handler(params: Wire, id_: Any) -> Wire:
        if id_ == 1:
            return await desk(params, id_)
        await transport.close()
        assert desk.open == []
        closed.set()
        return ACCEPT

    async with connected(create=handler) as (transport, peer, _):
        await peer.ask(1, CREATE, FORM)
        await peer.ask(2, CREATE, FORM)
        await closed.wait()
        assert await peer._transport.receive() is None


async def test_closing_waits_until_every_question_has_ended() -> None:
    opened = anyio.Event()
    ended: list[int] = []

    async def handler(params: Wire, id_: Any) -> Wire:
        try:
            opened.set()
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.wait_all_tasks_blocked()
            ended.append(id_)

    async with connected(create=handler) as (transport, peer, _):
        await peer.ask(1, CREATE, FORM)
        await opened.wait()
        await transport.close()
        assert ended == [1]


async def test_completions_are_heard_in_order_and_raw() -> None:
    heard: list[Wire] = []

    def complete(params: Wire) -> None:
        assert current_request() is None
        heard.append(params)

    async with connected(complete=complete) as (_, peer, _):
        await peer.ask(1, "echo")
        await peer.hear()
        for id_ in ("a", "b"):
            await peer.tell("elicitation/complete", {"elicitationId": id_, "_meta": {"x": 1}})
        for broken in (None, [], "a"):
            await peer.tell("elicitation/complete", broken)
        await peer.hear_nothing()
    assert heard == [
        {"elicitationId": "a", "_meta": {"x": 1}},
        {"elicitationId": "b", "_meta": {"x": 1}},
    ]


async def test_a_completion_that_cannot_be_heard_does_not_end_the_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def complete(params: Wire) -> None:
        raise Text("the secret")

    async with connected(complete=complete) as (_, peer, _):
        await peer.tell("elicitation/complete", {"elicitationId": "a"})
        await peer.hear_nothing()
    assert caplog.messages == ["handler_failed method=elicitation/complete error=Text"]

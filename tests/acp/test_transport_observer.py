"""An observer sees the SDK's messages raw and in order, and nothing it does ends the connection."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from acp import RequestError
from acp.connection import Connection

from elicitkit.acp import Incoming, Observer
from elicitkit.core.errors import InvalidRequest
from tests.acp.rig import ACCEPT, FORM, Wire, code, connected, echo

pytestmark = pytest.mark.anyio


class Recorder(Observer):
    def __init__(self) -> None:
        self.log: list[Any] = []

    def incoming(self, message: Incoming) -> None:
        self.log.append(("in", message.method, message.id, message.params))

    async def answering(self, request: Incoming, answer: Wire) -> None:
        self.log.append(("answering", request.method, answer.get("result")))

    async def outgoing(self, message: Wire) -> Wire:
        self.log.append(("out", message["method"]))
        return message | {"params": {"seen": True}}

    def answered(self, request: Wire, answer: Wire) -> None:
        self.log.append(("answered", request["method"], request["params"], answer["result"]))

    def ended(self) -> None:
        self.log.append("ended")


async def handler(method: str, params: Any, is_notification: bool) -> Any:
    return {"of": method}


async def accept(params: Any, id_: Any) -> Wire:
    return ACCEPT


async def test_the_messages_of_the_sdk_are_seen_raw_and_in_order() -> None:
    seen = Recorder()
    raw = {"protocolVersion": 2, "capabilities": {"elicitation": {"form": {}}}, "info": {}}
    async with connected(handler, observer=seen, create=accept) as (_, peer, _):
        await peer.ask(1, "initialize", raw)
        await peer.hear()
        await peer.ask(2, "elicitation/create", FORM)
        await peer.hear()
        await peer.tell("session/cancel", {"sessionId": "s"})
        await peer.ask("x", "session/close", {"sessionId": "s"})
        await peer.hear()
    assert seen.log == [
        ("in", "initialize", 1, raw),
        ("answering", "initialize", {"of": "initialize"}),
        ("in", "session/cancel", None, {"sessionId": "s"}),
        ("in", "session/close", "x", {"sessionId": "s"}),
        ("answering", "session/close", {"of": "session/close"}),
        "ended",
    ]


async def call(connection: Connection, results: list[Any], method: str) -> None:
    try:
        results.append(await connection.send_request(method, {}))
    except RequestError as error:
        results.append((error.code, str(error)))


async def test_what_the_sdk_sends_can_be_changed_and_its_answer_seen() -> None:
    seen, results = Recorder(), list[Any]()
    async with connected(observer=seen) as (_, peer, connection):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, connection, results, "initialize")
            sent = await peer.hear()
            assert sent["params"] == {"seen": True}
            await peer.answer(sent, {"protocolVersion": 1})
        await connection.send_notification("session/cancel", {})
        assert (await peer.hear())["params"] == {"seen": True}
    assert results == [{"protocolVersion": 1}]
    assert seen.log == [
        ("out", "initialize"),
        ("answered", "initialize", {"seen": True}, {"protocolVersion": 1}),
        ("out", "session/cancel"),
        "ended",
    ]


async def test_what_must_go_before_an_answer_can_be_sent_before_it() -> None:
    class First(Observer):
        async def answering(self, request: Incoming, answer: Wire) -> None:
            await transport.notify("first", {})

    async with connected(observer=First()) as (transport, peer, _):
        await peer.ask(1, "echo", {})
        assert (await peer.hear())["method"] == "first"
        assert (await peer.hear())["id"] == 1


class Failing(Observer):
    def __init__(self, error: Exception) -> None:
        self.error = error

    def incoming(self, message: Incoming) -> None:
        if message.method != "echo":
            raise self.error

    def answered(self, request: Wire, answer: Wire) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (InvalidRequest("bad capabilities"), (-32602, "bad capabilities")),
        (ValueError("the secret"), (-32603, "Internal error")),
    ],
)
async def test_what_an_observer_refuses_is_refused(error: Exception, expected: Any) -> None:
    results: list[Any] = []
    async with connected(observer=Failing(error)) as (_, peer, connection):
        await peer.ask(1, "initialize", {})
        answer = await peer.hear()
        assert (code(answer), answer["error"]["message"]) == expected
        await peer.tell("session/cancel", {})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, connection, results, "initialize")
            await peer.answer(await peer.hear(), {})
        await peer.hear_nothing()
    assert results == [expected]


async def test_an_observer_that_fails_over_an_answer_does_not_keep_it_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Bad(Observer):
        async def answering(self, request: Incoming, answer: Wire) -> None:
            raise ValueError("the secret")

    async with connected(echo, observer=Bad()) as (_, peer, _):
        await peer.ask(1, "echo", {})
        assert (await peer.hear())["result"] == {"echo": {}}
    assert caplog.messages == ["handler_failed method=echo error=ValueError"]

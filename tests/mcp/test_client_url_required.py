"""Calls that fail with -32042 until pages were visited: 2025-11-25."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from elicitkit.answering import Answerer
from elicitkit.core.errors import LimitExceeded, NotAccepted
from elicitkit.core.model import Accept, Cancel, Decline, Response
from elicitkit.core.outcome import Cancelled, Declined
from tests.mcp.client_peer import DONE, QUESTION, Peer, Wire
from tests.mcp.desk import Desk
from tests.mcp.url_desk import (
    COMPLETE,
    OTHER,
    PAGE,
    Calling,
    Visitor,
    at,
    calling,
    calling_by,
    online,
    settled,
    url_params,
)
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

LIVE = "2025-11-25"
THIRD = "https://z.example/"
MESSAGE = "MCP error -32042: MCP error -32042: need more"


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def listing(*entries: Any) -> Wire:
    return {"code": -32042, "message": MESSAGE, "data": {"elicitations": list(entries)}}


FIRST = listing(url_params())


class Server:
    """A server that refuses calls until pages were visited."""

    def __init__(self, client: Client, peer: Peer) -> None:
        self.client = client
        self.peer = peer

    async def refuse(self, error: Wire = FIRST, method: str = "tools/call") -> Wire:
        """Refuse the next call, which is returned."""
        call = await self.peer.receive(method)
        await self.peer.send(id=call["id"], error=error)
        await settled()
        return call

    async def complete(self, elicitation_id: str = "e1") -> None:
        await self.peer.send(method=COMPLETE, params={"elicitationId": elicitation_id})
        await settled()

    async def serve(self, result: Wire = DONE) -> Wire:
        """Serve the next call, which is returned."""
        call = await self.peer.receive()
        await self.peer.reply(call, result)
        return call


@asynccontextmanager
async def booking(
    answerer: Answerer, version: str = LIVE, **options: Any
) -> AsyncGenerator[tuple[Server, Calling]]:
    async with (
        online(answerer, version, **options) as (client, peer),
        calling(client) as call,
    ):
        yield Server(client, peer), call


def is_the_error(error: Exception | None, expected: Wire = FIRST) -> bool:
    return isinstance(error, MCPError) and (error.error.code, error.error.message) == (
        expected["code"],
        expected["message"],
    )


@pytest.mark.requirement("M25", "M54", "G35")
async def test_a_call_is_sent_again_under_a_new_id_once_its_page_is_completed() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, call):
        first = await server.refuse()
        assert visitor.log == ["consent", "open", "wait"]
        assert browser.opened == [PAGE]
        assert server.peer.calls == [first]
        await server.complete()
        second = await server.serve()
    assert call.result.content[0].text == "done"
    assert first["id"] != second["id"]
    assert (first["method"], first["params"]) == (second["method"], second["params"])
    assert visitor.log == ["consent", "open", "wait", "left", "told completed"]
    assert len(server.peer.received) == 4  # the handshake and two calls


@pytest.mark.parametrize(
    ("method", "call", "result", "target"),
    [
        ("prompts/get", lambda one: one.get_prompt("plan"), {"messages": []}, "plan"),
        ("resources/read", lambda one: one.read_resource("memo://1"), {"contents": []}, "memo://1"),
    ],
)
async def test_a_prompt_and_a_resource_may_require_pages(
    method: str, call: Any, result: Wire, target: str
) -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE) as (client, peer),
        calling_by(lambda: call(client)) as made,
    ):
        server = Server(client, peer)
        await server.refuse(method=method)
        await server.complete()
        await server.serve(result)
    assert made.error is None
    assert [origin.request for origin in visitor.origins] == [target]


async def test_no_other_method_may_require_pages() -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE) as (client, peer),
        calling_by(client.list_tools) as made,
    ):
        await Server(client, peer).refuse(method="tools/list")
    assert is_the_error(made.error)
    assert visitor.log == []


@pytest.mark.requirement("M26")
async def test_where_no_completion_comes_the_person_says_that_they_have_finished() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse()
        visitor.say("finished")
        await server.serve()
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait"]


async def test_three_pages_are_asked_in_turn_and_the_call_waits_for_the_last_of_them() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    pages = [url_params(), url_params(OTHER, "e2"), url_params(THIRD, "e3")]
    async with booking(answerer) as (server, call):
        await server.refuse(listing(*pages))
        assert browser.opened == [PAGE, OTHER, THIRD]
        assert [event for event in visitor.log if event == "consent"] == ["consent"] * 3
        await server.complete("e3")
        await server.complete("e1")
        assert len(server.peer.calls) == 1
        await server.complete("e2")
        await server.serve()
    assert call.error is None


@pytest.mark.requirement("G33")
async def test_completions_that_come_while_the_person_still_consents_count() -> None:
    visitor = Visitor(held=True)
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse(listing(url_params(), url_params(OTHER, "e2")))
        assert visitor.log == ["consent"]
        await server.complete("e1")
        await server.complete("e2")
        visitor.decided.set()
        await server.serve()
    assert call.error is None
    assert "wait" not in visitor.log


@pytest.mark.parametrize(
    ("response", "outcome"),
    [(Decline(), Declined()), (Cancel("dismissed"), Cancelled("dismissed"))],
)
@pytest.mark.requirement("M46")
async def test_without_consent_the_error_goes_to_the_caller_with_the_reason(
    response: Response, outcome: Any
) -> None:
    visitor = Visitor(Accept(), response)
    pages = [url_params(), url_params(OTHER, "e2"), url_params(THIRD, "e3")]
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse(listing(*pages))
    assert is_the_error(call.error)
    cause = call.error.__cause__
    assert isinstance(cause, NotAccepted)
    assert (cause.outcome, cause.question) == (outcome, "Visit https://y.example/")
    assert len(visitor.consents) == 2
    assert visitor.log[-1] == "told result"  # of the page that was open
    assert len(server.peer.calls) == 1


@pytest.mark.requirement("M26", "M46")
async def test_a_person_who_gives_up_ends_the_call_with_the_error() -> None:
    visitor = Visitor()
    pages = listing(url_params(), url_params(OTHER, "e2"))
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse(pages)
        visitor.say("give_up")
        await call.ended.wait()
        await settled()
    assert is_the_error(call.error)
    cause = call.error.__cause__
    assert isinstance(cause, NotAccepted)
    assert cause.outcome == Cancelled("given_up")
    assert len(server.peer.received) == 3
    assert set(visitor.log[-2:]) == {"told given_up", "told result"}


@pytest.mark.requirement("G34")
@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"elicitations": []},
        {"elicitations": "https://x.example/"},
        {"elicitations": [None]},
        {"elicitations": [QUESTION | {"mode": "form"}]},
        {"elicitations": [QUESTION]},
        {"elicitations": [url_params(), QUESTION | {"mode": "form"}]},
        {"elicitations": [url_params(elicitation_id=None)]},
        {"elicitations": [url_params(), url_params(OTHER, None)]},
        {"elicitations": [url_params() | {"mode": "link"}]},
        {"elicitations": [{key: one for key, one in url_params().items() if key != "mode"}]},
        {"elicitations": [url_params("https://x.example/" + "x" * 9_000)]},
        {"elicitations": [url_params()] * 3_000},
    ],
)
async def test_a_list_that_is_none_is_an_ordinary_error(data: Any) -> None:
    visitor = Visitor()
    error = {"code": -32042, "message": MESSAGE}
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse(error if data is None else error | {"data": data})
    assert is_the_error(call.error)
    assert call.error.__cause__ is None
    assert visitor.log == []
    assert len(server.peer.calls) == 1


@pytest.mark.parametrize("code", [-32602, -32000, -32041])
async def test_another_code_is_an_ordinary_error_whatever_its_data_are(code: int) -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse(FIRST | {"code": code})
    assert is_the_error(call.error, FIRST | {"code": code})
    assert visitor.log == []


@pytest.mark.requirement("M10", "G34")
async def test_a_client_that_did_not_declare_url_mode_shows_no_page() -> None:
    desk = Desk()
    async with booking(Answerer(desk)) as (server, call):
        await server.refuse()
    assert is_the_error(call.error)
    assert desk.seen == []


@pytest.mark.requirement("G31")
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28", "2025-03-26"])
async def test_no_other_revision_has_the_error(version: str) -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], version) as (server, call):
        await server.refuse()
    assert is_the_error(call.error)
    assert visitor.log == []


# The same again.


@pytest.mark.requirement("G35")
@pytest.mark.parametrize("done", ["completed", "finished"])
@pytest.mark.parametrize("then", ["completed", "finished"])
async def test_a_page_that_comes_back_is_waited_for_once_more_and_not_asked_or_opened(
    done: str, then: str
) -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)

    async def end(how: str, elicitation_id: str) -> None:
        if how == "finished":
            visitor.say("finished")
            await settled()
        else:
            await server.complete(elicitation_id)

    async with booking(answerer) as (server, call):
        await server.refuse()
        await end(done, "e1")
        await server.refuse(listing(url_params(elicitation_id="e2")))
        assert visitor.log[-1] == "pending"
        assert len(server.peer.calls) == 2
        await end(then, "e2")
        await server.refuse()
    assert is_the_error(call.error)
    assert len(server.peer.calls) == 3
    assert (len(visitor.consents), browser.opened) == (1, [PAGE])


@pytest.mark.requirement("G35")
async def test_a_page_that_comes_back_may_have_the_id_it_had() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse()
        await server.complete()
        await server.refuse()
        assert visitor.log[-1] == "pending"
        await server.complete()
        await server.serve()
    assert call.error is None
    assert visitor.log[-1] == "told completed"


async def test_a_completion_that_comes_while_the_call_is_sent_again_counts() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse()
        visitor.say("finished")
        second = await server.peer.receive("tools/call")
        await server.complete()
        await server.peer.send(id=second["id"], error=FIRST)
        await server.serve()
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "told completed"]


async def test_a_completion_of_the_new_id_may_come_before_its_error() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse()
        visitor.say("finished")
        second = await server.peer.receive("tools/call")
        await server.complete("e2")
        await server.peer.send(id=second["id"], error=listing(url_params(elicitation_id="e2")))
        await server.serve()
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "told completed"]


async def test_a_url_that_is_listed_twice_is_asked_once() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, call):
        await server.refuse(listing(url_params(), url_params(elicitation_id="e2")))
        assert browser.opened == [PAGE]
        await server.complete("e2")
        await server.serve()
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "left", "told completed"]


@pytest.mark.requirement("G35")
async def test_new_pages_are_asked_three_times_in_one_call_and_no_more() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    urls = [f"https://x.example/{number}" for number in range(4)]
    async with booking(answerer) as (server, call):
        for number, url in enumerate(urls):
            await server.refuse(listing(url_params(url, f"e{number}")))
            await server.complete(f"e{number}")
    assert is_the_error(call.error)
    assert browser.opened == urls[:3]
    assert len(server.peer.calls) == 4


async def test_another_call_starts_afresh() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer):
        server = Server(client, peer)
        for number in range(5):
            async with calling(client) as call:
                await server.refuse(listing(url_params(elicitation_id=f"e{number}")))
                await server.complete(f"e{number}")
                await server.serve()
            assert call.error is None
    assert len(visitor.consents) == 5


# Clocks, and what ends the wait from outside.


@pytest.mark.requirement("G52")
async def test_no_time_limit_runs_while_the_person_reads_and_visits() -> None:
    visitor = Visitor(held=True)
    ended: dict[str, float] = {}
    async with (
        online(at(visitor)[0], LIVE, read_timeout=60) as (client, peer),
        calling(client, "slow") as slow,
    ):
        begun = anyio.current_time()
        server = Server(client, peer)
        waiting = await peer.receive("tools/call")
        async with calling(client) as call:
            await server.refuse()
            await anyio.sleep(3_000)
            visitor.decided.set()
            await settled()
            await anyio.sleep(20_000)
            await server.complete()
            again = await peer.receive("tools/call")
            await anyio.sleep(50)
            await peer.reply(again, DONE)
        await peer.reply(waiting, DONE)
    assert (call.error, slow.error, ended) == (None, None, {})
    assert call.at - begun == pytest.approx(23_050, abs=5)


async def test_the_call_that_is_sent_again_has_a_time_limit() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], read_timeout=60) as (server, call):
        await server.refuse()
        await server.complete()
        await server.peer.receive("tools/call")
        await server.peer.receive("notifications/cancelled")
    assert isinstance(call.error, MCPError)
    assert call.error.error.code == -32001


async def test_a_connection_that_ends_while_a_page_is_open_ends_the_call() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer):
        async with calling(client) as call:
            await Server(client, peer).refuse()
            await peer.hang_up()
        await settled()
    assert "closed" in str(call.error)
    assert visitor.log == ["consent", "open", "wait", "left", "told disconnected"]


async def test_a_connection_that_ends_while_the_person_still_consents_ends_the_call() -> None:
    visitor = Visitor(held=True)
    answerer, browser = at(visitor)
    async with online(answerer, LIVE) as (client, peer), calling(client) as call:
        await Server(client, peer).refuse()
        await peer.hang_up()
    assert "closed" in str(call.error)
    assert browser.opened == []


async def test_a_caller_who_leaves_takes_the_page_off_the_screen() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.refuse()
        call.scope.cancel()
        await settled()
        assert visitor.log[3] == "left"
        assert len(server.peer.received) == 3


async def test_a_person_who_cannot_see_the_wait_is_not_waited_for_without_end() -> None:
    class Blind(Visitor):
        async def wait(self, page: Any) -> Any:
            raise RuntimeError("no screen")

    visitor = Blind()
    async with booking(at(visitor)[0]) as (server, call):
        begun = anyio.current_time()
        await server.refuse()
    assert is_the_error(call.error)
    assert isinstance(call.error.__cause__, LimitExceeded)
    assert "raise max_unattended" in str(call.error.__cause__)
    assert call.at - begun == pytest.approx(600, abs=5)

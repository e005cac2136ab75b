"""Reports about pages on the answering side, replayed by a client in virtual time."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import MCPError

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import Decline
from tests.cases.raw_server import raw_server
from tests.cases.replay import Case, load, replays
from tests.mcp.client_peer import DONE, Peer, Wire
from tests.mcp.url_desk import COMPLETE, Calling, Visitor, at, calling, online, settled, url_params
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def mcp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their MCP dialects."""
    return replays(map(load, ids), protocol="mcp")


@asynccontextmanager
async def booking(visitor: Visitor, dialect: Dialect) -> AsyncGenerator[tuple[Peer, Calling]]:
    async with (
        online(at(visitor)[0], dialect.revision) as (client, peer),
        calling(client) as call,
    ):
        yield peer, call


async def say_complete(peer: Peer, elicitation_id: str = "e1") -> None:
    await peer.send(method=COMPLETE, params={"elicitationId": elicitation_id})
    await settled()


async def refuse(peer: Peer, error: Wire) -> None:
    call = await peer.receive("tools/call")
    await peer.send(id=call["id"], error=error)
    await settled()


@mcp("128-url-required-detected-by-code")
async def test_an_error_that_lists_pages_is_known_by_its_code(case: Case, dialect: Dialect) -> None:
    visitor = Visitor(Decline())
    async with booking(visitor, dialect) as (peer, _):
        await refuse(peer, case.given["error"])
    asked = [request.url for request, _, _ in visitor.consents]
    listed = [one["url"] for one in case.given["error"]["data"]["elicitations"]]
    assert (asked == listed) == case.expect["url_flow_started"]


@pytest.mark.requirement("G35")
@mcp("131-same-url-twice-stops")
async def test_a_page_that_was_done_and_comes_back_does_not_go_round_in_circles(
    case: Case, dialect: Dialect
) -> None:
    error = {"code": -32042, "message": "m", "data": {"elicitations": [url_params()]}}
    visitor = Visitor()
    async with booking(visitor, dialect) as (peer, call):
        await refuse(peer, error)
        await say_complete(peer)
        await refuse(peer, error)
        # By itself it is not sent again any more: the person is told, and has to say so.
        await anyio.sleep(10_000)
        assert len(peer.calls) - 1 == case.expect["retries_max"]
        assert (visitor.log[-1] == "pending") == case.expect["user_told"]
        visitor.say("finished")
        await refuse(peer, error)
    assert isinstance(call.error, MCPError)
    assert visitor.log.count("consent") == visitor.log.count("open") == 1


@pytest.mark.requirement("G46")
@mcp("133-accept-at-consent")
async def test_the_answer_leaves_at_consent(case: Case, dialect: Dialect) -> None:
    visitor = Visitor(held=True)
    async with booking(visitor, dialect) as (peer, _):
        call = await peer.receive("tools/call")
        begun = anyio.current_time()
        await peer.send(id="q", method="elicitation/create", params=url_params())
        await anyio.sleep(5)
        visitor.decided.set()
        answer = await peer.receive()
        assert round(anyio.current_time() - begun) == case.expect["response_sent_at_s"]
        await anyio.sleep(195)
        visitor.say("finished")
        await settled()
        assert peer.received[-1] is answer
        await peer.reply(call, DONE)
    assert answer["result"] == case.expect["response"]


@mcp("134-elicitation-id-required")
async def test_a_url_without_an_id_is_refused(case: Case, dialect: Dialect) -> None:
    visitor = Visitor()
    async with raw_server(at(visitor)[0], dialect) as server:
        answer = await server.ask(case.given["request"])
    assert answer == {"error_code": case.expect["error_code"]}
    assert visitor.log == []


@pytest.mark.requirement("G33")
@mcp("136-complete-before-accept")
async def test_a_completion_may_come_before_the_consent(case: Case, dialect: Dialect) -> None:
    visitor = Visitor(held=True)
    async with booking(visitor, dialect) as (peer, made):
        call = await peer.receive("tools/call")
        await peer.send(id="q", method="elicitation/create", params=url_params())
        await settled()
        await say_complete(peer)
        assert visitor.log == ["consent"]
        visitor.decided.set()
        await peer.receive()
        await settled()
        await peer.reply(call, DONE)
    answers = [one for one in peer.received if one.get("id") == "q"]
    assert (len(answers) == 1) == case.expect["exactly_one_response"]
    assert (made.error is not None) == case.expect["crash"]
    assert case.expect["dialog"] == "closed or marked done"
    assert visitor.log == ["consent", "open", "told completed"]


@pytest.mark.requirement("M24")
@mcp("137-complete-unknown-or-twice")
async def test_a_completion_that_is_unknown_or_comes_again_is_ignored(
    case: Case, dialect: Dialect
) -> None:
    assert case.expect["ignored"] == ["zzz", "second e1"]
    visitor = Visitor()
    async with booking(visitor, dialect) as (peer, made):
        call = await peer.receive("tools/call")
        await peer.ask(url_params())
        await settled()
        for event in case.given["events"]:
            await say_complete(peer, event.removeprefix("complete "))
        await peer.reply(call, DONE)
    assert made.error is None
    assert visitor.log == ["consent", "open", "wait", "left", "told completed"]
    assert len(peer.received) == 4  # the handshake, the call, and one answer

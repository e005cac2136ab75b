"""Url questions that come as requests of the server, and the pages after consent: 2025-11-25."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp_types import ElicitCompleteNotification, JSONRPCNotification

from elicitkit.answering.config import Config, HostRules, ServerConfig
from elicitkit.core.errors import NotAccepted
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response
from elicitkit.core.outcome import Cancelled
from elicitkit.mcp import connect
from tests.mcp.client_peer import DONE, QUESTION, Peer, Wire, wired
from tests.mcp.url_desk import (
    COMPLETE,
    OTHER,
    PAGE,
    Calling,
    Visitor,
    at,
    bare_group,
    calling,
    online,
    settled,
    url_params,
)

pytestmark = pytest.mark.anyio

LIVE = "2025-11-25"


async def say_complete(peer: Peer, elicitation_id: Any = "e1") -> None:
    await peer.send(method=COMPLETE, params={"elicitationId": elicitation_id})
    await settled()


async def asked(peer: Peer, params: Wire | None = None) -> tuple[Wire, Wire]:
    """The call that came, and the client's answer to the url question in it."""
    call = await peer.receive("tools/call")
    answer = await peer.ask(params or url_params())
    await settled()
    return call, answer


@pytest.mark.parametrize(
    ("version", "declared"), [("2025-06-18", {}), (LIVE, {"form": {}, "url": {}})]
)
@pytest.mark.requirement("M07", "M10", "G31")
async def test_url_mode_is_declared_where_the_revision_has_it(version: str, declared: Wire) -> None:
    async with online(at(Visitor())[0], version) as (_, peer):
        assert peer.received[0]["params"]["capabilities"]["elicitation"] == declared


@pytest.mark.requirement("M10")
async def test_a_configuration_takes_url_mode_away_from_one_server() -> None:
    config = Config(servers={"mine": ServerConfig(label="Mine", modes=frozenset({"form"}))})
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE, config=config) as (client, peer):
        assert peer.received[0]["params"]["capabilities"]["elicitation"] == {"form": {}}
        async with calling(client):
            call, answer = await asked(peer)
            await peer.reply(call, DONE)
    assert answer["error"]["data"] == {"supportedModes": ["form"]}
    assert visitor.log == []


@pytest.mark.requirement("M32", "G31")
async def test_a_revision_without_url_mode_refuses_it_unseen() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], "2025-06-18") as (client, peer), calling(client):
        call, answer = await asked(peer)
        await say_complete(peer)
        await peer.reply(call, DONE)
    assert answer["error"]["code"] == -32602
    assert visitor.log == []


@pytest.mark.requirement("M06", "M54", "G46")
async def test_the_answer_leaves_at_consent_and_the_page_stays_open_beside_it() -> None:
    visitor = Visitor(held=True)
    answerer, browser = at(visitor)
    async with online(answerer, LIVE) as (client, peer), calling(client):
        call = await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=url_params())
        await settled()
        assert visitor.log == ["consent"]
        assert browser.opened == []
        visitor.decided.set()
        assert (await peer.receive())["result"] == {"action": "accept"}
        await settled()
        assert visitor.log == ["consent", "open", "wait"]
        assert browser.opened == [PAGE]
        await peer.reply(call, DONE)
    assert visitor.log == ["consent", "open", "wait", "left", "told result"]


@pytest.mark.parametrize(
    ("response", "sent"), [(Decline(), "decline"), (Cancel("dismissed"), "cancel")]
)
@pytest.mark.requirement("M46", "M54")
async def test_without_consent_nothing_is_opened_and_nobody_waits(
    response: Response, sent: str
) -> None:
    visitor = Visitor(response)
    answerer, browser = at(visitor)
    async with online(answerer, LIVE) as (client, peer), calling(client):
        call, answer = await asked(peer)
        await say_complete(peer)
        await peer.reply(call, DONE)
    assert answer["result"] == {"action": sent}
    assert browser.opened == []
    assert visitor.log == ["consent"]


async def test_a_url_that_must_not_be_opened_is_opened_by_nobody_who_accepts_it() -> None:
    visitor = Visitor(Accept())
    answerer, browser = at(visitor)
    async with online(answerer, LIVE) as (client, peer), calling(client):
        call, answer = await asked(peer, url_params("https://a@b.example/"))
        await peer.reply(call, DONE)
    assert visitor.consents[0][1].verdict == "refuse"
    assert answer["result"] == {"action": "cancel"}
    assert browser.opened == []
    assert visitor.log == ["consent"]


async def test_where_the_browser_does_not_start_the_person_is_asked_again_and_may_leave() -> None:
    visitor = Visitor(Accept(), Cancel("dismissed"))
    answerer, browser = at(visitor)
    browser.works = False
    async with online(answerer, LIVE) as (client, peer), calling(client):
        call, answer = await asked(peer)
        await peer.reply(call, DONE)
    assert answer["result"] == {"action": "cancel"}
    assert [opening for _, _, opening in visitor.consents] == ["browser", "failed"]
    assert visitor.log == ["consent", "open", "consent"]


# The notice of completion.


@pytest.mark.requirement("M25", "G33")
async def test_a_completion_ends_the_wait_and_nothing_is_sent() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        call, _ = await asked(peer)
        await say_complete(peer)
        assert visitor.log[-1] == "told completed"
        await peer.reply(call, DONE)
        await settled()
        assert len(peer.received) == 4  # the handshake, the call, and one answer
    assert visitor.log == ["consent", "open", "wait", "left", "told completed"]


@pytest.mark.requirement("G33")
async def test_a_completion_that_overtakes_the_consent_is_remembered() -> None:
    visitor = Visitor(held=True)
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        call = await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=url_params())
        await settled()
        await say_complete(peer)
        assert visitor.log == ["consent"]
        visitor.decided.set()
        assert (await peer.receive())["result"] == {"action": "accept"}
        await settled()
        assert visitor.log == ["consent", "open", "told completed"]
        await peer.reply(call, DONE)


@pytest.mark.requirement("G33")
async def test_a_completion_that_overtakes_its_question_is_remembered() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        call = await peer.receive("tools/call")
        await peer.send(method=COMPLETE, params={"elicitationId": "e1"})
        answer = await peer.ask(url_params())
        await settled()
        await peer.reply(call, DONE)
    assert answer["result"] == {"action": "accept"}
    assert visitor.log == ["consent", "open", "told completed"]


@pytest.mark.requirement("M24")
@pytest.mark.parametrize("unknown", ["zzz", "E1", "e1 ", "", 5, None])
async def test_a_completion_of_an_unknown_id_changes_nothing(unknown: Any) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client) as call:
        request, _ = await asked(peer)
        await say_complete(peer, unknown)
        await peer.send(method=COMPLETE)
        await settled()
        assert visitor.log == ["consent", "open", "wait"]
        await peer.reply(request, DONE)
    assert call.error is None


@pytest.mark.requirement("M24")
async def test_a_completion_that_comes_twice_counts_once() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request, _ = await asked(peer)
        for _ in range(3):
            await say_complete(peer)
        assert visitor.log == ["consent", "open", "wait", "left", "told completed"]
        # Nor does it count for a page that is opened later under the same id.
        answer = await peer.ask(url_params(OTHER), id="q2")
        await settled()
        assert answer["result"] == {"action": "accept"}
        assert visitor.log[-1] == "wait"
        await peer.reply(request, DONE)


@pytest.mark.requirement("M20")
@pytest.mark.parametrize("odd", ["", "  a b ", "й/\u202e\x00\n", "x" * 100_000, "e1,e2", "null"])
async def test_an_id_is_any_text(odd: str) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request, answer = await asked(peer, url_params(elicitation_id=odd))
        assert answer["result"] == {"action": "accept"}
        assert visitor.log[-1] == "wait"
        await say_complete(peer, odd)
        assert visitor.log[-1] == "told completed"
        await peer.reply(request, DONE)


@pytest.mark.requirement("M24")
async def test_a_completion_counts_on_its_own_connection_only() -> None:
    visitor, stranger = Visitor(), Visitor()
    async with (
        online(at(visitor)[0], LIVE) as (client, peer),
        online(at(stranger)[0], LIVE) as (other, other_peer),
        calling(client),
        calling(other),
    ):
        request, _ = await asked(peer)
        other_request, _ = await asked(other_peer)
        await say_complete(other_peer)
        assert (visitor.log[-1], stranger.log[-1]) == ("wait", "told completed")
        await peer.reply(request, DONE)
        await other_peer.reply(other_request, DONE)


@pytest.mark.requirement("M24")
async def test_only_so_many_early_completions_are_remembered() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request = await peer.receive("tools/call")
        for number in range(300):
            await peer.send(method=COMPLETE, params={"elicitationId": f"early {number}"})
        await settled()
        for number, last in ((0, "wait"), (299, "told completed")):
            await peer.ask(url_params(elicitation_id=f"early {number}"), id=f"q{number}")
            await settled()
            assert visitor.log[-1] == last
            visitor.say("finished")
            await settled()
        await peer.reply(request, DONE)


async def test_the_session_hears_of_completions_as_before() -> None:
    heard: list[Any] = []

    async def handler(message: Any) -> None:
        heard.append(message)

    async with (
        online(at(Visitor())[0], LIVE, message_handler=handler) as (client, peer),
        calling(client),
    ):
        request, _ = await asked(peer)
        for known in ("e1", "e1", "zzz"):
            await say_complete(peer, known)
        await peer.reply(request, DONE)
    assert [type(one) for one in heard] == [ElicitCompleteNotification] * 3


async def test_two_pages_of_one_call_end_each_with_its_own_notice() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request, _ = await asked(peer)
        await peer.ask(url_params(OTHER, "e2"), id="q2")
        await settled()
        await say_complete(peer, "e2")
        assert [page.ending for page in visitor.pages] == [None, None]
        await say_complete(peer, "e1")
        assert visitor.log[-2:] == ["told completed"] * 2
        await peer.reply(request, DONE)


# What else ends the wait.


@pytest.mark.requirement("M26")
async def test_a_person_who_has_finished_hides_the_wait_and_the_server_is_not_told() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client) as call:
        request, _ = await asked(peer)
        visitor.say("finished")
        await settled()
        assert visitor.log == ["consent", "open", "wait"]
        assert len(peer.received) == 4
        await peer.reply(request, DONE)
    assert call.result is not None
    assert visitor.log[-1] == "wait"


def gave_up(call: Calling, question: str) -> None:
    assert isinstance(call.error, NotAccepted)
    assert call.error.outcome == Cancelled("given_up")
    assert (call.error.question, call.error.mode) == (question, "url")


@pytest.mark.requirement("M26", "M46")
async def test_a_person_who_gives_up_cancels_the_call_on_the_wire() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer):
        async with calling(client) as call:
            request, _ = await asked(peer)
            visitor.say("give_up")
            told = await peer.receive("notifications/cancelled")
        assert told["params"]["requestId"] == request["id"]
        gave_up(call, "Visit https://x.example/connect")
        # The connection goes on.
        async with calling(client) as call:
            await peer.reply(await peer.receive("tools/call"), DONE)
        assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "told given_up"]


async def test_between_two_calls_a_person_who_gives_up_ends_none_that_may_be_another() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer):
        async with calling(client) as one, calling(client, "pay") as two:
            requests = [await peer.receive("tools/call") for _ in range(2)]
            await peer.ask(url_params())
            await settled()
            visitor.say("give_up")
            await settled()
            assert len(peer.received) == 5
            for request in requests:
                await peer.reply(request, DONE)
        assert (one.error, two.error) == (None, None)


async def test_of_two_calls_the_one_that_is_left_is_the_one_that_asked() -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE) as (client, peer),
        calling(client) as one,
        calling(client, "pay") as two,
    ):
        first, _ = [await peer.receive("tools/call") for _ in range(2)]
        await peer.ask(url_params())
        await peer.reply(first, DONE)
        await settled()
        visitor.say("give_up")
        await peer.receive("notifications/cancelled")
    ended = {type(call.error) for call in (one, two)}
    assert ended == {type(None), NotAccepted}


async def test_a_page_of_an_unknown_call_ends_with_the_last_one_in_flight() -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE) as (client, peer),
        calling(client),
        calling(client, "pay"),
    ):
        requests = [await peer.receive("tools/call") for _ in range(2)]
        await peer.ask(url_params())
        await settled()
        await peer.reply(requests[0], DONE)
        await settled()
        assert visitor.log[-1] == "wait"
        await peer.reply(requests[1], DONE)
    assert visitor.log[-2:] == ["left", "told result"]


async def test_a_page_ends_with_its_connection() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer):
        async with calling(client) as call:
            await asked(peer)
            await peer.hang_up()
        await settled()
        assert isinstance(call.error, MCPError)
        assert "closed" in str(call.error)
        assert visitor.log == ["consent", "open", "wait", "left", "told disconnected"]


async def test_a_page_leaves_the_screen_with_the_program_that_opened_it() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client) as call:
        await asked(peer)
        call.scope.cancel()
        await settled()
    assert visitor.log[:4] == ["consent", "open", "wait", "left"]


async def test_an_error_of_the_block_leaves_as_itself_while_a_page_is_open() -> None:
    visitor = Visitor()

    async def fail() -> None:
        async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
            await asked(peer)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert visitor.log[3] == "left"


async def test_a_transport_that_breaks_takes_the_page_off_the_screen_and_its_error_stays_bare() -> (
    None
):
    class Breaking:
        """A stream that fails at the message after the page."""

        def __init__(self, inner: Any) -> None:
            self._inner = inner

        def __aiter__(self) -> Any:
            return self

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_: object) -> None:
            await self._inner.aclose()

        async def __anext__(self) -> Any:
            item = await self._inner.receive()
            if item.message == JSONRPCNotification(jsonrpc="2.0", method="break"):
                raise ZeroDivisionError
            return item

    @asynccontextmanager
    async def breaking(transport: Any) -> AsyncGenerator[Any]:
        async with transport as (read, write):
            yield Breaking(read), write

    visitor = Visitor()

    async def play() -> None:
        async with wired() as (transport, peer), bare_group() as tasks:
            tasks.start_soon(peer.shake_hands, LIVE)
            async with (
                connect(
                    breaking(transport),
                    name="mine",
                    answerer=at(visitor)[0],
                    protocol_version=LIVE,
                ) as client,
                calling(client),
            ):
                await asked(peer)
                await peer.send(method="break")

    with anyio.fail_after(5), pytest.raises(ZeroDivisionError):
        await play()
    assert visitor.log[3] == "left"


async def test_a_question_goes_before_a_wait_that_comes_back_after_it() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request, _ = await asked(peer)
        answer = await peer.ask(QUESTION, id="q2")
        assert answer["result"] == {"action": "accept", "content": {"name": "Ann"}}
        await settled()
        assert visitor.log[-3:] == ["left", "fill Who are you?", "wait"]
        await peer.reply(request, DONE)


async def test_an_opener_that_raises_costs_neither_the_wait_nor_the_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)

    async def broken(url: object) -> bool:
        raise OSError("the secret was 42")

    caplog.set_level(logging.INFO, "elicitkit")
    async with online(answerer, LIVE) as (client, peer), calling(client) as call:
        request, _ = await asked(peer)
        browser.open = broken
        visitor.say("again")
        await settled()
        assert visitor.log == ["consent", "open", "wait", "wait"]
        await say_complete(peer)
        assert visitor.log[-1] == "told completed"
        await peer.reply(request, DONE)
    assert call.error is None
    assert "opener_failed error=OSError" in caplog.text
    assert "42" not in caplog.text


# Who asks.


@pytest.mark.requirement("G12")
async def test_the_person_sees_for_which_call_the_page_is() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request, _ = await asked(peer)
        await peer.reply(request, DONE)
    assert visitor.origins == [Origin(label="mine", claimed="claims to be you", request="book")]


async def test_the_hosts_that_the_person_denies_this_server_are_refused() -> None:
    rules = HostRules(denied=frozenset({"x.example"}))
    config = Config(servers={"mine": ServerConfig(label="Mine", urls=rules)})
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE, config=config) as (client, peer), calling(client):
        request, answer = await asked(peer)
        await peer.reply(request, DONE)
    assert visitor.consents[0][1].reasons == ("host_denied",)
    assert answer["result"] == {"action": "cancel"}

"""Url questions in results, and the pauses while their pages are open: 2026-07-28."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from elicitkit.answering import Answerer
from elicitkit.core.errors import InvalidRequest, LimitExceeded, NotAccepted
from elicitkit.core.model import Accept, Cancel, Decline
from elicitkit.core.outcome import Cancelled
from tests.mcp.client_peer import CAPABILITIES_KEY, DONE, QUESTION, Peer, Wire
from tests.mcp.url_desk import (
    COMPLETE,
    OTHER,
    PAGE,
    Calling,
    Visitor,
    at,
    calling,
    online,
    settled,
    url_params,
)
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

MODERN = "2026-07-28"
RESULT = DONE | {"resultType": "complete"}
STATE = "s+/=é\u2028 \t{}"
ACCEPT: Wire = {"action": "accept"}
CANCEL: Wire = {"action": "cancel"}
ANN: Wire = {"action": "accept", "content": {"name": "Ann"}}


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def a_round(state: str | None = STATE, **questions: Any) -> Wire:
    """A result that asks for URLs, or what else is given as params."""
    asked = {
        key: url_params(one, None) if isinstance(one, str) else one
        for key, one in questions.items()
    }
    result: Wire = {"resultType": "input_required"}
    if asked:
        requests = {
            key: {"method": "elicitation/create", "params": params} for key, params in asked.items()
        }
        result["inputRequests"] = requests
    return result if state is None else result | {"requestState": state}


class Server:
    """A server that answers one sending of a call after the other."""

    def __init__(self, client: Client, peer: Peer) -> None:
        self.client = client
        self.peer = peer
        self.times: list[float] = []

    async def receive(self) -> Wire:
        """The next sending of the call."""
        call = await self.peer.receive("tools/call")
        self.times.append(anyio.current_time())
        return call

    async def answer(self, result: Wire, *, after: float = 0) -> Wire:
        """Answer the next sending, which is returned: its params."""
        call = await self.receive()
        await anyio.sleep(after)
        await self.peer.reply(call, result)
        return call["params"]

    @property
    def pauses(self) -> list[float]:
        return [round(later - earlier, 1) for earlier, later in pairwise(self.times)]


@asynccontextmanager
async def booking(answerer: Answerer, **options: Any) -> AsyncGenerator[tuple[Server, Calling]]:
    async with (
        online(answerer, MODERN, **options) as (client, peer),
        calling(client) as call,
    ):
        yield Server(client, peer), call


@pytest.mark.requirement("M08", "M10")
async def test_url_mode_is_declared_on_every_request() -> None:
    async with booking(at(Visitor())[0]) as (server, _):
        sent = [await server.answer(a_round(k=PAGE)), await server.answer(RESULT)]
    for params in sent:
        declared = params["_meta"][CAPABILITIES_KEY]["elicitation"]
        assert declared == {"form": {}, "url": {}}


@pytest.mark.requirement("M54", "M74", "M75", "M76", "G46")
async def test_the_retry_leaves_at_consent_and_the_page_stays_open_beside_it() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, call):
        await server.answer(a_round(k=PAGE))
        await server.answer(RESULT, after=300)
        assert visitor.log == ["consent", "open", "wait"]
    first, retry = server.peer.calls
    assert call.result.content[0].text == "done"
    assert first["id"] != retry["id"]
    added = {"inputResponses": {"k": ACCEPT}, "requestState": STATE}
    assert retry["params"] == first["params"] | added
    assert browser.opened == [PAGE]
    assert server.pauses == [0]
    assert visitor.log == ["consent", "open", "wait", "left", "told result"]


@pytest.mark.requirement("G04", "M75", "M76")
async def test_a_url_that_is_repeated_is_shown_and_opened_once_and_the_pauses_grow() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with booking(answerer, max_rounds=1) as (server, call):
        await server.answer(a_round("first", k=PAGE))
        sent = [await server.answer(a_round(f"{STATE}{n}", **{f"k{n}": PAGE})) for n in range(8)]
        sent.append(await server.answer(RESULT))
    assert call.error is None
    assert server.pauses == [0, 1, 2, 4, 8, 15, 15, 15, 15]
    assert (len(visitor.consents), browser.opened) == (1, [PAGE])
    assert visitor.log == ["consent", "open", "wait", "left", "told result"]
    assert [params["requestState"] for params in sent[1:]] == [f"{STATE}{n}" for n in range(8)]
    assert [params["inputResponses"] for params in sent[1:]] == [
        {f"k{n}": ACCEPT} for n in range(8)
    ]
    assert len({request["id"] for request in server.peer.calls}) == 10


@pytest.mark.requirement("G04", "M26")
async def test_a_person_who_is_slower_than_every_limit_comes_to_the_result() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], read_timeout=60, max_rounds=1) as (server, call):
        begun = anyio.current_time()
        await server.answer(a_round(k=PAGE))
        while anyio.current_time() - begun < 7_200:
            await server.answer(a_round(k=PAGE), after=50)
        await server.answer(RESULT)
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "left", "told result"]


@pytest.mark.requirement("G04")
async def test_a_server_may_hold_the_call_longer_than_its_time_limit_while_the_page_is_open() -> (
    None
):
    visitor = Visitor()
    async with booking(at(visitor)[0], read_timeout=60) as (server, call):
        await server.answer(a_round(k=PAGE))
        await server.answer(RESULT, after=5_000)
    assert call.error is None


async def test_after_the_person_has_finished_the_time_limit_of_the_call_runs() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], read_timeout=60) as (server, call):
        await server.answer(a_round(k=PAGE))
        await server.receive()
        visitor.say("finished")
        await server.peer.receive("notifications/cancelled")
    assert isinstance(call.error, MCPError)
    assert call.error.error.code == -32001
    assert call.at - server.times[-1] == pytest.approx(60, abs=2)


@pytest.mark.requirement("M26", "G04")
async def test_a_person_who_has_finished_cuts_the_pause_short_and_is_told_if_it_is_not_so() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        for _ in range(6):
            await server.answer(a_round(k=PAGE))
        await settled()
        visitor.say("finished")
        await server.answer(a_round(k=PAGE))
        await settled()
        assert visitor.log == ["consent", "open", "wait", "pending"]
        assert server.pauses[-2:] == [15, pytest.approx(0, abs=1)]
        visitor.say("finished")
        await server.answer(RESULT)
    assert call.error is None
    assert server.pauses[-1] < 1
    assert visitor.log == ["consent", "open", "wait", "pending"]


async def test_a_person_may_have_finished_before_the_server_repeats_the_url() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        retry = await server.receive()
        visitor.say("finished")
        await settled()
        await server.peer.reply(retry, a_round(k=PAGE))
        await settled()
        assert visitor.log == ["consent", "open", "wait", "pending"]
        await server.answer(RESULT)
    assert call.error is None
    assert visitor.log[-2:] == ["left", "told result"]


# Giving up.


@pytest.mark.requirement("G37", "M46", "M26")
async def test_giving_up_between_two_rounds_is_answered_with_a_cancel() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        for _ in range(5):
            await server.answer(a_round(k=PAGE))
        await settled()
        visitor.say("give_up")
        retry = await server.answer(a_round(again=PAGE))
        assert retry["inputResponses"] == {"k": CANCEL}
        assert server.pauses[-1] < 1
        # Whoever repeats it all the same is answered in the same way, and it is not shown.
        again = await server.answer(RESULT)
        assert again["inputResponses"] == {"again": CANCEL}
    assert call.error is None
    assert visitor.log == ["consent", "open", "wait", "told given_up"]


@pytest.mark.requirement("G37", "M26", "M46")
async def test_giving_up_while_the_call_is_in_flight_cancels_it() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        retry = await server.receive()
        visitor.say("give_up")
        told = await server.peer.receive("notifications/cancelled")
        assert told["params"]["requestId"] == retry["id"]
    assert isinstance(call.error, NotAccepted)
    assert call.error.outcome == Cancelled("given_up")
    assert (call.error.question, call.error.mode) == ("Visit https://x.example/connect", "url")
    assert visitor.log == ["consent", "open", "wait", "told given_up"]


async def test_of_two_pages_the_one_that_is_given_up_is_cancelled_and_the_other_goes_on() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(a=PAGE, b=OTHER))
        for _ in range(3):
            await server.answer(a_round(a=PAGE, b=OTHER))
        await settled()
        visitor.say("give_up")
        retry = await server.answer(a_round(b=OTHER))
        assert retry["inputResponses"] == {"a": CANCEL, "b": ACCEPT}
        await server.answer(RESULT)
    assert call.error is None


async def test_giving_up_a_page_that_the_server_asks_for_no_more_ends_the_call() -> None:
    visitor = Visitor()

    class Slow(Visitor):
        async def fill(self, form: Any, origin: Any, turn: Any = None) -> Any:
            self.page_of_the_call.end("given_up")
            return await super().fill(form, origin, turn)

    visitor = Slow()
    answerer, _ = at(visitor)
    keep = answerer.visit

    def visit(response: Any) -> Any:
        visitor.page_of_the_call = keep(response)
        return visitor.page_of_the_call

    answerer.visit = visit
    async with booking(answerer) as (server, call):
        await server.answer(a_round(k=PAGE))
        await server.answer(a_round(form=QUESTION))
    assert isinstance(call.error, NotAccepted)
    assert call.error.outcome == Cancelled("given_up")
    assert len(server.peer.calls) == 2


@pytest.mark.requirement("G36")
async def test_a_page_that_is_given_up_while_another_question_is_asked_is_cancelled() -> None:
    pages: list[Any] = []

    class Slow(Visitor):
        async def fill(self, form: Any, origin: Any, turn: Any = None) -> Any:
            pages[0].end("given_up")
            return await super().fill(form, origin, turn)

    answerer, _ = at(Slow())
    keep = answerer.visit

    def visit(response: Any) -> Any:
        pages.append(keep(response))
        return pages[-1]

    answerer.visit = visit
    async with booking(answerer) as (server, call):
        await server.answer(a_round(page=PAGE, form=QUESTION))
        retry = await server.answer(RESULT)
    assert retry["inputResponses"] == {"page": CANCEL, "form": ANN}
    assert call.error is None


# No consent.


@pytest.mark.requirement("M46", "G04")
@pytest.mark.parametrize(("response", "sent"), [(Decline(), "decline"), (Cancel("x"), "cancel")])
async def test_a_url_that_was_not_consented_to_is_cancelled_when_it_is_repeated(
    response: Any, sent: str
) -> None:
    visitor = Visitor(response)
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, call):
        await server.answer(a_round(k=PAGE))
        retry = await server.answer(a_round(k=PAGE))
        again = await server.answer(RESULT)
    assert retry["inputResponses"] == {"k": {"action": sent}}
    assert again["inputResponses"] == {"k": CANCEL}
    assert call.error is None
    assert visitor.log == ["consent"]
    assert browser.opened == []
    assert server.pauses == [0, 0]


async def test_a_server_that_only_repeats_what_was_declined_is_stopped() -> None:
    visitor = Visitor(Decline())
    async with booking(at(visitor)[0], max_rounds=3) as (server, call):
        for _ in range(4):
            await server.answer(a_round(k=PAGE))
    assert isinstance(call.error, LimitExceeded)
    assert "max_rounds" in str(call.error)


async def test_a_url_that_must_not_be_opened_is_opened_by_nobody_who_accepts_it() -> None:
    visitor = Visitor(Accept())
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, _):
        await server.answer(a_round(k="https://a@b.example/"))
        retry = await server.answer(RESULT)
    assert retry["inputResponses"] == {"k": CANCEL}
    assert browser.opened == []


# Rounds of several things.


@pytest.mark.requirement("G36", "M74")
async def test_new_questions_beside_a_repeated_url_are_asked_without_a_pause() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with booking(answerer) as (server, call):
        await server.answer(a_round(a=PAGE))
        await server.answer(a_round(z=QUESTION, a=PAGE, b=OTHER))
        retry = await server.answer(a_round(a=PAGE, b=OTHER))
        await server.answer(RESULT)
    assert [*retry["inputResponses"].items()] == [("z", ANN), ("a", ACCEPT), ("b", ACCEPT)]
    assert server.pauses == [0, 0, 1]
    assert browser.opened == [PAGE, OTHER]
    assert call.error is None


async def test_the_same_url_twice_in_a_round_is_asked_once() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, _):
        await server.answer(a_round(a=PAGE, b=PAGE))
        retry = await server.answer(RESULT)
    assert retry["inputResponses"] == {"a": ACCEPT, "b": ACCEPT}
    assert len(visitor.consents) == 1


async def test_rounds_with_a_new_question_count_though_a_url_is_repeated_in_them() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], max_rounds=3) as (server, call):
        for _ in range(4):
            await server.answer(a_round(a=PAGE, z=QUESTION))
    assert isinstance(call.error, LimitExceeded)
    assert "max_rounds" in str(call.error)


async def test_a_round_that_only_carries_state_is_repeated_while_the_page_is_open() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0], max_idle=3) as (server, call):
        await server.answer(a_round(k=PAGE))
        sent = [await server.answer(a_round()) for _ in range(6)]
        assert ["inputResponses" in params for params in sent] == [True, *[False] * 5]
        await settled()
        visitor.say("finished")
        for _ in range(3):
            await server.answer(a_round())
    assert server.pauses == [0, 1, 2, 4, 8, 15, pytest.approx(0, abs=1), 1, 2]
    assert isinstance(call.error, LimitExceeded)
    assert "3 seconds without a question" in str(call.error)


@pytest.mark.requirement("M77")
async def test_two_calls_ask_each_for_its_own_consent() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], MODERN) as (client, peer):
        for _ in range(2):
            async with calling(client):
                server = Server(client, peer)
                await server.answer(a_round(k=PAGE))
                await server.answer(RESULT)
    assert len(visitor.consents) == 2


@pytest.mark.requirement("G03")
async def test_one_bad_entry_beside_a_url_fails_the_call_before_anything_is_shown() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE, bad={"mode": "url", "message": "m"}))
    assert isinstance(call.error, InvalidRequest)
    assert visitor.log == []


@pytest.mark.requirement("M24")
async def test_a_notice_of_completion_which_the_revision_does_not_have_changes_nothing() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=url_params()))
        retry = await server.receive()
        await server.peer.send(method=COMPLETE, params={"elicitationId": "e1"})
        await settled()
        assert visitor.log == ["consent", "open", "wait"]
        await server.peer.reply(retry, RESULT)
    assert call.error is None


# Nobody there.


class Blind(Visitor):
    """Whose screen fails once the page is open."""

    async def wait(self, page: Any) -> Any:
        raise RuntimeError("no screen")


@pytest.mark.requirement("G04")
@pytest.mark.parametrize("limit", [None, 100])
async def test_without_a_sign_of_the_person_the_call_is_given_up(limit: float | None) -> None:
    options = {} if limit is None else {"max_unattended": limit}
    async with booking(at(Blind())[0], max_rounds=1, **options) as (server, call):
        await server.answer(a_round(k=PAGE))
        while call.error is None:
            with anyio.move_on_after(20):
                await server.answer(a_round(k=PAGE))
    assert isinstance(call.error, LimitExceeded)
    assert "'mine'" in str(call.error)
    assert "raise max_unattended" in str(call.error)
    assert call.at - server.times[0] == pytest.approx(limit or 600, abs=5)


@pytest.mark.requirement("G04")
async def test_without_a_sign_of_the_person_a_call_in_flight_is_cancelled() -> None:
    async with booking(at(Blind())[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        retry = await server.receive()
        told = await server.peer.receive("notifications/cancelled")
        assert told["params"]["requestId"] == retry["id"]
    assert isinstance(call.error, LimitExceeded)
    assert call.at - server.times[0] == pytest.approx(600, abs=5)


@pytest.mark.parametrize("in_flight", [False, True])
async def test_a_connection_that_ends_while_a_page_is_open_ends_the_call(in_flight: bool) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], MODERN) as (client, peer):
        async with calling(client) as call:
            server = Server(client, peer)
            await server.answer(a_round(k=PAGE))
            await server.answer(a_round(k=PAGE))
            if in_flight:
                await server.receive()
            await peer.hang_up()
        await settled()
    assert "closed" in str(call.error)
    assert visitor.log == ["consent", "open", "wait", "left", "told disconnected"]


async def test_a_caller_who_leaves_takes_the_page_off_the_screen() -> None:
    visitor = Visitor()
    async with booking(at(visitor)[0]) as (server, call):
        await server.answer(a_round(k=PAGE))
        await server.receive()
        call.scope.cancel()
        await server.peer.receive("notifications/cancelled")
        await settled()
        assert visitor.log[3] == "left"

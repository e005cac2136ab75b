"""The time of a person who visits a page is not the server's, in virtual time: 2025-11-25."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp import MCPError

from elicitkit.answering import Answerer
from elicitkit.mcp.calls import Calls
from tests.mcp.client_peer import DONE, QUESTION
from tests.mcp.url_desk import COMPLETE, PAGE, Visitor, at, calling, online, settled, url_params
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

LIVE = "2025-11-25"


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


@pytest.mark.requirement("G52", "G46")
async def test_the_clock_of_every_call_stands_while_a_page_is_open() -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE, read_timeout=60) as (client, peer),
        calling(client) as call,
        calling(client, "slow") as slow,
    ):
        begun = anyio.current_time()
        requests = [await peer.receive("tools/call") for _ in range(2)]
        await anyio.sleep(50)
        await peer.ask(url_params())
        await anyio.sleep(7_200)
        await peer.send(method=COMPLETE, params={"elicitationId": "e1"})
        await settled()
        await anyio.sleep(5)
        await peer.reply(requests[0], DONE)
        assert (await peer.receive())["method"] == "notifications/cancelled"
    ended = {type(one.error): round(one.at - begun) for one in (call, slow)}
    assert ended == {type(None): 7_255, MCPError: 7_260}


@pytest.mark.requirement("G52")
@pytest.mark.parametrize("ends", ["finished", "completed"])
async def test_the_clock_runs_again_when_the_last_page_is_over(ends: str) -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE, read_timeout=60) as (client, peer),
        calling(client) as call,
    ):
        begun = anyio.current_time()
        await peer.receive("tools/call")
        await peer.ask(url_params())
        await peer.ask(QUESTION, id="q2")
        await anyio.sleep(1_000)
        if ends == "finished":
            for _ in range(4):
                # As often as the wait is shown to them again, which stops the clock.
                visitor.say("finished")
                await anyio.sleep(15)
        else:
            await peer.send(method=COMPLETE, params={"elicitationId": "e1"})
        await peer.receive("notifications/cancelled")
    assert isinstance(call.error, MCPError)
    assert call.error.error.code == -32001
    assert call.at - begun == pytest.approx(1_060, abs=5)


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M26")
async def test_a_call_that_does_not_go_on_shows_the_wait_again_to_who_has_finished() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        request = await peer.receive("tools/call")
        await peer.ask(url_params())
        for _ in range(2):
            await anyio.sleep(5)
            visitor.say("finished")
            await settled()
            assert visitor.log[-1] in {"wait", "pending"}
            shown = len(visitor.log)
            await anyio.sleep(14)
            assert len(visitor.log) == shown
            await anyio.sleep(2)
            assert visitor.log[shown:] == ["pending"]
        await peer.reply(request, DONE)
        await settled()
    assert visitor.log[-1] == "told result"


@pytest.mark.requirement("G46")
async def test_the_answer_leaves_when_the_person_consents_and_not_when_they_have_finished() -> None:
    visitor = Visitor(held=True)
    async with online(at(visitor)[0], LIVE) as (client, peer), calling(client):
        call = await peer.receive("tools/call")
        begun = anyio.current_time()
        await peer.send(id="q1", method="elicitation/create", params=url_params())
        await anyio.sleep(5)
        visitor.decided.set()
        answer = await peer.receive()
        assert round(anyio.current_time() - begun) == 5
        await anyio.sleep(195)
        visitor.say("finished")
        await settled()
        assert peer.received[-1] is answer
        await peer.reply(call, DONE)
    assert answer["result"] == {"action": "accept"}


async def test_a_page_whose_wait_cannot_be_shown_stops_the_clock_for_a_while_only() -> None:
    class Blind(Visitor):
        async def wait(self, page: Any) -> Any:
            raise RuntimeError("no screen")

    async with (
        online(at(Blind())[0], LIVE, read_timeout=60, max_unattended=300) as (client, peer),
        calling(client) as call,
    ):
        begun = anyio.current_time()
        await peer.receive("tools/call")
        await peer.ask(url_params())
        await peer.receive("notifications/cancelled")
    assert isinstance(call.error, MCPError)
    assert call.error.error.code == -32001
    assert call.at - begun == pytest.approx(360, abs=5)


async def test_a_wait_on_the_screen_has_no_limit() -> None:
    visitor = Visitor()
    async with (
        online(at(visitor)[0], LIVE, max_unattended=300) as (client, peer),
        calling(client) as call,
    ):
        request = await peer.receive("tools/call")
        await peer.ask(url_params())
        await anyio.sleep(50_000)
        assert visitor.log == ["consent", "open", "wait"]
        await peer.reply(request, DONE)
    assert call.error is None


@pytest.mark.requirement("G04")
async def test_a_question_that_hides_the_wait_does_not_make_the_person_absent_for_good() -> None:
    class Slow(Visitor):
        async def fill(self, form: Any, origin: Any, turn: Any = None) -> Any:
            await anyio.sleep(200)
            return await super().fill(form, origin, turn)

    visitor = Slow()
    async with (
        online(at(visitor)[0], LIVE, max_unattended=300) as (client, peer),
        calling(client) as call,
    ):
        request = await peer.receive("tools/call")
        await peer.ask(url_params())
        for number in range(3):
            await anyio.sleep(200)
            await peer.ask(QUESTION, id=f"form {number}")
        await settled()
        assert visitor.log[-1] == "wait"
        await peer.reply(request, DONE)
    assert call.error is None


async def test_a_result_that_came_before_the_person_gave_up_stands() -> None:
    calls = Calls()
    with calls.sending("book", None) as call:
        calls.fail(call, ZeroDivisionError())
    assert (call.failure, call.expired) == (None, False)


async def test_a_script_has_finished_after_its_patience() -> None:
    answerer = Answerer.scripted([{"action": "accept", "url": PAGE}])
    async with (
        online(answerer, LIVE, read_timeout=60) as (client, peer),
        calling(client) as call,
    ):
        begun = anyio.current_time()
        await peer.receive("tools/call")
        await peer.ask(url_params())
        await peer.receive("notifications/cancelled")
    assert call.at - begun == pytest.approx(62, abs=2)

"""Url questions of an agent, and the pages that a person has open after consent."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest

from elicitkit.acp import pages
from elicitkit.answering import visit
from elicitkit.core.dialects import Dialect
from elicitkit.core.model import Accept, Cancel, Decline, Response
from tests.acp.client_rig import (
    CANCEL,
    PAGE,
    QUESTION,
    S1,
    URL_QUESTION,
    VERSIONS,
    Agent,
    online,
    settled,
)
from tests.acp.rig import Wire
from tests.mcp.url_desk import Visitor, at

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("dialect", VERSIONS, ids=["v1", "v2"])
ACCEPT: Wire = {"action": "accept"}
OPENED = "https://example.com/connect?handle=1#%C3%A9"
OPEN = ["consent", "open", "wait"]


async def visited(agent: Agent, scope: Wire = S1, **changes: Any) -> None:
    """Ask for a visit, which the person agrees to."""
    assert await agent.asked(URL_QUESTION | scope | changes) == ACCEPT
    await settled()


@both
@pytest.mark.requirement("A06", "A37", "A40", "A56", "G46")
@pytest.mark.case("133-accept-at-consent")
async def test_the_answer_leaves_at_consent_and_the_page_stays_open_beside_it(
    dialect: Dialect,
) -> None:
    visitor = Visitor(held=True)
    answerer, browser = at(visitor)
    async with online(answerer, dialect) as agent:
        id_ = await agent.create(URL_QUESTION | S1)
        assert visitor.log == ["consent"]
        assert browser.opened == []
        visitor.decided.set()
        assert await agent.hear() == {"jsonrpc": "2.0", "id": id_, "result": ACCEPT}
        await settled()
        assert visitor.log == OPEN


@both
@pytest.mark.requirement("A57")
async def test_the_url_is_shown_byte_for_byte_as_it_came(dialect: Dialect) -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    async with online(answerer, dialect) as agent:
        await visited(agent)
    ((request, findings, _),) = visitor.consents
    assert request.url == PAGE
    assert (findings.url, browser.opened) == (OPENED, [OPENED])


@both
@pytest.mark.requirement("A05", "A55", "A60")
async def test_what_a_url_really_is_is_told_before_consent(dialect: Dialect) -> None:
    visitor = Visitor(Cancel())
    async with online(at(visitor)[0], dialect) as agent:
        await agent.asked(URL_QUESTION | S1 | {"url": "https://xn--80ak6aa92e.com/"})
    findings = visitor.consents[0][1]
    assert findings.host_ascii == "xn--80ak6aa92e.com"
    assert findings.verdict != "ok"


@both
@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "https://a@b.example/", "data:,x", ""]
)
@pytest.mark.requirement("G29")
async def test_a_url_that_must_not_be_opened_is_opened_by_nobody_who_accepts_it(
    dialect: Dialect, url: str
) -> None:
    visitor = Visitor(Accept())
    answerer, browser = at(visitor)
    async with online(answerer, dialect) as agent:
        assert await agent.asked(URL_QUESTION | S1 | {"url": url}) == CANCEL
    assert browser.opened == []


@both
@pytest.mark.parametrize(
    ("response", "sent"), [(Decline(), {"action": "decline"}), (Cancel(), CANCEL)]
)
@pytest.mark.requirement("A03", "A56")
async def test_without_consent_nothing_is_opened_and_nobody_waits(
    dialect: Dialect, response: Response, sent: Wire
) -> None:
    visitor = Visitor(response)
    answerer, browser = at(visitor)
    async with online(answerer, dialect) as agent:
        assert await agent.asked(URL_QUESTION | S1) == sent
        await agent.complete()
    assert browser.opened == []
    assert visitor.log == ["consent"]


# The notice of completion.


@both
@pytest.mark.requirement("A48", "G33")
async def test_a_completion_ends_the_wait_and_nothing_is_sent(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent)
        await agent.complete()
        assert visitor.log == [*OPEN, "left", "told completed"]
        await agent.hear_nothing()
    assert visitor.log == [*OPEN, "left", "told completed"]


@both
@pytest.mark.requirement("G33")
@pytest.mark.case("136-complete-before-accept")
async def test_a_completion_that_overtakes_the_consent_marks_the_page_as_done(
    dialect: Dialect,
) -> None:
    visitor = Visitor(held=True)
    async with online(at(visitor)[0], dialect) as agent:
        id_ = await agent.create(URL_QUESTION | S1)
        await agent.complete()
        assert visitor.log == ["consent"]
        visitor.decided.set()
        assert await agent.hear() == {"jsonrpc": "2.0", "id": id_, "result": ACCEPT}
        await settled()
        assert visitor.log == ["consent", "open", "told completed"]
        await agent.hear_nothing()


@both
@pytest.mark.requirement("A44", "A47")
@pytest.mark.case("137-complete-unknown-or-twice")
@pytest.mark.parametrize("unknown", ["zzz", "E1", "e1 ", "", 5, None])
async def test_a_completion_that_is_unknown_or_comes_again_changes_nothing(
    dialect: Dialect, unknown: Any, caplog: pytest.LogCaptureFixture
) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent)
        await agent.complete(unknown)
        await agent.tell("elicitation/complete")
        assert visitor.log == OPEN
        await agent.complete("e1")
        await agent.complete("e1")
        await agent.hear_nothing()
        assert visitor.log == [*OPEN, "left", "told completed"]
        # Nor does it complete a later page of the same id.
        await visited(agent)
        assert visitor.log[5:] == OPEN
    assert "handler_failed" not in caplog.text


@both
@pytest.mark.requirement("A44")
@pytest.mark.parametrize("id_", [" ", "é☃\u202e", "x" * 5000, "../../etc", "\x00"])
async def test_an_id_is_opaque(dialect: Dialect, id_: str) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent, elicitationId=id_)
        await agent.complete(id_)
        assert visitor.log[-1] == "told completed"


@both
async def test_a_completion_on_another_connection_changes_nothing(dialect: Dialect) -> None:
    visitor = Visitor()
    answerer, _ = at(visitor)
    async with online(answerer, dialect) as agent, online(answerer, dialect) as other:
        await visited(agent)
        await other.complete()
        assert visitor.log == OPEN


# What else ends the wait.


@both
@pytest.mark.requirement("A49")
async def test_the_wait_ends_with_the_turn(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        _, prompt = await agent.prompted()
        await visited(agent)
        await agent.end_turn(prompt)
        assert visitor.log == [*OPEN, "left", "told result"]


@both
async def test_the_wait_ends_with_the_request_it_came_in(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        task, login = await agent.call("authenticate")
        await visited(agent, {"requestId": login["id"]})
        await agent.answer(login, {})
        await task
        await settled()
        assert visitor.log == [*OPEN, "left", "told result"]


@both
@pytest.mark.requirement("A49")
async def test_a_person_who_has_finished_waits_for_the_agent_and_tells_it_nothing(
    dialect: Dialect,
) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        _, prompt = await agent.prompted()
        await visited(agent)
        visitor.say("finished")
        await settled()
        await agent.hear_nothing()
        await agent.end_turn(prompt)
        assert visitor.log == OPEN  # and needs no more to be told


@both
@pytest.mark.requirement("A49")
async def test_a_person_who_has_finished_too_early_is_asked_again_and_may_give_up(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "_NOT_YET", 0.01)
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await agent.prompted()
        await visited(agent)
        visitor.say("finished")
        await visitor.hears("pending")
        visitor.say("give_up")
        assert (await agent.hear())["method"] == "session/cancel"


@both
async def test_a_script_that_has_finished_is_not_asked_again(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "_NOT_YET", 0.0)

    class Script(Visitor):
        attended = False

    visitor = Script()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent)
        visitor.say("finished")
        await settled()
        await agent.hear_nothing()
        assert visitor.log == OPEN


@both
@pytest.mark.requirement("A49")
async def test_a_person_who_gives_up_cancels_the_turn_and_all_its_pages(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        _, prompt = await agent.prompted()
        await visited(agent)
        await visited(agent, elicitationId="e2")
        visitor.say("give_up")
        await settled()
        told = await agent.hear()
        assert (told["method"], told["params"]) == ("session/cancel", S1)
        assert "id" not in told
        assert visitor.log[-2:] == ["told given_up", "told result"]
        await agent.end_turn(prompt, "cancelled")
        await agent.hear_nothing()


@both
async def test_giving_up_in_a_request_cancels_that_request(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        _, login = await agent.call("authenticate")
        await visited(agent, {"requestId": login["id"]})
        visitor.say("give_up")
        await settled()
        told = await agent.hear()
        assert told["method"] == "$/cancel_request"
        assert told["params"] == {"requestId": login["id"]}


@both
async def test_giving_up_outside_a_turn_has_nothing_to_cancel(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent)
        visitor.say("give_up")
        await settled()
        await agent.hear_nothing()
        await agent.complete()
    assert visitor.log == [*OPEN, "told given_up"]


@both
@pytest.mark.requirement("G15")
async def test_a_connection_that_ends_tells_the_person_so(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        await visited(agent)
        await agent.hang_up()
        await settled()
        assert visitor.log == [*OPEN, "left", "told disconnected"]


async def test_a_person_who_cannot_be_told_holds_up_no_goodbye(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "_GOODBYE_SECONDS", 0.01)
    visitor = Visitor()
    answerer, _ = at(visitor)
    async with online(answerer) as other:
        async with online(answerer) as agent:
            await visited(agent)
            visitor.decided = anyio.Event()
            # Another agent has the person's ear.
            await other.create(URL_QUESTION | S1)
        assert visitor.log == [*OPEN, "left", "consent"]
        # And nothing of the connection is left behind.
        assert not [one for one in asyncio.all_tasks() if "Pages." in repr(one.get_coro())]


async def test_the_wait_steps_back_for_a_question() -> None:
    visitor = Visitor()
    async with online(at(visitor)[0]) as agent:
        await visited(agent)
        assert (await agent.asked(QUESTION | S1))["action"] == "accept"
        await settled()
        assert visitor.log == [*OPEN, "left", "fill Who are you?", "wait"]

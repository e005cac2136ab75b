"""The answerer as a bare callback of the SDK: what it keeps, and what it cannot."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import ElicitRequestFormParams, ErrorData

from elicitkit.answering import Answerer
from elicitkit.answering.audit import AuditLog
from elicitkit.core.model import Accept, Decline, Origin
from elicitkit.mcp import elicitation_callback
from tests.mcp import asking_server
from tests.mcp.client_peer import (
    CAPABILITIES_KEY,
    DONE,
    QUESTION,
    Peer,
    Wire,
    asked,
    wired,
)
from tests.mcp.desk import Desk
from tests.mcp.url_desk import Visitor, at

pytestmark = pytest.mark.anyio

ANN = {"action": "accept", "content": {"name": "Ann"}}
MODERN = "2026-07-28"
URL = {"mode": "url", "message": "m", "url": "https://x.example"}
LIVE_URL = URL | {"elicitationId": "1"}
NESTED = QUESTION | {"requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}}}


async def play(
    answerer: Answerer, script: Callable[[Peer], Any], mode: str = "legacy"
) -> tuple[list[Wire], Any]:
    """What the server got, and how the call ended."""
    got: list[Wire] = []
    with anyio.fail_after(5):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            if mode == "legacy":
                tasks.start_soon(peer.shake_hands, "2025-11-25")
            callback = elicitation_callback(answerer, name="mine")
            async with Client(transport, mode=mode, elicitation_callback=callback) as client:

                async def serve() -> None:
                    got.append(await script(peer))

                tasks.start_soon(serve)
                try:
                    ended = await client.call_tool("book")
                except MCPError as error:
                    ended = error
                await anyio.wait_all_tasks_blocked()
                tasks.cancel_scope.cancel()
    return got, ended


def live(params: Wire) -> Callable[[Peer], Any]:
    async def script(peer: Peer) -> Wire:
        call = await peer.receive("tools/call")
        answer = await peer.ask(params)
        await peer.reply(call, DONE)
        return answer

    return script


def in_a_round(params: Wire) -> Callable[[Peer], Any]:
    async def script(peer: Peer) -> Wire:
        result = asked("k")
        result["inputRequests"]["k"]["params"] = params
        await peer.reply(await peer.receive("tools/call"), result)
        retry = await peer.receive("tools/call")
        await peer.reply(retry, DONE | {"resultType": "complete"})
        return retry["params"]

    return script


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_a_client_with_the_callback_answers_a_real_server(mode: str) -> None:
    callback = elicitation_callback(Answerer.scripted([ANN]), name="mine")
    with anyio.fail_after(10):
        async with Client(asking_server.server, mode=mode, elicitation_callback=callback) as client:
            result = await client.call_tool("greet")
    assert result.content[0].text == "Hello Ann"


@pytest.mark.requirement("G12")
async def test_the_person_sees_their_own_name_and_not_which_call_asks() -> None:
    class Seen(Desk):
        async def fill(self, form: Any, origin: Origin, turn: Any = None) -> Any:
            self.answer(self._response)
            return await super().fill(form, origin, turn)

    desk = Seen()
    await play(Answerer(desk), live(QUESTION))
    assert desk.seen[0][1] == Origin(label="mine", claimed="claims to be you", request=None)


@pytest.mark.requirement("M32")
async def test_url_mode_which_the_sdk_declares_is_refused_live_and_cancelled_in_a_round() -> None:
    desk = Desk()
    got, _ = await play(Answerer(desk), live(LIVE_URL))
    assert got[0]["error"]["code"] == -32602
    assert got[0]["error"]["data"] == {"supportedModes": ["form"]}
    got, _ = await play(Answerer(desk), in_a_round(URL), MODERN)
    assert got[0]["inputResponses"] == {"k": {"action": "cancel"}}
    assert desk.seen == []


@pytest.mark.requirement("M06", "M54", "G46")
async def test_a_url_is_opened_once_the_person_consents_and_nobody_watches_the_page() -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    got, ended = await play(answerer, live(LIVE_URL))
    assert got[0]["result"] == {"action": "accept"}
    assert got[0]["result"].keys() == {"action"}
    assert browser.opened == ["https://x.example/"]
    assert ended.is_error
    got, _ = await play(answerer, in_a_round(URL), MODERN)
    assert got[0]["inputResponses"] == {"k": {"action": "accept"}}
    assert visitor.log == ["consent", "open"] * 2


@pytest.mark.requirement("M46")
async def test_a_url_that_is_declined_or_must_not_be_opened_is_not_opened() -> None:
    visitor = Visitor(Decline(), Accept())
    answerer, browser = at(visitor)
    got, _ = await play(answerer, live(LIVE_URL))
    assert got[0]["result"] == {"action": "decline"}
    got, _ = await play(answerer, live(LIVE_URL | {"url": "https://a@b.example/"}))
    assert got[0]["result"] == {"action": "cancel"}
    assert browser.opened == []


@pytest.mark.requirement("G27")
async def test_a_form_that_cannot_be_shown_is_an_error_live_and_ends_the_call_in_a_round() -> None:
    desk = Desk()
    got, _ = await play(Answerer(desk), live(NESTED))
    assert got[0]["error"]["code"] == -32602
    got, ended = await play(Answerer(desk), in_a_round(NESTED), MODERN)
    assert isinstance(ended, MCPError)
    assert ended.error.code == -32602
    assert (got, desk.seen) == ([], [])


async def test_a_surface_that_fails_tells_the_server_no_more_than_cancel() -> None:
    class Broken(Desk):
        async def fill(self, form: Any, origin: Origin, turn: Any = None) -> Any:
            raise RuntimeError("the secret was 42")

    got, _ = await play(Answerer(Broken()), live(QUESTION))
    assert got[0]["result"] == {"action": "cancel"}


async def test_what_came_is_in_the_audit_log(tmp_path: Any) -> None:
    file = tmp_path / "audit.jsonl"
    answerer = Answerer.scripted([ANN], audit=AuditLog(file))
    await play(answerer, live(QUESTION))
    await play(answerer, live(LIVE_URL))
    kept = re.findall(r'"dialect": "(.*?)".*"outcome": "(.*?)"', file.read_text("utf-8"))
    assert kept == [("mcp-2025-11-25", "accept"), ("mcp-2025-11-25", "refused")]


async def test_a_revision_without_elicitation_has_no_question() -> None:
    desk = Desk()
    session = SimpleNamespace(protocol_version="2025-03-26")
    context: Any = SimpleNamespace(session=session, request_id=1, meta=None)
    params = ElicitRequestFormParams(message="m", requested_schema=QUESTION["requestedSchema"])
    answer = await elicitation_callback(Answerer(desk), name="mine")(context, params)
    assert isinstance(answer, ErrorData)
    assert answer.code == -32602
    assert desk.seen == []


# What a callback cannot do: each is a divergence in the manifest. These tests fail when the
# SDK changes, so that the manifest does not outlive its reasons.


async def test_the_sdk_declares_both_modes_for_a_callback() -> None:
    async def script(peer: Peer) -> Wire:
        call = await peer.receive("tools/call")
        await peer.reply(call, DONE | {"resultType": "complete"})
        return call["params"]["_meta"][CAPABILITIES_KEY]["elicitation"]

    got, _ = await play(Answerer(Desk(attended=False)), script, MODERN)
    assert got == [{"form": {}, "url": {}}]


async def test_a_question_that_belongs_to_no_request_is_shown() -> None:
    answers: list[Wire] = []
    with anyio.fail_after(5):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            callback = elicitation_callback(Answerer.scripted([ANN]), name="mine")
            tasks.start_soon(peer.shake_hands, "2025-11-25")
            async with Client(transport, mode="legacy", elicitation_callback=callback):
                answers.append(await peer.ask(QUESTION))
    assert answers[0]["result"] == ANN


async def test_a_url_that_comes_again_in_a_later_round_is_asked_for_again() -> None:
    visitor = Visitor(Accept())

    async def script(peer: Peer) -> Wire:
        for _ in range(2):
            result = asked("k")
            result["inputRequests"]["k"]["params"] = URL
            await peer.reply(await peer.receive("tools/call"), result)
        await peer.reply(await peer.receive("tools/call"), DONE | {"resultType": "complete"})
        return {}

    await play(at(visitor)[0], script, MODERN)
    assert visitor.log == ["consent", "open"] * 2


async def test_an_error_that_lists_pages_goes_to_the_caller() -> None:
    visitor = Visitor()

    async def script(peer: Peer) -> Wire:
        call = await peer.receive("tools/call")
        error = {"code": -32042, "message": "m", "data": {"elicitations": [LIVE_URL]}}
        await peer.send(id=call["id"], error=error)
        return {}

    _, ended = await play(at(visitor)[0], script)
    assert isinstance(ended, MCPError)
    assert ended.error.code == -32042
    assert visitor.log == []


async def test_the_time_of_a_person_is_charged_to_the_call() -> None:
    callback = elicitation_callback(Answerer(Desk()), name="mine")
    with anyio.fail_after(5):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            tasks.start_soon(peer.shake_hands, "2025-11-25")
            async with Client(
                transport, mode="legacy", elicitation_callback=callback, read_timeout_seconds=0.2
            ) as client:

                async def ask() -> None:
                    await peer.receive("tools/call")
                    await peer.ask(QUESTION)

                tasks.start_soon(ask)
                with pytest.raises(MCPError) as caught:
                    await client.call_tool("book")
                tasks.cancel_scope.cancel()
    assert caught.value.error.code == -32001


async def test_a_bad_entry_of_a_round_takes_another_off_the_screen() -> None:
    desk = Desk()

    async def script(peer: Peer) -> Wire:
        result = asked("good", "bad")
        result["inputRequests"]["bad"]["params"] = NESTED
        await peer.reply(await peer.receive("tools/call"), result)
        return {}

    _, ended = await play(Answerer(desk), script, MODERN)
    assert isinstance(ended, MCPError)
    assert (len(desk.seen), desk.withdrawn) == (1, 1)

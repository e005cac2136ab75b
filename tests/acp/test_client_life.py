"""What a question belongs to, what ends it, and how often it is answered."""

from __future__ import annotations

from typing import Any

import pytest
from acp import RequestError
from acp._transport import memory_transport_pair

from elicitkit.acp.owners import Owners
from elicitkit.answering import Answerer
from elicitkit.core.dialects import ACP_V2, Dialect
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Accept, RequestScope, SessionScope
from elicitkit.terminal import Terminal
from tests.acp.client_rig import (
    ANN,
    CANCEL,
    QUESTION,
    S1,
    VERSIONS,
    Agent,
    online,
    settled,
    unmet,
)
from tests.acp.rig import Wire
from tests.answering.surfaces import Screen
from tests.terminal.person import seated

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("dialect", VERSIONS, ids=["v1", "v2"])
NAME = Accept({"name": "Ann"})


async def refused(agent: Agent, scope: Wire) -> str:
    """The sentence with which a question of this scope is refused."""
    error = await agent.asked(QUESTION | scope)
    assert error["code"] == -32602
    return error["message"]


# Scopes.


@both
@pytest.mark.requirement("A14")
async def test_a_session_that_this_client_did_not_open_may_not_ask(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        assert "no session of this connection" in await refused(agent, {"sessionId": "s2"})
    assert screen.shown == []


@both
@pytest.mark.parametrize("method", ["session/load", "session/resume"])
@pytest.mark.requirement("A14")
async def test_a_session_may_ask_from_the_moment_it_is_loaded(
    dialect: Dialect, method: str
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        task, load = await agent.call(method, {"sessionId": "old", "cwd": "/"})
        id_ = await agent.create(QUESTION | {"sessionId": "old"})
        screen.shown[0].decide(NAME)
        assert (await agent.hear())["id"] == id_
        await agent.answer(load, {})
        await task
        id_ = await agent.create(QUESTION | {"sessionId": "old"})
        screen.shown[1].decide(NAME)
        assert (await agent.hear())["id"] == id_


async def test_a_session_that_could_not_be_loaded_may_not_ask() -> None:
    async with online(Answerer(Screen())) as agent:
        for session, may in (("old", False), ("s1", True)):
            task, load = await agent.call("session/load", {"sessionId": session})
            error = {"code": -32002, "message": "no"}
            await agent.say({"jsonrpc": "2.0", "id": load["id"], "error": error})
            with pytest.raises(RequestError):
                await task
            id_ = await agent.create(QUESTION | {"sessionId": session})
            if not may:
                assert (await agent.hear())["error"]["code"] == -32602
            else:
                await agent.tell("$/cancel_request", {"requestId": id_})
                assert (await agent.hear())["error"]["code"] == -32800


async def test_a_forked_session_may_ask_and_a_closed_one_may_not() -> None:
    screen = Screen()
    async with online(Answerer(screen), ACP_V2) as agent:
        task, fork = await agent.call("session/fork", S1)
        await agent.answer(fork, {"sessionId": "s2"})
        await task
        id_ = await agent.create(QUESTION | {"sessionId": "s2"})
        task, close = await agent.call("session/close", {"sessionId": "s2"})
        await agent.answer(close, {})
        answer = await agent.hear()
        assert (answer["id"], answer["result"]) == (id_, CANCEL)
        await task
        assert "no session" in await refused(agent, {"sessionId": "s2"})


@both
@pytest.mark.requirement("A14")
async def test_a_question_may_belong_to_a_request_of_ours_that_is_open(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect, session=False) as agent:
        task, new = await agent.call("session/new")
        id_ = await agent.create(QUESTION | {"requestId": new["id"]})
        screen.shown[0].decide(NAME)
        answer = await agent.hear()
        assert (answer["id"], answer["result"]) == (id_, ANN)
        for other in (new["id"] + 1, str(new["id"]), 10**30, "x"):
            assert "no request" in await refused(agent, {"requestId": other})
        await agent.answer(new, {"sessionId": "s1"})
        await task
        assert "no request" in await refused(agent, {"requestId": new["id"]})


@pytest.mark.requirement("A14")
async def test_the_handshake_is_a_request_like_any_other() -> None:
    screen = Screen()
    async with unmet(Answerer(screen)) as agent:
        _, hello = await agent.call("initialize", {"protocolVersion": 1})
        await agent.create(QUESTION | {"requestId": hello["id"]})
        assert len(screen.shown) == 1


@both
@pytest.mark.requirement("G19")
async def test_of_two_scopes_the_session_counts(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.create(QUESTION | S1 | {"requestId": 99})
        assert len(screen.shown) == 1
    async with online(Answerer(Screen()), ACP_V2, strict_v2=True) as agent:
        assert "both scopes" in await refused(agent, S1 | {"requestId": 99})


@both
@pytest.mark.requirement("G20")
async def test_a_request_of_no_name_is_any_of_ours_that_is_open(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        assert "no request" in await refused(agent, {"requestId": None})
        task, first = await agent.call("session/new")
        other, second = await agent.call("session/new")
        id_ = await agent.create(QUESTION | {"requestId": None})
        assert len(screen.shown) == 1
        await agent.answer(first, {"sessionId": "s2"})
        await task
        assert screen.open is not None
        await agent.answer(second, {"sessionId": "s3"})
        await other
        answer = await agent.hear()
        assert (answer["id"], answer["result"]) == (id_, CANCEL)
    async with online(Answerer(Screen()), ACP_V2, strict_v2=True) as agent:
        await agent.call("session/new")
        assert "scope" in await refused(agent, {"requestId": None})


# What ends a question.


@both
@pytest.mark.requirement("A64")
async def test_a_question_that_the_agent_takes_back_leaves_the_screen_and_is_answered(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        id_ = await agent.create(QUESTION | S1)
        waiting = await agent.create(QUESTION | S1)
        for cancelled, left in ((waiting, 1), (id_, 0)):
            await agent.tell("$/cancel_request", {"requestId": cancelled})
            answer = await agent.hear()
            assert answer["id"] == cancelled
            assert answer["error"]["code"] == -32800
            assert (screen.open is not None) == bool(left)
        assert len(screen.shown) == 1
        await agent.hear_nothing()


@both
@pytest.mark.requirement("G14")
@pytest.mark.case("199-acp-session-cancel-cancels-form")
async def test_cancelling_the_turn_answers_its_questions_with_cancel(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.open_session("s2")
        _, prompt = await agent.prompted()
        if dialect is ACP_V2:
            await agent.answer(prompt, {"messageId": "m"})
        ids = [await agent.create(QUESTION | S1) for _ in range(2)]
        other = await agent.create(QUESTION | {"sessionId": "s2"})
        await agent.client.notify("session/cancel", {"sessionId": "s1"})
        heard = [await agent.hear() for _ in range(3)]
        assert heard[0]["method"] == "session/cancel"
        assert {one["id"]: one["result"] for one in heard[1:]} == dict.fromkeys(ids, CANCEL)
        await settled()
        screen.shown[-1].decide(NAME)
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": other, "result": ANN}


@both
@pytest.mark.case("202-acp-late-answer-after-new-prompt")
async def test_a_question_does_not_outlive_its_turn(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        _, first = await agent.prompted()
        id_ = await agent.create(QUESTION | S1)
        late = screen.shown[0]
        await agent.end_turn(first, "cancelled")
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}
        assert screen.open is None
        _, second = await agent.prompted()
        late.decide(NAME)
        await agent.hear_nothing()
        id_ = await agent.create(QUESTION | S1)
        screen.shown[1].decide(NAME)
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": ANN}
        await agent.end_turn(second)


async def test_on_v2_a_prompt_that_was_taken_goes_on_until_the_session_is_idle() -> None:
    screen = Screen()
    async with online(Answerer(screen), ACP_V2) as agent:
        task, prompt = await agent.prompted()
        await agent.answer(prompt, {"messageId": "m"})
        await task
        id_ = await agent.create(QUESTION | S1)
        for state in ("running", "requires_action"):
            await agent.update({"sessionUpdate": "state_update", "state": state})
        await agent.update({"sessionUpdate": "state_update", "state": "idle"}, session="s9")
        assert screen.open is not None
        await agent.update({"sessionUpdate": "state_update", "state": "idle"})
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}


async def test_on_v2_work_that_ends_does_not_end_a_prompt_that_waits_for_its_turn() -> None:
    screen = Screen()
    idle = {"sessionUpdate": "state_update", "state": "idle"}
    async with online(Answerer(screen), ACP_V2) as agent:
        task, prompt = await agent.prompted()
        await agent.update(idle)
        await agent.answer(prompt, {"messageId": "m"})
        await task
        id_ = await agent.create(QUESTION | S1)
        await agent.update(idle)
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}


@both
async def test_a_prompt_that_fails_ends_its_questions(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        task, prompt = await agent.prompted()
        id_ = await agent.create(QUESTION | S1)
        error = {"code": -32603, "message": "no"}
        await agent.say({"jsonrpc": "2.0", "id": prompt["id"], "error": error})
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}
        with pytest.raises(RequestError):
            await task


async def test_between_two_turns_a_question_stays_until_the_last_of_them_ends() -> None:
    screen = Screen()
    async with online(Answerer(screen)) as agent:
        _, first = await agent.prompted()
        _, second = await agent.prompted()
        id_ = await agent.create(QUESTION | S1)
        await agent.end_turn(first)
        assert screen.open is not None
        await agent.end_turn(second)
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}


@both
async def test_a_question_of_an_idle_session_stays_while_others_take_turns(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.open_session("s2")
        id_ = await agent.create(QUESTION | S1)
        _, prompt = await agent.prompted("s2")
        await agent.end_turn(prompt)
        screen.shown[0].decide(NAME)
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": ANN}


@both
async def test_a_question_does_not_outlive_the_request_it_came_in(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        task, new = await agent.call("session/new")
        id_ = await agent.create(QUESTION | {"requestId": new["id"]})
        await agent.answer(new, {"sessionId": "s2"})
        await task
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}
        assert screen.open is None


@both
@pytest.mark.requirement("G15")
@pytest.mark.case("112-disconnect-clears-forms")
async def test_a_connection_that_ends_takes_its_questions_off_the_screen(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.create(QUESTION | S1)
        assert screen.open is not None
        await agent.hang_up()
        await settled()
        assert screen.open is None
        assert agent.tasks


@both
@pytest.mark.case("200-acp-view-closed")
async def test_a_client_that_cancels_as_its_view_closes_leaves_no_agent_waiting(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        id_ = await agent.create(QUESTION | S1)
        await agent.client.notify("session/cancel", S1)
        assert (await agent.hear())["method"] == "session/cancel"
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}
        assert screen.open is None


@both
@pytest.mark.case("110-single-terminal-outcome")
async def test_a_question_is_answered_exactly_once(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        _, prompt = await agent.prompted()
        id_ = await agent.create(QUESTION | S1)
        screen.shown[0].decide(NAME)
        # The person, the agent and the turn end it at the same moment.
        await agent.tell("$/cancel_request", {"requestId": id_})
        await agent.end_turn(prompt)
        first = await agent.hear()
        assert first["id"] == id_
        await agent.hear_nothing()


@both
@pytest.mark.case("109-late-answer-reported")
async def test_a_person_whose_answer_comes_too_late_is_told(dialect: Dialect) -> None:
    with seated() as person:
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="plain")
        async with online(Answerer(terminal), dialect) as agent:
            task, new = await agent.call("session/new")
            await agent.ask("q", "elicitation/create", QUESTION | {"requestId": new["id"]})
            await person.prompted()
            person.type("Ann")
            await agent.answer(new, {"sessionId": "s2"})
            assert (await agent.hear())["result"] == CANCEL
            await person.see("It was not delivered: nothing was sent.")
            await task


@both
@pytest.mark.case("115-same-id-two-connections")
async def test_the_same_id_on_two_connections_is_two_questions(dialect: Dialect) -> None:
    x, y = Screen(), Screen()
    async with online(Answerer(x), dialect) as agent_x, online(Answerer(y), dialect) as agent_y:
        await agent_x.create(QUESTION | S1, id_=1)
        await agent_y.create(QUESTION | S1, id_=1)
        y.shown[0].decide(NAME)
        assert (await agent_y.hear()) == {"jsonrpc": "2.0", "id": 1, "result": ANN}
        await agent_x.hear_nothing()
        assert x.open is not None


async def test_an_answer_that_is_sent_just_as_the_turn_is_cancelled_is_not_delivered() -> None:
    screen = Screen()
    async with online(Answerer(screen)) as agent:
        id_ = await agent.create(QUESTION | S1)
        screen.shown[0].decide(NAME)
        await agent.client.notify("session/cancel", S1)
        assert (await agent.hear())["method"] == "session/cancel"
        assert (await agent.hear()) == {"jsonrpc": "2.0", "id": id_, "result": CANCEL}


# What an agent says of its sessions.


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"sessionId": 5},
        {"sessionId": "s1"},
        {"sessionId": "s1", "update": 5},
        {"sessionId": "s1", "update": {"toolCallId": 5, "title": 5}},
        {"sessionId": "s9", "update": {"toolCallId": "t", "title": "x"}},
    ],
)
async def test_an_update_that_says_nothing_changes_nothing(params: Any) -> None:
    screen = Screen()
    async with online(Answerer(screen)) as agent:
        await agent.tell("session/update", params)
        await agent.create(QUESTION | S1 | {"toolCallId": "t"})
        assert screen.shown[0].origin.request is None


def test_of_the_titles_of_a_session_the_last_ones_are_remembered() -> None:
    owners = Owners()
    owners.sent({"id": 0, "method": "session/prompt", "params": S1})
    for number in range(300):
        update = {"toolCallId": f"t{number}", "title": "x" * 1000}
        owners.updated({"sessionId": "s1", "update": update})
    titles = [owners.title("s1", f"t{number}") for number in range(300)]
    assert titles == [None] * 44 + ["x" * 300] * 256
    assert owners.title("s2", "t299") is None
    assert owners.title(5, "t299") is None


def test_after_the_end_nothing_is_ours() -> None:
    owners = Owners()
    owners.sent({"id": 0, "method": "session/prompt", "params": S1})
    owners.end()
    for scope in (SessionScope(session_id="s1"), RequestScope(request_id=0)):
        with pytest.raises(InvalidRequest):
            owners.find(scope)
    # An answer that still comes is to nothing.
    owners.answered({"id": 0, "method": "session/prompt", "params": S1}, {"result": {}})


@pytest.mark.parametrize("answer", [{"result": {"stopReason": "end_turn"}}, {"result": {}}])
def test_what_is_answered_after_its_session_was_closed_changes_nothing(answer: Wire) -> None:
    owners = Owners()
    prompt, close, again = (
        {"id": number, "method": method, "params": S1}
        for number, method in enumerate(("session/prompt", "session/close", "session/load"))
    )
    for message in (prompt, close):
        owners.sent(message)
    owners.answered(close, {"result": {}})
    owners.sent(again)
    ended: list[bool] = []
    with owners.find(SessionScope(session_id="s1")).attached(lambda: ended.append(True)):
        owners.answered(prompt, answer)
        assert ended == []
        owners.sent(close)
        owners.answered(close, {"result": {}})
        assert ended == [True]
        owners.answered(close, {"result": {}})
        assert ended == [True]


async def test_updates_are_heard_in_their_order_before_the_answer() -> None:
    heard: list[Any] = []
    async with online(Answerer(Screen()), on_update=lambda one: heard.append(one["n"])) as agent:
        task, prompt = await agent.prompted()
        for number in range(3):
            await agent.tell("session/update", {"n": number})
        await agent.tell("session/update", [])
        await agent.answer(prompt, {"stopReason": "end_turn"})
        await task
        assert heard == [0, 1, 2]


async def test_a_transport_is_no_command() -> None:
    from elicitkit.acp import connect
    from elicitkit.core.errors import UsageError

    for target, options in ((memory_transport_pair()[0], {"cwd": "/"}), ("agent", {}), ([], {})):
        with pytest.raises(UsageError):
            async with connect(target, name="a", answerer=Answerer(Screen()), **options):  # type: ignore[call-overload]
                pass

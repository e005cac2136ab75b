"""Permission for a tool call, asked as a question with one choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from acp import RequestError

from elicitkit.answering import Answerer, Limits, Scripted
from elicitkit.answering.audit import AuditLog
from elicitkit.core.dialects import ACP_V1, ACP_V2, Dialect
from elicitkit.core.fields import ChoiceField
from elicitkit.core.model import Accept, Cancel, Decline, Response
from tests.acp.client_rig import S1, VERSIONS, Agent, online, sdk_online, settled
from tests.acp.rig import Wire
from tests.answering.surfaces import Screen

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("dialect", VERSIONS, ids=["v1", "v2"])
OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
    {"optionId": "no", "name": "Not this time", "kind": "reject_once"},
    {"optionId": "later", "name": "Not now", "kind": "reject_once"},
]
V1 = {"toolCall": {"toolCallId": "t1", "title": "Delete build/"}, "options": OPTIONS}
V2 = {"title": "Delete build/", "description": "All of it.", "options": OPTIONS}
PERMISSION = {ACP_V1.name: V1 | S1, ACP_V2.name: V2 | S1}
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def selected(option: str) -> Wire:
    return {"outcome": {"outcome": "selected", "optionId": option}}


async def permitted(agent: Agent, params: Any) -> Wire:
    await agent.ask("p", "session/request_permission", params)
    answer = await agent.hear()
    assert answer["id"] == "p"
    return answer["result"] if "result" in answer else answer["error"]


@both
@pytest.mark.parametrize(
    ("response", "result"),
    [
        (Accept({"option": "yes"}), selected("yes")),
        (Accept({"option": "never"}), selected("never")),
        (Accept({"option": "made up"}), CANCELLED),
        (Decline(), selected("no")),
        (Cancel("dismissed"), CANCELLED),
    ],
)
async def test_the_option_is_the_persons(
    dialect: Dialect, response: Response, result: Wire
) -> None:
    async def person(_: Any) -> Response:
        return response

    async with online(Answerer(Screen(person)), dialect) as agent:
        assert await permitted(agent, PERMISSION[dialect.name]) == result


async def test_a_no_is_a_cancel_where_no_option_says_it() -> None:
    async def person(_: Any) -> Response:
        return Decline()

    async with online(Answerer(Screen(person))) as agent:
        assert await permitted(agent, S1 | V1 | {"options": OPTIONS[:2]}) == CANCELLED


@both
async def test_the_person_sees_who_asks_what_and_every_option(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.ask("p", "session/request_permission", PERMISSION[dialect.name])
        await settled()
        (shown,) = screen.shown
        assert shown.origin.label == "mine"
        said = "Delete build/" if dialect is ACP_V1 else "Delete build/\n\nAll of it."
        assert shown.form.message == said
        (field,) = shown.form.schema.fields
        assert isinstance(field, ChoiceField)
        assert (field.name, field.title, field.required) == ("option", "Do you allow this?", True)
        assert [(one.const, one.title) for one in field.options] == [
            (one["optionId"], one["name"]) for one in OPTIONS
        ]


@pytest.mark.parametrize(("told", "said"), [({}, "t1"), ({"title": "Run tests"}, "Run tests")])
async def test_a_tool_call_without_a_title_is_called_as_it_was_before(
    told: Wire, said: str
) -> None:
    screen = Screen()
    async with online(Answerer(screen)) as agent:
        await agent.update({"sessionUpdate": "tool_call", "toolCallId": "t1", **told})
        request = S1 | {"toolCall": {"toolCallId": "t1"}, "options": OPTIONS}
        await agent.ask("p", "session/request_permission", request)
        await settled()
        assert screen.shown[0].form.message == said


@both
@pytest.mark.requirement("G14")
async def test_cancelling_the_turn_answers_as_the_protocol_demands(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.prompted()
        await agent.ask("p", "session/request_permission", PERMISSION[dialect.name])
        await settled()
        await agent.client.notify("session/cancel", S1)
        assert (await agent.hear())["method"] == "session/cancel"
        assert await agent.hear() == {"jsonrpc": "2.0", "id": "p", "result": CANCELLED}
        assert screen.open is None


@both
@pytest.mark.requirement("A64")
async def test_an_agent_may_take_it_back(dialect: Dialect) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.ask("p", "session/request_permission", PERMISSION[dialect.name])
        await settled()
        await agent.tell("$/cancel_request", {"requestId": "p"})
        assert (await agent.hear())["error"]["code"] == -32800
        assert screen.open is None


@both
async def test_where_nobody_can_be_asked_nothing_is_allowed(dialect: Dialect) -> None:
    class Nobody(Screen):
        modes = frozenset()

    async with online(Answerer(Nobody()), dialect) as agent:
        assert await permitted(agent, PERMISSION[dialect.name]) == CANCELLED


@pytest.mark.parametrize(
    "change",
    [
        {"sessionId": "s2"},
        {"sessionId": None},
        {"options": []},
        {"options": None},
        {"options": [5]},
        {"options": [{"optionId": "x"}]},
        {"options": [{"name": "x"}]},
        {"options": [OPTIONS[0], OPTIONS[0]]},
        {"options": [{"optionId": str(n), "name": "x"} for n in range(9)]},
        {"_meta": {"x": "y" * 2000}},
    ],
)
async def test_a_request_that_cannot_be_shown_is_refused(change: Wire) -> None:
    screen = Screen()
    async with online(Answerer(screen, limits=Limits(options=8, request=1500))) as agent:
        for params in (V1 | S1 | change, None, []):
            assert (await permitted(agent, params))["code"] == -32602
    assert screen.shown == []


@both
async def test_nothing_of_the_machine_is_served(dialect: Dialect) -> None:
    async with online(Answerer(Screen()), dialect) as agent:
        for method in ("fs/read_text_file", "fs/write_text_file", "terminal/create", "_own"):
            await agent.ask("f", method, S1 | {"path": "/etc/passwd", "command": "id"})
            assert (await agent.hear())["error"]["code"] == -32601


async def test_the_sdks_connection_serves_the_same_where_there_is_no_client() -> None:
    answerer = Answerer(Scripted([{"action": "accept", "content": {"option": "yes"}}]))
    async with sdk_online(answerer) as (connection, agent):
        new = agent.start(connection.new_session(cwd="/"))
        await agent.answer(await agent.hear(), {"sessionId": "s1"})
        await new
        assert await permitted(agent, V1 | S1) == selected("yes")
        for method in ("fs/read_text_file", "terminal/create"):
            await agent.ask("f", method, S1)
            assert (await agent.hear())["error"]["code"] == -32601


async def test_a_client_of_ones_own_serves_its_own() -> None:
    class Mine:
        async def request_permission(self, **_: Any) -> Wire:
            return CANCELLED

        async def read_text_file(self, path: str, **_: Any) -> Wire:
            return {"content": path}

    async with sdk_online(Answerer(Screen()), client=Mine()) as (_, agent):
        assert await permitted(agent, V1 | S1) == CANCELLED
        await agent.ask("f", "fs/read_text_file", S1 | {"path": "/a"})
        assert (await agent.hear())["result"] == {"content": "/a"}


async def test_a_handler_of_ones_own_serves_its_own() -> None:
    async def mine(method: str, params: Any, is_notification: bool) -> Any:
        if method != "_mine":
            raise RequestError.method_not_found(method)
        return {"got": params}

    async with online(Answerer(Screen()), ACP_V2, handler=mine) as agent:
        await agent.ask("m", "_mine", {"a": 1})
        assert (await agent.hear())["result"] == {"got": {"a": 1}}
        assert (await permitted(agent, V2 | S1))["code"] == -32601


async def test_the_audit_keeps_what_was_chosen_between(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    answers = [{"action": "accept", "content": {"option": "yes"}}]
    async with online(Answerer(Scripted(answers), audit=log)) as agent:
        await permitted(agent, V1 | S1)
    assert '"option"' in (tmp_path / "audit.jsonl").read_text("utf-8")

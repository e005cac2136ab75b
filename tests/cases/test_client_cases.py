"""Reports about the answering side, replayed by a client against a server made of bare messages."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Pace, Scripted
from elicitkit.core.dialects import Dialect
from elicitkit.core.fields import ChoicesField
from elicitkit.core.model import Accept, Cancel, FormRequest, Origin, Request, Response
from elicitkit.core.ports import Turn
from tests.answering.surfaces import Screen, Shown
from tests.cases.raw_server import asker, at_a_terminal, raw_server
from tests.cases.replay import Case, load, replays
from tests.mcp.client_peer import QUESTION, Wire
from tests.mcp.desk import Desk

pytestmark = pytest.mark.anyio
SEND = (":review", "s")
CANCEL = {"action": "cancel"}
BLOCKED = {
    "044-required-boolean-no-default-untouched": "Nothing was sent. Type yes or no.",
    "058-empty-required-text": "An answer is needed",
}


def mcp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their MCP dialects."""
    return replays(map(load, ids), protocol="mcp")


def question(case: Case) -> Wire:
    return {"message": "m", "requestedSchema": case.given["requestedSchema"]}


# Reading what a server asks.


@mcp(
    "025-dollar-schema-and-title-top-level",
    "028-title-missing-is-fine",
    "037-multi-items-oneof-tolerated",
)
async def test_a_schema_is_read_with_all_that_a_server_may_add(
    case: Case, dialect: Dialect
) -> None:
    surface = Scripted([{"action": "cancel"}])
    async with asker(Answerer(surface), dialect) as server:
        assert await server.ask(question(case)) == CANCEL
    (form,) = surface.asked
    fields = {field.name: field for field in form.schema.fields}
    if "fields" in case.expect:
        assert list(fields) == case.expect["fields"]
    for name, label in case.expect.get("label", {}).items():
        assert fields[name].label == label
    for name, options in case.expect.get("options", {}).items():
        field = fields[name]
        assert isinstance(field, ChoicesField)
        assert [[one.const, one.title] for one in field.options] == options


@pytest.mark.requirement("G27")
@mcp("029-malformed-keyword-value", "031-nested-object-from-server")
async def test_a_schema_outside_the_subset_is_refused_and_not_shown(
    case: Case, dialect: Dialect
) -> None:
    allowed = case.expect.get("any_of", [case.expect])
    desk = Desk()
    async with asker(Answerer(desk), dialect) as server:
        answer = await server.ask(question(case))
    assert answer in allowed
    assert desk.seen == []


@pytest.mark.requirement("M32")
@mcp("085-url-sent-to-form-only-client")
async def test_a_mode_that_was_not_declared_is_refused(case: Case, dialect: Dialect) -> None:
    desk = Desk()
    async with asker(Answerer(desk), dialect) as server:
        assert (await server.declared())["elicitation"] == case.given["declared"]
        answer = await server.ask(case.given["request"])
    assert answer == {"error_code": case.expect["error_code"]}
    assert desk.seen == []


@pytest.mark.requirement("M13")
@mcp("091-mode-missing")
async def test_a_question_without_a_mode_is_a_form(case: Case, dialect: Dialect) -> None:
    surface = Scripted([{"action": "cancel"}])
    async with asker(Answerer(surface), dialect) as server:
        await server.ask(case.given["request"])
    assert [form.mode for form in surface.asked] == [case.expect["treated_as"]]


# Declaring.


@pytest.mark.requirement("M10")
@mcp("088-form-only-handler-declares-form-only")
async def test_what_is_declared_is_what_can_be_shown(case: Case, dialect: Dialect) -> None:
    async with asker(Answerer(Desk()), dialect) as server:
        assert (await server.declared())["elicitation"] == case.expect["declared"]


@pytest.mark.requirement("M10")
@mcp("094-headless-does-not-declare")
async def test_without_a_person_nothing_is_declared(case: Case, dialect: Dialect) -> None:
    answerer = Answerer(Desk(attended=case.given["interactive"]))
    async with asker(answerer, dialect) as server:
        declared = await server.declared()
    assert ("elicitation" in declared) == case.expect["capabilities_contain"]


# What a person types.


@mcp(
    "043-required-boolean-default-true",
    "046-default-null-ignored",
    "059-untouched-optional-boolean-omitted",
)
async def test_a_form_sent_untouched_sends_its_defaults_and_nothing_else(
    case: Case, dialect: Dialect
) -> None:
    sitting = await at_a_terminal(dialect, question(case), *SEND)
    assert sitting.answer == case.expect["response"]
    for text in case.expect.get("never_text", []):
        assert text not in sitting.seen


@mcp("044-required-boolean-no-default-untouched", "058-empty-required-text")
async def test_a_required_field_without_an_answer_blocks(case: Case, dialect: Dialect) -> None:
    sitting = await at_a_terminal(dialect, question(case), "", "s")
    assert sitting.answer == CANCEL  # the Ctrl-D; nothing was accepted before it
    assert BLOCKED[case.id] in sitting.seen


@mcp("049-int-text-with-junk")
async def test_text_that_is_no_number_blocks(case: Case, dialect: Dialect) -> None:
    (text,) = case.given["user_input"].values()
    sitting = await at_a_terminal(dialect, question(case), text, *SEND)
    assert sitting.answer == CANCEL
    assert f"{case.expect['blocked']}: " in sitting.seen


@mcp("056-non-finite-number")
async def test_a_number_that_json_cannot_say_blocks(case: Case, dialect: Dialect) -> None:
    texts = [next(iter(one.values())) for one in case.given["user_inputs"]]
    sitting = await at_a_terminal(dialect, question(case), *texts, *SEND)
    assert sitting.answer == CANCEL
    assert f"{case.expect['blocked_each']}: " in sitting.seen


@mcp("034-unknown-string-format", "050-int-text-with-spaces")
async def test_what_is_typed_is_what_is_sent(case: Case, dialect: Dialect) -> None:
    (text,) = case.given["user_input"].values()
    sitting = await at_a_terminal(dialect, question(case), text, "s")
    assert sitting.answer == case.expect["response"]


@mcp("047-defaults-not-on-decline")
async def test_a_decline_carries_no_defaults(case: Case, dialect: Dialect) -> None:
    sitting = await at_a_terminal(dialect, question(case), ":decline")
    assert sitting.answer == case.expect["response"]


# What software does.


@mcp("095-render-failure-is-not-decline")
async def test_a_surface_that_fails_is_a_cancel_and_logged(
    case: Case, dialect: Dialect, caplog: pytest.LogCaptureFixture
) -> None:
    class Raises(Desk):
        async def fill(
            self, form: FormRequest, origin: Origin, turn: Turn | None = None
        ) -> Response:
            raise RuntimeError

    caplog.set_level(logging.ERROR, "elicitkit")
    async with asker(Answerer(Raises()), dialect) as server:
        assert await server.ask(QUESTION) == case.expect["response"]
    assert ("surface_failed" in caplog.text) == case.expect["logged"]


@mcp("097-auto-accept-needs-empty-schema")
async def test_no_policy_can_accept(case: Case, dialect: Dialect) -> None:
    class AutoAccept:
        async def decide(self, request: Request, origin: Origin) -> Any:
            return Accept({})

    desk = Desk()
    async with asker(Answerer(desk, policy=AutoAccept()), dialect) as server:
        answer = await server.ask(case.given["request"])
    assert answer != case.expect["never"]["response"]
    assert answer == CANCEL
    assert desk.seen == []


@pytest.mark.requirement("M47", "G51")
@mcp("173-ask-flood-limited")
async def test_of_a_flood_the_rest_is_cancelled_and_another_server_is_unaffected(
    case: Case, dialect: Dialect
) -> None:
    async def decline(shown: Shown) -> Response:
        return Cancel("dismissed")

    most = case.expect["dialogs_shown_max"]
    screen = Screen(decline)
    answerer = Answerer(screen, pace=Pace(per_minute=most))
    async with asker(answerer, dialect) as server:
        for _ in range(200):
            assert await server.ask(QUESTION) == CANCEL
    assert len(screen.shown) == most
    await answerer.answer(screen.shown[0].form, Origin(label="other"))
    assert len(screen.shown) == most + 1


@pytest.mark.requirement("G50")
@mcp("116-shared-connection-two-users")
async def test_between_two_calls_a_question_is_shown_once_and_for_none_of_them(
    case: Case, dialect: Dialect
) -> None:
    """Ours: one connection is one person's, and who of several asks is told only where known."""
    desk = Desk()
    async with raw_server(Answerer(desk), dialect) as server, anyio.create_task_group() as tasks:
        for tool in ("first", "second"):
            tasks.start_soon(server.client.call_tool, tool)
            await server.peer.receive("tools/call")
        await server.peer.send(id="q", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        assert [origin.request for _, origin in desk.seen] == [None]
        tasks.cancel_scope.cancel()


@mcp("127-url-required-form-entry")
async def test_a_form_inside_an_error_is_an_ordinary_error(case: Case, dialect: Dialect) -> None:
    desk = Desk()
    failed: list[Exception] = []
    async with raw_server(Answerer(desk), dialect) as server, anyio.create_task_group() as tasks:

        async def call() -> None:
            try:
                await server.client.call_tool("book")
            except Exception as error:
                failed.append(error)

        tasks.start_soon(call)
        message = await server.peer.receive("tools/call")
        await server.peer.send(id=message["id"], error={"message": "m", **case.given["error"]})
    assert [type(error).__name__ for error in failed] == ["MCPError"]
    assert (desk.seen != []) == case.expect["form_shown"]

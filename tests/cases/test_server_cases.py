"""Reports about the asking side, replayed against a real server on the mcp SDK."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from elicitkit import Accepted, Ask, Cancelled, Declined, NotAccepted, Question, Unavailable
from elicitkit.core.dialects import Dialect
from elicitkit.mcp import asks, request_state
from elicitkit.mcp import server as carrier
from tests.cases.raw_client import RawClient, Wire, raw_client
from tests.cases.replay import Case, load, replays
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio
NAME: Wire = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
TRIES = 3


def mcp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their MCP dialects; what only ACP carries is not of this server."""
    return replays(map(load, ids), protocol="mcp")


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def told(message: Wire) -> Any:
    """What a tool returned, which is JSON."""
    assert "result" in message, message
    result = message["result"]
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


def outcome_of(raised: NotAccepted) -> str:
    """The outcome in the words of the reports."""
    match raised.outcome:
        case Declined():
            return "declined"
        case Cancelled("invalid_answer"):
            return "invalid"
        case Cancelled("timed_out"):
            return "timed-out"
        case Cancelled("dismissed"):
            return "cancelled"
        case Cancelled(reason):
            return reason
        case Unavailable():
            return "unsupported"


def asking(schema: Wire, ended: list[str] | None = None, **terms: Any) -> MCPServer:
    """A server whose tool ``ask`` asks by this schema and tells the outcome."""
    # The default seal lasts for 600 seconds, no longer than a patient person.
    server = MCPServer("asking", request_state_security=request_state(keys=["k" * 32]))

    @server.tool()
    @asks
    async def ask(ask: Ask) -> str:
        outcome, content = "accepted", None
        try:
            content = await ask.raw("Why?", schema, **terms)
        except NotAccepted as raised:
            outcome = outcome_of(raised)
        if ended is not None:
            ended.append(outcome)
        return json.dumps({"outcome": outcome, "content": content})

    return server


def corrected(client: RawClient) -> list[str]:
    """The fields that the last question names as wrong."""
    _, _, lines = client.questions[-1]["message"].partition("Please correct:")
    return [line.removeprefix("- ").partition(":")[0] for line in lines.strip().splitlines()]


# Answers.


@pytest.mark.requirement("M42", "M33", "G08")
@mcp("065-cancel-with-content-not-validated", "067-cancel-content-null")
async def test_what_is_not_accepted_has_no_content_to_check(case: Case, dialect: Dialect):
    async with raw_client(asking(case.given["requestedSchema"]), dialect) as client:
        message = await client.call("ask", [case.given["response"]])
    assert told(message) == {"outcome": case.expect["outcome"], "content": None}
    assert len(client.questions) == 1


@pytest.mark.requirement("M62", "G05", "G07")
@mcp("068-accept-content-missing-required", "070-accept-wrong-types")
async def test_an_answer_that_does_not_fit_is_asked_for_again_and_ends_as_invalid(
    case: Case, dialect: Dialect
):
    """Reported as its own outcome: ``Cancelled("invalid_answer")``, after three tries (G05)."""
    responses = case.given.get("responses") or [case.given["response"]]
    outcomes = case.expect.get("outcomes") or [case.expect["outcome"]]
    fields = (
        case.expect["error_fields"] if "responses" in case.given else [case.expect["error_fields"]]
    )
    for response, outcome, wrong in zip(responses, outcomes, fields, strict=True):
        async with raw_client(asking(case.given["requestedSchema"]), dialect) as client:
            message = await client.call("ask", [response] * TRIES)
        assert told(message) == {"outcome": outcome, "content": None}
        assert len(client.questions) == TRIES
        assert corrected(client) == wrong


@pytest.mark.requirement("M62", "G05")
@mcp("070-accept-wrong-types")
async def test_an_answer_that_was_corrected_is_accepted(case: Case, dialect: Dialect):
    good = {"action": "accept", "content": {"name": "A", "age": 5}}
    async with raw_client(asking(case.given["requestedSchema"]), dialect) as client:
        message = await client.call("ask", [case.given["responses"][1], good])
    assert told(message) == {"outcome": "accepted", "content": good["content"]}


@pytest.mark.requirement("M33", "M78", "G06")
@mcp("071-unknown-action-reject")
async def test_an_unknown_action_is_a_protocol_error(case: Case, dialect: Dialect):
    ended: list[str] = []
    async with raw_client(asking(case.given["requestedSchema"], ended), dialect) as client:
        message = await client.call("ask", [case.given["response"]])
    assert case.expect["outcome"] == "protocol-error"
    assert message["error"]["code"] == -32602
    assert ended == []


@pytest.mark.requirement("M62", "M78", "G06")
@mcp("073-content-not-object")
async def test_content_that_is_no_object_never_reaches_the_author(case: Case, dialect: Dialect):
    ended: list[str] = []
    for response, outcome in zip(case.given["responses"], case.expect["outcomes"], strict=True):
        assert outcome == "protocol-error-or-invalid"
        async with raw_client(asking(case.given["requestedSchema"], ended), dialect) as client:
            message = await client.call("ask", [response] * TRIES)
        assert "error" in message or told(message)["outcome"] == "invalid", message
    assert "accepted" not in ended


@pytest.mark.requirement("M42")
@mcp("074-declined-is-falsy")
async def test_the_natural_guard_is_safe(case: Case, dialect: Dialect):
    deleted: list[bool] = []
    server = MCPServer("asking")

    @server.tool()
    @asks
    async def delete(ask: Ask) -> str:
        result = await ask.confirm("Delete?")
        if result:
            deleted.append(True)
        return "null"

    async with raw_client(server, dialect) as client:
        told(await client.call("delete", [case.given["response"]]))
        assert bool(deleted) is case.expect["delete_called"]
        told(await client.call("delete", [{"action": "accept", "content": {"value": True}}]))
        assert deleted == [True]


# Capabilities.


def fallback_server(called: list[str]) -> MCPServer:
    server = MCPServer("asking")

    @server.tool()
    @asks
    async def modes(ask: Ask) -> str:
        return json.dumps(sorted(ask.modes))

    @server.tool()
    @asks
    async def outcome(ask: Ask) -> str:
        return json.dumps(type(await ask.outcome("Why?", str)).__name__)

    @server.tool()
    @asks
    async def fall_back(ask: Ask) -> str:
        async def hook() -> str:
            called.append("hook")
            return "plan B"

        match await ask.outcome("Why?", str, fallback=hook):
            case Accepted(value):
                return json.dumps(value)
            case other:
                return json.dumps(repr(other))

    @server.tool()
    @asks
    async def short(ask: Ask) -> str:
        return json.dumps(await ask("Why?", str))

    return server


@pytest.mark.requirement("M09", "M11", "G40")
@mcp(
    "077-cap-empty-object-mcp",
    "080-cap-url-only",
    "082-cap-unknown-member",
    "083-cap-only-unknown-member",
)
async def test_a_mode_counts_as_the_client_declared_it(case: Case, dialect: Dialect):
    """083 is silent about form: an object that names neither mode is read as ``{}``."""
    server = fallback_server([])
    async with raw_client(server, dialect, case.given["client_capabilities"]) as client:
        modes = told(await client.call("modes"))
        for mode in ("form", "url"):
            if case.expect[mode] != "either":
                assert (mode in modes) is case.expect[mode]
        message = await client.call("outcome")
    if "form" in modes:
        assert [one["mode"] for one in client.questions] == ["form"]
    else:
        assert (told(message), client.questions) == ("Unavailable", [])
    assert case.id != "083-cap-only-unknown-member" or modes == ["form"]


@pytest.mark.requirement("M11", "M72", "G41")
@mcp("086-server-does-not-send-undeclared")
async def test_a_tool_that_cannot_go_on_names_the_capability_it_needs(case: Case, dialect: Dialect):
    server = fallback_server([])
    async with raw_client(server, dialect, case.given["client_capabilities"]) as client:
        message = await client.call("short")
    assert client.questions == []
    assert message["error"]["code"] == case.expect["error_code"]
    assert message["error"]["data"] == case.expect["data"]


@pytest.mark.requirement("M11", "G41")
@mcp("089-client-without-capability-fallback")
async def test_without_the_capability_the_authors_fallback_is_used(case: Case, dialect: Dialect):
    called: list[str] = []
    server = fallback_server(called)
    async with raw_client(server, dialect, case.given["client_capabilities"]) as client:
        assert told(await client.call("outcome")) == "Unavailable"
        assert called == []
        assert told(await client.call("fall_back")) == "plan B"
    assert bool(client.questions) is case.expect["sent"]
    assert (called == ["hook"]) is case.expect["hook_called"]


# Time and connection.


class TestWithVirtualTime:
    @pytest.fixture(params=backends(), ids=lambda it: it[0])
    def anyio_backend(self, request: pytest.FixtureRequest) -> Any:
        return next(it for it in backends() if it[0] == request.param[0])

    @pytest.mark.requirement("M88", "G16")
    @mcp("106-ask-has-own-bound")
    async def test_a_question_ends_when_its_own_time_is_up(
        self, case: Case, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
    ):
        """On 2026-07-28 nothing is open meanwhile: the late retry finds the time is up."""
        assert case.given["events"] == ["t=0 ask timeout 600", "t=600 no answer"]
        async with raw_client(asking(NAME, timeout=600), dialect, within=700) as client:
            began = anyio.current_time()
            message = await client.call("ask")
            assert len(client.questions) == 1
            if dialect.delivery == "live":
                message = await client.receive()
                assert anyio.current_time() - began == pytest.approx(600, abs=1)
                assert len(client.withdrawn) == 1
            else:
                now = carrier.time.time()
                monkeypatch.setattr(carrier.time, "time", lambda: now + 601)
                message = await client.answer(message, {}, "ask", {})
        assert case.expect["dialog_withdrawn"]
        assert told(message) == {"outcome": case.expect["outcome"], "content": None}


@pytest.mark.requirement("M42", "G15")
@mcp("113-disconnect-fails-server-wait")
async def test_a_lost_connection_ends_the_wait_and_is_no_answer(case: Case, dialect: Dialect):
    """The SDK ends the handler together with its connection; on 2026-07-28 nothing waits."""
    ended: list[str] = []
    waiting = anyio.Event()
    server = MCPServer("asking")

    @server.tool()
    @asks
    async def ask(ask: Ask) -> str:
        waiting.set()
        try:
            ended.append(type(await ask.outcome("Why?", str)).__name__)
        except anyio.get_cancelled_exc_class():
            ended.append("ended with its connection")
            raise
        return "null"

    with anyio.fail_after(case.expect["within_s"]):
        async with raw_client(server, dialect) as client:
            await client.call("ask")
            assert waiting.is_set()
    assert ended in ([], ["ended with its connection"], ["Cancelled"])
    assert ended or dialect.delivery == "replay"


# Rounds.


@pytest.mark.requirement("M65", "M68", "M82")
@mcp("122-imperative-ask-on-2026-07-28")
async def test_an_imperative_question_works_by_rounds(case: Case, dialect: Dialect):
    async with raw_client(asking(NAME), dialect) as client:
        first = await client.call("ask")
        assert first["result"]["resultType"] == "input_required"
        (key,) = first["result"]["inputRequests"]
        answer = {"action": "accept", "content": {"name": "Mona"}}
        message = await client.answer(first, {key: answer}, "ask", {})
    assert case.expect["works"]
    assert told(message) == {"outcome": "accepted", "content": {"name": "Mona"}}


def several(*names: str) -> MCPServer:
    server = MCPServer("asking")

    @server.tool()
    @asks
    async def ask(ask: Ask) -> str:
        if len(names) == 1:
            return json.dumps([await ask("a", str, key="a")])
        return json.dumps(await ask.all(*[Question(name, str, key=name) for name in names]))

    return server


@pytest.mark.requirement("M80", "G06")
@mcp("178-missing-response-asked-again")
async def test_a_missing_answer_is_asked_for_again_and_the_others_are_kept(
    case: Case, dialect: Dialect
):
    asked, given = case.given["asked"], case.given["inputResponses"]
    answer = {"action": "accept", "content": {"value": "x"}}
    async with raw_client(several(*asked), dialect) as client:
        first = await client.call("ask")
        assert list(first["result"]["inputRequests"]) == asked
        second = await client.answer(first, dict.fromkeys(given, answer), "ask", {})
        assert list(second["result"]["inputRequests"]) == case.expect["asks_again_for"]
        rest = dict.fromkeys(case.expect["asks_again_for"], answer)
        message = await client.answer(second, rest, "ask", {})
    assert told(message) == ["x"] * len(asked)


@pytest.mark.requirement("M79")
@mcp("179-unexpected-response-key-ignored")
async def test_an_answer_that_nobody_asked_for_is_ignored(case: Case, dialect: Dialect):
    good = {"action": "accept", "content": {"value": "x"}}
    given = {
        key: good if key in case.given["asked"] else answer
        for key, answer in case.given["inputResponses"].items()
    }
    async with raw_client(several(*case.given["asked"]), dialect) as client:
        first = await client.call("ask")
        message = await client.answer(first, given, "ask", {})
    assert case.expect["outcome"] == "accepted"
    assert told(message) == ["x"]


@pytest.mark.requirement("M70")
@mcp("185-state-other-call")
async def test_a_state_is_no_good_for_another_call(case: Case, dialect: Dialect):
    deleted: list[str] = []
    server = MCPServer("asking")

    @server.tool()
    @asks
    async def delete(what: str, ask: Ask) -> str:
        if await ask.confirm("Delete it?", key="sure"):
            deleted.append(what)
        return "null"

    yes = {"sure": {"action": "accept", "content": {"value": True}}}
    async with raw_client(server, dialect) as client:
        first = await client.call("delete", what="a")
        message = await client.answer(first, yes, "delete", {"what": "b"})
        assert ("error" in message) is case.expect["rejected"]
        assert deleted == []
        told(await client.answer(first, yes, "delete", {"what": "a"}))
    assert deleted == ["a"]


# Forms that may not leave.


@pytest.mark.requirement("M15")
@mcp("032-type-object-with-enum")
async def test_a_schema_that_is_none_is_refused_before_it_is_sent(case: Case, dialect: Dialect):
    async with raw_client(asking(case.given["requestedSchema"]), dialect) as client:
        message = await client.call("ask")
    assert client.questions == []
    assert message["result"]["isError"]
    assert "properties.p: nested objects" in message["result"]["content"][0]["text"]


@pytest.mark.requirement("M01", "M02", "G30")
@mcp("166-secret-words-in-form", "167-ordinary-profile-not-flagged")
async def test_a_form_that_asks_for_a_secret_is_refused_and_a_profile_is_not(
    case: Case, dialect: Dialect
):
    async with raw_client(asking(case.given["requestedSchema"]), dialect) as client:
        message = await client.call("ask")
    if "any_of" in case.expect:
        assert {"error": "secret in form mode"} in case.expect["any_of"]
        assert client.questions == []
        assert "asks for a secret" in message["result"]["content"][0]["text"]
    else:
        assert case.expect["error"] is None
        assert len(client.questions) == 1

"""Questions that come as requests of the server: MCP 2025-06-18 and 2025-11-25."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client

from elicitkit.answering import Answerer, Limits, Scripted
from elicitkit.answering.config import Config, ServerConfig
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Origin
from elicitkit.core.ports import Turn
from elicitkit.mcp.client import connect
from tests.mcp.client_peer import DONE, QUESTION, Peer, Wire, wired
from tests.mcp.desk import Desk

pytestmark = pytest.mark.anyio

LIVE = ["2025-06-18", "2025-11-25"]
ANN = {"action": "accept", "content": {"name": "Ann"}}


@asynccontextmanager
async def connected(
    answerer: Answerer, version: str = "2025-11-25", **options: Any
) -> AsyncGenerator[tuple[Client, Peer, Wire]]:
    """A client and its peer after the handshake, and the client's ``initialize``."""
    with anyio.fail_after(5):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            tasks.start_soon(peer.shake_hands, version)
            async with connect(
                transport,
                name="mine",
                answerer=answerer,
                protocol_version=version,
                **options,
            ) as client:
                yield client, peer, peer.received[0]


async def asked_during_a_call(peer: Peer, params: Wire) -> Wire:
    """The client's answer to a question that comes while its tool call is open."""
    call = await peer.receive("tools/call")
    answer = await peer.ask(params)
    await peer.reply(call, DONE)
    return answer


async def answer_to(answerer: Answerer, params: Wire, version: str = "2025-11-25") -> Wire:
    answers: list[Wire] = []
    async with connected(answerer, version) as (client, peer, _):

        async def serve() -> None:
            answers.append(await asked_during_a_call(peer, params))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            await client.call_tool("book", {})
    return answers[0]


@pytest.mark.parametrize(
    ("version", "attended", "declared"),
    [
        ("2025-06-18", True, {}),
        ("2025-11-25", True, {"form": {}}),
        ("2025-06-18", False, None),
        ("2025-11-25", False, None),
    ],
)
@pytest.mark.requirement("M07", "M10")
@pytest.mark.case("088-form-only-handler-declares-form-only")
@pytest.mark.case("094-headless-does-not-declare")
async def test_the_handshake_declares_exactly_what_can_be_shown(
    version: str, attended: bool, declared: Wire | None
) -> None:
    answerer = Answerer(Desk(attended=attended))
    async with connected(answerer, version) as (client, _, hello):
        assert client.protocol_version == version
    assert hello["params"]["protocolVersion"] == version
    assert hello["params"]["capabilities"].get("elicitation") == declared


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.requirement("M07", "M10")
async def test_a_configuration_takes_the_declaration_away_from_the_server_it_names(
    version: str,
) -> None:
    config = Config(servers={"mine": ServerConfig(label="Mine", modes=frozenset())})
    async with connected(Answerer(Desk()), version, config=config) as (_, _, hello):
        assert "elicitation" not in hello["params"]["capabilities"]
    async with connected(Answerer(Desk(), config=config), version) as (_, _, hello):
        assert "elicitation" not in hello["params"]["capabilities"]


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.parametrize(
    ("scripted", "sent"),
    [(ANN, ANN), ({"action": "decline"},) * 2, ({"action": "cancel"},) * 2],
)
@pytest.mark.requirement("M33")
async def test_the_answer_has_the_shape_of_the_revision(
    version: str, scripted: Wire, sent: Wire
) -> None:
    answer = await answer_to(Answerer.scripted([scripted]), QUESTION, version)
    assert answer == {"jsonrpc": "2.0", "id": "q1", "result": sent}


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.requirement("M13")
@pytest.mark.case("091-mode-missing")
@pytest.mark.case("025-dollar-schema-and-title-top-level")
@pytest.mark.case("028-title-missing-is-fine")
@pytest.mark.case("034-unknown-string-format")
async def test_a_question_is_read_with_everything_a_server_may_add(version: str) -> None:
    surface = Scripted([{"action": "accept", "content": {"id": "abc"}}])
    params = {
        "message": "m",
        "custom": {"kept": True},
        "requestedSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Form",
            "description": "x",
            "additionalProperties": False,
            "type": "object",
            "properties": {"id": {"type": "string", "format": "uuid", "x-order": 1}},
            "required": ["id"],
        },
    }
    answer = await answer_to(Answerer(surface), params, version)
    assert answer["result"] == {"action": "accept", "content": {"id": "abc"}}
    (form,) = surface.asked
    assert [field.label for field in form.schema.fields] == ["id"]
    assert form.extra == {"custom": {"kept": True}}


@pytest.mark.case("037-multi-items-oneof-tolerated")
async def test_a_multi_select_written_with_one_of_is_read() -> None:
    items = {"oneOf": [{"const": "a", "title": "A"}]}
    schema = {"type": "object", "properties": {"m": {"type": "array", "items": items}}}
    answer = await answer_to(
        Answerer.scripted([{"action": "accept", "content": {"m": ["a"]}}]),
        {"message": "m", "requestedSchema": schema},
    )
    assert answer["result"] == {"action": "accept", "content": {"m": ["a"]}}


@pytest.mark.case("046-default-null-ignored")
async def test_a_null_default_is_no_default() -> None:
    surface = Scripted([{"action": "accept", "content": {}}])
    schema = {"type": "object", "properties": {"tz": {"type": "string", "default": None}}}
    answer = await answer_to(Answerer(surface), {"message": "m", "requestedSchema": schema})
    assert answer["result"] == {"action": "accept", "content": {}}
    assert repr(surface.asked[0].schema["tz"].default) == "UNSET"


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.parametrize(
    "properties",
    [
        pytest.param(
            {"a": {"type": "string", "minLength": "3"}},
            marks=pytest.mark.case("029-malformed-keyword-value"),
        ),
        pytest.param(
            {"a": {"type": "object", "properties": {"street": {"type": "string"}}}},
            marks=pytest.mark.case("031-nested-object-from-server"),
        ),
        pytest.param(
            {f"f{number}": {"type": "string"} for number in range(65)},
            marks=pytest.mark.requirement("G17"),
        ),
    ],
)
@pytest.mark.requirement("G27")
async def test_a_form_that_cannot_be_shown_is_refused_and_not_shown(
    version: str, properties: Wire
) -> None:
    desk = Desk()
    schema = {"type": "object", "properties": properties}
    answer = await answer_to(Answerer(desk), {"message": "m", "requestedSchema": schema}, version)
    assert answer["error"]["code"] == -32602
    assert desk.seen == []


async def test_a_question_that_is_too_big_is_refused_and_not_shown() -> None:
    desk = Desk()
    answerer = Answerer(desk, limits=Limits(request=100))
    answer = await answer_to(answerer, QUESTION | {"message": "m" * 101})
    assert answer["error"]["code"] == -32602
    assert "bytes, and this client takes 100" in answer["error"]["message"]
    assert desk.seen == []


@pytest.mark.requirement("M32", "G47")
@pytest.mark.case("085-url-sent-to-form-only-client")
async def test_a_mode_that_was_not_declared_is_refused_with_those_that_were() -> None:
    desk = Desk()
    url = {"mode": "url", "message": "m", "url": "https://x.example", "elicitationId": "1"}
    answer = await answer_to(Answerer(desk), url)
    assert answer["error"] == {
        "code": -32602,
        "message": "url mode was not declared; supported: form",
        "data": {"supportedModes": ["form"]},
    }
    assert desk.seen == []


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.requirement("G47")
async def test_a_client_that_declared_nothing_refuses_every_question(version: str) -> None:
    answer = await answer_to(Answerer(Desk(attended=False)), QUESTION, version)
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"] == {"supportedModes": []}


@pytest.mark.requirement("G48")
async def test_a_url_without_a_mode_is_a_form_without_a_schema() -> None:
    answer = await answer_to(Answerer(Desk()), {"message": "m", "url": "https://x.example"})
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.requirement("M90", "G01")
@pytest.mark.case("121-ask-outside-request-client")
async def test_a_question_that_belongs_to_no_request_is_refused(version: str) -> None:
    desk = Desk()
    async with connected(Answerer(desk), version) as (_, peer, _):
        answer = await peer.ask(QUESTION)
    assert answer["error"]["code"] == -32602
    assert desk.seen == []


@pytest.mark.requirement("G12")
async def test_the_person_sees_their_own_name_of_the_server_first_and_its_claim_apart() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(asked_during_a_call, peer, QUESTION)
        tasks.start_soon(client.call_tool, "book")
        await anyio.wait_all_tasks_blocked()
        ((form, origin),) = desk.seen
        assert isinstance(form, FormRequest)
        assert origin == Origin(label="mine", claimed="claims to be you", request="book")
        tasks.cancel_scope.cancel()


async def test_between_two_calls_of_a_stream_nobody_can_say_which_one_asks() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        tasks.start_soon(client.call_tool, "pay")
        await peer.receive("tools/call")
        await peer.receive("tools/call")
        tasks.start_soon(peer.ask, QUESTION)
        await anyio.wait_all_tasks_blocked()
        assert desk.seen[0][1].request is None
        tasks.cancel_scope.cancel()


async def test_a_question_that_the_server_takes_back_leaves_the_screen_unanswered() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        await peer.send(method="notifications/cancelled", params={"requestId": "q1"})
        await anyio.wait_all_tasks_blocked()
        assert (desk.open, desk.withdrawn) == (0, 1)
        tasks.cancel_scope.cancel()
        # The next message is the courtesy about the call: the question got no answer.
        assert [message["method"] for message in peer.received[2:]] == ["tools/call"]


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.case("107-parent-cancelled-closes-dialog")
async def test_a_form_does_not_outlive_the_call_that_its_caller_gave_up(version: str) -> None:
    desk = Desk()
    async with connected(Answerer(desk), version) as (client, peer, _):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "book")
            await peer.receive("tools/call")
            await peer.send(id="q1", method="elicitation/create", params=QUESTION)
            await anyio.wait_all_tasks_blocked()
            assert desk.open == 1
            tasks.cancel_scope.cancel()
        messages = [await peer.receive() for _ in range(2)]
        assert (desk.open, desk.withdrawn) == (0, 1)
        assert [m["params"]["requestId"] for m in messages if "method" in m] == [2]
        assert [m["result"] for m in messages if "result" in m] == [{"action": "cancel"}]


async def test_a_form_does_not_outlive_the_result_of_its_call() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        call = await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        await peer.reply(call, DONE)
        answer = await peer.receive()
        assert answer["result"] == {"action": "cancel"}
        assert (desk.open, desk.withdrawn) == (0, 1)


async def test_a_form_of_an_unknown_call_stays_while_one_of_the_calls_is_open() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        tasks.start_soon(client.call_tool, "pay")
        first, second = [await peer.receive("tools/call") for _ in range(2)]
        await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        await peer.reply(first, DONE)
        await anyio.wait_all_tasks_blocked()
        assert desk.open == 1
        await peer.reply(second, DONE)
        assert (await peer.receive())["result"] == {"action": "cancel"}
        assert desk.open == 0
        tasks.cancel_scope.cancel()


@pytest.mark.case("110-single-terminal-outcome")
async def test_a_question_is_answered_exactly_once() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        call = await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        await peer.reply(call, DONE)
        await anyio.wait_all_tasks_blocked()
        desk.answer(Accept({"name": "too late"}))
        assert (await peer.receive())["result"] == {"action": "cancel"}
        await anyio.wait_all_tasks_blocked()
        assert [m for m in peer.received if m.get("id") == "q1"] == [
            {"jsonrpc": "2.0", "id": "q1", "result": {"action": "cancel"}}
        ]


@pytest.mark.parametrize("version", LIVE)
@pytest.mark.case("112-disconnect-clears-forms")
async def test_a_connection_that_ends_takes_its_questions_off_the_screen(version: str) -> None:
    desk = Desk()
    failures: list[Exception] = []
    async with connected(Answerer(desk), version) as (client, peer, _):
        async with anyio.create_task_group() as tasks:

            async def book() -> None:
                try:
                    await client.call_tool("book")
                except Exception as error:
                    failures.append(error)

            tasks.start_soon(book)
            await peer.receive("tools/call")
            await peer.send(id="q1", method="elicitation/create", params=QUESTION)
            await anyio.wait_all_tasks_blocked()
            assert desk.open == 1
            await peer.hang_up()
        assert (desk.open, desk.withdrawn) == (0, 1)
        assert [str(error) for error in failures] == ["Connection closed"]


@pytest.mark.case("115-same-id-two-connections")
async def test_the_same_id_on_two_connections_is_two_questions() -> None:
    x, y = Desk(), Desk()
    async with (
        connected(Answerer(x)) as (client_x, peer_x, _),
        connected(Answerer(y)) as (client_y, peer_y, _),
        anyio.create_task_group() as tasks,
    ):
        for client, peer in ((client_x, peer_x), (client_y, peer_y)):
            tasks.start_soon(client.call_tool, "book")
            await peer.receive("tools/call")
            await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        y.answer(Decline())
        assert (await peer_y.receive())["result"] == {"action": "decline"}
        assert (x.open, y.open) == (1, 0)
        tasks.cancel_scope.cancel()


@pytest.mark.case("095-render-failure-is-not-decline")
async def test_a_surface_that_fails_tells_the_server_no_more_than_cancel() -> None:
    class Broken(Desk):
        async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Any:
            raise RuntimeError("the secret was 42")

    answer = await answer_to(Answerer(Broken()), QUESTION)
    assert answer["result"] == {"action": "cancel"}


async def test_a_local_reason_of_a_cancel_never_travels() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer, _), anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "book")
        await peer.receive("tools/call")
        await peer.send(id="q1", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        desk.answer(Cancel("no_person"))
        assert (await peer.receive())["result"] == {"action": "cancel"}
        tasks.cancel_scope.cancel()


async def test_other_requests_of_the_server_still_reach_the_sdk() -> None:
    async with connected(Answerer(Desk())) as (_, peer, _):
        await peer.send(id="p", method="ping")
        assert (await peer.receive())["result"] == {}
        await peer.send(id="r", method="roots/list")
        assert "error" in await peer.receive()


async def test_a_revision_without_elicitation_does_not_know_the_method() -> None:
    desk = Desk()
    answer = await answer_to(Answerer(desk), QUESTION, "2025-03-26")
    assert answer["error"]["code"] == -32601
    assert desk.seen == []

"""Questions in results, answered by sending the call again: MCP 2026-07-28."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp_types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ErrorData,
    ListRootsResult,
    TextContent,
)

from elicitkit.answering import Answerer, Scripted
from elicitkit.core.errors import InvalidRequest, LimitExceeded
from elicitkit.core.model import Accept, FormRequest, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.mcp.client import connect
from tests.answering.surfaces import FormsOnly
from tests.mcp.client_peer import (
    CAPABILITIES_KEY,
    DONE,
    QUESTION,
    VERSION_KEY,
    Peer,
    Wire,
    asked,
    wired,
)
from tests.mcp.desk import Desk

pytestmark = pytest.mark.anyio

COMPLETE = DONE | {"resultType": "complete"}
ANN: Wire = {"action": "accept", "content": {"name": "Ann"}}
STATE = "s+/=é\u2028 \t{}"
Call = Callable[[Client], Awaitable[Any]]


@asynccontextmanager
async def connected(answerer: Answerer, **options: Any) -> AsyncGenerator[tuple[Client, Peer]]:
    with anyio.fail_after(5):
        async with (
            wired() as (transport, peer),
            connect(
                transport,
                name="mine",
                answerer=answerer,
                protocol_version="2026-07-28",
                **options,
            ) as client,
        ):
            yield client, peer


async def book(client: Client) -> Any:
    return await client.call_tool("book", {"city": "Rome"})


async def run(answerer: Answerer, *results: Wire, call: Call = book, **options: Any) -> list[Wire]:
    """Answer each sending of one call with the next result; the requests that came."""
    async with connected(answerer, **options) as (client, peer):

        async def serve() -> None:
            for result in results:
                await peer.reply(await peer.receive(), result)

        failure: Exception | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            try:
                await call(client)
            except Exception as error:
                failure = error
        if failure is not None:
            raise failure
        return peer.received


async def refused(answerer: Answerer, result: Wire, **options: Any) -> InvalidRequest:
    """The local error that ends a call whose result asks badly; nothing more was sent."""
    async with connected(answerer, **options) as (client, peer):

        async def serve() -> None:
            await peer.reply(await peer.receive(), result)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            with pytest.raises(InvalidRequest) as caught:
                await book(client)
        await anyio.wait_all_tasks_blocked()
        assert len(peer.received) == 1
        return caught.value


def capabilities(request: Wire) -> Wire:
    return request["params"]["_meta"][CAPABILITIES_KEY]


@pytest.mark.requirement("M08", "M10")
@pytest.mark.case("088-form-only-handler-declares-form-only")
async def test_every_request_declares_what_can_be_shown_retries_too() -> None:
    requests = await run(Answerer.scripted([ANN, ANN]), asked("a"), asked("b"), COMPLETE)
    assert len(requests) == 3
    for request in requests:
        assert request["params"]["_meta"][VERSION_KEY] == "2026-07-28"
        assert capabilities(request) == {"elicitation": {"form": {}}}


@pytest.mark.requirement("M10")
@pytest.mark.case("094-headless-does-not-declare")
async def test_without_a_person_no_request_declares_anything() -> None:
    (request,) = await run(Answerer(Desk(attended=False)), COMPLETE)
    assert "elicitation" not in capabilities(request)


@pytest.mark.requirement("M74", "M75", "M76")
async def test_the_retry_is_the_same_call_with_a_new_id_the_answers_and_the_state() -> None:
    first, retry = await run(Answerer.scripted([ANN]), asked("k", state=STATE), COMPLETE)
    assert retry["id"] != first["id"]
    assert retry["method"] == first["method"]
    added = {"inputResponses": {"k": ANN}, "requestState": STATE}
    assert retry["params"] == first["params"] | added


@pytest.mark.requirement("M75")
@pytest.mark.case("175-no-state-no-state")
async def test_no_state_is_made_up_and_a_decline_is_sent() -> None:
    _, retry = await run(Answerer.scripted([{"action": "decline"}]), asked("k"), COMPLETE)
    assert retry["params"]["inputResponses"] == {"k": {"action": "decline"}}
    assert "requestState" not in retry["params"]


@pytest.mark.requirement("M75")
async def test_an_empty_state_is_a_state() -> None:
    _, retry = await run(Answerer.scripted([ANN]), asked("k", state=""), COMPLETE)
    assert retry["params"]["requestState"] == ""


@pytest.mark.requirement("M75", "M77")
@pytest.mark.case("176-old-state-not-reused")
async def test_state_and_answers_belong_to_one_round_only() -> None:
    answerer = Answerer.scripted([ANN, {"action": "cancel"}])
    _, second, third = await run(answerer, asked("a", state="A"), asked("b"), COMPLETE)
    assert second["params"]["requestState"] == "A"
    assert "requestState" not in third["params"]
    assert third["params"]["inputResponses"] == {"b": {"action": "cancel"}}


@pytest.mark.requirement("M81")
async def test_a_result_without_a_type_is_complete() -> None:
    assert len(await run(Answerer.scripted([]), DONE)) == 1


class Recorder(FormsOnly):
    """Accepts everything, one at a time, and keeps the order of events."""

    modes = frozenset({"form"})

    def __init__(self) -> None:
        self.events: list[str] = []
        self.origins: list[Origin] = []

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.events.append(f"shown {form.message}")
        self.origins.append(origin)
        await anyio.wait_all_tasks_blocked()
        self.events.append(f"answered {form.message}")
        if form.message == "broken":
            raise RuntimeError("no")
        return Accept({"name": form.message})


def several(*messages: str) -> Wire:
    entries = {
        f"k{number}": {"method": "elicitation/create", "params": QUESTION | {"message": message}}
        for number, message in enumerate(messages)
    }
    return asked() | {"inputRequests": entries}


@pytest.mark.requirement("G36", "G18")
@pytest.mark.case("188-several-asks-one-round")
async def test_the_questions_of_a_round_are_asked_one_by_one_in_the_order_of_the_map() -> None:
    surface = Recorder()
    _, retry = await run(Answerer(surface), several("z", "a", "m"), COMPLETE)
    assert surface.events == [
        f"{event} {message}" for message in "zam" for event in ("shown", "answered")
    ]
    assert [*retry["params"]["inputResponses"]] == ["k0", "k1", "k2"]


@pytest.mark.requirement("G12")
async def test_the_person_is_told_who_asks_and_for_which_call() -> None:
    surface = Recorder()
    await run(Answerer(surface), several("z"), COMPLETE)
    assert surface.origins == [Origin(label="mine", claimed=None, request="book")]


@pytest.mark.requirement("G36")
async def test_a_decline_does_not_cancel_the_other_questions() -> None:
    answerer = Answerer.scripted([{"action": "decline"}, ANN])
    _, retry = await run(answerer, asked("a", "b"), COMPLETE)
    assert retry["params"]["inputResponses"] == {"a": {"action": "decline"}, "b": ANN}


@pytest.mark.requirement("G03")
async def test_a_question_that_fails_after_it_was_shown_is_cancelled_and_the_others_go_on() -> None:
    surface = Recorder()
    _, retry = await run(Answerer(surface), several("ok", "broken", "fine"), COMPLETE)
    assert retry["params"]["inputResponses"] == {
        "k0": {"action": "accept", "content": {"name": "ok"}},
        "k1": {"action": "cancel"},
        "k2": {"action": "accept", "content": {"name": "fine"}},
    }


BAD_ENTRIES: dict[str, Any] = {
    "undeclared": {
        "method": "elicitation/create",
        "params": {"mode": "url", "message": "m", "url": "https://x.example"},
    },
    "malformed": {"method": "elicitation/create", "params": {"message": "m"}},
    "keyword": {
        "method": "elicitation/create",
        "params": {
            "message": "m",
            "requestedSchema": {
                "type": "object",
                "properties": {"a": {"type": "string", "minLength": "3"}},
            },
        },
    },
    "no-params": {"method": "elicitation/create"},
    "unknown-method": {"method": "tools/call", "params": {}},
    "undeclared-sampling": {"method": "sampling/createMessage", "params": {}},
    "undeclared-roots": {"method": "roots/list"},
    "no-method": {"params": QUESTION},
    "no-object": "elicitation/create",
}


@pytest.mark.parametrize("bad", BAD_ENTRIES.values(), ids=BAD_ENTRIES)
@pytest.mark.requirement("G03")
async def test_one_bad_entry_fails_the_call_here_and_nothing_is_shown(bad: Any) -> None:
    desk = Desk()
    result = asked("good")
    result["inputRequests"]["bad"] = bad
    error = await refused(Answerer(desk), result)
    assert "'mine' asked for input in answer to tools/call" in str(error)
    assert error.code == -32602
    assert desk.seen == []


@pytest.mark.requirement("G03", "M10")
async def test_a_client_that_declared_nothing_refuses_a_round_that_asks() -> None:
    error = await refused(Answerer(Desk(attended=False)), asked("k"))
    assert error.data == {"supportedModes": []}


@pytest.mark.parametrize(
    "result",
    [
        asked(),
        asked() | {"inputRequests": {}},
        asked() | {"inputRequests": []},
        asked("k") | {"requestState": 5},
    ],
)
async def test_a_round_that_is_none_fails_the_call_here(result: Wire) -> None:
    desk = Desk()
    await refused(Answerer(desk), result)
    assert desk.seen == []


@pytest.mark.requirement("G17")
async def test_the_limits_of_a_reader_hold_in_a_round() -> None:
    desk = Desk()
    result = asked("k")
    properties = {f"f{number}": {"type": "string"} for number in range(65)}
    schema = {"type": "object", "properties": properties}
    result["inputRequests"]["k"]["params"] = {"message": "m", "requestedSchema": schema}
    await refused(Answerer(desk), result)
    assert desk.seen == []


@pytest.mark.requirement("G49")
@pytest.mark.case("187-input-required-on-other-method")
async def test_only_three_methods_may_ask() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer):

        async def serve() -> None:
            await peer.reply(await peer.receive("tools/list"), asked("k", state=STATE))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            with pytest.raises(InvalidRequest, match="tools/list: the result of this method"):
                await client.list_tools()
    assert desk.seen == []


PROMPT: Wire = {"resultType": "complete", "messages": []}
RESOURCE: Wire = {
    "resultType": "complete",
    "contents": [],
    "ttlMs": 1000,
    "cacheScope": "private",
}


async def test_a_prompt_may_ask() -> None:
    surface = Recorder()
    first, retry = await run(
        Answerer(surface),
        several("z"),
        PROMPT,
        call=lambda client: client.get_prompt("plan", {"city": "Rome"}),
    )
    assert (first["method"], retry["method"]) == ("prompts/get", "prompts/get")
    assert surface.origins[0].request == "plan"


async def test_a_resource_may_ask() -> None:
    surface = Recorder()
    _, retry = await run(
        Answerer(surface),
        several("z"),
        RESOURCE,
        call=lambda client: client.read_resource("memo://1"),
    )
    assert retry["params"]["uri"] == "memo://1"
    assert surface.origins[0].request == "memo://1"


@pytest.mark.case("181-client-rounds-capped")
async def test_a_server_that_always_asks_is_given_up_by_name() -> None:
    answerer = Answerer.scripted([ANN] * 3)
    with pytest.raises(LimitExceeded, match="'mine' asked in more than 3 rounds of one call"):
        await run(answerer, *[asked("k")] * 4, max_rounds=3)
    assert isinstance(answerer.surface, Scripted)
    assert answerer.surface.unused == 0


@pytest.mark.case("181-client-rounds-capped")
@pytest.mark.requirement("G37")
async def test_the_user_can_stop_a_call_in_the_middle_of_a_question() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(book, client)
            await peer.reply(await peer.receive(), asked("k"))
            await anyio.wait_all_tasks_blocked()
            assert desk.open == 1
            tasks.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
        assert (desk.open, desk.withdrawn) == (0, 1)
        assert len(peer.received) == 1


@pytest.mark.case("112-disconnect-clears-forms")
async def test_a_server_that_dies_takes_its_question_off_the_screen() -> None:
    desk = Desk()
    async with connected(Answerer(desk)) as (client, peer):

        async def die() -> None:
            await peer.reply(await peer.receive(), asked("k"))
            await anyio.wait_all_tasks_blocked()
            await peer.hang_up()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(die)
            with pytest.raises(MCPError, match="Connection closed"):
                await book(client)
    assert (desk.open, desk.withdrawn) == (0, 1)


@pytest.mark.requirement("M77")
async def test_two_calls_at_the_same_time_keep_their_answers_and_state_apart() -> None:
    async with connected(Answerer(Recorder())) as (client, peer):
        retries: dict[str, Wire] = {}

        async def call(tool: str) -> None:
            await client.call_tool(tool)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, "a")
            tasks.start_soon(call, "b")
            for request in [await peer.receive(), await peer.receive()]:
                tool = request["params"]["name"]
                await peer.reply(request, several(tool) | {"requestState": f"state of {tool}"})
            for _ in range(2):
                retry = await peer.receive()
                retries[retry["params"]["name"]] = retry["params"]
                await peer.reply(retry, COMPLETE)
    for tool, params in retries.items():
        assert params["requestState"] == f"state of {tool}"
        assert params["inputResponses"]["k0"]["content"] == {"name": tool}


async def sample(
    context: ClientRequestContext, params: CreateMessageRequestParams
) -> CreateMessageResult | ErrorData:
    if params.max_tokens == 0:
        return ErrorData(code=-1, message="the user said no")
    return CreateMessageResult(
        role="assistant", content=TextContent(type="text", text="hi"), model="m"
    )


async def roots(context: ClientRequestContext) -> ListRootsResult | ErrorData:
    return ListRootsResult(roots=[])


def mixed(max_tokens: int) -> Wire:
    result = asked("form")
    result["inputRequests"] |= {
        "sample": {
            "method": "sampling/createMessage",
            "params": {
                "maxTokens": max_tokens,
                "messages": [{"role": "user", "content": {"type": "text", "text": "?"}}],
            },
        },
        "roots": {"method": "roots/list"},
    }
    return result


CALLBACKS = {"sampling_callback": sample, "list_roots_callback": roots}


@pytest.mark.requirement("M74")
async def test_sampling_and_roots_of_a_round_go_to_the_callbacks_of_the_client() -> None:
    first, retry = await run(Answerer.scripted([ANN]), mixed(9), COMPLETE, **CALLBACKS)
    assert capabilities(first).keys() == {"elicitation", "sampling", "roots"}
    responses = retry["params"]["inputResponses"]
    assert responses["form"] == ANN
    assert responses["sample"]["content"] == {"type": "text", "text": "hi"}
    assert responses["roots"] == {"roots": []}


async def test_a_callback_that_refuses_fails_the_call_as_in_the_sdk() -> None:
    with pytest.raises(MCPError, match="the user said no"):
        await run(Answerer.scripted([ANN]), mixed(0), **CALLBACKS)


@pytest.mark.case("112-disconnect-clears-forms")
async def test_a_server_that_died_in_the_middle_of_a_round_gets_no_further_question_shown() -> None:
    desk = Desk()
    async with connected(Answerer(desk), list_roots_callback=lambda context: leave()) as (
        client,
        peer,
    ):

        async def leave() -> ListRootsResult:
            await peer.hang_up()
            await anyio.wait_all_tasks_blocked()
            return ListRootsResult(roots=[])

        async def serve() -> None:
            entries = {"first": {"method": "roots/list"}} | asked("form")["inputRequests"]
            await peer.reply(await peer.receive(), asked() | {"inputRequests": entries})

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            with pytest.raises(MCPError, match="Connection closed"):
                await book(client)
    assert desk.seen == []

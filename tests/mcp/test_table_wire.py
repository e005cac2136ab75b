"""What goes over the wire, message by message, on every revision."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp_types import Implementation

from tests.mcp.playing import called, connected, in_memory, on_http, serving, two
from tests.mcp.raw import remembering
from tests.mcp.servers.build import Sdk, build
from tests.mcp.table import MISSING, NIGHTS, REVISIONS, SDKS, Done, Failed, Refused, Revision
from tests.mcp.wiretap import Tap, Wire

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]

SCHEMA: Wire = {
    "type": "object",
    "properties": {"value": {"type": "integer"}},
    "required": ["value"],
}


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.requirement("M12", "M14")
@pytest.mark.parametrize(
    ("revision", "mode"), [("2025-06-18", {}), ("2025-11-25", {"mode": "form"})]
)
async def test_a_live_question_in_full(
    sdk: Sdk, revision: Revision, mode: Wire, anyio_backend: str
) -> None:
    async with connected(in_memory(build(sdk)), revision, two()) as (client, tap):
        await client.call_tool("one")
    (question,) = tap.questions()
    assert question["params"] == {**mode, "message": NIGHTS, "requestedSchema": SCHEMA}


@pytest.mark.requirement("M65", "M67", "M68", "M82", "M12")
async def test_a_round_in_full(sdk: Sdk, anyio_backend: str) -> None:
    async with connected(in_memory(build(sdk)), "2026-07-28", two()) as (client, tap):
        await client.call_tool("one")
    (asked,) = tap.results("input_required")
    (question,) = asked["inputRequests"].values()
    assert question == {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": NIGHTS, "requestedSchema": SCHEMA},
    }
    assert isinstance(asked["requestState"], str)
    assert tap.requests_from_server() == []
    calls = tap.calls()
    assert [("requestState" in one["params"]) for one in calls] == [False, True]
    results = [one["result"] for one in tap.received if "result" in one]
    assert all("resultType" in one for one in results)


@pytest.mark.requirement("M67")
async def test_several_questions_of_a_round_have_keys_of_their_own(
    sdk: Sdk, anyio_backend: str
) -> None:
    async with connected(in_memory(build(sdk)), "2026-07-28", two()) as (client, tap):
        await client.call_tool("every")
    (asked,) = tap.results("input_required")
    messages = [one["params"]["message"] for one in asked["inputRequests"].values()]
    assert messages == ["Where to?", NIGHTS]


@pytest.mark.requirement("M11", "M09")
@pytest.mark.case("080-cap-url-only")
@pytest.mark.case("082-cap-unknown-member")
@pytest.mark.case("083-cap-only-unknown-member")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(
    ("declared", "asked"),
    [
        (None, False),
        ({}, True),
        ({"form": {}}, True),
        ({"form": {"applyDefaults": True}, "video": {}}, True),
        ({"url": {}}, False),
        ({"form": {}, "url": {}}, True),
        ({"video": {}}, True),
    ],
    ids=str,
)
async def test_only_what_was_declared_is_asked(
    sdk: Sdk, revision: Revision, declared: Any, asked: bool, anyio_backend: str
) -> None:
    if revision == "2025-06-18" and declared == {"url": {}}:
        asked = True  # that revision knows no modes: any object declares forms
    person = two()
    async with connected(in_memory(build(sdk)), revision, person, elicitation=declared) as (
        client,
        tap,
    ):
        got = await called(client, "outcome", {})
    assert got == Done("accepted 2" if asked else "unavailable not_declared")
    assert len(person.asked) == asked
    assert asked or not (tap.requests_from_server() or tap.results("input_required"))


@pytest.mark.requirement("M11")
async def test_a_revision_without_elicitation_is_asked_nothing(
    sdk: Sdk, anyio_backend: str
) -> None:
    person = two()
    async with connected(in_memory(build(sdk)), "2025-03-26", person) as (client, tap):
        assert await called(client, "outcome", {}) == Done("unavailable not_in_dialect")
        assert await called(client, "fallback", {}) == Done("7 nights")
        told = "Not done: the question 'How many nights?' was unavailable (not_in_dialect)."
        assert await called(client, "one", {}) == Failed(told)
    assert person.asked == []
    assert tap.questions() == []


@pytest.mark.requirement("M72")
@pytest.mark.case("086-server-does-not-send-undeclared")
async def test_a_form_for_a_url_only_client_is_the_documented_error(
    sdk: Sdk, anyio_backend: str
) -> None:
    statuses: list[int] = []

    async def note(response: httpx2.Response) -> None:
        statuses.append(response.status_code)

    with serving(build(sdk)) as url:
        async with (
            httpx2.AsyncClient(event_hooks={"response": [note]}) as http,
            connected(
                on_http(url, http_client=http), "2026-07-28", two(), elicitation={"url": {}}
            ) as (client, tap),
        ):
            got = await called(client, "one", {})
    assert got == Refused(-32021, MISSING)
    assert statuses[-1] == 400
    assert tap.requests_from_server() == []


@pytest.mark.requirement("M12")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("modes", [frozenset(), frozenset({"url"})])
async def test_an_override_takes_a_mode_away(
    sdk: Sdk, revision: Revision, modes: frozenset[Any], anyio_backend: str
) -> None:
    server = build(sdk, asks={"clients": {"shy": modes}})
    for name, asked in (("shy", False), ("bold", True)):
        person = two()
        info = Implementation(name=name, version="1")
        async with connected(in_memory(server), revision, person, client_info=info) as (client, _):
            got = await called(client, "outcome", {})
        assert got == Done("accepted 2" if asked else "unavailable not_declared")
        assert len(person.asked) == asked


@pytest.mark.requirement("M11")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_an_override_adds_none(sdk: Sdk, revision: Revision, anyio_backend: str) -> None:
    server = build(sdk, asks={"clients": {"shy": {"form", "url"}}})
    info = Implementation(name="shy", version="1")
    for declared in (None, {"url": {}}):
        if revision == "2025-06-18" and declared:
            continue  # there it declares forms
        person = two()
        async with connected(
            in_memory(server), revision, person, elicitation=declared, client_info=info
        ) as (client, _):
            assert await called(client, "outcome", {}) == Done("unavailable not_declared")
        assert person.asked == []


class Spoiling(Tap):
    """Puts something else in the place of every answer of a retry."""

    def __init__(self, inner: Any, answer: Any) -> None:
        super().__init__(inner)
        self._answer = answer

    def changed(self, message: Wire) -> Wire:
        params = message.get("params") or {}
        if "inputResponses" in params:
            params["inputResponses"] = dict.fromkeys(params["inputResponses"], self._answer)
        return message


@pytest.mark.requirement("G06", "M78")
@pytest.mark.parametrize(
    "answer", [None, 3, {}, {"action": "reject"}, {"action": "accept", "content": [1]}], ids=str
)
async def test_a_malformed_answer_of_a_retry_is_invalid_params(
    sdk: Sdk, answer: Any, anyio_backend: str
) -> None:
    tap = Spoiling(in_memory(build(sdk)), answer)
    async with Client(tap, mode="2026-07-28", elicitation_callback=two()) as client:
        got = await called(client, "one", {})
    assert isinstance(got, Refused), got
    assert got.code == -32602


@pytest.mark.requirement("G07", "G08")
@pytest.mark.parametrize(
    "answer", [{"action": "accept"}, {"action": "accept", "content": None}], ids=str
)
async def test_an_accept_of_a_retry_without_content_is_an_empty_form(
    sdk: Sdk, answer: Any, anyio_backend: str
) -> None:
    tap = Spoiling(in_memory(build(sdk)), answer)
    async with Client(tap, mode="2026-07-28", elicitation_callback=two()) as client:
        assert await called(client, "outcome", {}) == Done("cancelled invalid_answer")


@pytest.mark.requirement("M73")
async def test_a_round_that_nobody_takes_up_leaves_nothing_behind(
    sdk: Sdk, anyio_backend: str
) -> None:
    server, ends, _ = remembering(sdk)
    async with connected(in_memory(server), "2026-07-28", two()) as (client, _):
        for _ in range(3):
            await client.session.call_tool("remember", {}, allow_input_required=True)
        assert ends == ["Signal"] * 3
        assert await called(client, "remember", {}) == Done("accepted 2")


@pytest.mark.requirement("G38")
async def test_answers_without_a_state_are_asked_for(sdk: Sdk, anyio_backend: str) -> None:
    async with connected(in_memory(build(sdk)), "2026-07-28", two()) as (client, _):
        first = await client.session.call_tool("one", {}, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        forged = {
            key: types.ElicitResult(action="accept", content={"value": 2})
            for key in first.input_requests or {}
        }
        again = await client.session.call_tool(
            "one", {}, input_responses=forged, allow_input_required=True
        )
    assert isinstance(again, types.InputRequiredResult)
    assert again.input_requests == first.input_requests


@pytest.mark.requirement("M79", "M80")
async def test_over_the_wire_unknown_answers_are_ignored_and_missing_ones_asked_again(
    sdk: Sdk, anyio_backend: str
) -> None:
    async with connected(in_memory(build(sdk)), "2026-07-28", two()) as (client, _):
        first = await client.session.call_tool("every", {}, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        where, nights = first.input_requests or {}
        again = await client.session.call_tool(
            "every",
            {},
            request_state=first.request_state,
            input_responses={
                where: types.ElicitResult(action="accept", content={"value": "Rome"}),
                "zz": types.ElicitResult(action="decline"),
            },
            allow_input_required=True,
        )
        assert isinstance(again, types.InputRequiredResult)
        assert list(again.input_requests or {}) == [nights]
        done = await client.session.call_tool(
            "every",
            {},
            request_state=again.request_state,
            input_responses={nights: types.ElicitResult(action="accept", content={"value": 2})},
        )
    assert done.content[0].text == "Rome 2"


@pytest.mark.requirement("M31")
async def test_no_error_of_another_revision_is_ever_sent(sdk: Sdk, anyio_backend: str) -> None:
    async with connected(in_memory(build(sdk)), "2026-07-28", two(), elicitation=None) as (
        client,
        tap,
    ):
        for tool in ("one", "outcome", "fallback"):
            await called(client, tool, {})
    codes = {one["error"]["code"] for one in tap.received if "error" in one}
    assert codes == {-32021}

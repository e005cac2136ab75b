"""The state that carries the answers: sealed, bound, and worth nothing to anybody else.

The seal itself is the SDKs'; these tests hold them to it where our answers depend on it,
and our own check that it is there.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import RequestStateSecurity
from mcp.server.request_state import RequestStateBoundary

from elicitkit.mcp import StateKeyWarning, request_state, state
from tests.mcp.playing import Person, connected, in_memory, on_http, serving
from tests.mcp.servers.build import KEY, NAME, Sdk, build, lasting, lowlevel
from tests.mcp.servers.users import authenticated
from tests.mcp.table import NIGHTS, SDKS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]
MODERN = "2026-07-28"


@dataclass(frozen=True, slots=True)
class Request:
    """A client request that asks."""

    method: str
    target: str
    arguments: dict[str, str]

    async def send(self, client: Client, **extra: Any) -> Any:
        session = client.session
        extra["allow_input_required"] = True
        if self.method == "tools/call":
            return await session.call_tool(self.target, self.arguments, **extra)
        if self.method == "prompts/get":
            return await session.get_prompt(self.target, self.arguments, **extra)
        return await session.read_resource(self.target, **extra)


TOOL = Request("tools/call", "row", {"city": "Rome"})
PROMPT = Request("prompts/get", "guide", {"city": "Rome"})
RESOURCE = Request("resources/read", "rates://Rome", {})
REQUESTS = (TOOL, PROMPT, RESOURCE)
OTHERS: Sequence[tuple[Request, Request]] = (
    (TOOL, Request("tools/call", "row", {"city": "Paris"})),
    (TOOL, Request("tools/call", "one", {"city": "Rome"})),
    (TOOL, PROMPT),
    (PROMPT, Request("prompts/get", "guide", {"city": "Paris"})),
    (PROMPT, TOOL),
    (RESOURCE, Request("resources/read", "rates://Paris", {})),
    (RESOURCE, TOOL),
)
INVALID = (-32602, {"reason": "invalid_request_state"})


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def answers(result: types.InputRequiredResult) -> dict[str, Any]:
    content = {"nights": 2} if "When" in str(result.input_requests) else {"value": 2}
    return {
        key: types.ElicitResult(action="accept", content=dict(content))
        for key in result.input_requests or {}
    }


def client_of(server: Any) -> Any:
    return connected(in_memory(server), MODERN, Person({}))


async def first_round(client: Client, request: Request) -> types.InputRequiredResult:
    result = await request.send(client)
    assert isinstance(result, types.InputRequiredResult)
    assert result.request_state is not None
    return result


async def refused(client: Client, request: Request, first: types.InputRequiredResult) -> Any:
    with pytest.raises(MCPError) as error:
        await request.send(
            client, request_state=first.request_state, input_responses=answers(first)
        )
    return error.value.error.code, error.value.error.data


async def accepted(client: Client, request: Request, first: types.InputRequiredResult) -> bool:
    result = await request.send(
        client, request_state=first.request_state, input_responses=answers(first)
    )
    asked = str(result.input_requests) if isinstance(result, types.InputRequiredResult) else ""
    return "When do you go" not in asked and NIGHTS not in asked


@pytest.mark.requirement("M69")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.method)
async def test_a_state_that_was_tampered_with_is_refused(
    sdk: Sdk, request_: Request, anyio_backend: str
) -> None:
    async with client_of(build(sdk)) as (client, _):
        first = await first_round(client, request_)
        sealed = first.request_state or ""
        at = len(sealed) // 2
        forged = (
            sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :],
            sealed[:-4],
            "",
            'ek1:{"c":"c","a":{},"o":{},"q":{},"l":{}}',
        )
        for text in forged:
            changed = first.model_copy(update={"request_state": text})
            assert await refused(client, request_, changed) == INVALID
        assert await accepted(client, request_, first)


@pytest.mark.requirement("M70")
@pytest.mark.case("185-state-other-call")
@pytest.mark.parametrize(("request_", "other"), OTHERS)
async def test_a_state_of_one_call_is_no_good_for_another(
    sdk: Sdk, request_: Request, other: Request, anyio_backend: str
) -> None:
    async with client_of(build(sdk)) as (client, _):
        first = await first_round(client, request_)
        assert await refused(client, other, first) == INVALID


@pytest.mark.requirement("M70")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.method)
async def test_another_replica_needs_the_shared_key(
    sdk: Sdk, request_: Request, anyio_backend: str
) -> None:
    async with (
        client_of(build(sdk)) as (here, _),
        client_of(build(sdk)) as (there, _),
        client_of(build(sdk, request_state_security=None)) as (stranger, _),
    ):
        first = await first_round(here, request_)
        assert await accepted(there, request_, first)
        assert await refused(stranger, request_, first) == INVALID


async def test_a_rotated_key_still_opens(sdk: Sdk, anyio_backend: str) -> None:
    rotated = request_state(["n" * 32, KEY], audience=NAME)
    assert rotated.ttl == 86_400
    async with (
        client_of(build(sdk)) as (here, _),
        client_of(build(sdk, request_state_security=rotated)) as (there, _),
    ):
        first = await first_round(here, TOOL)
        assert await accepted(there, TOOL, first)


@pytest.mark.requirement("M70", "M86")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.method)
async def test_a_state_expires(
    sdk: Sdk, request_: Request, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client_of(build(sdk, request_state_security=lasting(60))) as (client, _):
        monkeypatch.setattr("mcp.server.request_state.time.time", lambda: 1_000.0)
        first = await first_round(client, request_)
        monkeypatch.setattr("mcp.server.request_state.time.time", lambda: 1_059.0)
        assert await accepted(client, request_, first)
        monkeypatch.setattr("mcp.server.request_state.time.time", lambda: 1_060.0)
        assert await refused(client, request_, first) == INVALID


@pytest.mark.requirement("M34", "M37", "M43", "M70", "M86")
@pytest.mark.case("184-state-other-user")
async def test_a_state_of_one_user_is_no_good_to_another(sdk: Sdk, anyio_backend: str) -> None:
    def http(user: str) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(headers={"Authorization": f"Bearer {user}"})

    with serving(authenticated(sdk)) as url:
        async with (
            http("alice") as hers,
            http("bob") as his,
            connected(on_http(url, http_client=hers), MODERN, Person({})) as (alice, _),
            connected(on_http(url, http_client=his), MODERN, Person({})) as (bob, _),
        ):
            for request in REQUESTS:
                first = await first_round(alice, request)
                assert await refused(bob, request, first) == INVALID
                assert await accepted(alice, request, first)


@pytest.mark.requirement("M69")
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.method)
async def test_a_server_that_does_not_seal_may_not_ask(
    sdk: Sdk, request_: Request, anyio_backend: str
) -> None:
    server = build(sdk)
    middleware = lowlevel_of(server).middleware
    middleware[:] = [one for one in middleware if not isinstance(one, RequestStateBoundary)]
    async with client_of(server) as (client, _):
        if request_ is TOOL:
            result = await request_.send(client)
            assert result.is_error
            text = result.content[0].text
        else:
            with pytest.raises(MCPError) as error:
                await request_.send(client)
            assert error.value.error.code == -32603
            text = error.value.error.message
    assert "does not seal requestState" in text


def lowlevel_of(server: Any) -> Any:
    return lowlevel(server) if hasattr(server, "_mcp_server") else server._lowlevel_server


@pytest.mark.requirement("M36")
async def test_nothing_in_the_state_can_be_read(sdk: Sdk, anyio_backend: str) -> None:
    async with client_of(build(sdk)) as (client, _):
        first = await first_round(client, TOOL)
        second = await TOOL.send(
            client, request_state=first.request_state, input_responses=answers(first)
        )
    for one in (first, second):
        assert one.request_state.startswith("v1.")
        assert "Rome" not in one.request_state
        assert "nights" not in one.request_state
    assert first.request_state != second.request_state


class TestWarning:
    """Over HTTP a key of this process alone is told of, once."""

    @pytest.fixture(autouse=True)
    def fresh(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(state, "_warned", False)

    @pytest.mark.parametrize(
        "security",
        [None, RequestStateSecurity(keys=[KEY], audience=NAME)],
        ids=["default", "not by request_state()"],
    )
    async def test_it_comes_once_and_only_over_http(
        self, sdk: Sdk, security: Any, anyio_backend: str, recwarn: pytest.WarningsRecorder
    ) -> None:
        server = build(sdk, request_state_security=security)
        async with client_of(server) as (client, _):
            await first_round(client, TOOL)
        assert list(recwarn) == []
        with serving(server) as url:
            async with connected(on_http(url), MODERN, Person({})) as (client, _):
                await first_round(client, TOOL)
                await first_round(client, PROMPT)
        assert [one.category for one in recwarn] == [StateKeyWarning]
        assert "request_state_security=request_state(keys=[...])" in str(recwarn[0].message)

    async def test_it_does_not_come_with_request_state(
        self, sdk: Sdk, anyio_backend: str, recwarn: pytest.WarningsRecorder
    ) -> None:
        with serving(build(sdk)) as url:
            async with connected(on_http(url), MODERN, Person({})) as (client, _):
                await first_round(client, TOOL)
        assert list(recwarn) == []

    async def test_nor_on_revisions_without_a_state(
        self, sdk: Sdk, anyio_backend: str, recwarn: pytest.WarningsRecorder
    ) -> None:
        with serving(build(sdk, request_state_security=None)) as url:
            person = Person({NIGHTS: [{"value": 2}]})
            async with connected(on_http(url), "2025-11-25", person) as (client, _):
                await client.call_tool("one")
        assert list(recwarn) == []
        assert len(person.asked) == 1

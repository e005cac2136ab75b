"""Questions on a connection: signs of life, time, and what happens when it breaks off."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp.shared.exceptions import NoBackChannelError

from elicitkit.mcp import live
from tests.mcp.playing import Person, called, connected, in_memory, on_http, serving, two
from tests.mcp.raw import Http, remembering
from tests.mcp.servers.build import Sdk, build
from tests.mcp.table import NIGHTS, REVISIONS, SDKS, Done, Revision

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]

LIVE: tuple[Revision, ...] = ("2025-06-18", "2025-11-25")


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.case("118-no-open-stream-fails-fast")
@pytest.mark.requirement("M42")
@pytest.mark.parametrize("revision", LIVE)
@pytest.mark.parametrize("option", ["stateless_http", "json_response"])
async def test_without_a_back_channel_nobody_can_be_asked(
    sdk: Sdk, revision: Revision, option: str, anyio_backend: str
) -> None:
    person = two()
    with serving(build(sdk), **{option: True}) as url, anyio.fail_after(5):
        async with connected(on_http(url), revision, person) as (client, _):
            assert await called(client, "outcome", {}) == Done("unavailable no_back_channel")
            assert await called(client, "fallback", {}) == Done("7 nights")
    assert person.asked == []


@pytest.mark.parametrize("option", ["stateless_http", "json_response"])
async def test_2026_07_28_needs_no_back_channel(sdk: Sdk, option: str, anyio_backend: str) -> None:
    with serving(build(sdk), **{option: True}) as url:
        async with connected(on_http(url), "2026-07-28", two()) as (client, _):
            assert await called(client, "outcome", {}) == Done("accepted 2")


class TestProgress:
    """While a person thinks, a caller that gave a token is told that the call is alive."""

    @pytest.fixture(autouse=True)
    def fast(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(live, "PULSE", 0.01)

    @pytest.mark.parametrize("revision", LIVE)
    async def test_with_a_token(self, sdk: Sdk, revision: Revision, anyio_backend: str) -> None:
        told: list[tuple[float, str | None]] = []
        enough = anyio.Event()

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append((done, message))
            if len(told) % 3 == 0:
                enough.set()

        async def thinks(context: Any, params: Any) -> types.ElicitResult:
            nonlocal enough
            await enough.wait()
            enough = anyio.Event()
            content = {"value": "Rome" if params.message == "Where to?" else 2}
            return types.ElicitResult(action="accept", content=content)

        async with connected(in_memory(build(sdk)), revision, thinks) as (client, tap):
            with anyio.fail_after(5):
                result = await client.call_tool("every", progress_callback=progress)
        assert not result.is_error
        assert len(tap.questions()) == 2
        assert [done for done, _ in told] == list(range(1, len(told) + 1))
        assert {message for _, message in told} == {"Waiting for an answer"}

    @pytest.mark.parametrize("revision", LIVE)
    async def test_without_one(self, sdk: Sdk, revision: Revision, anyio_backend: str) -> None:
        person = Person({NIGHTS: ["late"]})
        async with connected(in_memory(build(sdk)), revision, person) as (client, tap):
            assert await called(client, "one", {}) == Done("2 nights")
        assert [one for one in tap.received if one.get("method") == "notifications/progress"] == []

    @pytest.mark.parametrize(
        ("code", "told"),
        [(-32601, "unavailable client_refused"), (-32603, "cancelled client_failed")],
    )
    async def test_nor_is_an_error_in_place_of_an_answer(
        self, sdk: Sdk, code: int, told: str, anyio_backend: str
    ) -> None:
        async def progress(done: float, total: float | None, message: str | None) -> None: ...

        async def fails(context: Any, params: Any) -> types.ErrorData:
            return types.ErrorData(code=code, message="no")

        async with connected(in_memory(build(sdk)), "2025-11-25", fails) as (client, _):
            result = await client.call_tool("outcome", progress_callback=progress)
        assert result.content[0].text == told

    async def test_a_session_that_ends_between_pulses_is_no_answer(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        server, ends, ended = remembering(sdk)
        with serving(server) as url, anyio.fail_after(10):
            async with httpx2.AsyncClient() as http:
                raw = Http(url, http)
                await raw.shake_hands()
                params = {"name": "remember", "_meta": {"progressToken": "t"}}
                call = {"id": 1, "method": "tools/call", "params": params}
                async with raw.post(call) as messages:
                    assert (await anext(messages))["method"] == "elicitation/create"
                    pulse = await anext(messages)
                    assert pulse["method"] == "notifications/progress"
                    assert pulse["params"]["progressToken"] == "t"
                    await raw.delete()
                    assert await anyio.to_thread.run_sync(ended.wait, 5)
        assert ends == ["cancelled disconnected"]

    async def test_an_outcome_is_not_wrapped(self, sdk: Sdk, anyio_backend: str) -> None:
        async def progress(done: float, total: float | None, message: str | None) -> None: ...

        async with connected(
            in_memory(build(sdk)), "2025-11-25", Person({NIGHTS: ["decline"]})
        ) as (client, _):
            result = await client.call_tool("one", progress_callback=progress)
        assert result.content[0].text == "Not done: the question 'How many nights?' was declined."


@pytest.mark.requirement("M88", "G16")
@pytest.mark.parametrize("revision", LIVE)
async def test_a_timeout_withdraws_the_question(
    sdk: Sdk, revision: Revision, anyio_backend: str
) -> None:
    person = Person({NIGHTS: ["never"]})
    async with connected(in_memory(build(sdk)), revision, person) as (client, tap):
        assert await called(client, "hurried", {}) == Done("cancelled timed_out")
        with anyio.fail_after(5):
            while not person.withdrawn:
                await anyio.lowlevel.checkpoint()
    (question,) = tap.questions()
    cancelled = [one for one in tap.received if one.get("method") == "notifications/cancelled"]
    assert [one["params"]["requestId"] for one in cancelled] == [question["id"]]


@pytest.mark.requirement("M88")
@pytest.mark.parametrize("revision", LIVE)
async def test_without_a_timeout_a_question_waits(
    sdk: Sdk, revision: Revision, anyio_backend: str
) -> None:
    person = Person({NIGHTS: ["never"]})
    async with (
        connected(in_memory(build(sdk)), revision, person) as (client, _),
        anyio.create_task_group() as group,
    ):
        group.start_soon(called, client, "one", {})
        await person.met.wait()
        await anyio.wait_all_tasks_blocked()
        assert person.withdrawn == 0
        group.cancel_scope.cancel()


@pytest.mark.requirement("M42")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (-32602, "unavailable client_refused"),
        (-32601, "unavailable client_refused"),
        (-32600, "unavailable client_refused"),
        (-32603, "cancelled client_failed"),
        (0, "cancelled client_failed"),
    ],
)
async def test_an_error_in_place_of_an_answer_is_never_a_no(
    sdk: Sdk, error: int, told: str, anyio_backend: str
) -> None:
    async def fails(context: Any, params: Any) -> types.ErrorData:
        return types.ErrorData(code=error, message="no")

    async with connected(in_memory(build(sdk)), "2025-11-25", fails) as (client, _):
        assert await called(client, "outcome", {}) == Done(told)


@pytest.mark.requirement("M42")
@pytest.mark.case("113-disconnect-fails-server-wait")
@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_client_that_goes_away_in_memory_leaves_the_server_alive(
    sdk: Sdk, revision: Revision, anyio_backend: str
) -> None:
    server, ends, _ = remembering(sdk)
    person = Person({NIGHTS: ["never"]})
    async with (
        connected(in_memory(server), revision, person) as (client, _),
        anyio.create_task_group() as group,
    ):
        group.start_soon(called, client, "remember", {})
        await person.met.wait()
        group.cancel_scope.cancel()
    async with connected(in_memory(server), revision, two()) as (client, _):
        assert await called(client, "remember", {}) == Done("accepted 2")
    assert "declined" not in ends


@pytest.mark.requirement("M42")
async def test_a_channel_that_is_gone_when_the_question_leaves_is_no_answer(
    sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object, **__: object) -> None:
        raise NoBackChannelError("elicitation/create")

    monkeypatch.setattr("mcp.server.session.ServerSession.send_request", gone)
    async with connected(in_memory(build(sdk)), "2025-11-25", two()) as (client, _):
        assert await called(client, "outcome", {}) == Done("unavailable no_back_channel")

"""Questions over streamable HTTP, with nothing between the test and the bytes."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator

import anyio
import httpx2
import pytest

from elicitkit.mcp import live
from tests.mcp.playing import called, connected, on_http, serving, two
from tests.mcp.raw import Http, remembering
from tests.mcp.servers.build import Sdk, build
from tests.mcp.servers.users import authenticated
from tests.mcp.table import NIGHTS, SDKS, Done
from tests.mcp.wiretap import Wire

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.requirement("M89", "M88", "G50")
@pytest.mark.case("119-ask-on-originating-stream")
async def test_the_question_comes_on_the_stream_of_its_call(sdk: Sdk, anyio_backend: str) -> None:
    other: list[Wire] = []

    async def listen(raw: Http, ready: anyio.Event) -> None:
        async with raw.get() as messages:
            ready.set()
            async for message in messages:
                other.append(message)

    with serving(build(sdk)) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http, anyio.create_task_group() as group:
            raw, ready = Http(url, http), anyio.Event()
            await raw.shake_hands()
            group.start_soon(listen, raw, ready)
            await ready.wait()
            call = {"id": 1, "method": "tools/call", "params": {"name": "one", "arguments": {}}}
            async with raw.post(call) as messages:
                question = await anext(messages)
                assert question["method"] == "elicitation/create"
                answer = {"action": "accept", "content": {"value": 2}}
                async with raw.post({"id": question["id"], "result": answer}):
                    pass
                result = await anext(messages)
            assert result["id"] == 1
            assert result["result"]["content"][0]["text"] == "2 nights"
            assert other == []
            group.cancel_scope.cancel()


@pytest.mark.requirement("M87")
async def test_nothing_is_asked_before_the_client_is_initialized(
    sdk: Sdk, anyio_backend: str
) -> None:
    with serving(build(sdk)) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http:
            raw = Http(url, http)
            await raw.shake_hands(initialized=False)
            call = {"id": 1, "method": "tools/call", "params": {"name": "one"}}
            async with raw.post(call) as messages, anyio.create_task_group() as group:
                group.start_soon(raw.say_initialized)
                question = await anext(messages)
            await raw.delete()
    assert question["method"] == "elicitation/create"
    assert raw.order == ["initialize", "tools/call", "notifications/initialized"]


@pytest.mark.requirement("M87")
async def test_nor_is_a_client_that_never_says_so(
    sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "PATIENCE", 0.05)
    with serving(build(sdk)) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http:
            raw = Http(url, http)
            await raw.shake_hands(initialized=False)
            call = {"id": 1, "method": "tools/call", "params": {"name": "outcome"}}
            async with raw.post(call) as messages:
                first = await anext(messages)
    assert first["result"]["content"][0]["text"] == "unavailable no_back_channel"


@pytest.mark.requirement("M43", "M35")
async def test_nobody_else_answers_in_the_session_of_a_user(sdk: Sdk, anyio_backend: str) -> None:
    def http(user: str) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(headers={"Authorization": f"Bearer {user}"})

    with serving(authenticated(sdk)) as url, anyio.fail_after(10):
        async with http("alice") as hers, http("bob") as his:
            raw = Http(url, hers)
            await raw.shake_hands()
            call = {"id": 1, "method": "tools/call", "params": {"name": "one"}}
            async with raw.post(call) as messages:
                question = await anext(messages)
                forged = {"action": "accept", "content": {"value": 99}}
                assert await raw.status({"id": question["id"], "result": forged}, his) == 404
                answer = {"action": "accept", "content": {"value": 2}}
                async with raw.post({"id": question["id"], "result": answer}):
                    pass
                result = await anext(messages)
    assert result["result"]["content"][0]["text"] == "2 nights"


@pytest.mark.requirement("M78", "G08")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"action": "accept", "content": {"value": 2.0}}, "2 nights"),
        ({"action": "reject"}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("place", ["tool", "prompt"])
async def test_a_raw_answer(
    sdk: Sdk, place: str, answer: Wire, told: str | None, anyio_backend: str
) -> None:
    with serving(build(sdk)) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http:
            raw = Http(url, http)
            await raw.shake_hands()
            call: Wire = {"id": 1, "method": "tools/call", "params": {"name": "one"}}
            if place == "prompt":
                params = {"name": "guide", "arguments": {"city": "Rome"}}
                call |= {"method": "prompts/get", "params": params}
            async with raw.post(call) as messages:
                question = await anext(messages)
                async with raw.post({"id": question["id"], "result": answer}):
                    pass
                ended = await anext(messages)
    if told is not None:
        text = json.dumps(ended["result"])
        assert (told if place == "tool" else "Rome for 2") in text
    else:
        assert ended["error"]["code"] == -32602
        assert ended["error"]["message"] == "the client's answer is none that MCP allows"


@pytest.mark.requirement("G07", "G08", "M62")
@pytest.mark.parametrize("content", [{}, {"content": None}, {"content": {"value": "2"}}], ids=str)
async def test_a_raw_answer_that_does_not_fit_is_asked_for_again(
    sdk: Sdk, content: Wire, anyio_backend: str
) -> None:
    with serving(build(sdk)) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http:
            raw = Http(url, http)
            await raw.shake_hands()
            call = {"id": 1, "method": "tools/call", "params": {"name": "one", "arguments": {}}}
            async with raw.post(call) as messages:
                first = await anext(messages)
                async with raw.post({"id": first["id"], "result": {"action": "accept", **content}}):
                    pass
                second = await anext(messages)
            await raw.delete()
    assert second["params"]["message"].startswith(f"{NIGHTS}\n\nPlease correct:\n- ")
    assert second["params"]["requestedSchema"] == first["params"]["requestedSchema"]
    assert second["id"] != first["id"]


@pytest.mark.requirement("M42")
@pytest.mark.case("113-disconnect-fails-server-wait")
async def test_a_session_that_ends_while_asked_is_no_answer(sdk: Sdk, anyio_backend: str) -> None:
    server, ends, ended = remembering(sdk)
    with serving(server) as url, anyio.fail_after(10):
        async with httpx2.AsyncClient() as http:
            raw = Http(url, http)
            await raw.shake_hands()
            call = {"id": 1, "method": "tools/call", "params": {"name": "remember"}}
            async with raw.post(call) as messages:
                await anext(messages)
                await raw.delete()
                assert await anyio.to_thread.run_sync(ended.wait, 5)
        assert ends == ["cancelled disconnected"]
        async with connected(on_http(url), "2025-11-25", two()) as (client, _):
            assert await called(client, "remember", {}) == Done("accepted 2")

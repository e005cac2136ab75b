"""Pages to visit over streamable HTTP: where their end is told, and life without a way back."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest

from tests.mcp.playing import called, connected, on_http, serving
from tests.mcp.raw import Http
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.visiting import visiting
from tests.mcp.table import SDKS, Done, Refused
from tests.mcp.visitor import COMPLETE, Visitor, completions, until
from tests.mcp.wiretap import Wire

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]

URLS = {"form": {}, "url": {}}


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def tool(name: str, id: int = 1, **arguments: Any) -> Wire:
    return {"id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


class Listener:
    """A session with its standalone stream, and what came on it."""

    def __init__(self, raw: Http) -> None:
        self.raw = raw
        self.heard: list[Wire] = []
        self.ready = anyio.Event()

    async def listen(self) -> None:
        async with self.raw.get() as messages:
            self.ready.set()
            async for message in messages:
                self.heard.append(message)

    async def consent(self) -> str:
        """Agree to the one page of a tool, and give its id."""
        async with self.raw.post(tool("consent")) as messages:
            question = await anext(messages)
            async with self.raw.post({"id": question["id"], "result": {"action": "accept"}}):
                pass
            assert "consented" in str(await anext(messages))
        return question["params"]["elicitationId"]

    async def finish(self, id: str) -> str:
        """Say that a page is done, and give what the server made of it."""
        async with self.raw.post(tool("finish", 2, elicitation_id=id)) as messages:
            result = await anext(messages)
        return result["result"]["content"][0]["text"].lower()


@asynccontextmanager
async def sessions(url: str, count: int) -> AsyncGenerator[list[Listener]]:
    async with httpx2.AsyncClient() as http, anyio.create_task_group() as group:
        found = [Listener(Http(url, http)) for _ in range(count)]
        for one in found:
            await one.raw.shake_hands(elicitation=URLS)
            group.start_soon(one.listen)
            await one.ready.wait()
        yield found
        group.cancel_scope.cancel()


@pytest.mark.requirement("M22", "M23")
@pytest.mark.case("139-complete-only-to-originator")
async def test_after_the_call_its_end_comes_on_the_stream_of_the_session_that_asked(
    sdk: Sdk, anyio_backend: str
) -> None:
    with serving(visiting(sdk).server) as url, anyio.fail_after(15):
        async with sessions(url, 2) as (hers, his):
            id = await hers.consent()
            await his.consent()
            # It is the other session that brings the news.
            assert await his.finish(id) == "true"
            assert await his.finish(id) == "false"
            await until(lambda: hers.heard)
            expected = {"jsonrpc": "2.0", "method": COMPLETE, "params": {"elicitationId": id}}
            assert hers.heard == [expected]
            assert his.heard == []


@pytest.mark.requirement("M23")
async def test_during_the_call_it_comes_on_the_stream_of_the_call(
    sdk: Sdk, anyio_backend: str
) -> None:
    with serving(visiting(sdk).server) as url, anyio.fail_after(15):
        async with sessions(url, 1) as (mine,), mine.raw.post(tool("connect")) as messages:
            question = await anext(messages)
            id = question["params"]["elicitationId"]
            async with mine.raw.post({"id": question["id"], "result": {"action": "accept"}}):
                pass
            assert await mine.finish(id) == "true"
            told, result = await anext(messages), await anext(messages)
            assert (told["method"], told["params"]) == (COMPLETE, {"elicitationId": id})
            assert "connected" in str(result)
            assert mine.heard == []


@pytest.mark.requirement("G15")
async def test_after_the_session_it_is_told_to_nobody(sdk: Sdk, anyio_backend: str) -> None:
    with serving(visiting(sdk).server) as url, anyio.fail_after(15):
        async with sessions(url, 2) as (hers, his):
            id = await hers.consent()
            await hers.raw.delete()
            assert await his.finish(id) == "false"
            assert his.heard == hers.heard == []


@pytest.mark.requirement("G02", "M30", "M28", "M23")
@pytest.mark.case("128-url-required-detected-by-code")
async def test_without_a_way_back_the_call_ends_with_its_page(sdk: Sdk, anyio_backend: str) -> None:
    with serving(visiting(sdk).server, json_response=True) as url, anyio.fail_after(15):
        async with connected(on_http(url), "2025-11-25", Visitor()) as (client, tap):
            got = await called(client, "connect", {})
            assert isinstance(got, Refused)
            assert got.code == -32042
            (one,) = (got.data or {})["elicitations"]
            assert one["url"] == f"https://id.example/connect/{one['elicitationId']}"
            assert await called(client, "connect", {}) == got
            await called(client, "finish", {"elicitation_id": one["elicitationId"]})
            assert await called(client, "connect", {}) == Done("connected")
            assert isinstance(await called(client, "connect", {}), Refused)
            await until(lambda: completions(tap))
        assert tap.questions() == []
    (told,) = completions(tap)
    assert told["params"] == {"elicitationId": one["elicitationId"]}


@pytest.mark.requirement("A34", "G02")
@pytest.mark.parametrize(
    ("option", "declared"), [("json_response", {"form": {}}), ("stateless_http", URLS)]
)
async def test_nor_is_there_any_page_for_who_did_not_declare_that_mode(
    sdk: Sdk, option: str, declared: Wire, anyio_backend: str
) -> None:
    """Ours: without sessions a server does not know what was declared, so nothing was."""
    with serving(visiting(sdk).server, **{option: True}) as url, anyio.fail_after(15):
        async with connected(on_http(url), "2025-11-25", Visitor(), elicitation=declared) as (
            client,
            tap,
        ):
            got = await called(client, "outcome", {})
            assert got == Done("url unavailable no_back_channel")
            assert not isinstance(await called(client, "needs", {}), Done)
    assert [one for one in tap.received if "error" in one] == []


@pytest.mark.requirement("M18")
@pytest.mark.parametrize("option", ["stateless_http", "json_response"])
async def test_2026_07_28_needs_no_way_back(sdk: Sdk, option: str, anyio_backend: str) -> None:
    with serving(visiting(sdk).server, **{option: True}) as url, anyio.fail_after(15):
        async with connected(on_http(url), "2026-07-28", Visitor()) as (client, _):
            assert await called(client, "consent", {}) == Done("consented")

"""The three message flows of the elicitation page of MCP 2025-11-25, from end to end.

Both sides are this library's, on the real SDK, and each flow is named as on the page. What
the person does, and what becomes of the page, is the test's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest
from mcp.server.mcpserver import MCPServer
from mcp_types import TextContent

from elicitkit import Answerer, Ask
from elicitkit.asking import Page
from elicitkit.core.model import Accept, FormRequest, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.core.urls import CheckedUrl
from elicitkit.mcp import Asks, connect
from tests.answering.surfaces import Browser, Window

pytestmark = pytest.mark.anyio

REVISION = "2025-11-25"


def connect_page(handle: str) -> str:
    return f"https://mcp.example.com/connect?e={handle}"


class Person(Window):
    """Fills in forms, consents to pages, and does on a page what it is for."""

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.log.append("fill")
        return Accept({"value": "octocat"})


class PageOpener(Browser):
    """A browser whose person finishes on the page, some time after it was opened."""

    def __init__(self, window: Window, finish: Callable[[str], Awaitable[object]]) -> None:
        super().__init__(window)
        self._finish = finish

    async def open(self, url: CheckedUrl) -> bool:
        opened = await super().open(url)
        self._later.start_soon(self._visited, str(url))
        return opened

    async def _visited(self, url: str) -> None:
        await anyio.wait_all_tasks_blocked()
        await self._finish(parse_qs(urlsplit(url).query)["e"][0])

    async def __aenter__(self) -> PageOpener:
        self._later = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._later.__aexit__(None, None, None)


async def called(
    server: MCPServer, person: Window, finish: Callable[[str], Awaitable[object]]
) -> str:
    async with PageOpener(person, finish) as opener:
        answerer = Answerer(person, opener=opener)
        with anyio.fail_after(20):
            async with connect(
                server, name="mcp.example.com", answerer=answerer, protocol_version=REVISION
            ) as client:
                result = await client.call_tool("work", {})
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert not result.is_error, block.text
    return block.text


async def nothing(_: str) -> None:
    raise AssertionError("no page was to be visited")


@pytest.mark.requirement("M12", "M14", "M33")
async def test_form_mode_flow() -> None:
    server, asks, log = MCPServer("seed"), Asks(), list[str]()

    @server.tool()
    @asks
    async def work(ask: Ask) -> str:
        log.append("begins")
        name = await ask("Please provide your GitHub username", str)
        return f"goes on with {name}"

    person = Person()
    assert await called(server, person, nothing) == "goes on with octocat"
    assert (log, person.log) == (["begins"], ["fill"])


@pytest.mark.requirement("M17", "M23", "M25", "G46", "A37")
async def test_url_mode_flow() -> None:
    server, asks, log = MCPServer("seed"), Asks(), list[str]()

    @server.tool()
    @asks
    async def work(ask: Ask) -> str:
        visit = await ask.visit("Please provide your API key to continue.", connect_page)
        log.append("consent")
        await visit.wait()
        log.append("completed")
        return "goes on with new information"

    person = Person()
    assert await called(server, person, asks.complete) == "goes on with new information"
    assert log == ["consent", "completed"]
    assert person.log[:3] == ["consent", "open", "wait"]


@pytest.mark.requirement("M28", "M30", "G35")
async def test_url_mode_with_elicitation_required_error_flow() -> None:
    server, asks, calls, connected = MCPServer("seed"), Asks(), list[bool](), set[str]()

    async def finish(handle: str) -> None:
        connected.add(handle)
        await asks.complete(handle)

    @server.tool()
    @asks
    async def work(ask: Ask) -> str:
        calls.append(bool(connected))
        if not connected:
            await ask.require(Page("Authorization is required to access your files.", connect_page))
        return "works on the retry"

    person = Person()
    assert await called(server, person, finish) == "works on the retry"
    assert calls == [False, True]
    assert person.log[:2] == ["consent", "open"]
    assert person.log.count("consent") == 1

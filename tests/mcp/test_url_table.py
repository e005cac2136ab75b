"""Url mode as it really runs: two revisions, two SDKs, stdio and HTTP, two clients.

Each row is one course of events between a server of its own (a process, or uvicorn) and
this library's client, and then the SDK's stock client as far as that can go: it looks at no
URL, knows nothing of completion, and retries nothing after -32042.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import anyio
import mcp_types as types
import pytest
from anyio.abc import TaskGroup
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from elicitkit import Answerer
from elicitkit.core.model import Accept, Cancel, Decline, Response, UrlRequest
from elicitkit.core.open_page import OpenPage, Way
from elicitkit.core.urls import CheckedUrl
from elicitkit.mcp import connect
from tests.answering.surfaces import Browser, Window
from tests.mcp.playing import ROOT, called, connected, on_http, serving
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.touring import touring
from tests.mcp.table import SDKS, Done, Refused, Result, Revision

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]

Transport = Literal["stdio", "http"]
LIVE: Final[Revision] = "2025-11-25"
ROUNDS: Final[Revision] = "2026-07-28"
SLOW: Final = 2.5
"""Seconds; a stock client that is not held gives up after 2.1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One course of events.

    Attributes:
        tool: What is called, by revision where they differ.
        gives: What comes of it, as text or as the code of an error.
        person: What the person answers, in order; the last answer stays.
        visits: When the person finishes on the page: never, before they consent, or so many
            seconds after it was opened.
        opens: Whether the browser starts.
        consents: How often consent is asked for.
        opened: How many pages are opened.
    """

    tool: str | dict[Revision, str]
    gives: str | int | dict[Revision, str | int]
    person: tuple[Response, ...] = (Accept(),)
    visits: float | Literal["before"] | None = None
    opens: bool = True
    consents: int = 1
    opened: int = 1


ROWS: Final[dict[str, Row]] = {
    "accept and complete": Row(tool="connect", gives="connected", visits=0),
    "accept and never complete": Row(tool="impatient", gives="cancelled timed_out"),
    "complete before accept": Row(tool="connect", gives="connected", visits="before"),
    "decline": Row(tool="outcome", gives="url declined", person=(Decline(),), opened=0),
    "cancel": Row(tool="outcome", gives="url cancelled dismissed", person=(Cancel(),), opened=0),
    "the opener fails": Row(
        tool="outcome",
        gives="url cancelled dismissed",
        person=(Accept(), Cancel()),
        opens=False,
        consents=2,
    ),
    "a hostile URL": Row(tool="hostile", gives="cancel", opened=0),
    "three URLs at once": Row(tool="three", gives="ready", visits=0, consents=3, opened=3),
    "the same URL again": Row(
        tool={LIVE: "stubborn", ROUNDS: "again"},
        gives={LIVE: -32042, ROUNDS: "consented twice"},
    ),
    "a slow person": Row(tool="connect", gives="connected", visits=SLOW),
}
STOCK_ROWS: Final[dict[str, str]] = {
    "accept and complete": "",
    "accept and never complete": "",
    "decline": "",
    "cancel": "",
    "a slow person": "",
    "complete before accept": "",
}
"""What the stock client can play. It opens nothing, so no opener fails; it accepts a hostile
URL like any other; it shows -32042 to its caller, and asks for a URL as often as it comes."""


class Visitor(Window):
    """A person who is sent to pages, and finishes there at their own time."""

    def __init__(self, row: Row) -> None:
        super().__init__(*row.person)
        self.row = row
        self.finish: Callable[[str], Awaitable[object]]
        self.later: TaskGroup

    async def consent(self, request: UrlRequest, *rest: Any, **more: Any) -> Response:
        if self.row.visits == "before":
            await self.finish(request.url)
        return await super().consent(request, *rest, **more)

    async def wait(self, page: OpenPage) -> Way:
        if page.ending is None and self.row.visits is None:
            # Whoever is on a page that cannot be completed will say that they are done.
            self.log.append("wait")
            await anyio.sleep(0.05)
            return "finished"
        return await super().wait(page)

    async def visited(self, url: str) -> None:
        await anyio.sleep(float(self.row.visits or 0))
        await self.finish(url)


class VisitorsBrowser(Browser):
    """Starts or does not, and has its person finish on the page."""

    def __init__(self, person: Visitor) -> None:
        super().__init__(person, works=person.row.opens)
        self._person = person

    async def open(self, url: CheckedUrl) -> bool:
        if self.works and isinstance(self._person.row.visits, int | float):
            self._person.later.start_soon(self._person.visited, str(url))
        return await super().open(url)


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@contextmanager
def served(sdk: Sdk, transport: Transport) -> Generator[Any]:
    """What this library's client connects to."""
    if transport == "http":
        with serving(touring(sdk)) as url:
            yield url
    else:
        yield StdioServerParameters(
            command=sys.executable, args=["-m", "tests.mcp.servers.touring", sdk], cwd=ROOT
        )


async def finished(client: Client, url: str) -> None:
    """The page's own handler; pages that are required are known by their id alone."""
    await client.call_tool("finish", {"elicitation_id": urlsplit(url).path.rpartition("/")[2]})


def expected(row: Row, revision: Revision) -> str | int:
    return row.gives[revision] if isinstance(row.gives, dict) else row.gives


def got(result: Result) -> object:
    match result:
        case Done(text):
            return text
        case Refused(code):
            return code
        case other:
            return other


@pytest.mark.requirement("M06", "M18", "M17", "M26", "M33", "M42", "M54", "G33", "G35", "G46")
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("revision", [LIVE, ROUNDS])
@pytest.mark.parametrize("name", ROWS)
async def test_this_librarys_client(
    name: str, revision: Revision, sdk: Sdk, transport: Transport, anyio_backend: str
) -> None:
    row = ROWS[name]
    person = Visitor(row)
    browser = VisitorsBrowser(person)
    answerer = Answerer(person, opener=browser)
    tool = row.tool[revision] if isinstance(row.tool, dict) else row.tool
    with served(sdk, transport) as target, anyio.fail_after(30):
        async with (
            connect(target, name="table", answerer=answerer, protocol_version=revision) as client,
            anyio.create_task_group() as person.later,
        ):
            person.finish = lambda url: finished(client, url)
            result = await called(client, tool, {})
    assert got(result) == expected(row, revision)
    assert person.log.count("consent") == row.consents
    assert len(browser.opened) == row.opened


@asynccontextmanager
async def stock(
    target: Any, transport: Transport, revision: Revision, person: Any
) -> AsyncGenerator[Client]:
    wire = on_http(target) if transport == "http" else stdio_client(target)
    async with connected(wire, revision, person) as (client, _):
        yield client


@pytest.mark.requirement("M42")
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("revision", [LIVE, ROUNDS])
@pytest.mark.parametrize("name", STOCK_ROWS)
async def test_the_stock_client_as_far_as_it_can(
    name: str, revision: Revision, sdk: Sdk, transport: Transport, anyio_backend: str
) -> None:
    row = ROWS[name]
    assert isinstance(row.tool, str)
    clients: list[Client] = []

    async def person(context: Any, params: Any) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestURLParams)
        if row.visits == "before":
            await finished(clients[0], params.url)
        elif row.visits is not None:
            later.start_soon(visited, params.url)
        return types.ElicitResult(action=type(row.person[0]).__name__.lower())  # type: ignore[arg-type]

    async def visited(url: str) -> None:
        await anyio.sleep(float(row.visits or 0))
        await finished(clients[0], url)

    with served(sdk, transport) as target, anyio.fail_after(30):
        async with (
            stock(target, transport, revision, person) as client,
            anyio.create_task_group() as later,
        ):
            clients.append(client)
            result = await called(client, row.tool, {})
    assert got(result) == expected(row, revision)


@pytest.mark.requirement("M28", "M30")
@pytest.mark.parametrize("sdk", SDKS)
async def test_the_stock_client_shows_what_is_required_and_may_call_again(
    sdk: Sdk, anyio_backend: str
) -> None:
    async def nobody(context: Any, params: Any) -> types.ElicitResult:
        raise AssertionError("nothing is asked")

    with served(sdk, "http") as target, anyio.fail_after(30):
        async with stock(target, "http", LIVE, nobody) as client:
            with pytest.raises(MCPError) as required:
                await client.call_tool("three", {})
            assert required.value.error.code == -32042
            listed = required.value.error.data["elicitations"]
            assert [one["mode"] for one in listed] == ["url"] * 3
            for one in listed:
                await client.call_tool("finish", {"elicitation_id": one["elicitationId"]})
            assert await called(client, "three", {}) == Done("ready")

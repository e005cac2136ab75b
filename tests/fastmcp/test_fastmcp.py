"""What only FastMCP has: background tasks, mounted servers, masked errors.

Background tasks need FastMCP's ``tasks`` extra, which is not a dependency here; the way
a context of one is refused is shown with a context that says it is one.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import pytest
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import Middleware
from fastmcp.server.middleware.response_limiting import ResponseLimitingMiddleware
from fastmcp.tools import ToolResult
from mcp.server.request_state import RequestStateBoundary

from elicitkit import Ask, Page
from elicitkit.fastmcp import Asks, asks, request_state
from elicitkit.mcp import StateKeyWarning, state
from tests.mcp.playing import Person, called, connected, in_memory, on_http, serving
from tests.mcp.servers.build import KEY
from tests.mcp.table import MISSING, NIGHTS, Done, Failed, Refused

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


async def book(ask: Ask) -> str:
    return f"{await ask(NIGHTS, int)} nights"


def person() -> Person:
    return Person({NIGHTS: [{"value": 2}]})


@pytest.mark.requirement("M89")
async def test_a_background_task_has_no_request_to_ask_in(anyio_backend: str) -> None:
    context = Context(fastmcp=FastMCP("f"), task_id="t1")
    assert context.is_background_task
    with pytest.raises(ToolError, match="not from a background task"):
        await asks(book)(elicitkit_context=context)


@pytest.mark.requirement("M89")
async def test_nor_has_a_call_without_a_client(anyio_backend: str) -> None:
    server = FastMCP("f", mask_error_details=True)
    server.tool(asks(book))
    with pytest.raises(ToolError, match="a question belongs to a client request"):
        await server.call_tool("book")


def mounted(**options: Any) -> FastMCP:
    child: FastMCP = FastMCP("child")
    child.tool(asks(book))
    middle: FastMCP = FastMCP("middle")
    middle.mount(child, "in")
    parent: FastMCP = FastMCP("parent", **options)
    parent.mount(middle, "in")
    return parent


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_a_mounted_server_asks_through_the_one_it_is_in(
    revision: Any, anyio_backend: str
) -> None:
    async with connected(in_memory(mounted()), revision, person()) as (client, _):
        assert await called(client, "in_in_book", {}) == Done("2 nights")


async def test_the_seal_that_counts_is_that_of_the_outermost_server(anyio_backend: str) -> None:
    server = mounted()
    middleware = server._mcp_server.middleware
    middleware[:] = [one for one in middleware if not isinstance(one, RequestStateBoundary)]
    async with connected(in_memory(server), "2026-07-28", person()) as (client, _):
        got = await called(client, "in_in_book", {})
    assert isinstance(got, Failed)
    assert "does not seal requestState" in got.text


@pytest.mark.parametrize("keys", [None, [KEY]])
async def test_so_is_the_key_that_is_warned_of(
    keys: list[str] | None,
    anyio_backend: str,
    monkeypatch: pytest.MonkeyPatch,
    recwarn: pytest.WarningsRecorder,
) -> None:
    monkeypatch.setattr(state, "_warned", False)
    security = None if keys is None else request_state(keys, audience="parent")
    with serving(mounted(request_state_security=security)) as url:
        async with connected(on_http(url), "2026-07-28", person()) as (client, _):
            assert await called(client, "in_in_book", {}) == Done("2 nights")
    assert [one.category for one in recwarn] == ([] if keys else [StateKeyWarning])


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_masked_errors_do_not_hide_an_outcome(revision: Any, anyio_backend: str) -> None:
    server = FastMCP("f", mask_error_details=True)
    server.tool(asks(book))
    declines = Person({NIGHTS: ["decline"]})
    async with connected(in_memory(server), revision, declines) as (client, _):
        got = await called(client, "book", {})
    assert got == Failed("Not done: the question 'How many nights?' was declined.")


@pytest.mark.requirement("M72")
async def test_the_missing_capability_reaches_the_wire_through_a_tool(anyio_backend: str) -> None:
    server = FastMCP("f", mask_error_details=True)
    server.tool(Asks()(book))
    async with connected(in_memory(server), "2026-07-28", person(), elicitation=None) as (
        client,
        _,
    ):
        assert await called(client, "book", {}) == Refused(-32021, MISSING)


class Watch(Middleware):
    """Notes what middleware sees of the results of calls."""

    def __init__(self) -> None:
        self.seen: list[bool] = []

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        self.seen.append(result.is_error)
        return result


async def needs(ask: Ask) -> str:
    return f"{len(await ask.require(Page('Sign in', 'https://a.example/')))} done"


@pytest.mark.requirement("M30")
@pytest.mark.parametrize("inside", [False, True], ids=["plain", "mounted"])
async def test_a_list_of_pages_reaches_the_wire_through_a_tool(
    inside: bool, anyio_backend: str
) -> None:
    asking, watch = Asks(), Watch()
    server = FastMCP("f", mask_error_details=True, middleware=[watch, ResponseLimitingMiddleware()])
    child = FastMCP("child", mask_error_details=True)
    (child if inside else server).tool(asking(needs))
    server.mount(child, "in")
    tool = "in_needs" if inside else "needs"
    async with connected(in_memory(server), "2025-11-25", person()) as (client, _):
        got = await called(client, tool, {})
        assert isinstance(got, Refused)
        assert got.code == -32042
        (one,) = (got.data or {})["elicitations"]
        assert await asking.complete(one["elicitationId"])
        assert await called(client, tool, {}) == Done("1 done")
    assert watch.seen == [True, False]


async def test_what_middleware_makes_of_it_is_still_an_error(anyio_backend: str) -> None:
    """Ours: a middleware that builds results anew gets one that tells of an error."""

    class Anew(Middleware):
        async def on_call_tool(self, context: Any, call_next: Any) -> Any:
            result = await call_next(context)
            return ToolResult(content=result.content, is_error=result.is_error)

    server = FastMCP("f", middleware=[Anew()])
    server.tool(Asks()(needs))
    async with connected(in_memory(server), "2025-11-25", person()) as (client, _):
        got = await called(client, "needs", {})
    assert got == Failed("This needs pages to be visited first")


async def test_middleware_sees_a_round_as_the_result_of_the_call(anyio_backend: str) -> None:

    seen: list[str] = []

    class Watch(Middleware):
        async def on_call_tool(self, context: Any, call_next: Any) -> Any:
            result = await call_next(context)
            seen.append(type(result).__name__)
            return result

    server = FastMCP("f", middleware=[Watch()])
    server.tool(asks(book))
    async with connected(in_memory(server), "2026-07-28", person()) as (client, _):
        assert await called(client, "book", {}) == Done("2 nights")
    assert seen == ["InputRequiredToolResult", "ToolResult"]

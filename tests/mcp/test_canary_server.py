"""Every private name of the SDKs that the asking side reads, one test a name.

When an SDK changes one of them, this is the test that says so.
"""

from __future__ import annotations

from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import anyio
import pytest
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from fastmcp.server.dependencies import FastMCPRequestContext
from fastmcp.tools import ToolResult
from mcp import Client, MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.request_state import RequestStateBoundary


def test_the_boundary_keeps_its_security() -> None:
    security = RequestStateSecurity(keys=["k" * 32])
    assert RequestStateBoundary(security, default_audience="a")._security is security


def test_an_mcp_server_shows_its_middleware_with_the_boundary() -> None:
    assert any(isinstance(one, RequestStateBoundary) for one in MCPServer("m").middleware)


@pytest.mark.anyio
async def test_a_session_knows_whether_its_client_is_initialized() -> None:
    known: list[bool] = []
    server = MCPServer("m")

    @server.tool()
    async def tool(ctx: Context[Any, Any]) -> None:
        known.append(ctx.session._connection.initialized.is_set())

    async with Client(server, mode="legacy") as client:
        await client.call_tool("tool")
    assert known == [True]


@pytest.mark.anyio
async def test_a_connection_is_one_for_all_its_requests_and_says_when_it_ends() -> None:
    connections: list[Any] = []
    ended: list[str] = []
    server = MCPServer("m")

    @server.tool()
    async def tool(ctx: Context[Any, Any]) -> None:
        connections.append(ctx.session._connection)
        WeakKeyDictionary({connections[-1]: ended})
        connections[-1].exit_stack.callback(ended.append, "ended")

    async with Client(server, mode="legacy") as client:
        await client.call_tool("tool")
        await client.call_tool("tool")
        assert ended == []
    assert connections[0] is connections[1]
    assert ended == ["ended", "ended"]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_fastmcp_makes_the_wire_result_of_a_tool_where_errors_pass(
    anyio_backend: str,
) -> None:
    class Refusing(ToolResult):
        def to_mcp_result(self) -> NoReturn:
            raise MCPError(code=-32042, message="no", data={"a": 1})

    server = FastMCP("f", mask_error_details=True)

    @server.tool
    async def tool() -> ToolResult:
        return Refusing(content="no", is_error=True)

    async with Client(server._mcp_server, mode="legacy") as client:
        with pytest.raises(MCPError) as error:
            await client.call_tool("tool")
    assert (error.value.error.code, error.value.error.data) == (-32042, {"a": 1})


def test_a_fastmcp_server_has_a_low_level_one_with_the_boundary() -> None:
    middleware = FastMCP("f")._mcp_server.middleware
    assert any(isinstance(one, RequestStateBoundary) for one in middleware)


def test_a_fastmcp_request_has_the_sdks_context() -> None:
    assert FastMCPRequestContext.__annotations__["_srctx"] in (
        ServerRequestContext,
        "ServerRequestContext",
    )


async def _tokens() -> bool:
    server = FastMCP("f")
    async with FastContext(fastmcp=server) as outer, FastContext(fastmcp=server) as inner:
        return inner._tokens[-1].old_value is outer


def test_a_fastmcp_context_knows_the_one_around_it() -> None:

    assert anyio.run(_tokens)

"""Every private name of the SDKs that the asking side reads, one test a name.

When an SDK changes one of them, this is the test that says so.
"""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from fastmcp.server.dependencies import FastMCPRequestContext
from mcp import Client
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

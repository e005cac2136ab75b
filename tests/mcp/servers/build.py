"""The servers of the table, one an SDK; run as a program they serve on stdio.

python -m tests.mcp.servers.build mcp|fastmcp
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Literal, TypeAlias

from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer, RequestStateSecurity

import elicitkit.fastmcp
import elicitkit.mcp
from tests.mcp.servers import handlers

Sdk: TypeAlias = Literal["mcp", "fastmcp"]

KEY = "k" * 32
NAME = "table"


def lasting(ttl: float = 600) -> RequestStateSecurity:
    """A sealing with a key that every server of these tests shares."""
    return elicitkit.mcp.request_state([KEY], ttl=ttl, audience=NAME)


def build(sdk: Sdk, *, asks: dict[str, Any] | None = None, **options: Any) -> Any:
    """A server with every handler.

    Args:
        sdk: What carries it.
        asks: Arguments of ``Asks``; without them it is ``asks`` itself.
        options: Arguments of the server's class.
    """
    options.setdefault("request_state_security", lasting())
    return _mcp(asks, options) if sdk == "mcp" else _fastmcp(asks, options)


def lowlevel(server: Any) -> Any:
    """What the SDK's client connects to in memory."""
    return server if isinstance(server, MCPServer) else server._mcp_server


def _mcp(asking: dict[str, Any] | None, options: dict[str, Any]) -> MCPServer:
    asks = elicitkit.mcp.asks if asking is None else elicitkit.mcp.Asks(**asking)
    server = MCPServer(NAME, **options)
    for function in handlers.TOOLS.values():
        server.tool()(asks(function))
    server.prompt()(asks(handlers.guide))
    server.resource("rates://{city}")(asks(handlers.rates))
    return server


def _fastmcp(asking: dict[str, Any] | None, options: dict[str, Any]) -> FastMCP:
    asks = elicitkit.fastmcp.asks if asking is None else elicitkit.fastmcp.Asks(**asking)
    server: FastMCP = FastMCP(NAME, **options)
    for function in handlers.TOOLS.values():
        server.tool(asks(function))
    server.prompt(asks(handlers.guide))
    server.resource("rates://{city}")(asks(handlers.rates))
    server.resource("rates://today")(asks(handlers.today))
    return server


def app(server: Any, **options: Any) -> Any:
    """The server as an ASGI app."""
    if isinstance(server, MCPServer):
        return server.streamable_http_app(**options)
    return server.http_app(**options)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    served = build("mcp" if sys.argv[1] == "mcp" else "fastmcp")
    if isinstance(served, FastMCP):
        served.run(transport="stdio", show_banner=False)
    else:
        served.run(transport="stdio")

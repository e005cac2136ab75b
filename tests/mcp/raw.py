"""A client of streamable HTTP made of bare requests, and a server that notes its outcomes."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer

import elicitkit.fastmcp
import elicitkit.mcp
from elicitkit import Ask
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.handlers import named
from tests.mcp.table import NIGHTS
from tests.mcp.wiretap import Wire


class Http:
    """A client of streamable HTTP with nothing between the test and the bytes."""

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        self._url = url
        self._http = http
        self._headers = {"Accept": "application/json, text/event-stream"}
        self.order: list[str] = []
        """The methods that were sent."""

    async def shake_hands(
        self, *, initialized: bool = True, elicitation: Wire | None = None
    ) -> None:
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": elicitation or {}},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        async with self.post({"id": 0, "method": "initialize", "params": params}) as messages:
            assert (await anext(messages))["id"] == 0
        if initialized:
            await self.say_initialized()

    async def say_initialized(self) -> None:
        async with self.post({"method": "notifications/initialized"}):
            pass

    async def status(self, message: Wire, http: httpx2.AsyncClient) -> int:
        """What another client gets that sends something into this session."""
        body = {"jsonrpc": "2.0", **message}
        return (await http.post(self._url, json=body, headers=self._headers)).status_code

    @asynccontextmanager
    async def post(self, message: Wire) -> AsyncGenerator[AsyncGenerator[Wire]]:
        body = {"jsonrpc": "2.0", **message}
        self.order.append(message.get("method", "an answer"))
        async with self._http.stream(
            "POST", self._url, json=body, headers=self._headers
        ) as response:
            assert response.status_code in (200, 202)
            if session := response.headers.get("mcp-session-id"):
                self._headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
            yield events(response)

    @asynccontextmanager
    async def get(self) -> AsyncGenerator[AsyncGenerator[Wire]]:
        async with self._http.stream("GET", self._url, headers=self._headers) as response:
            assert response.status_code == 200
            yield events(response)

    async def delete(self) -> None:
        await self._http.delete(self._url, headers=self._headers)


async def events(response: httpx2.Response) -> AsyncGenerator[Wire]:
    async for line in response.aiter_lines():
        data = line.removeprefix("data:").strip()
        if line.startswith("data:") and data:
            yield json.loads(data)


def remembering(sdk: Sdk) -> tuple[Any, list[str], threading.Event]:
    """A server whose tool notes what came of its question."""
    ends: list[str] = []
    ended = threading.Event()

    async def remember(ask: Ask) -> str:
        try:
            ends.append(named(await ask.outcome(NIGHTS, int)))
            return ends[-1]
        except BaseException as error:
            ends.append(type(error).__name__)
            raise
        finally:
            ended.set()

    server: Any
    if sdk == "mcp":
        server = MCPServer("m")
        server.tool()(elicitkit.mcp.asks(remember))
    else:
        server = FastMCP("f")
        server.tool(elicitkit.fastmcp.asks(remember))
    return server, ends, ended

"""The server's end of a client's connection, as plain JSON-RPC dicts.

For what no SDK would send, and to see every byte of meaning that a client sends.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from anyio import create_memory_object_stream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client import Transport
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

Wire = dict[str, Any]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"

SCHEMA: Wire = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}
QUESTION: Wire = {"message": "Who are you?", "requestedSchema": SCHEMA}
DONE: Wire = {"content": [{"type": "text", "text": "done"}], "isError": True}
"""A result; after one without ``isError`` the SDK's client would list the tools first."""


class Peer:
    """A server that says exactly what a test tells it to say."""

    def __init__(
        self,
        read: MemoryObjectReceiveStream[SessionMessage],
        write: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        self._read, self._write = read, write
        self.received: list[Wire] = []
        """Everything that came from the client, in order."""

    @property
    def calls(self) -> list[Wire]:
        """The tool calls that came so far."""
        return [message for message in self.received if message.get("method") == "tools/call"]

    async def receive(self, method: str | None = None) -> Wire:
        """The next message, which must be of ``method`` where that is given."""
        item = await self._read.receive()
        message = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        self.received.append(message)
        assert method is None or message.get("method") == method, message
        return message

    async def send(self, **message: Any) -> None:
        parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._write.send(SessionMessage(message=parsed))

    async def reply(self, request: Wire, result: Wire) -> None:
        await self.send(id=request["id"], result=result)

    async def ask(self, params: Wire, *, id: str = "q1") -> Wire:
        """Send one live question and return the client's answer, a result or an error."""
        await self.send(id=id, method="elicitation/create", params=params)
        return await self.receive()

    async def shake_hands(self, version: str) -> Wire:
        """Do the handshake of the live revisions; returns the client's ``initialize``."""
        hello = await self.receive("initialize")
        await self.reply(
            hello,
            {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "claims to be you", "version": "1"},
            },
        )
        await self.receive("notifications/initialized")
        return hello

    async def hang_up(self) -> None:
        await self._write.aclose()


@asynccontextmanager
async def wired() -> AsyncGenerator[tuple[Transport, Peer]]:
    """A transport to hand to a client, and its other end; it never makes a writer wait."""
    to_client, from_peer = create_memory_object_stream[SessionMessage | Exception](math.inf)
    to_peer, from_client = create_memory_object_stream[SessionMessage](math.inf)

    @asynccontextmanager
    async def transport() -> AsyncGenerator[tuple[Any, Any]]:
        yield from_peer, to_peer

    with to_client, from_peer, to_peer, from_client:
        yield transport(), Peer(from_client, to_client)


def asked(*keys: str, state: str | None = None) -> Wire:
    """An ``input_required`` result that asks one question for each key."""
    result: Wire = {"resultType": "input_required"}
    if keys:
        result["inputRequests"] = {
            key: {"method": "elicitation/create", "params": QUESTION} for key in keys
        }
    if state is not None:
        result["requestState"] = state
    return result

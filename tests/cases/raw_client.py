"""A client of one server that says on the wire exactly what a report says it said.

It speaks every revision: on the live ones it answers questions as they come, on 2026-07-28 it
repeats the call with its answers.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.client._memory import InMemoryTransport
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from elicitkit.core.dialects import Dialect

Wire = dict[str, Any]

_META = "io.modelcontextprotocol"


class RawClient:
    """One connection, after its handshake where the revision has one."""

    def __init__(self, read: Any, write: Any, dialect: Dialect, capabilities: Wire) -> None:
        self._read, self._write = read, write
        self._dialect = dialect
        self._capabilities = capabilities
        self._id = 0
        self.questions: list[Wire] = []
        """The params of every question, in order; after those of a round comes the next."""
        self.withdrawn: list[object] = []
        """The ids of live questions that the server cancelled."""

    async def shake_hands(self) -> None:
        if self._dialect.delivery == "replay":
            return
        params = {
            "protocolVersion": self._dialect.revision,
            "capabilities": self._capabilities,
            "clientInfo": {"name": "raw", "version": "1"},
        }
        await self.send(id=0, method="initialize", params=params)
        assert (await self.receive())["result"]["protocolVersion"] == self._dialect.revision
        await self.send(method="notifications/initialized")

    async def call(self, tool: str, answers: Sequence[Wire] = (), **arguments: Any) -> Wire:
        """Call a tool, answer each question with the next answer, and give the last message.

        Where the answers are used up, so that a question is open, that is where it ends.
        """
        left = list(answers)
        message = await self.request(tool, arguments)
        while True:
            asked = self._asked(message)
            if asked is None:
                return message
            self.questions += asked.values()
            if len(left) < len(asked):
                return message
            given = {key: left.pop(0) for key in asked}
            message = await self.answer(message, given, tool, arguments)

    async def request(self, tool: str, arguments: Wire, **extra: Any) -> Wire:
        """Call a tool once; the next message, which may be a question."""
        return await self.ask_for("tools/call", {"name": tool, "arguments": arguments, **extra})

    async def ask_for(self, method: str, params: Wire) -> Wire:
        """Send any request; the next message."""
        self._id += 1
        if self._dialect.delivery == "replay":
            params["_meta"] = {
                f"{_META}/protocolVersion": self._dialect.revision,
                f"{_META}/clientCapabilities": self._capabilities,
                f"{_META}/clientInfo": {"name": "raw", "version": "1"},
            }
        await self.send(id=self._id, method=method, params=params)
        return await self.receive()

    async def answer(
        self, message: Wire, given: Mapping[str, Wire], tool: str, arguments: Wire
    ) -> Wire:
        """Answer the questions of a message, and give what comes next."""
        if "method" in message:
            (result,) = given.values()
            await self.send(id=message["id"], result=result)
            return await self.receive()
        state = message["result"]["requestState"]
        return await self.request(tool, arguments, requestState=state, inputResponses=dict(given))

    async def send(self, **message: Any) -> None:
        parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._write.send(SessionMessage(message=parsed))

    async def receive(self) -> Wire:
        """The next message; what the server withdraws is noted on the way."""
        while True:
            item = await self._read.receive()
            message: Wire = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
            if message.get("method") != "notifications/cancelled":
                return message
            self.withdrawn.append(message["params"]["requestId"])

    def _asked(self, message: Wire) -> dict[str, Wire] | None:
        if message.get("method") == "elicitation/create":
            return {str(message["id"]): message["params"]}
        result = message.get("result", {})
        if result.get("resultType") != "input_required":
            return None
        return {key: one["params"] for key, one in result["inputRequests"].items()}


@asynccontextmanager
async def raw_client(
    server: MCPServer | Server[Any],
    dialect: Dialect,
    capabilities: Wire | None = None,
    *,
    within: float = 20,
) -> AsyncGenerator[RawClient]:
    """A client in memory that declares form mode, or exactly ``capabilities``."""
    declared = {"elicitation": {}} if capabilities is None else capabilities
    with anyio.fail_after(within):
        async with InMemoryTransport(server) as (read, write):
            client = RawClient(read, write, dialect, declared)
            await client.shake_hands()
            yield client

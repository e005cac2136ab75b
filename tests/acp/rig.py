"""One connection in memory: the SDK and our transport on one end, raw messages on the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from acp import RequestError
from acp._transport import Transport, memory_transport_pair
from acp.connection import Connection

from elicitkit.acp.transport import ElicitationTransport

Wire = dict[str, Any]
Handler = Callable[[str, Any, bool], Awaitable[Any]]

FORM = {
    "sessionId": "s",
    "mode": "form",
    "message": "Your name?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
ACCEPT = {"action": "accept", "content": {"name": "Ann"}}


class Peer:
    """The other end, which says and hears raw messages."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def say(self, message: Any) -> None:
        # The transport in memory copies a dict; anything else goes by its queue.
        if isinstance(message, dict):
            await self._transport.send(message)
        else:
            await self._transport._outbox.put(message)

    async def ask(self, id_: Any, method: str, params: Any = None) -> None:
        await self.say({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    async def tell(self, method: str, params: Any = None) -> None:
        await self.say({"jsonrpc": "2.0", "method": method, "params": params})

    async def answer(self, request: Wire, result: Any) -> None:
        await self.say({"jsonrpc": "2.0", "id": request["id"], "result": result})

    async def hear(self) -> Wire:
        """What came next."""
        message = await self._transport.receive()
        assert message is not None
        return message

    async def hear_nothing(self) -> None:
        """Make sure that nothing came: the answer to a request is the next thing heard."""
        await self.ask("sentinel", "echo", {})
        assert (await self.hear())["id"] == "sentinel"

    async def hang_up(self) -> None:
        await self._transport.close()


async def echo(method: str, params: Any, is_notification: bool) -> Any:
    if method != "echo":
        raise RequestError.method_not_found(method)
    return {"echo": params}


@asynccontextmanager
async def connected(
    handler: Handler = echo, **options: Any
) -> AsyncGenerator[tuple[ElicitationTransport, Peer, Connection]]:
    """Our transport, the peer, and the SDK's connection, which serves requests by ``handler``."""
    ours, theirs = memory_transport_pair()
    with anyio.fail_after(5):
        transport = ElicitationTransport(ours, **options)
        async with Connection(handler, transport) as connection:
            transport.watch(connection)
            yield transport, Peer(theirs), connection


def code(answer: Wire) -> int:
    """The code of an error."""
    return answer["error"]["code"]

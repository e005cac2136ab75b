"""A client transport that keeps every message and can change what the client says of itself.

The SDK's client always offers 2025-11-25 and declares both modes. Here a test decides.
"""

from __future__ import annotations

import copy
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from mcp.client import Transport
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

Wire = dict[str, Any]

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
STOCK: Any = object()
"""Leave the client's own declaration as it is."""


class Tap:
    """Stands between a client and its transport.

    Args:
        inner: The transport.
        offers: The revision to offer in the handshake.
        elicitation: The capability to declare, raw; None declares nothing.
    """

    def __init__(
        self, inner: Transport, *, offers: str | None = None, elicitation: Any = STOCK
    ) -> None:
        self._inner = inner
        self._offers = offers
        self._elicitation = elicitation
        self._stack = AsyncExitStack()
        self.sent: list[Wire] = []
        """What the client said, in order."""
        self.received: list[Wire] = []
        """What the server said, in order."""

    async def __aenter__(self) -> tuple[Any, Any]:
        read, write = await self._stack.enter_async_context(self._inner)
        return _Reading(read, self.received), _Writing(write, self)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stack.__aexit__(kind, error, trace)

    def questions(self) -> list[Wire]:
        """The live questions that the server sent."""
        return [one for one in self.received if one.get("method") == "elicitation/create"]

    def requests_from_server(self) -> list[Wire]:
        """Everything with a method and an id that came from the server."""
        return [one for one in self.received if "method" in one and "id" in one]

    def results(self, result_type: str) -> list[Wire]:
        """The results of one ``resultType``."""
        found = (one.get("result", {}) for one in self.received)
        return [one for one in found if one.get("resultType") == result_type]

    def calls(self, method: str = "tools/call") -> list[Wire]:
        """The client's requests of one method."""
        return [one for one in self.sent if one.get("method") == method]

    def changed(self, message: Wire) -> Wire:
        """What goes out in place of ``message``."""
        params = message.get("params") or {}
        if message.get("method") == "initialize":
            if self._offers is not None:
                params["protocolVersion"] = self._offers
            self._declare(params["capabilities"])
        elif CAPABILITIES in params.get("_meta", {}):
            self._declare(params["_meta"][CAPABILITIES])
        return message

    def _declare(self, capabilities: Wire) -> None:
        if self._elicitation is not STOCK:
            capabilities.pop("elicitation", None)
            if self._elicitation is not None:
                capabilities["elicitation"] = self._elicitation


def dumped(item: SessionMessage) -> Wire:
    return copy.deepcopy(item.message.model_dump(mode="json", by_alias=True, exclude_unset=True))


class _Writing:
    def __init__(self, inner: Any, tap: Tap) -> None:
        self._inner = inner
        self._tap = tap

    async def send(self, item: SessionMessage) -> None:
        message = self._tap.changed(dumped(item))
        self._tap.sent.append(message)
        parsed = jsonrpc_message_adapter.validate_python(message)
        await self._inner.send(SessionMessage(message=parsed, metadata=item.metadata))

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Reading:
    def __init__(self, inner: Any, received: list[Wire]) -> None:
        self._inner = inner
        self._received = received

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        item: SessionMessage | Exception = await self._inner.receive()
        if isinstance(item, SessionMessage):
            self._received.append(dumped(item))
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        item: SessionMessage | Exception = await self._inner.__anext__()
        if isinstance(item, SessionMessage):
            self._received.append(dumped(item))
        return item

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

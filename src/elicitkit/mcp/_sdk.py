"""Every private name of the MCP SDK's client that this package uses.

Two: ``Client._build_session`` with the session's ``_dispatcher``, to stand between
session and transport, and ``Client._drive_input_required``, to run the rounds. A canary
test holds each, so that a new SDK fails there first and by name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from mcp import Client, ClientSession
from mcp.shared.dispatcher import Dispatcher
from mcp_types import InputRequiredResult, InputResponses

ResultT = TypeVar("ResultT")
Retry: TypeAlias = Callable[
    [InputResponses | None, str | None], Awaitable[ResultT | InputRequiredResult]
]
"""Send the same request again with these answers and this state."""


@dataclass(kw_only=True)
class SeamClient(Client):
    """The SDK's client with its two seams as methods of our own."""

    @abstractmethod
    def stand_before(self, dispatcher: Dispatcher[Any], session: ClientSession) -> Dispatcher[Any]:
        """The dispatcher that the session shall use in place of the transport's own."""

    @abstractmethod
    async def run_rounds(
        self, first: ResultT | InputRequiredResult, retry: Retry[ResultT]
    ) -> ResultT:
        """Go on from the first result of a call to its last."""

    async def _build_session(self, exit_stack: AsyncExitStack) -> ClientSession:
        session = await super()._build_session(exit_stack)
        session._dispatcher = self.stand_before(  # pyright: ignore[reportPrivateUsage]  the seam
            session._dispatcher,  # pyright: ignore[reportPrivateUsage]  the seam
            session,
        )
        return session

    async def _drive_input_required(
        self, first: ResultT | InputRequiredResult, retry: Retry[ResultT]
    ) -> ResultT:
        return await self.run_rounds(first, retry)

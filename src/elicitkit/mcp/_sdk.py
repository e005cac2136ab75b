"""Every private name of the MCP SDK's client that this package uses.

Two: ``Client._build_session`` with the session's ``_dispatcher``, to stand between
session and transport, and ``Client._drive_input_required``, to run the rounds. A canary
test holds each, so that a new SDK fails there first and by name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from mcp import Client, ClientSession
from mcp.shared.dispatcher import Dispatcher
from mcp_types import InputRequiredResult, InputResponses

ResultT = TypeVar("ResultT")
Retry: TypeAlias = Callable[
    [InputResponses | None, str | None], Awaitable[ResultT | InputRequiredResult]
]
"""Send the same request again with these answers and this state."""


class Seams(Protocol):
    """What stands at the two seams of a client."""

    def stand_before(self, dispatcher: Dispatcher[Any], session: ClientSession) -> Dispatcher[Any]:
        """The dispatcher that the session shall use in place of the transport's own."""
        ...

    async def run_rounds(
        self, first: ResultT | InputRequiredResult, retry: Retry[ResultT]
    ) -> ResultT:
        """Go on from the first result of a call to its last."""
        ...


def take_seams(client: Client, seams: Seams) -> None:
    """Put something at the seams of a client that is not entered yet."""
    # Any: the names are private, and a method of one object is replaced.
    inner = cast(Any, client)
    build: Callable[[AsyncExitStack], Awaitable[ClientSession]] = inner._build_session

    async def build_session(exit_stack: AsyncExitStack) -> ClientSession:
        session = await build(exit_stack)
        seam = cast(Any, session)  # private, as above
        seam._dispatcher = seams.stand_before(seam._dispatcher, session)
        return session

    inner._build_session = build_session
    inner._drive_input_required = seams.run_rounds

"""The peer's requests that are being served, by whomever, each from arrival to answer.

Handlers of the SDK never learn the id of their request, though a question outside a session
must name it (A14): a context variable tells it to the task of each request. And the SDK
ignores ``$/cancel_request``: here it cancels that task, and the request is still answered,
once (A64).

Spec: ACP v1 and v2 cancellation; JSON-RPC 2.0 section 4.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar, cast

from acp import RequestError

from elicitkit.acp.messages import (
    INTERNAL_ERROR,
    REQUEST_CANCELLED,
    BadMessage,
    Incoming,
    RequestId,
)

ResultT = TypeVar("ResultT")


class Served:
    """One request of the peer that has no answer yet."""

    __slots__ = ("_task", "cancelled", "open", "request")

    def __init__(self, request: Incoming) -> None:
        self.request = request
        self.open = True
        """Until its answer goes out. What belongs to the request must end by then."""
        self.cancelled = False
        """Whether the peer has cancelled it."""
        self._task: asyncio.Task[object] | None = None

    def cancel(self) -> None:
        """The peer wants no result any more."""
        if not self.cancelled:
            self.cancelled = True
            if self._task is not None:
                self._task.cancel()

    async def run(self, handler: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """Run what serves the request; it must be called from a task of its own.

        Raises:
            RequestError: -32800 where the peer cancelled the request; -32603 where the handler
                cancelled itself, which the SDK would leave unanswered.
        """
        if self.cancelled:
            raise RequestError(REQUEST_CANCELLED, "Request cancelled")
        task = cast("asyncio.Task[object]", asyncio.current_task())  # asyncio runs this in one
        self._task = task
        try:
            return await handler()
        except asyncio.CancelledError:
            # Whoever else cancels the task, such as a connection that closes, wants no answer.
            if task.cancelling() > self.cancelled:
                raise
            if not self.cancelled:
                raise RequestError(INTERNAL_ERROR, "Internal error") from None
            task.uncancel()
            raise RequestError(REQUEST_CANCELLED, "Request cancelled") from None


_current: ContextVar[Served | None] = ContextVar("elicitkit_acp_served", default=None)


def current_request() -> Served | None:
    """The request of the peer that this task serves, or None outside of one."""
    return _current.get()


def current_request_id() -> RequestId | None:
    """The JSON-RPC id of the request that this task serves (A14).

    None outside of a request, and in one whose id is ``null``; ``current_request`` tells them
    apart.
    """
    served = _current.get()
    return None if served is None else served.request.id


class Requests:
    """All requests of the peer on one connection that have no answer yet."""

    def __init__(self) -> None:
        self._open: dict[object, Served] = {}

    def open(self, request: Incoming) -> Served:
        """Note a request whose task is about to be started from this context.

        Raises:
            BadMessage: A request with this id is being served; two answers could not be told
                apart.
        """
        if request.id in self._open:
            # The answer has no id: the peer would take it for that of the first.
            raise BadMessage("the id of this request is in use")
        served = Served(request)
        if request.id is not None:
            self._open[request.id] = served
        _current.set(served)
        return served

    def leave(self) -> None:
        """Note that what is about to be started from this context serves no request."""
        _current.set(None)

    def cancel(self, id_: RequestId | None) -> None:
        """Cancel a request; an id that is not open changes nothing."""
        if id_ in self._open:
            self._open[id_].cancel()

    def answered(self, id_: object) -> Served | None:
        """Note that an answer is about to go out.

        Returns:
            The request, or None where there is none without an answer.
        """
        # The id null names no request, but an answer is sent by the task that serves it.
        served = _current.get() if id_ is None else self._open.pop(id_, None)
        if served is None or not served.open:
            return None
        served.open = False
        return served

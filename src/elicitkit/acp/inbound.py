"""The questions of the peer: ``elicitation/create``, each in a task of its own.

The SDK validates them into models that lose what they do not know, lets ``_meta`` replace
the message, and never answers some malformed ones. Here they stay raw, and each gets exactly
one answer, whatever its handler does (A64).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from acp import RequestError

from elicitkit.acp.messages import (
    INTERNAL_ERROR,
    BadMessage,
    Incoming,
    Message,
    RequestId,
    check_request,
    failure,
    params_of,
    success,
)
from elicitkit.acp.serving import Requests, Served
from elicitkit.acp.tasks import Tasks
from elicitkit.core.errors import PeerError
from elicitkit.observe import event

MAX_OPEN: Final = 1000
"""Questions that may be open on one connection. How many a person is shown is decided by the
handler, which can end one with an ordinary answer; this only bounds memory."""

CreateHandler: TypeAlias = Callable[[Message, RequestId], Awaitable[Message]]
"""Answers one question: its raw params and the id of its request to a raw result."""

Send: TypeAlias = Callable[[Message], Awaitable[None]]


class Questions:
    """The peer's questions on one connection."""

    def __init__(self, *, requests: Requests, send: Send, max_open: int) -> None:
        self._requests = requests
        self._send = send
        self._max_open = max_open
        self.tasks = Tasks()

    def put(self, incoming: Incoming, handler: CreateHandler) -> None:
        """Start answering a question.

        Raises:
            BadMessage: It is no request that can be put.
        """
        id_ = check_request(incoming)
        params = params_of(incoming)
        if len(self.tasks) >= self._max_open:
            raise BadMessage("too many open questions", to=id_, code=INTERNAL_ERROR)
        served = self._requests.open(incoming)
        self.tasks.start(self._answer(served, lambda: handler(params, id_)))

    async def _answer(self, served: Served, handler: Callable[[], Awaitable[object]]) -> None:
        asked = served.request
        try:
            answer = success(asked.id, _checked(await served.run(handler)))
        except Exception as error:  # whatever it is, the peer must not wait for ever
            answer = refusal(asked.id, error, asked.method)
        self._requests.answered(asked.id)
        await self._send(answer)


def refusal(id_: RequestId | None, error: Exception, method: str) -> Message:
    """The error to answer with when serving a request failed.

    Only what was raised to be answered is told; the text of anything else may hold content,
    and an operator sees its type alone.
    """
    if isinstance(error, PeerError | RequestError):
        return failure(id_, error.code, str(error), error.data)
    tell_failure(error, method)
    return failure(id_, INTERNAL_ERROR, "Internal error")


def tell_failure(error: Exception, method: str) -> None:
    """Tell operators that a handler of this side failed: its type alone."""
    event("handler_failed", level=logging.ERROR, method=method, error=type(error).__name__)


def _checked(result: object) -> object:
    if not isinstance(result, dict):
        raise TypeError("a handler must return an object")
    return result  # pyright: ignore[reportUnknownVariableType]  # of what kinds does not matter

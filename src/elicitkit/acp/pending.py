"""The requests that this side sent by itself, and who waits for their answers.

They go out beside the SDK's, in raw form, because its models drop what a question needs
(``type`` and ``properties`` of an empty form, the spelling of a URL). Their ids are strings
and the SDK's are integers, so neither ever gets the other's answer.

Spec: JSON-RPC 2.0 section 5; G15 (what is open dies with the connection).
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from typing import Final, TypeAlias, cast

from acp import RequestError

from elicitkit.acp.messages import Answer, Message, RequestId
from elicitkit.core.errors import InvalidResponse

_PREFIX: Final = "ek-"

Waiting: TypeAlias = asyncio.Future[Message | None]
"""Of the whole answer, as it came; None when the connection has ended."""


class Pending:
    """The requests of this side that have no answer yet."""

    def __init__(self) -> None:
        self.ended = False
        self._numbers = count(1)
        self._waiting: dict[RequestId | None, Waiting] = {}

    def __contains__(self, id_: RequestId) -> bool:
        return id_ in self._waiting

    @contextmanager
    def waiting(self) -> Generator[tuple[str, Waiting]]:
        """A new id, whose answer is waited for during the block.

        Raises:
            ConnectionError: The connection has ended.
        """
        self.check_open()
        id_ = f"{_PREFIX}{next(self._numbers)}"
        answer: Waiting = asyncio.get_running_loop().create_future()
        self._waiting[id_] = answer
        try:
            yield id_, answer
        finally:
            self._waiting.pop(id_, None)

    def take(self, answer: Answer) -> bool:
        """Hand an answer to whoever waits for it, if anybody does."""
        waiting = self._waiting.pop(answer.id, None)
        if waiting is None:
            return False
        if not waiting.done():
            waiting.set_result(answer.raw)
        return True

    def end(self) -> None:
        """The connection has ended: no answer will come."""
        self.ended = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def check_open(self) -> None:
        """
        Raises:
            ConnectionError: The connection has ended.
        """
        if self.ended:
            raise ConnectionError("the ACP connection has ended")


def result_of(answer: Message | None) -> Message:
    """The result in an answer.

    Raises:
        RequestError: The answer is an error.
        InvalidResponse: It is neither a result nor an error, or the result is no object.
        ConnectionError: There is no answer, because the connection has ended.
    """
    if answer is None:
        raise ConnectionError("the ACP connection has ended")
    error, result = answer.get("error"), answer.get("result")
    if error is not None:
        raise _error_of(error)
    if not isinstance(result, dict):
        raise InvalidResponse("the answer has no result that is an object")
    return cast("Message", result)  # the keys of a JSON object are strings


def _error_of(error: object) -> RequestError | InvalidResponse:
    match error:
        case {"code": int(code), "message": str(message)} if not isinstance(code, bool):
            details = cast("Message", error)  # the keys of a JSON object are strings
            return RequestError(code, message, details.get("data"))
        case _:
            return InvalidResponse("the error in the answer has no code or no message")

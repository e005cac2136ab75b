"""Live delivery: a question as a request on the connection that it belongs to.

Serves ACP v1 and v2. It goes out raw, beside the SDK's own requests, and it is taken back by
``$/cancel_request`` when its time is up or the work is over that it belongs to. An error in
place of an answer is never read as a "no" of the person.

Spec: ACP client/elicitation, cancellation; rulings G14, G16, G22.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import anyio
from acp import RequestError

from elicitkit.acp.line import Line
from elicitkit.acp.messages import COMPLETE, CREATE, REQUEST_CANCELLED
from elicitkit.acp.work import Work
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import INVALID_PARAMS, InvalidResponse
from elicitkit.core.model import Accept, Cancel, Completion, Mode, Request, Response, UrlRequest
from elicitkit.core.ports import Undeliverable
from elicitkit.wire.acp import (
    UnknownAction,
    decode_response,
    encode_completion,
    encode_request,
)

METHOD_NOT_FOUND: Final = -32601

_REFUSALS: Final = frozenset({INVALID_PARAMS, METHOD_NOT_FOUND})
_ACTION_SHOWN: Final = 40
"""How much of the name of an unknown action goes into an error."""


class UnknownAnswer(InvalidResponse):
    """The client answered with an action that is neither accept nor decline nor cancel (A28).

    Attributes:
        action: Its name.
        raw: The answer as it came; it may hold what a person wrote, so it is not for logs.
    """

    def __init__(self, answer: UnknownAction) -> None:
        self.action = answer.action
        self.raw: Mapping[str, Any] = answer.raw
        super().__init__(
            f"the client answered by the action {answer.action[:_ACTION_SHOWN]!r}, which is "
            "neither accept nor decline nor cancel"
        )


class Live:
    """The questions of one handler.

    Args:
        line: The connection.
        work: What they belong to.
        modes: In which modes the client can be asked.
        principal: Tells who speaks on the connection now.
    """

    __slots__ = ("_asked", "_line", "_principal", "_work", "dialect", "modes")

    def __init__(
        self,
        line: Line,
        work: Work,
        modes: frozenset[Mode],
        principal: Callable[[], str | None],
    ) -> None:
        self.dialect: Dialect = line.dialect
        self.modes = modes
        self._line = line
        self._work = work
        self._principal = principal
        self._asked = principal()

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """Send the question and await its answer on the same connection."""
        work = self._work
        params = encode_request(request, work.scope(), self.dialect)
        if work.over is None:
            # In this order, so that nothing is sent for work that ends before its state is told.
            with work.waiting():
                async with work.asking():
                    return await self._send(params, timeout)
        return self._withdrawn()

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        """Wait for as long as the work goes on; the url is not sent again."""
        if self._work.over is None:
            with self._work.waiting():
                with anyio.move_on_after(timeout):
                    await finished()
                    return Accept()
                return Cancel("timed_out")
        return self._withdrawn()

    async def complete(self, completion: Completion) -> bool:
        """Tell the connection that asked, while whoever was asked still speaks there (A15, A46)."""
        if self._principal() != self._asked:
            return False
        try:
            await self._line.transport.notify(COMPLETE, encode_completion(completion))
        except ConnectionError:
            return False
        return True

    async def _send(self, params: dict[str, Any], timeout: float | None) -> Response:
        try:
            answer = await self._line.transport.request(CREATE, params, timeout=timeout)
        except TimeoutError:
            return Cancel("timed_out")
        except ConnectionError:
            return Cancel("disconnected")
        except RequestError as error:
            return _ended(error)
        response = decode_response(answer, self.dialect)
        if isinstance(response, UnknownAction):
            raise UnknownAnswer(response)
        return response

    def _withdrawn(self) -> Response:
        return Cancel(self._work.over or "disconnected")


def _ended(error: RequestError) -> Response:
    """What an error in place of an answer means: never a "no" of the person."""
    if error.code in _REFUSALS:
        raise Undeliverable("client_refused")
    return Cancel("client_cancelled" if error.code == REQUEST_CANCELLED else "client_failed")

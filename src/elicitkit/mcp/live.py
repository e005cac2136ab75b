"""Live delivery: a question as a request on the connection that the call came in on.

Serves MCP 2025-06-18 and 2025-11-25. The question always belongs to the call (M89), it is
withdrawn when the call is cancelled or the time is up, and while a person thinks the
caller is told that the call is alive.
"""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import anyio
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import CONNECTION_CLOSED, RequestId, ServerRequest
from mcp_types.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from pydantic import BaseModel, ConfigDict, ValidationError

from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidResponse
from elicitkit.core.model import Cancel, Mode, Request, Response
from elicitkit.core.ports import Undeliverable
from elicitkit.wire.mcp import CREATE, decode_response, encode_request

PULSE: Final = 10.0
"""Seconds between progress notifications while a person thinks."""

PATIENCE: Final = 5.0
"""Seconds that a question waits for a client to say that it is initialized."""

_REFUSALS: Final = frozenset({INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND})


class _Create(BaseModel):
    method: Literal["elicitation/create"] = CREATE
    params: dict[str, Any]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class Live:
    """Questions on the connection of one call."""

    __slots__ = ("_pulse_count", "_pulses", "_request_id", "_session", "dialect", "modes")

    def __init__(
        self,
        session: ServerSession,
        request_id: RequestId,
        dialect: Dialect,
        modes: frozenset[Mode],
        *,
        pulses: bool,
    ) -> None:
        self.dialect = dialect
        self.modes = modes
        self._session = session
        self._request_id = request_id
        self._pulses = pulses
        self._pulse_count = 0

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """Send the question and await its answer on the same connection."""
        params = encode_request(request, self.dialect)
        answer = self._with_pulses(params) if self._pulses else self._send(params)
        if timeout is None:
            return await answer
        with anyio.move_on_after(timeout):
            return await answer
        return Cancel("timed_out")

    async def _with_pulses(self, params: dict[str, Any]) -> Response:
        # What is raised inside a task group leaves it wrapped; an outcome must not.
        answer: Response | Undeliverable | InvalidResponse = Cancel()
        async with anyio.create_task_group() as group:
            group.start_soon(self._pulse)
            try:
                answer = await self._send(params)
            except (Undeliverable, InvalidResponse) as failed:
                answer = failed
            # What is here now must not be lost to a call that ends in the same moment.
            group.cancel_scope.shield = True
            group.cancel_scope.cancel()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _pulse(self) -> None:
        while True:
            await anyio.sleep(PULSE)
            self._pulse_count += 1  # progress must grow over all questions of a call
            await self._session.report_progress(self._pulse_count, message="Waiting for an answer")

    async def _send(self, params: dict[str, Any]) -> Response:
        await self._require_initialized()
        # The SDK only dumps the request it is given, so ours may carry keys its types do not know.
        request = cast(ServerRequest, _Create(params=params))
        related = ServerMessageMetadata(related_request_id=self._request_id)
        try:
            answer = await self._session.send_request(request, _Answer, metadata=related)
        except NoBackChannelError:
            raise Undeliverable("no_back_channel") from None
        except ValidationError:
            raise InvalidResponse("the client's answer is none that MCP allows") from None
        except MCPError as error:
            return _ended(error)
        return decode_response(answer.model_extra)

    async def _require_initialized(self) -> None:
        # M87: a call may overtake ``notifications/initialized``, and its question may not.
        # Private, with a test that notices when it goes.
        said = self._session._connection.initialized  # pyright: ignore[reportPrivateUsage]
        if not said.is_set():
            with anyio.move_on_after(PATIENCE):
                await said.wait()
                return
            raise Undeliverable("no_back_channel")


def _ended(error: MCPError) -> Response:
    """What an error in place of an answer means: never a "no" of the person."""
    if error.code in _REFUSALS:
        raise Undeliverable("client_refused")
    return Cancel("disconnected" if error.code == CONNECTION_CLOSED else "client_failed")

"""Live delivery: a question as a request on the connection that the call came in on.

Serves MCP 2025-06-18 and 2025-11-25. The question always belongs to the call (M89), it is
withdrawn when the call is cancelled or the time is up, and while a person thinks the
caller is told that the call is alive. What follows a visit may outlive the call, and then
goes out on the connection itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Literal, cast

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import CONNECTION_CLOSED, RequestId, ServerRequest
from mcp_types.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from pydantic import BaseModel, ConfigDict, ValidationError

from elicitkit.asking.pulse import PULSE as PULSE
from elicitkit.asking.pulse import kept_alive
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidResponse
from elicitkit.core.model import Accept, Cancel, Completion, Mode, Request, Response, UrlRequest
from elicitkit.core.ports import Undeliverable
from elicitkit.mcp.visits import Line
from elicitkit.wire.mcp import CREATE, decode_response, encode_request

PATIENCE: Final = 5.0
"""Seconds that a question waits for a client to say that it is initialized."""

_REFUSALS: Final = frozenset({INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND})


class _Create(BaseModel):
    method: Literal["elicitation/create"] = CREATE
    params: dict[str, Any]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class Pulses:
    """Progress notifications for the caller of one request."""

    __slots__ = ("_count", "_session")

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._count = 0

    @classmethod
    def of(cls, request: ServerRequestContext[Any, Any]) -> Pulses | None:
        """Those of a request, if its caller wants any."""
        meta: Mapping[str, Any] = (request.params or {}).get("_meta") or {}
        return cls(request.session) if "progressToken" in meta else None

    async def __call__(self) -> None:
        self._count += 1  # progress must grow over all questions of a call
        await self._session.report_progress(self._count, message="Waiting for an answer")


class Live:
    """Questions on the connection of one call."""

    __slots__ = (
        "_line",
        "_principal",
        "_pulses",
        "_request_id",
        "_session",
        "dialect",
        "modes",
    )

    def __init__(
        self,
        session: ServerSession,
        request_id: RequestId,
        dialect: Dialect,
        modes: frozenset[Mode],
        line: Line,
        *,
        pulses: Pulses | None,
    ) -> None:
        self.dialect = dialect
        self.modes = modes
        self._session = session
        self._request_id = request_id
        self._line = line
        self._principal = line.principal
        self._pulses = pulses

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """Send the question and await its answer on the same connection."""
        params = encode_request(request, self.dialect)
        with anyio.move_on_after(timeout):
            return await kept_alive(lambda: self._send(params), self._pulses, every=PULSE)
        return Cancel("timed_out")

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        """Wait for as long as the call lives; the url is not sent again."""
        with anyio.move_on_after(timeout):
            await kept_alive(finished, self._pulses, every=PULSE)
            return Accept()
        return Cancel("timed_out")

    async def complete(self, completion: Completion) -> bool:
        """Tell the session that asked, while whoever was asked still speaks there (M22, M43)."""
        if not self._line.alive or self._line.principal != self._principal:
            return False
        # Once the call has ended, nothing more can be sent that belongs to it.
        related = self._request_id if self._session.can_send_request else None
        try:
            await self._session.send_elicit_complete(completion.elicitation_id, related)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return False
        return True

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

"""``@asks`` for servers on FastMCP, and ``elicitation_handler`` for its client.

Tools, prompts, resources and resource templates can ask, by the same contract as
``elicitkit.mcp.asks``; static resources can ask here, because FastMCP hands them a context.
A background task has no client request that a question could belong to, so it cannot ask
(M89).

The client of FastMCP lets nobody stand between its session and the transport, so answering
is a bare handler here, with the limits of ``elicitkit.mcp.callback``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NoReturn, TypeAlias, cast

from elicitkit.versions import require

require("fastmcp", at_least=(4, 2), below=(5,))

from fastmcp.client.elicitation import ElicitRequestParams, ElicitResult
from fastmcp.exceptions import ToolError
from fastmcp.server.context import Context
from fastmcp.tools import ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams
from pydantic import PrivateAttr

from elicitkit.answering import Answerer
from elicitkit.core.errors import NoRequestInFlight
from elicitkit.mcp.callback import respond
from elicitkit.mcp.server import Asks as _Asks
from elicitkit.mcp.server import Incoming
from elicitkit.mcp.state import StateKeyWarning, request_state
from elicitkit.wire.mcp import encode_response

__all__ = ["Asks", "StateKeyWarning", "asks", "elicitation_handler", "request_state"]

ElicitationHandler: TypeAlias = Callable[
    [str, type[Any] | None, ElicitRequestParams, Any],
    Awaitable[ElicitResult[dict[str, Any]]],
]
"""FastMCP's own type of it, which leaves the type of its context open."""


class Asks(_Asks):
    """A decorator that gives a FastMCP handler its ``Ask``; see ``elicitkit.mcp.Asks``."""

    context = Context

    def _incoming(self, context: Context) -> Incoming:
        request = context.request_context
        if context.is_background_task or request is None:
            # Any other error than its own may be masked by FastMCP.
            raise ToolError(str(NoRequestInFlight()))
        # Private, with a test that notices when they go: FastMCP has no public way to the
        # params and method of the request.
        return Incoming(
            request=request._srctx,  # pyright: ignore[reportPrivateUsage]
            responses=context.input_responses,
            state=context.request_state,
            middleware=_served_by(context).middleware,
        )

    def _protocol_error(self, error: MCPError, method: str) -> Any:
        if method == "tools/call":
            return _ErrorResult(error)
        return super()._protocol_error(error, method)

    def _tool_error(self, text: str) -> Any:
        raise ToolError(text)


class _ErrorResult(ToolResult):
    """A result that turns into an error when it is about to be sent.

    Of the errors that a tool raises FastMCP lets no code but -32021 reach the wire. Middleware
    sees this one as a result with ``is_error``.
    """

    _error: MCPError = PrivateAttr()

    def __init__(self, error: MCPError) -> None:
        super().__init__(content=error.error.message, is_error=True)
        self._error = error

    def to_mcp_result(self) -> NoReturn:
        raise self._error


def _served_by(context: Context) -> Any:
    """The low-level server that the client talks to; a mounted server sits inside another."""
    while True:
        # Private, with a test that notices when they go: there is no public way up or down.
        inner = cast(Any, context)
        outer = inner._tokens[-1].old_value
        if not isinstance(outer, Context):
            return inner.fastmcp._mcp_server
        context = outer


asks: Final = Asks()
"""``@asks`` with the defaults."""


def elicitation_handler(answerer: Answerer, *, name: str) -> ElicitationHandler:
    """A handler for ``fastmcp.Client`` that asks an answerer.

    Args:
        answerer: Answers the questions.
        name: What the person calls this server; shown as the one who asks (G12).
    """

    async def handler(
        message: str, response_type: type[Any] | None, params: ElicitRequestParams, context: Any
    ) -> ElicitResult[dict[str, Any]]:
        response = await respond(answerer, name, context, params)
        if isinstance(params, ElicitRequestFormParams):
            # The content is checked. FastMCP would check it again, and run the server's
            # pattern in an engine that backtracks.
            params.requested_schema = {"type": "object", "properties": {}}
        return ElicitResult[dict[str, Any]](**encode_response(response))

    return handler

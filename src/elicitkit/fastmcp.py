"""``@asks`` for servers on FastMCP: tools, prompts, resources and resource templates.

The same contract as ``elicitkit.mcp.asks``; static resources can ask here, because
FastMCP hands them a context. A background task has no client request that a question
could belong to, so it cannot ask (M89).
"""

from __future__ import annotations

from typing import Any, Final, cast

from fastmcp.exceptions import ToolError
from fastmcp.server.context import Context

from elicitkit.core.errors import NoRequestInFlight, PeerError
from elicitkit.mcp.server import Asks as _Asks
from elicitkit.mcp.server import Incoming
from elicitkit.mcp.state import StateKeyWarning, request_state, require_seal

__all__ = ["Asks", "StateKeyWarning", "asks", "request_state"]


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
            security=lambda: require_seal(_served_by(context).middleware),
        )

    def _broken(self, error: PeerError, method: str) -> Any:
        if method == "tools/call":
            # Of a tool's errors FastMCP lets no code but -32021 reach the wire.
            raise ToolError(str(error)) from error
        return super()._broken(error, method)

    def _tool_error(self, text: str) -> Any:
        raise ToolError(text)


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

"""Every private name of the ACP SDK that this package uses.

Two: ``_conn`` of the connection of either side, and ``_handler`` of the connection behind
it, to stand around what serves a request. A canary test holds each, so that a new SDK fails
there first and by name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

from acp.agent.connection import AgentSideConnection
from acp.client.connection import ClientSideConnection
from acp.connection import Connection

Handler: TypeAlias = Callable[[str, Any, bool], Awaitable[Any]]
"""Serves one request or notification: method, params, and whether it is a notification."""

AnyConnection: TypeAlias = AgentSideConnection | ClientSideConnection | Connection


def stand_around_handler(connection: AnyConnection, around: Callable[[Handler], Handler]) -> None:
    """Put something around what serves the requests of a connection."""
    # Any: the names are private.
    inner = cast(Any, connection)
    if not isinstance(connection, Connection):
        inner = inner._conn
    inner._handler = around(inner._handler)

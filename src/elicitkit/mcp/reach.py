"""Which modes a client can be asked in by one request, and why not in the others.

What a client declared, what its revision has, what the channel carries, and what the owner
of the server took away. Nothing here ever adds a mode.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcp.server.context import ServerRequestContext

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import Mode
from elicitkit.wire.mcp import decode_capability

_NONE: Final[frozenset[Mode]] = frozenset()


class Reach(NamedTuple):
    """How far a request reaches."""

    modes: frozenset[Mode]
    """In which modes its client can be asked."""
    reason: str
    """Why not in the others."""
    declared: frozenset[Mode] = _NONE
    """In which modes it could be asked if there were a way back to it."""


def reach_of(
    request: ServerRequestContext[Any, Any],
    dialect: Dialect | None,
    clients: Mapping[str, frozenset[Mode]],
) -> Reach:
    """How far a request reaches.

    Args:
        request: It.
        dialect: That of its revision; None where the revision has no elicitation.
        clients: What is left of the modes of some clients, by name.
    """
    if dialect is None:
        return Reach(_NONE, "not_in_dialect")
    declared = _declared(request, dialect, clients)
    if dialect.delivery == "live" and not request.session.can_send_request:
        return Reach(_NONE, "no_back_channel", declared)
    return Reach(declared, "not_declared", declared)


def _declared(
    request: ServerRequestContext[Any, Any],
    dialect: Dialect,
    clients: Mapping[str, frozenset[Mode]],
) -> frozenset[Mode]:
    session = request.session
    declared = session.client_capabilities and session.client_capabilities.elicitation
    if declared is None:
        return _NONE
    raw = {"form": declared.form, "url": declared.url}
    capability = decode_capability(
        {mode: dict[str, Any]() for mode, one in raw.items() if one is not None}, dialect
    )
    if clients and session.client_params is not None:
        allowed = clients.get(session.client_params.client_info.name)
        if allowed is not None:
            capability = capability.only(allowed)
    return capability.modes & dialect.modes

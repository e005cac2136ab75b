"""How ``requestState`` is sealed, and a word where its key will not last.

Both SDKs seal the state (AES-GCM, bound to method, arguments, audience and principal),
but by default with a key that this process makes for itself and for 600 seconds: a slow
person, a restart or a second replica loses the call.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Final
from weakref import WeakSet

from mcp.server.mcpserver import RequestStateSecurity
from mcp.server.request_state import RequestStateBoundary

from elicitkit.core.errors import UsageError
from elicitkit.observe import event

DAY: Final = 86_400.0

_LASTING: Final[WeakSet[RequestStateSecurity]] = WeakSet()


class StateKeyWarning(UserWarning):
    """Questions over HTTP are sealed with a key that only this process has."""


def request_state(
    keys: Sequence[bytes | str], *, ttl: float = DAY, audience: str | None = None
) -> RequestStateSecurity:
    """The sealing of ``requestState`` for servers that restart or have replicas.

    >>> server = MCPServer("booking", request_state_security=request_state([os.environ["KEY"]]))

    Args:
        keys: Secrets of 32 bytes or more, the same on every replica; the first one seals, all
            of them open, so that a key can be rotated.
        ttl: Seconds in which the person must have answered.
        audience: Names the service where the server itself has no name.
    """
    security = RequestStateSecurity(keys=list(keys), ttl=ttl, audience=audience)
    _LASTING.add(security)
    return security


def require_seal(middleware: Iterable[Any]) -> RequestStateSecurity:
    """The sealing that a server has installed.

    Raises:
        UsageError: It has none, so that a client could forge answers (M69).
    """
    for one in middleware:
        if isinstance(one, RequestStateBoundary):
            # Private, with a test that notices when it goes: there is no public way to read it.
            return one._security  # pyright: ignore[reportPrivateUsage]
    raise UsageError(
        "this server does not seal requestState, so clients could forge answers: "
        "keep the SDK's RequestStateBoundary in its middleware"
    )


_warned = False


def warn_of_short_keys(security: RequestStateSecurity) -> None:
    """Say once that state over HTTP will not outlive this process."""
    global _warned
    if _warned or security in _LASTING:
        return
    _warned = True
    event("state_key", level=logging.WARNING, ttl=security.ttl)
    warnings.warn(
        "questions over HTTP travel in requestState, sealed by a key that may be this process's "
        f"own and valid for {security.ttl:g} s: give the server "
        "request_state_security=request_state(keys=[...])",
        StateKeyWarning,
        stacklevel=2,
    )

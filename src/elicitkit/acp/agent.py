"""``run_agent``: serve one connection of an agent that asks.

For agents written with the SDK's own classes, which speak ACP v1, and for ``AgentV2``. Here
the connection, what carries it and the handlers are put together, and two faults of the
SDK's router are kept from handlers: keys of ``_meta`` that would take the place of a
parameter, and a prompt that fails because its client has cancelled it.

Spec: ACP v1 prompt-turn "Cancellation"; schema, ``_meta``.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import Any, Final, cast

import anyio
from acp import Agent, RequestError
from acp.agent.connection import AgentSideConnection

from elicitkit.acp._sdk import Handler, stand_around_handler
from elicitkit.acp.asks import NOT_ACCEPTED
from elicitkit.acp.line import Line, current_work
from elicitkit.acp.lines import own_stdio
from elicitkit.acp.transport import Frames
from elicitkit.acp.v2 import AgentV2
from elicitkit.acp.work import BY_CLIENT
from elicitkit.core.dialects import ACP_V1
from elicitkit.wire.common import as_object

PROMPT: Final = "session/prompt"

_PARAMETERS: Final = frozenset(
    name
    for _, method in inspect.getmembers(Agent, inspect.isfunction)
    for name in inspect.signature(method).parameters
)
"""What the handlers of an agent are passed by name."""


async def run_agent(
    agent: object,
    transport: Frames | None = None,
    *,
    principal: str | None = None,
    use_unstable_protocol: bool = False,
) -> None:
    """Serve an agent until its connection ends.

    >>> await run_agent(MyAgent())

    Args:
        agent: An agent of the SDK, whose methods may be decorated with ``@asks``, or an
            ``AgentV2``.
        transport: What carries the messages; the stdin and stdout of this process by default.
        principal: The user at the other end, as far as the transport has verified it; on stdio
            the user of this machine.
        use_unstable_protocol: Let the SDK serve the methods that it calls unstable.
    """
    if transport is None:
        transport = await own_stdio()
        principal = principal or _local_user()
    if isinstance(agent, AgentV2):
        line = Line(transport, agent.dialect, principal=principal)
        connection, close = agent.connect(line)
    else:
        line = Line(transport, ACP_V1, principal=principal)
        connection = AgentSideConnection(
            cast("Agent", agent),  # it may take an Ask, which the protocol does not know
            line.transport,
            use_unstable_protocol=use_unstable_protocol,
        )
        close = connection.close
        stand_around_handler(connection, _guarded)
    line.transport.watch(connection)
    try:
        await line.finished.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await close()


def _guarded(handler: Handler) -> Handler:
    async def guarded(method: str, params: object, is_notification: bool) -> object:
        try:
            return await handler(method, _without_overrides(params), is_notification)
        except RequestError as error:
            work = current_work()
            if method == PROMPT and error.code == NOT_ACCEPTED and work and work.over in BY_CLIENT:
                return {"stopReason": "cancelled"}
            raise

    return guarded


def _without_overrides(params: object) -> object:
    """The params without what the SDK would put in the place of a parameter (A67)."""
    meta: Mapping[str, Any] = as_object(as_object(params).get("_meta"))
    if not meta.keys() & _PARAMETERS:
        return params
    kept = {key: value for key, value in meta.items() if key not in _PARAMETERS}
    return {**as_object(params), "_meta": kept}


def _local_user() -> str | None:
    """The user of this machine who started the agent; None where there is no such number."""
    return f"uid:{os.getuid()}" if hasattr(os, "getuid") else None

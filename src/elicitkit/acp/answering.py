"""A transport that answers the agent's questions: for clients that build their own connection.

It is handed to the SDK's ``connect_to_agent`` in place of the bare one, and from there on the
client need not know of elicitation. Where a person gives up a page that they opened, the agent
is told by ACP's own words: the turn is cancelled (``session/cancel``), or the request
(``$/cancel_request``). Whoever waits sees the agent's answer to that, such as the stop reason
``cancelled``. Whoever wants the connection built for them has ``elicitkit.acp.client``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from acp import RequestError

from elicitkit.acp.exchange import Exchange, OnUpdate
from elicitkit.acp.messages import Message
from elicitkit.acp.permission import REQUEST_PERMISSION
from elicitkit.acp.transport import ElicitationTransport, Frames
from elicitkit.answering import Answerer
from elicitkit.answering.config import Config
from elicitkit.core.dialects import Dialect, dialect_of
from elicitkit.core.errors import InvalidRequest, UsageError
from elicitkit.core.model import Origin


class AnsweringTransport(ElicitationTransport):
    """A transport that answers the agent's questions; ``answering_transport`` makes one.

    Attributes:
        dialect: The one version that is spoken (G44).
    """

    def __init__(
        self,
        inner: Frames,
        *,
        who: Origin,
        answerer: Answerer,
        dialect: Dialect,
        info: Mapping[str, Any] | None,
        on_update: OnUpdate | None,
    ) -> None:
        self.dialect = dialect
        self._exchange = Exchange(
            who=who,
            answerer=answerer,
            dialect=dialect,
            info=info,
            on_update=on_update,
            notify=self.notify,
        )
        super().__init__(
            inner,
            create=self._exchange.create,
            complete=self._exchange.complete,
            observer=self._exchange,
        )

    async def close(self) -> None:
        """End what is open, tell the person of the pages, and close what carries the messages."""
        await super().close()
        await self._exchange.close()

    async def over(self) -> None:
        """Wait until the connection has ended."""
        await self._exchange.over.wait()

    async def permission(self, params: object) -> Message:
        """Put a ``session/request_permission`` to the person: its raw params to a raw result.

        Raises:
            RequestError: It is malformed, too much, or belongs to no session of this client.
        """
        try:
            return await self._exchange.permission(params)
        except InvalidRequest as error:
            raise RequestError(error.code, str(error), error.data) from None

    async def serve(self, method: str, params: object, is_notification: bool) -> object:
        """Serve what an agent asks of a client that gives it nothing of the machine.

        Permission is put to the person; files and terminals are not served (-32601).
        """
        if is_notification:
            return None
        if method == REQUEST_PERMISSION:
            return await self.permission(params)
        raise RequestError.method_not_found(method)


class TransportOptions(TypedDict, total=False):
    """What every way to connect takes beside the agent, its name and the answerer."""

    config: Config | None
    client_info: Mapping[str, Any] | None
    on_update: OnUpdate | None
    strict_v2: bool


def answering_transport(
    inner: Frames,
    *,
    name: str,
    answerer: Answerer,
    protocol_version: int = 1,
    local: bool = False,
    host: str | None = None,
    config: Config | None = None,
    client_info: Mapping[str, Any] | None = None,
    on_update: OnUpdate | None = None,
    strict_v2: bool = False,
) -> AnsweringTransport:
    """A transport to hand to the SDK's ``connect_to_agent``, which then answers by itself.

    Call its ``watch`` with the connection that uses it, so that the agent can cancel what your
    client serves. Questions about permission stay your client's.

    Args:
        inner: What carries the messages: any transport of the SDK.
        name: What the person calls this agent; shown as the one who asks (A01).
        answerer: Answers the questions; what it can serve is what is declared.
        protocol_version: The one version that is spoken; no other is answered (G44).
        local: The agent runs on the machine of the person, whose URLs may lead there.
        host: The host that the client is connected through, where there is one.
        config: What the person allows this agent, beside what the answerer knows of it.
        client_info: What this client calls itself, where ``initialize`` does not say it.
        on_update: Hears of each ``session/update``, in order, by its raw params.
        strict_v2: Read version 2 as its newer schema does.

    Raises:
        UsageError: There is no such version, or no asyncio event loop.
    """
    dialect = dialect_of("acp", str(protocol_version), strict=strict_v2)
    if dialect is None:
        raise UsageError(f"there is no ACP version {protocol_version!r} here; use 1 or 2")
    transport = AnsweringTransport(
        inner,
        who=Origin(label=name, local=local, host=host),
        answerer=answerer,
        dialect=dialect,
        info=client_info,
        on_update=on_update,
    )
    if config is not None:
        answerer.narrow(name, config)
    return transport

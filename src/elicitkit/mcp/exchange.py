"""Elicitation on one MCP connection of ours, between the SDK's session and its transport.

The session sees typed models and drops what it does not know; here the messages are still
plain dicts, so here the client declares what it can show (M07, M08, M10), answers live
questions from their raw params, and checks what a server may ask in a round (G03) before
anything is shown. What a question is, is ``elicitkit.mcp.incoming``; who runs the rounds,
``elicitkit.mcp.rounds``.

Spec: MCP client/elicitation; basic/patterns/mrtr.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final, cast

from anyio import TASK_STATUS_IGNORED
from anyio.abc import TaskStatus
from mcp import ClientSession, MCPError
from mcp.shared.dispatcher import (
    CallOptions,
    DispatchContext,
    Dispatcher,
    OnNotify,
    OnNotifyIntercept,
    OnRequest,
)
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CONNECTION_CLOSED,
    PROTOCOL_VERSION_META_KEY,
    REQUEST_TIMEOUT,
)

from elicitkit.answering import Answerer, Arrival
from elicitkit.core.dialects import MCP_2025_11_25, Dialect, dialect_of
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Cancel, Capability, Origin, Request, Response
from elicitkit.mcp.calls import Calls
from elicitkit.mcp.incoming import Asked, Raw, Reader, Round, Wire
from elicitkit.wire.mcp import CREATE, encode_capability, encode_response

_TARGETS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods whose result may ask, and what names their target."""

_round: ContextVar[Round] = ContextVar("elicitkit_round")


def last_round() -> Round:
    """The round that ended the request which this task sent last."""
    return _round.get()


class Exchange:
    """The SDK's dispatcher of one connection, with elicitation in front of it."""

    def __init__(
        self,
        inner: Dispatcher[Any],
        session: ClientSession,
        *,
        answerer: Answerer,
        name: str,
        offered: str | None,
    ) -> None:
        self._inner = inner
        self._session = session
        self._answerer = answerer
        self._name = name
        self._reader = Reader(answerer=answerer, server=name)
        self._offered = offered
        self._declared = Capability()
        self.calls = Calls()

    async def run(
        self,
        on_request: OnRequest,
        on_notify: OnNotify,
        on_notify_intercept: OnNotifyIntercept | None = None,
        *,
        task_status: TaskStatus[None] = TASK_STATUS_IGNORED,
    ) -> None:
        async def answering(ctx: DispatchContext[Any], method: str, params: Raw | None) -> Wire:
            dialect = self._dialect()
            if method != CREATE or dialect is None or dialect.delivery != "live":
                return await on_request(ctx, method, params)
            came = Arrival(dialect=dialect.name, request_id=ctx.request_id)
            return await self._answer_live(params, dialect, came)

        try:
            await self._inner.run(
                answering, on_notify, on_notify_intercept, task_status=task_status
            )
        finally:
            self.calls.close()

    async def notify(
        self, method: str, params: Raw | None, opts: CallOptions | None = None
    ) -> None:
        await self._inner.notify(method, params, opts)

    async def send_raw_request(
        self, method: str, params: Raw | None, opts: CallOptions | None = None
    ) -> Wire:
        """Send a request that declares our modes, and check what its result asks.

        Raises:
            InvalidRequest: The result asks what no server may ask, or asks it badly.
            MCPError: As the SDK raises it; REQUEST_TIMEOUT counts no human time.
        """
        options = (opts or CallOptions()).copy()
        budget = options.pop("timeout", None)
        stamped = self._declare(method, params)
        target = stamped.get(_TARGETS[method]) if method in _TARGETS else None
        with self.calls.sending(target, budget) as call:
            raw = await self._inner.send_raw_request(method, stamped, options)
        if call.expired:
            raise MCPError(code=REQUEST_TIMEOUT, message=f"Request {method!r} timed out")
        return self._checked(method, stamped, raw, target)

    async def ask(self, asked: Asked, round_: Round) -> Response:
        """Put one question of a round.

        Raises:
            MCPError: CONNECTION_CLOSED; with the server gone, nobody waits for the answer.
        """
        if not self.calls.closed:
            with self.calls.round_question() as question:
                response = await self._answerer.answer(
                    asked.form,
                    self._origin(round_.target),
                    declared=round_.declared,
                    arrival=asked.arrival,
                )
            if not question.withdrawn:
                return response
        raise MCPError(code=CONNECTION_CLOSED, message="Connection closed")

    def _dialect(self) -> Dialect | None:
        return dialect_of("mcp", self._session.protocol_version)

    def _origin(self, target: str | None) -> Origin:
        server = self._session.server_info
        return Origin(
            label=self._name, claimed=None if server is None else server.name, request=target
        )

    def _declare(self, method: str, params: Raw | None) -> Wire:
        stamped: Wire = dict(params or {})
        if method == "initialize":
            if self._offered is not None:
                stamped["protocolVersion"] = self._offered
            dialect = dialect_of("mcp", stamped["protocolVersion"]) or MCP_2025_11_25
            self._declared = Capability(self._answerer.modes_for(self._name) & dialect.modes)
            stamped["capabilities"] = self._declaring(stamped["capabilities"], dialect)
            return stamped
        meta: Wire = dict(stamped.get("_meta") or {})
        dialect = dialect_of("mcp", meta.get(PROTOCOL_VERSION_META_KEY))
        declared = meta.get(CLIENT_CAPABILITIES_META_KEY)
        if dialect is not None and declared is not None:
            meta[CLIENT_CAPABILITIES_META_KEY] = self._declaring(declared, dialect)
            stamped["_meta"] = meta
        return stamped

    def _declaring(self, capabilities: Raw, dialect: Dialect) -> Wire:
        declared: Wire = {key: one for key, one in capabilities.items() if key != "elicitation"}
        modes = Capability(self._answerer.modes_for(self._name))
        elicitation = encode_capability(modes, dialect)
        if elicitation is not None:
            declared["elicitation"] = elicitation
        return declared

    async def _answer_live(self, params: Raw | None, dialect: Dialect, came: Arrival) -> Wire:
        request: Request | None = None
        origin = self._origin(None)
        try:
            with self.calls.live_question() as question:
                origin = self._origin(question.call.target if question.call else None)
                request, size = self._reader.question(params, dialect)
                came = replace(came, size=size)
                form = self._answerer.admit(request, self._name, self._declared)
                response = await self._answerer.answer(
                    form, origin, declared=self._declared, arrival=came
                )
        except InvalidRequest as error:
            self._answerer.refused(request, origin, came)
            raise MCPError(code=error.code, message=str(error), data=error.data) from error
        if question.withdrawn:
            # Its request has ended: whatever is typed now is no answer to anything.
            response = Cancel("withdrawn")
        return encode_response(response)

    def _checked(self, method: str, params: Raw, raw: Wire, target: str | None) -> Wire:
        meta = cast("Raw", params.get("_meta") or {})
        dialect = dialect_of("mcp", meta.get(PROTOCOL_VERSION_META_KEY))
        if dialect is None or dialect.delivery != "replay":
            return raw
        if raw.get("resultType") != "input_required":
            # The SDK insists on a type, and a result without one is complete (M81).
            return {"resultType": "complete", **raw}
        try:
            if method not in _TARGETS:
                raise InvalidRequest("the result of this method may not ask for input")
            declared = meta[CLIENT_CAPABILITIES_META_KEY]
            _round.set(self._reader.round(raw, dialect, declared, target))
        except InvalidRequest as error:
            self._answerer.refused(None, self._origin(target), Arrival(dialect=dialect.name))
            asking = f"{self._name!r} asked for input in answer to {method}"
            raise InvalidRequest(f"{asking}: {error}", data=error.data) from error
        return raw

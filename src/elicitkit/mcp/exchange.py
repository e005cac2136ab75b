"""Elicitation on one MCP connection of ours, between the SDK's session and its transport.

The session sees typed models and drops what it does not know; here the messages are still
plain dicts, so here the client declares what it can show (M07, M08, M10), answers live
questions from their raw params, hears of completed pages, and checks what a server may ask
in a round (G03) before anything is shown. What a question is, is ``elicitkit.mcp.incoming``;
what comes after consent, ``elicitkit.mcp.pages``; who runs the rounds,
``elicitkit.mcp.rounds``; who sends a call again after pages, ``elicitkit.mcp.required``.

Spec: MCP client/elicitation; basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
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
    run_notify_intercept,
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
from elicitkit.mcp.consents import Consents
from elicitkit.mcp.incoming import Asked, Raw, Reader, Round, Wire
from elicitkit.mcp.pages import Pages
from elicitkit.mcp.required import sent_after_visits
from elicitkit.wire.mcp import (
    COMPLETE,
    CREATE,
    decode_completion,
    encode_capability,
    encode_response,
)

_TARGETS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods whose result may ask, and what names their target."""

_round: ContextVar[Round] = ContextVar("elicitkit_round")


def last_round() -> Round:
    """The round that ended the request which this task sent last."""
    return _round.get()


class Exchange:
    """The SDK's dispatcher of one connection, with elicitation in front of it.

    Args:
        inner: The SDK's dispatcher.
        session: The session that uses it.
        answerer: Answers the questions.
        who: Who asks, as far as it is known before the connection.
        offered: The revision to offer in the handshake, in place of the SDK's.
        unattended: Seconds without a sign of the person, for an open page.
    """

    def __init__(
        self,
        inner: Dispatcher[Any],
        session: ClientSession,
        *,
        answerer: Answerer,
        who: Origin,
        offered: str | None,
        unattended: float,
    ) -> None:
        self._inner = inner
        self._session = session
        self._answerer = answerer
        self._who = who
        self._name = who.label
        self._reader = Reader(answerer=answerer, server=who.label)
        self._offered = offered
        self._declared = Capability()
        self._calls = Calls()
        self._pages = Pages(answerer, self._calls, unattended=unattended)

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

        def hearing(method: str, params: Raw | None) -> bool:
            self._hear(method, params)
            return run_notify_intercept(on_notify_intercept, method, params)

        async with self._pages.kept():
            try:
                await self._inner.run(answering, on_notify, hearing, task_status=task_status)
            finally:
                self._calls.close()

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

        async def send() -> Wire:
            with self._calls.sending(target, budget) as call:
                raw = await self._inner.send_raw_request(method, stamped, options)
            if call.failure is not None:
                raise call.failure
            if call.expired:
                raise MCPError(code=REQUEST_TIMEOUT, message=f"Request {method!r} timed out")
            return self._checked(method, stamped, raw, target)

        if method not in _TARGETS:
            return await send()
        return await sent_after_visits(send, partial(self._required, target), self.consents())

    async def ask(self, asked: Asked) -> Response:
        """Put one question of a round or of an error.

        Raises:
            MCPError: CONNECTION_CLOSED; with the server gone, nobody waits for the answer.
        """
        if not self._calls.closed:
            with self._calls.round_question() as question:
                response = await self._answerer.answer(
                    asked.request,
                    self._origin(asked.target),
                    declared=asked.declared,
                    arrival=asked.arrival,
                )
            if not question.withdrawn:
                return response
        raise MCPError(code=CONNECTION_CLOSED, message="Connection closed")

    def consents(self) -> Consents:
        """What will be said to the URLs of one call."""
        return Consents(self.ask, self._pages)

    def _dialect(self) -> Dialect | None:
        return dialect_of("mcp", self._session.protocol_version)

    def _origin(self, target: str | None) -> Origin:
        server = self._session.server_info
        return replace(self._who, claimed=None if server is None else server.name, request=target)

    def _hear(self, method: str, params: Raw | None) -> None:
        if method == COMPLETE:
            # One that cannot be read names no page, and there is nobody to tell (M24).
            with suppress(InvalidRequest):
                self._pages.completed(decode_completion(params).elicitation_id)

    def _required(self, target: str | None, error: MCPError) -> Sequence[Asked]:
        """The pages to visit by an error; none, if it is not that error or a wrong one (G34)."""
        dialect = self._dialect()
        # By the code alone: the message changes on its way.
        if dialect is None or error.error.code != dialect.url_required_code:
            return ()
        try:
            return self._reader.required(error.error.data, dialect, self._declared, target)
        except InvalidRequest:
            return ()

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
            with self._calls.live_question() as question:
                origin = self._origin(question.call.target if question.call else None)
                request, size = self._reader.question(params, dialect)
                came = replace(came, size=size)
                self._answerer.admit(request, self._name, self._declared)
                response = await self._answerer.answer(
                    request, origin, declared=self._declared, arrival=came
                )
        except InvalidRequest as error:
            self._answerer.refused(request, origin, came)
            raise MCPError(code=error.code, message=str(error), data=error.data) from error
        if question.withdrawn:
            # Its request has ended: whatever is typed now is no answer to anything.
            response = Cancel("withdrawn")
        self._pages.live(response, question.call)
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

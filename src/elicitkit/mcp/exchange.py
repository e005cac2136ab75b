"""Elicitation on one MCP connection of ours, between the SDK's session and its transport.

The session sees typed models and drops what it does not know; here the messages are still
plain dicts, so here the client declares what it can show (M07, M08, M10), answers live
questions from their raw params, and checks what a server may ask in a round (G03) before
anything is shown. Who runs the rounds is ``elicitkit.mcp.rounds``.

Spec: MCP client/elicitation; basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
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

from elicitkit.answering import Answerer
from elicitkit.answering.limits import check_size
from elicitkit.core.dialects import MCP_2025_11_25, Dialect, dialect_of
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Cancel, Capability, FormRequest, Origin, Response
from elicitkit.mcp.calls import Calls
from elicitkit.wire.mcp import (
    CREATE,
    decode_capability,
    decode_request,
    encode_capability,
    encode_response,
)

Wire = dict[str, Any]
Raw = Mapping[str, Any]

_TARGETS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods whose result may ask, and what names their target."""
_NEEDS: Final = {"sampling/createMessage": "sampling", "roots/list": "roots"}
"""Other things a round may ask for, and the capability that allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The elicitations of one ``input_required`` result, checked."""

    forms: Mapping[str, FormRequest]
    target: str | None
    declared: Capability


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
        label: str,
        offered: str | None,
    ) -> None:
        self._inner = inner
        self._session = session
        self._answerer = answerer
        self._label = label
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
            return await self._answer_live(params, dialect)

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

    async def ask(self, form: FormRequest, round_: Round) -> Response:
        """Put one question of a round.

        Raises:
            MCPError: CONNECTION_CLOSED; with the server gone, nobody waits for the answer.
        """
        if not self.calls.closed:
            with self.calls.round_question() as question:
                response = await self._answerer.answer(
                    form, self._origin(round_.target), declared=round_.declared
                )
            if not question.withdrawn:
                return response
        raise MCPError(code=CONNECTION_CLOSED, message="Connection closed")

    def _dialect(self) -> Dialect | None:
        return dialect_of("mcp", self._session.protocol_version)

    def _origin(self, target: str | None) -> Origin:
        server = self._session.server_info
        return Origin(
            label=self._label, claimed=None if server is None else server.name, request=target
        )

    def _declare(self, method: str, params: Raw | None) -> Wire:
        stamped: Wire = dict(params or {})
        if method == "initialize":
            if self._offered is not None:
                stamped["protocolVersion"] = self._offered
            dialect = dialect_of("mcp", stamped["protocolVersion"]) or MCP_2025_11_25
            self._declared = Capability(self._answerer.modes & dialect.modes)
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
        elicitation = encode_capability(Capability(self._answerer.modes), dialect)
        if elicitation is not None:
            declared["elicitation"] = elicitation
        return declared

    async def _answer_live(self, params: Raw | None, dialect: Dialect) -> Wire:
        try:
            with self.calls.live_question() as question:
                check_size(params, self._answerer.limits)
                request = decode_request(params, dialect)
                origin = self._origin(question.call.target if question.call else None)
                response = await self._answerer.answer(request, origin, declared=self._declared)
        except InvalidRequest as error:
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
            self._read_round(raw, dialect, meta[CLIENT_CAPABILITIES_META_KEY], target)
        except InvalidRequest as error:
            asking = f"{self._label!r} asked for input in answer to {method}"
            raise InvalidRequest(f"{asking}: {error}", data=error.data) from error
        return raw

    def _read_round(
        self, raw: Raw, dialect: Dialect, capabilities: Raw, target: str | None
    ) -> None:
        requests: object = raw.get("inputRequests", {})
        state = raw.get("requestState")
        if not isinstance(requests, Mapping) or not isinstance(state, str | None):
            raise InvalidRequest("inputRequests must be an object and requestState a string")
        if not requests and state is None:
            raise InvalidRequest("there is neither a question nor a state")
        declared = decode_capability(capabilities.get("elicitation"), dialect)
        forms: dict[str, FormRequest] = {}
        for key, entry in cast("Mapping[str, object]", requests).items():
            method, params = _entry(key, entry)
            if method == CREATE:
                check_size(params, self._answerer.limits)
                forms[key] = self._answerer.admit(decode_request(params, dialect), declared)
            elif _NEEDS.get(method) not in capabilities:
                raise InvalidRequest(f"{key!r} asks for {method}, which was not declared")
        _round.set(Round(forms=forms, target=target, declared=declared))


def _entry(key: str, entry: object) -> tuple[str, object]:
    if isinstance(entry, Mapping):
        found = cast("Raw", entry)
        method = found.get("method")
        if isinstance(method, str):
            return method, found.get("params")
    raise InvalidRequest(f"{key!r} is no request: it needs a method and params")

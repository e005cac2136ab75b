"""``@asks`` for servers on the mcp SDK: tools, prompts and resource templates.

One handler serves every revision: on 2025-06-18 and 2025-11-25 questions go out live, on
2026-07-28 the call ends with ``input_required`` and is made again. Capability, revision
and local overrides decide per call which modes there are. The FastMCP carrier builds on
the same class.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, assert_never, cast

from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, authenticated_principal
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitRequest, InputRequiredResult, TextContent
from pydantic import BaseModel

from elicitkit.asking.ask import Ask
from elicitkit.asking.call import RECORD_TTL, Call, Finished, Required, Suspended, run
from elicitkit.asking.handler import Handler, examine
from elicitkit.asking.journal import Journal
from elicitkit.asking.replay import Replay
from elicitkit.core.dialects import MCP_2025_06_18, Dialect, dialect_of
from elicitkit.core.errors import ElicitationError, NotAccepted, PeerError
from elicitkit.core.model import Mode
from elicitkit.core.outcome import Unavailable
from elicitkit.core.ports import Records
from elicitkit.mcp.live import Live, Pulses
from elicitkit.mcp.reach import Reach, reach_of
from elicitkit.mcp.state import require_seal, warn_of_short_keys
from elicitkit.mcp.visits import Visits
from elicitkit.observe import event, logger
from elicitkit.stores import MemoryRecords
from elicitkit.wire.mcp import CREATE, encode_request, missing_capability

P = ParamSpec("P")
R = TypeVar("R")

NOT_ACCEPTED: Final = -32010
"""The code of a prompt or resource whose question was not accepted; ``data.outcome`` says how."""

INTERNAL_ERROR: Final = -32603


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """The request that a handler serves, as both SDKs can tell it."""

    request: ServerRequestContext[Any, Any]
    responses: Mapping[str, BaseModel] | None
    state: str | None
    middleware: Iterable[Any]
    """That of the server, where the sealing of the state is looked for."""


class Asks:
    """A decorator that gives a handler its ``Ask``; ``asks`` is one with the defaults.

    Args:
        store: Where single-use steps are recorded; in this process by default, which replicas
            cannot share.
        timeout: Default seconds of human time for every question.
        clients: Modes by client name, for clients that declare one and never show it. It can
            only take modes away.
    """

    context: type = Context

    def __init__(
        self,
        *,
        store: Records | None = None,
        timeout: float | None = None,
        clients: Mapping[str, Collection[Mode]] | None = None,
    ) -> None:
        self._records: Records = store if store is not None else MemoryRecords()
        self._timeout = timeout
        self._clients = {name: frozenset(modes) for name, modes in (clients or {}).items()}
        self._visits = Visits()

    def __call__(self, function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        """Wrap a handler. Put it below the server's own decorator.

        Raises:
            UsageError: The handler cannot ask; the sentence says why.
        """
        handler = examine(function, self.context)

        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            if handler.is_direct(args, kwargs):
                return await handler.directly(args, kwargs)
            context = kwargs[handler.context]
            return await self._served(handler, args, kwargs, self._incoming(context))

        handler.dress(wrapper)
        return cast("Callable[P, Awaitable[R]]", wrapper)

    async def complete(self, elicitation_id: str) -> bool:
        """Complete a visit by its elicitation id, for whoever serves the page.

        As ``Visit.complete``, on the event loop that serves the server. It knows the visits
        of this process that are not over: until their connection ends, and for a day on
        revisions without connections.

        Returns:
            Whether this call completed it.
        """
        return await self._visits.complete(elicitation_id)

    async def _served(
        self, handler: Handler, args: tuple[Any, ...], kwargs: dict[str, Any], incoming: Incoming
    ) -> Any:
        method = incoming.request.method
        row = dialect_of("mcp", incoming.request.protocol_version)
        try:
            call = self._call(incoming, row)
            ended = await run(call, handler.body(args, kwargs, Ask(call)))
        except NotAccepted as refused:
            return self._refused(refused, method, row)
        except PeerError as error:
            return self._broken(error, method)
        except ElicitationError as error:
            logger.exception("a handler of %s asked in a way it may not", method)
            return self._failed(str(error), method, INTERNAL_ERROR, None)
        match ended:
            case Finished(value):
                return value
            case Suspended():
                return _input_required(ended, call.delivery.dialect)
            case Required():
                return self._required(ended, incoming.request, call)
            case _ as unreachable:
                assert_never(unreachable)

    def _call(self, incoming: Incoming, dialect: Dialect | None) -> Call:
        request = incoming.request
        reach = reach_of(request, dialect, self._clients)
        # A revision without elicitation has no row; nothing is ever sent on it.
        row = dialect or MCP_2025_06_18
        pulses = Pulses.of(request)
        if row.delivery == "live":
            return self._live(request, row, reach, pulses)
        return self._replayed(incoming, row, reach, pulses)

    def _live(
        self,
        request: ServerRequestContext[Any, Any],
        dialect: Dialect,
        reach: Reach,
        pulses: Pulses | None,
    ) -> Call:
        line = self._visits.line(request, authenticated_principal(request))
        live = Live(
            request.session,
            cast("str | int", request.request_id),
            dialect,
            reach.modes,
            line,
            pulses=pulses,
        )
        return Call(
            delivery=live,
            unavailable=reach.reason,
            timeout=self._timeout,
            ids=self._visits.ids(request, line),
            book=self._visits.of_line(line),
            url_required=dialect.url_required_code is not None and "url" in reach.declared,
        )

    def _replayed(
        self, incoming: Incoming, dialect: Dialect, reach: Reach, pulses: Pulses | None
    ) -> Call:
        request = incoming.request
        security = require_seal(incoming.middleware)
        if request.request is not None:
            warn_of_short_keys(security)
        replay = _replay(incoming, dialect, reach.modes, pulses)
        principal, call = authenticated_principal(request), replay.journal.call
        return Call(
            delivery=replay,
            unavailable=reach.reason,
            timeout=self._timeout,
            once=replay.journal.once,
            records=self._records,
            identity=f"{principal or ''}\0{call}",
            record_ttl=max(RECORD_TTL, security.ttl),
            age=replay.now - replay.journal.created,
            ids=replay.elicitation_id,
            book=self._visits.of_call(call, principal, replay.now),
        )

    def _refused(self, refused: NotAccepted, method: str, dialect: Dialect | None) -> Any:
        """An outcome that left the handler, as a result: never a crash."""
        unavailable = isinstance(refused.outcome, Unavailable)
        if unavailable and dialect is not None and dialect.missing_capability_code is not None:
            raise MCPError(
                code=dialect.missing_capability_code,
                message=f"This needs a client that can be asked: {refused}",
                data=missing_capability(refused.mode),
            ) from None
        told = {"outcome": type(refused.outcome).__name__.lower()}
        reason = getattr(refused.outcome, "reason", None)
        return self._failed(
            f"Not done: the question {refused}.",
            method,
            NOT_ACCEPTED,
            told | ({"reason": reason} if reason else {}),
        )

    def _broken(self, error: PeerError, method: str) -> Any:
        """The client broke the protocol: a protocol error with its code."""
        data = dict(error.data) if error.data else None
        refusal = MCPError(code=error.code, message=str(error), data=data)
        refusal.__cause__ = error
        return self._protocol_error(refusal, method)

    def _required(
        self, required: Required, request: ServerRequestContext[Any, Any], call: Call
    ) -> Any:
        """The pages that must be visited before the call can go on: an error that lists them."""
        self._visits.note(request, call.book.principal, required)
        dialect = call.delivery.dialect
        listed = [encode_request(one, dialect) for one in required.requests.values()]
        code = cast("int", dialect.url_required_code)  # only then may a call end so
        refusal = MCPError(
            code=code,
            message="This needs pages to be visited first",
            data={"elicitations": listed},
        )
        return self._protocol_error(refusal, request.method)

    def _protocol_error(self, error: MCPError, method: str) -> Any:
        """End the call with an error of JSON-RPC, not with a result that tells of one."""
        raise error

    def _failed(self, text: str, method: str, code: int, data: dict[str, Any] | None) -> Any:
        if method == "tools/call":
            return self._tool_error(text)
        raise MCPError(code=code, message=text, data=data)

    def _tool_error(self, text: str) -> Any:
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)

    def _incoming(self, context: Any) -> Incoming:
        served: Context[Any, Any] = context
        return Incoming(
            request=served.request_context,
            responses=served.input_responses,
            state=served.request_state,
            middleware=served.mcp_server.middleware,
        )


asks: Final = Asks()
"""``@asks`` with the defaults."""


def _replay(
    incoming: Incoming, dialect: Dialect, modes: frozenset[Mode], pulses: Pulses | None
) -> Replay:
    now = time.time()
    if incoming.state is None:
        journal = Journal(call=secrets.token_urlsafe(16), created=now)
    else:
        journal = Journal.load(incoming.state)
    replay = Replay(dialect=dialect, modes=modes, journal=journal, now=now, pulse=pulses)
    replay.receive(
        {
            key: answer.model_dump(by_alias=True, mode="json", exclude_none=True)
            for key, answer in (incoming.responses or {}).items()
            if key in journal.asked
        }
    )
    return replay


def _input_required(suspended: Suspended, dialect: Dialect) -> InputRequiredResult:
    event("round", dialect=dialect.name, questions=len(suspended.requests))
    return InputRequiredResult(
        input_requests={
            key: ElicitRequest.model_validate(
                {"method": CREATE, "params": encode_request(request, dialect)}
            )
            for key, request in suspended.requests.items()
        },
        request_state=suspended.state,
    )

"""``AgentV2``: a small router for agents of ACP v2, which the SDK's classes do not speak.

ACP v2 is a draft, and nobody speaks it by accident: an author makes one of these, and it
talks to clients of that version only (G44). Handlers take and return plain dicts. A prompt is
answered when it is accepted; its handler is the work that follows, and belongs to the session
until it ends or the client cancels or closes the session, which cancels the handler, too.

What the client is told of that work is in ``foreground.py``.

Spec: ACP v2 initialization, prompt-lifecycle, cancellation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar
from uuid import uuid4

from acp import RequestError
from acp.connection import Connection

from elicitkit.acp.foreground import Foreground
from elicitkit.acp.inbound import tell_failure
from elicitkit.acp.line import Line, current_work
from elicitkit.acp.messages import INTERNAL_ERROR, REQUEST_CANCELLED, Message
from elicitkit.acp.tasks import Tasks
from elicitkit.core.dialects import ACP_V2, ACP_V2_STRICT, Dialect
from elicitkit.core.errors import UsageError
from elicitkit.wire.common import as_object

VERSION: Final = 2
UNSUPPORTED_VERSION: Final = -32022
PROMPT: Final = "session/prompt"

Handler: TypeAlias = Callable[..., Awaitable[Any]]
HandlerT = TypeVar("HandlerT", bound=Handler)


class AgentV2:
    """An agent of ACP v2: handlers of raw params, by method.

    >>> agent = AgentV2(name="booker", version="1.0")
    >>> @agent.on("session/prompt")
    ... @asks
    ... async def prompt(params: dict[str, Any], ask: Ask) -> str: ...

    Args:
        name: What it calls itself.
        version: Of itself.
        capabilities: What it declares; the methods for sessions by default.
        auth_methods: How clients can log in.
        strict: Take the stricter of the two readings of the draft.
    """

    def __init__(
        self,
        *,
        name: str,
        version: str,
        capabilities: Mapping[str, Any] | None = None,
        auth_methods: Sequence[Mapping[str, Any]] = (),
        strict: bool = False,
    ) -> None:
        self.dialect: Dialect = ACP_V2_STRICT if strict else ACP_V2
        self.strict = strict
        self.handlers: dict[str, Handler] = {}
        self.hello: Message = {
            "protocolVersion": VERSION,
            "info": {"name": name, "version": version},
            "capabilities": dict(capabilities if capabilities is not None else {"session": {}}),
        } | ({"authMethods": list(auth_methods)} if auth_methods else {})

    def on(self, method: str) -> Callable[[HandlerT], HandlerT]:
        """Register the handler of a method; it takes the params as a dict.

        That of a request returns the result as a dict. That of ``session/prompt`` is the work
        that follows and returns the stop reason, or None for ``end_turn``.

        Raises:
            UsageError: The method has one.
        """

        def registered(handler: HandlerT) -> HandlerT:
            if method in self.handlers:
                raise UsageError(f"{method} has a handler")
            self.handlers[method] = handler
            return handler

        return registered

    def connect(self, line: Line) -> tuple[Connection, Callable[[], Awaitable[None]]]:
        """Serve a connection; for ``run_agent``.

        Returns:
            The connection, and what closes it.
        """
        serving = _Serving(self, line)
        connection = Connection(serving, line.transport)

        async def close() -> None:
            await serving.tasks.close()
            await connection.close()

        return connection, close


class _Serving:
    """An agent on one connection."""

    def __init__(self, agent: AgentV2, line: Line) -> None:
        self._agent = agent
        self._line = line
        self._sessions: dict[str, Foreground] = {}
        self.tasks = Tasks()

    async def __call__(self, method: str, params: object, is_notification: bool) -> object:
        if not isinstance(params, dict):
            raise RequestError.invalid_params({"params": "must be an object"})
        raw: Message = params  # pyright: ignore[reportUnknownVariableType]  # JSON: keys are strings
        try:
            return await self._serve(method, raw)
        except RequestError:
            raise
        except Exception as error:
            # The SDK would send its text, which may hold anything.
            tell_failure(error, method)
            raise RequestError(INTERNAL_ERROR, "Internal error") from error

    async def _serve(self, method: str, raw: Message) -> object:
        match method:
            case "initialize":
                return await self._initialize(raw)
            case "session/prompt":
                return await self._prompt(raw)
            case "session/cancel" | "session/close" | "session/delete":
                # The line has ended the work; what is left is to wait until the client knows.
                await self._stopped(raw)
                return await self._handled(method, raw, {})
            case _:
                return await self._handled(method, raw, None)

    async def _handled(self, method: str, params: Message, default: Message | None) -> object:
        handler = self._agent.handlers.get(method)
        if handler is not None:
            return await handler(params)
        if default is None:
            raise RequestError.method_not_found(method)
        return default

    async def _initialize(self, params: Message) -> object:
        offered = params.get("protocolVersion")
        if not isinstance(offered, int) or isinstance(offered, bool):
            raise RequestError.invalid_params({"protocolVersion": "must be an integer"})
        if offered < VERSION and self._agent.strict:
            # The pages have the agent name a version of its own; the newer schema an error.
            known = {"supported": [VERSION], "requested": offered}
            raise RequestError(UNSUPPORTED_VERSION, "Unsupported protocol version", known)
        return {**self._agent.hello, **as_object(await self._handled("initialize", params, {}))}

    async def _prompt(self, params: Message) -> object:
        session_id = params.get("sessionId")
        if not isinstance(session_id, str):
            raise RequestError.invalid_params({"sessionId": "must be a string"})
        handler = self._agent.handlers.get(PROMPT)
        if handler is None:
            raise RequestError.method_not_found(PROMPT)
        asked = current_work()
        if asked is not None and asked.over is not None:
            # The client cancelled or closed the session before it was taken up.
            raise RequestError(REQUEST_CANCELLED, "Request cancelled")
        message_id = uuid4().hex
        foreground = self._foreground(session_id)
        foreground.echo(message_id, params.get("prompt"))
        await foreground.start(lambda: handler(params))
        return {"messageId": message_id}

    async def _stopped(self, params: Message) -> None:
        session_id = params.get("sessionId")
        if isinstance(session_id, str) and session_id in self._sessions:
            await self._sessions[session_id].stopped()

    def _foreground(self, session_id: str) -> Foreground:
        if session_id not in self._sessions:
            self._sessions = {key: one for key, one in self._sessions.items() if one.busy}
            self._sessions[session_id] = Foreground(session_id, self._line, self.tasks)
        return self._sessions[session_id]

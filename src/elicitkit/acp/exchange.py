"""Elicitation on one ACP connection of ours: what is declared, and how a question is answered.

It stands in the transport, before the SDK: the outgoing ``initialize`` declares exactly the
modes that can be shown (A08, A09), and questions are read from their raw params, so that
nothing the SDK would rewrite or drop is shown or lost. A question that must not be shown is
refused at once, with a sentence that says why. What it belongs to is ``elicitkit.acp.owners``,
what comes after consent ``elicitkit.acp.pages``.

Spec: ACP v1 and v2 elicitation; cancellation; G14, G17, G19, G20, G44, G47.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Final, TypeAlias, assert_never

from anyio import CancelScope, Event

from elicitkit.acp.messages import Incoming, Message, RequestId, notification
from elicitkit.acp.observer import Observer
from elicitkit.acp.owners import Owner, Owners
from elicitkit.acp.pages import Pages
from elicitkit.acp.permission import CANCELLED, permission_request, permission_result
from elicitkit.answering import Answerer, Arrival
from elicitkit.answering.limits import check_size
from elicitkit.core.dialects import DIALECTS, Dialect
from elicitkit.core.errors import InvalidRequest, PeerError
from elicitkit.core.model import (
    Cancel,
    Capability,
    Origin,
    Request,
    RequestScope,
    Response,
    Scope,
    SessionScope,
)
from elicitkit.wire.acp import (
    LEGACY,
    AcpRequest,
    UnknownModeRequest,
    decode_completion,
    decode_request,
    encode_response,
    undeclared,
    with_capability,
)
from elicitkit.wire.common import as_object

UPDATE: Final = "session/update"

_OWN_INFO: Final[Mapping[str, str]] = {"1": "clientInfo", "2": "info"}
"""What the params of ``initialize`` call the client's own name, by protocol version."""
_AGENT_INFO: Final = ("agentInfo", "info")
_CAPABILITIES: Final = frozenset(
    key for row in DIALECTS.values() if row.protocol == "acp" for key in row.capabilities
)
"""Wherever anybody might have declared elicitation."""
_FORMS: Final = Capability(frozenset({"form"}))

Notify: TypeAlias = Callable[[str, Message], Awaitable[None]]
OnUpdate: TypeAlias = Callable[[Message], object]
"""Hears of each ``session/update``, in the order of the stream, by its raw params."""


class RenamedMethod(PeerError):
    """A method of a draft, which is called otherwise now."""

    code: ClassVar[int] = -32601


class Exchange(Observer):
    """The client's side of one connection.

    Args:
        who: Who asks, as far as it is known before the connection.
        answerer: Answers the questions.
        dialect: The one version that is spoken here (G44).
        info: What this client calls itself, where ``initialize`` does not say it.
        on_update: Hears of each session update.
        notify: Sends a notification to the agent.

    Attributes:
        over: Set when the connection has ended.
    """

    def __init__(
        self,
        *,
        who: Origin,
        answerer: Answerer,
        dialect: Dialect,
        info: Mapping[str, Any] | None,
        on_update: OnUpdate | None,
        notify: Notify,
    ) -> None:
        self._who = who
        self._answerer = answerer
        self._spoken = dialect
        self._info = info
        self._on_update = on_update
        self._notify = notify
        self._agreed = False
        """Whether it is spoken on this connection: offered by us, and not answered otherwise."""
        self._declared = Capability()
        self._owners = Owners()
        self._pages = Pages(answerer, self._give_up)
        self.over = Event()

    async def outgoing(self, message: Message) -> Message:
        if message["method"] == "initialize":
            message = {**message, "params": self._declare(as_object(message.get("params")))}
        self._owners.sent(message)
        return message

    def answered(self, request: Message, answer: Message) -> None:
        if request["method"] == "initialize":
            self._initialized(as_object(answer.get("result")))
        self._owners.answered(request, answer)

    def incoming(self, message: Incoming) -> None:
        if message.is_request and message.method in LEGACY:
            raise RenamedMethod(f"this method is called {LEGACY[message.method]} now")
        if message.method == UPDATE:
            self._owners.updated(message.params)
            if self._on_update is not None and isinstance(message.params, dict):
                self._on_update(message.raw["params"])

    def ended(self) -> None:
        # First the pages, so that the person is told the real reason.
        self._pages.end()
        self._owners.end()
        self.over.set()

    async def close(self) -> None:
        """End what is still open on this side."""
        self.ended()
        await self._pages.close()

    async def create(self, params: Message, request_id: RequestId) -> Message:
        """Answer one question.

        Raises:
            InvalidRequest: It must not be shown; nothing was.
        """
        came = Arrival(dialect=self._spoken.name, request_id=request_id)
        request: Request | None = None
        origin = self._who
        try:
            came = replace(came, size=check_size(params, self._answerer.limits_for(self._name)))
            asked = self._read(params)
            request, origin = self._known(asked), self._origin(asked.scope)
            owner = self._owners.find(asked.scope)
        except InvalidRequest:
            self._answerer.refused(request, origin, came)
            raise
        response = await self._ask(request, origin, came, owner)
        self._pages.keep(response, owner)
        return encode_response(response)

    def complete(self, params: Message) -> None:
        """The agent says that a page is done with."""
        # One that cannot be read names no page, and there is nobody to tell (A47).
        with suppress(InvalidRequest):
            self._pages.completed(decode_completion(params).elicitation_id)

    async def permission(self, params: object) -> Message:
        """Answer one request for permission, as a question with one choice.

        Raises:
            InvalidRequest: It must not be shown; nothing was.
        """
        came = Arrival(dialect=self._spoken.name)
        try:
            came = replace(came, size=check_size(params, self._answerer.limits_for(self._name)))
            request = permission_request(params, self._owners.title)
            scope = SessionScope(session_id=request.session_id, tool_call_id=request.tool_call_id)
            owner = self._owners.find(scope)
        except InvalidRequest:
            self._answerer.refused(None, self._who, came)
            raise
        if "form" not in self._answerer.modes_for(self._name):
            # Nobody can be asked, and no client declares that somebody can.
            self._answerer.refused(request, self._origin(scope), came)
            return CANCELLED
        response = await self._ask(request, self._origin(scope), came, owner, _FORMS)
        return permission_result(request, response)

    @property
    def _name(self) -> str:
        return self._who.label

    def _origin(self, scope: Scope) -> Origin:
        match scope:
            case SessionScope(session_id=session, tool_call_id=call):
                return replace(self._who, request=self._owners.title(session, call))
            case RequestScope():
                return self._who
            case _ as unreachable:
                assert_never(unreachable)

    def _declare(self, params: Mapping[str, Any]) -> Message:
        """The params of ``initialize``, with what is declared here and nothing of anybody else."""
        declaring = dict(params)
        for key in _CAPABILITIES:
            if "elicitation" in as_object(declaring.get(key)):
                others = as_object(declaring[key]).items()
                declaring[key] = {it: one for it, one in others if it != "elicitation"}
        self._agree_on(params.get("protocolVersion"))
        if not self._agreed:
            return declaring
        own_info = _OWN_INFO[self._spoken.revision]
        if self._info is not None and declaring.get(own_info) is None:
            declaring[own_info] = dict(self._info)
        modes = self._answerer.modes_for(self._name) & self._spoken.modes
        self._declared = Capability(modes)
        return with_capability(declaring, self._declared, self._spoken)

    def _initialized(self, result: Mapping[str, Any]) -> None:
        """The agent answered ``initialize``."""
        self._agree_on(result.get("protocolVersion"))
        info = as_object(next(filter(None, map(result.get, _AGENT_INFO)), None))
        claimed = info.get("title") or info.get("name")
        self._who = replace(self._who, claimed=claimed if isinstance(claimed, str) else None)

    def _agree_on(self, version: object) -> None:
        spoken = not isinstance(version, bool) and version == int(self._spoken.revision)
        if not spoken:
            self._declared = Capability()
        self._agreed = spoken

    def _read(self, params: Message) -> AcpRequest:
        if not self._agreed:
            raise InvalidRequest(
                f"a question needs version {self._spoken.revision} of ACP to be agreed on first"
            )
        return decode_request(params, self._spoken)

    def _known(self, asked: AcpRequest) -> Request:
        if isinstance(asked.request, UnknownModeRequest):
            raise undeclared(asked.request, self._declared)
        return asked.request

    async def _ask(
        self,
        request: Request,
        origin: Origin,
        came: Arrival,
        owner: Owner,
        declared: Capability | None = None,
    ) -> Response:
        """Put one question, which ends with what it belongs to, unanswered."""
        with CancelScope() as scope, owner.attached(scope.cancel):
            return await self._answerer.answer(
                request, origin, declared=declared or self._declared, arrival=came
            )
        return Cancel("withdrawn")

    async def _give_up(self, owner: Owner) -> None:
        """The person has given up: the agent is told to stop what they were asked for."""
        if owner.stop is None:
            return
        method, params = owner.stop
        self._owners.sent(notification(method, params))
        with suppress(ConnectionError):
            await self._notify(method, params)

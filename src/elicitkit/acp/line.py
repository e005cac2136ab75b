"""One connection of an agent: what its client declared, who speaks on it, what it works on.

Everything is read from the raw messages: the SDK's models make a capability out of what is
none and know only version 1. Handlers find the connection and their piece of work by context
variables, which the task of each message inherits.

Who speaks is what this side has verified: the user of this machine on stdio, what the server
of a remote transport found out, or what ``authenticate`` brought to light. Names, session
ids and ``_meta`` are the client's word and count for nothing here (A15, A16, A18).

Spec: ACP client/elicitation "Checking support", "Creating an elicitation"; rulings G14, G40.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from elicitkit.acp.messages import Incoming, Message
from elicitkit.acp.observer import Observer
from elicitkit.acp.transport import ElicitationTransport, Frames
from elicitkit.acp.work import Ending, Work
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Capability, Mode
from elicitkit.wire.acp import capability_in
from elicitkit.wire.common import as_object

_ENDS_SESSION: Final[Mapping[str, Ending]] = {
    "session/cancel": "session_cancelled",
    "session/close": "session_closed",
    "session/delete": "session_closed",
}
_AROUND_SESSIONS: Final = frozenset(
    {"session/load", "session/resume", "session/fork", "session/close", "session/delete"}
)
"""Requests that name a session which is not open yet, or not any more: theirs is the request."""
_LOGIN: Final = frozenset({"authenticate", "auth/login"})
_LOGOUT: Final = frozenset({"logout", "auth/logout"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A request to authenticate that the agent granted, as it travelled, without ``_meta``."""

    params: Mapping[str, Any]
    """What the client said, such as ``methodId``: its word, and no proof of anything."""
    result: Mapping[str, Any]
    """What the agent answered."""


class Line(Observer):
    """One connection.

    Args:
        frames: What carries its messages.
        dialect: The version that is spoken on it.
        principal: Who is at the other end, as far as the transport has verified it.
    """

    def __init__(self, frames: Frames, dialect: Dialect, *, principal: str | None = None) -> None:
        self.transport = ElicitationTransport(frames, observer=self)
        self.dialect = dialect
        self.principal = principal
        self.login: Login | None = None
        """The latest that was granted."""
        self.finished = asyncio.Event()
        self._initialize: Mapping[str, Any] = {}
        self._works: set[Work] = set()
        self._at_end: list[Callable[[], None]] = []

    def declared(self, clients: Mapping[str, frozenset[Mode]]) -> Capability:
        """The modes that the client can be asked in.

        Args:
            clients: What is left of the modes of some clients, by name.
        """
        found = capability_in(self._initialize, self.dialect)
        info = as_object(self._initialize.get("clientInfo", self._initialize.get("info")))
        name = info.get("name")
        allowed = clients.get(name) if isinstance(name, str) else None
        return found if allowed is None else found.only(allowed)

    def begin(self, work: Work) -> None:
        """Work begins; it is over with the connection at the latest."""
        self._works.add(work)

    async def finish(self, work: Work, reason: Ending) -> None:
        """Work is done: what is still asked in it is taken back before this returns."""
        work.end(reason)
        await work.quiet()
        self._works.discard(work)

    def at_end(self, forget: Callable[[], None]) -> None:
        """Have something forgotten when the connection ends, or now if it has."""
        if self.finished.is_set():
            forget()
        else:
            self._at_end.append(forget)

    def incoming(self, message: Incoming) -> None:
        """Note what a message says of the client or ends, and begin the work on a request."""
        params = as_object(message.params)
        if message.method == "initialize":
            self._initialize = params
        for work in self._of_session(params.get("sessionId")):
            if message.method in _ENDS_SESSION:
                work.end(_ENDS_SESSION[message.method])
        work = _work_of(message, params) if message.is_request else None
        if work is not None:
            self.begin(work)
        _place.set((self, work))

    async def answering(self, request: Incoming, answer: Message) -> None:
        """End the work on a request before its answer goes out."""
        work = current_work()
        if work is not None:
            await self.finish(work, "request_ended")
        params = as_object(request.params)
        if request.method in _ENDS_SESSION:
            for ended in self._of_session(params.get("sessionId")):
                await ended.quiet()
        if "result" in answer:
            self._note_login(request.method, params, answer["result"])
        elif request.method == "initialize":
            self._initialize = {}  # nothing was agreed on

    def ended(self) -> None:
        """Everything ends with the connection (G15)."""
        self.finished.set()
        for work in self._works:
            work.end("disconnected")
        self._works.clear()
        for forget in self._at_end:
            forget()
        self._at_end.clear()

    def _of_session(self, session_id: object) -> list[Work]:
        if not isinstance(session_id, str):
            return []
        return [work for work in self._works if work.session_id == session_id]

    def _note_login(self, method: str, params: Mapping[str, Any], result: object) -> None:
        if method in _LOGIN:
            self.login = Login(params=_said(params), result=_said(result))
        elif method in _LOGOUT:
            self.login = None


_place: ContextVar[tuple[Line, Work | None] | None] = ContextVar("elicitkit_acp_line", default=None)


def enter_work(work: Work) -> None:
    """Let this task go on with other work of the same connection."""
    _place.set((current_line(), work))


def current_line() -> Line:
    """The connection that this task serves.

    Raises:
        UsageError: It serves none.
    """
    place = _place.get()
    if place is None:
        raise UsageError(
            "this handler serves no connection: serve its agent by elicitkit.acp.run_agent, or "
            "call it with ask=Ask.scripted(...)"
        )
    return place[0]


def current_work() -> Work | None:
    """The work that this task is part of; None outside a request, as in a notification."""
    place = _place.get()
    return None if place is None else place[1]


def current_transport() -> ElicitationTransport:
    """The transport of the connection that this task serves, for messages of one's own.

    Raises:
        UsageError: It serves none.
    """
    return current_line().transport


def _work_of(message: Incoming, params: Mapping[str, Any]) -> Work:
    session_id = params.get("sessionId")
    if not isinstance(session_id, str) or message.method in _AROUND_SESSIONS:
        session_id = None
    return Work(session_id=session_id, request_id=message.id)


def _said(raw: object) -> Mapping[str, Any]:
    return {key: value for key, value in as_object(raw).items() if key != "_meta"}

"""What of ours a question of the agent belongs to, and ends with.

A question names a session or a request of this client, and one that names neither of its own
is refused. It ends, and so does the page that it opened, with what it belongs to: the request
it came in, the turn of its session, the session, the connection. Where several turns run at
once nobody can say which one asks, so it ends with the last of them.

Read from the messages of this client and of the agent as they pass. What a turn is differs by
revision, and is told from the messages alone: the answer to a prompt ends it where it says why
it stopped (v1), else the session does once it is idle (v2).

Spec: ACP v1 and v2 elicitation, scopes; prompt lifecycle; G14, G15, G19, G20.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias, assert_never

from elicitkit.acp.messages import CANCEL, Message, RequestId
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import RequestScope, Scope, SessionScope
from elicitkit.wire.common import as_object

SESSION_CANCEL: Final = "session/cancel"

_OPENING: Final = frozenset({"session/new", "session/fork"})
"""What answers with the id of a new session."""
_TITLES: Final = 256
_TITLE: Final = 300
"""The tool calls of one session whose titles are remembered, and the characters of each."""

Stop: TypeAlias = tuple[str, Message]
"""The notification that ends something early: its method and params."""


class Owner:
    """Something that ends, and takes with it what is attached to it.

    Attributes:
        stop: What to tell the agent so that it comes to its end; None where there is nothing.
    """

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop = stop
        self._attached: dict[object, Callable[[], object]] = {}

    @contextmanager
    def attached(self, end: Callable[[], object]) -> Generator[None]:
        """Within the block, ``end`` is called when this ends."""
        one = object()
        self._attached[one] = end
        try:
            yield
        finally:
            del self._attached[one]

    def end(self) -> None:
        """End what is attached; more may be attached afterwards."""
        for end in tuple(self._attached.values()):
            end()


class _Turn(Owner):
    """One prompt, from sending to the end of what it started."""

    answered = False
    """Whether the agent has taken the prompt, and goes on working."""


class _Session:
    def __init__(self, id_: str) -> None:
        self._stop: Stop = (SESSION_CANCEL, {"sessionId": id_})
        self._itself = Owner()
        self._some_turn = Owner(self._stop)
        self._turns: dict[object, _Turn] = {}
        self._titles: OrderedDict[str, str] = OrderedDict()

    def owner(self) -> Owner:
        """What a question belongs to that comes now."""
        if not self._turns:
            return self._itself
        return next(iter(self._turns.values())) if len(self._turns) == 1 else self._some_turn

    def begin_turn(self, id_: object) -> None:
        self._turns[id_] = _Turn(self._stop)

    def answered(self, id_: object, answer: Mapping[str, object]) -> None:
        """A prompt of this session was answered."""
        if "error" in answer or "stopReason" in as_object(answer.get("result")):
            self._end_turn(id_)
        elif id_ in self._turns:
            self._turns[id_].answered = True

    def updated(self, update: Mapping[str, object]) -> None:
        if update.get("sessionUpdate") == "state_update" and update.get("state") == "idle":
            for id_ in [id_ for id_, turn in self._turns.items() if turn.answered]:
                self._end_turn(id_)
        call, title = update.get("toolCallId"), update.get("title")
        if isinstance(call, str) and isinstance(title, str):
            self._titles[call] = title[:_TITLE]
            if len(self._titles) > _TITLES:
                self._titles.popitem(last=False)

    def title(self, call: str | None) -> str | None:
        return None if call is None else self._titles.get(call)

    def end(self) -> None:
        for owner in (*self._turns.values(), self._some_turn, self._itself):
            owner.end()

    def _end_turn(self, id_: object) -> None:
        turn = self._turns.pop(id_, None)
        if turn is not None:
            turn.end()
        if not self._turns:
            self._some_turn.end()


class Owners:
    """The requests and sessions of this client on one connection."""

    def __init__(self) -> None:
        self._requests: dict[object, Owner] = {}
        self._some_request = Owner()
        self._sessions: dict[str, _Session] = {}
        self._named_first: dict[object, str] = {}
        """Requests that name a session which was not known before them."""

    def find(self, scope: Scope) -> Owner:
        """What a question of this scope belongs to.

        Raises:
            InvalidRequest: The scope names no session of this connection, or no request of this
                client that is in flight.
        """
        match scope:
            case SessionScope(session_id=id_):
                return self._session(id_).owner()
            case RequestScope(request_id=id_):
                return self._request(id_)
            case _ as unreachable:
                assert_never(unreachable)

    def title(self, session: object, call: str | None) -> str | None:
        """What the agent calls one of its tool calls, where it has told."""
        found = self._sessions.get(session) if isinstance(session, str) else None
        return None if found is None else found.title(call)

    def sent(self, message: Message) -> None:
        """A request or notification of this client is about to go out."""
        method, session = message["method"], as_object(message.get("params")).get("sessionId")
        if "id" not in message:
            if method == SESSION_CANCEL and session in self._sessions:
                self._sessions[session].end()
            return
        id_ = message["id"]
        self._requests[id_] = Owner((CANCEL, {"requestId": id_}))
        if isinstance(session, str):
            if session not in self._sessions:
                # Ours, as long as the agent does not say that there is none.
                self._sessions[session] = _Session(session)
                self._named_first[id_] = session
            if method == "session/prompt":
                self._sessions[session].begin_turn(id_)

    def answered(self, request: Message, answer: Message) -> None:
        """A request of this client was answered."""
        id_, method = request["id"], request["method"]
        result = as_object(answer.get("result"))
        self._end_request(id_)
        session = as_object(request.get("params")).get("sessionId")
        named_first = self._named_first.pop(id_, None)
        if method in _OPENING and isinstance(result.get("sessionId"), str):
            self._sessions.setdefault(result["sessionId"], _Session(result["sessionId"]))
        elif method == "session/prompt" and session in self._sessions:
            self._sessions[session].answered(id_, answer)
        if named_first is not None and "error" in answer:
            self._end_session(named_first)
        if method == "session/close" and "error" not in answer:
            self._end_session(session)

    def updated(self, params: object) -> None:
        """The agent has told something of a session."""
        told = as_object(params)
        session = told.get("sessionId")
        if isinstance(session, str) and session in self._sessions:
            self._sessions[session].updated(as_object(told.get("update")))

    def end(self) -> None:
        """The connection has ended."""
        for id_ in tuple(self._requests):
            self._end_request(id_)
        for session in tuple(self._sessions):
            self._end_session(session)

    def _session(self, id_: str) -> _Session:
        found = self._sessions.get(id_)
        if found is None:
            raise InvalidRequest("params.sessionId names no session of this connection")
        return found

    def _request(self, id_: RequestId | None) -> Owner:
        # Without an id, any request of ours may be the one (G20).
        found = self._requests.get(id_) if id_ is not None else self._some_request
        if found is None or not self._requests:
            raise InvalidRequest("params.requestId names no request that this client waits for")
        return found

    def _end_request(self, id_: object) -> None:
        owner = self._requests.pop(id_, None)
        if owner is not None:
            owner.end()
        if not self._requests:
            self._some_request.end()

    def _end_session(self, id_: object) -> None:
        session = self._sessions.pop(id_, None) if isinstance(id_, str) else None
        if session is not None:
            session.end()

"""How a question becomes an answer: the one place that knows the order of steps.

Gate, limits of a question, pace of its server, policy, turn in the line, surface, check,
answer, audit. What may be refused is refused before anything is shown, with an error; once
a question is taken it ends in an answer, and in one only. Software never declines: whatever
is not a person's decision is a cancel with a local reason.

What a server may do is ``servers.py``; the line ``queue.py``; the time limit ``turn.py``;
how a URL is shown and opened ``consent.py``, and what comes after it ``visit.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Self, TypedDict, assert_never

import anyio
from anyio.lowlevel import checkpoint_if_cancelled
from typing_extensions import Unpack

from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import Config
from elicitkit.answering.consent import put_url
from elicitkit.answering.hosts import HostRules
from elicitkit.answering.limits import Limits, check_question
from elicitkit.answering.opener import Opener, SystemOpener
from elicitkit.answering.pace import Pace
from elicitkit.answering.queue import Queue
from elicitkit.answering.record import Arrival, Recorder, ending_of, tell_late
from elicitkit.answering.scripted import Scripted
from elicitkit.answering.servers import Server, Unseen
from elicitkit.answering.turn import ShownTurn
from elicitkit.answering.visit import Consented, Visit
from elicitkit.core.check import check
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.lifecycle import Lifecycle
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    Decline,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
    UrlRequest,
)
from elicitkit.core.ports import Policy, Surface
from elicitkit.observe import event

_SERVED: Final[frozenset[Mode]] = frozenset({"form", "url"})


class AnswererOptions(TypedDict, total=False):
    """What an ``Answerer`` takes beside its surface."""

    limits: Limits | None
    pace: Pace | None
    policy: Policy | None
    audit: AuditLog | None
    config: Config | None
    opener: Opener | None
    hosts: HostRules | None


class Answerer:
    """Answers questions by showing them, one at a time, on a surface.

    One answerer may serve any number of connections; their questions wait in one line. A
    server is known by ``Origin.label``, the name that the person gave it.

    Args:
        surface: Where a person answers.
        limits: What is refused for being too much.
        pace: How many questions one server may ask, and how long each may stay open.
        policy: Ends or delays questions before they are shown.
        audit: Keeps who asked what, and what became of it.
        config: What the person allows each server; it narrows everything else.
        opener: Starts the person's browser once they have consented to a URL.
        hosts: What holds for the URLs of every server.
    """

    def __init__(
        self,
        surface: Surface,
        *,
        limits: Limits | None = None,
        pace: Pace | None = None,
        policy: Policy | None = None,
        audit: AuditLog | None = None,
        config: Config | None = None,
        opener: Opener | None = None,
        hosts: HostRules | None = None,
    ) -> None:
        self.surface = surface
        self._limits = limits or Limits()
        self._pace = pace or Pace()
        self._policy = policy
        self._recorder = Recorder(audit)
        self._config = config or Config()
        self._opener: Opener = opener or SystemOpener()
        self._hosts = hosts or HostRules()
        self._servers: dict[str, Server] = {}
        self._queue = Queue()

    @classmethod
    def scripted(
        cls, answers: Sequence[Mapping[str, object]], **options: Unpack[AnswererOptions]
    ) -> Self:
        """An answerer that takes its answers from a list; see ``Scripted``."""
        return cls(Scripted(answers), **options)

    @property
    def modes(self) -> frozenset[Mode]:
        """What can be served here and now."""
        return self.surface.modes & _SERVED

    def modes_for(self, name: str) -> frozenset[Mode]:
        """What can be served here and now to one server, and so what is declared to it (M10)."""
        return self.modes & self._server(name).modes

    def limits_for(self, name: str) -> Limits:
        """What is refused of one server for being too much."""
        return self._server(name).limits

    def narrow(self, name: str, config: Config) -> None:
        """Let a server do less, by what a configuration says of it."""
        self._server(name).narrow(config.for_server(name))

    @property
    def muted(self) -> frozenset[str]:
        """The names of the servers whose questions are cancelled unseen."""
        return frozenset(name for name, one in self._servers.items() if one.muted)

    def mute(self, name: str) -> None:
        """Cancel what this server asks, unseen; a person does so by ``Turn.mute``."""
        self._server(name).mute()

    def unmute(self, name: str) -> None:
        """Show questions of this server again."""
        self._server(name).muted = False

    def admit(self, request: Request, server: str, declared: Capability | None = None) -> None:
        """The gate and the limits alone, for carriers that check a whole round first (G03).

        Args:
            request: The question.
            server: The name of the server that asks.
            declared: What the client declared where this question came from; by default
                what could be declared now.

        Raises:
            InvalidRequest: The mode was not declared, or the question is too much.
        """
        supported = Capability(self.modes_for(server)) if declared is None else declared
        if request.mode not in supported:
            modes = sorted(supported.modes)
            raise InvalidRequest(
                f"{request.mode} mode was not declared; supported: {', '.join(modes) or 'none'}",
                data={"supportedModes": modes},
            )
        check_question(request, self.limits_for(server))

    def refused(self, request: Request | None, origin: Origin, arrival: Arrival) -> None:
        """Keep in the audit that a carrier answered a question with an error.

        Args:
            request: The question; None where it could not be read.
            origin: Who asked.
            arrival: How it came.
        """
        self._recorder.refused(request, self._shown_as(origin), arrival)

    async def answer(
        self,
        request: Request,
        origin: Origin,
        *,
        declared: Capability | None = None,
        arrival: Arrival | None = None,
    ) -> Response:
        """Put one question to the person and return what may be sent.

        Cancelling this call withdraws the question.

        Args:
            request: The question.
            origin: Who asks; its label is the name of the server.
            declared: As for ``admit``.
            arrival: How it came, for the audit.

        Raises:
            InvalidRequest: Nothing was shown: the mode was not declared, or it is too much.
        """
        came = arrival or Arrival()
        try:
            self.admit(request, origin.label, declared)
        except InvalidRequest:
            self.refused(request, origin, came)
            raise
        shown_as, started = self._shown_as(origin), anyio.current_time()
        response: Response = Cancel("withdrawn")
        life = Lifecycle()
        try:
            response = await self._answered(request, shown_as, self._server(origin.label), life)
        finally:
            life.on(ending_of(response))
            seconds = anyio.current_time() - started
            self._recorder.ended(request, shown_as, response, came, seconds)
            self.ended(request, shown_as, response)
        return response

    def visit(self, response: Response) -> Visit | None:
        """The page that the person has open by this answer, whose end is to be awaited.

        An answer to a url question leaves at consent (G46). Whoever sent it watches the page
        as long as its call goes on; nobody else ends the wait.
        """
        if not isinstance(response, Consented):
            return None
        return Visit(response, surface=self.surface, opener=self._opener, queue=self._queue)

    async def put(self, request: Request, origin: Origin, turn: ShownTurn) -> Response:
        """Show one question and check what comes back; a subclass may watch here.

        Called for one question at a time.
        """
        match request:
            case FormRequest():
                return await self._put_form(request, origin, turn)
            case UrlRequest():
                return await put_url(
                    request, origin, turn, surface=self.surface, opener=self._opener
                )
            case _ as unreachable:
                assert_never(unreachable)

    async def _put_form(self, form: FormRequest, origin: Origin, turn: ShownTurn) -> Response:
        """Content that does not fit is never sent (M61), nor keys that nobody asked for (G09)."""
        response = await self.surface.fill(form, origin, turn)
        if not isinstance(response, Accept):
            return response
        content, errors = check(form.schema, response.content)
        if errors:
            event("surface_failed", level=logging.ERROR, error="InvalidContent")
            return Cancel("invalid_answer")
        return Accept(content)

    def ended(self, request: Request, origin: Origin, response: Response) -> None:
        """Told what came of a question, whether it was shown or not; a subclass may watch here."""

    def _server(self, name: str) -> Server:
        server = self._servers.get(name)
        if server is None:
            server = Server(name, _SERVED, self._limits, self._pace, self._hosts)
            self._servers[name] = server
            server.narrow(self._config.for_server(name))
        return server

    def _shown_as(self, origin: Origin) -> Origin:
        return replace(origin, label=self._server(origin.label).label)

    async def _answered(
        self, request: Request, origin: Origin, server: Server, life: Lifecycle
    ) -> Response:
        try:
            with server.asking(request):
                await self._ask_policy(request, origin)
                async with self._queue.turn(server):
                    life.on("show")
                    return await self._shown(request, origin, server)
        except Unseen as unseen:
            event("dropped", mode=request.mode, reason=unseen.reason)
            return Cancel(unseen.reason)

    async def _ask_policy(self, request: Request, origin: Origin) -> None:
        if self._policy is None:
            return
        try:
            decided = await self._policy.decide(request, origin)
            if decided is not None and not isinstance(decided, Cancel):
                raise TypeError("a policy can only cancel")
        except Exception as error:  # what a policy could not decide, nobody did
            event("policy_failed", level=logging.ERROR, error=type(error).__name__)
            decided = Cancel("policy_failed")
        if decided is not None:
            raise Unseen(decided.reason)

    async def _shown(self, request: Request, origin: Origin, server: Server) -> Response:
        event("answering", mode=request.mode)
        turn = ShownTurn(self._queue, server)
        response: Response | None = None
        try:
            with turn.scope:
                response = await self._put_safely(request, origin, turn)
            # A surface may hold out until it has an answer to a question that is gone.
            await checkpoint_if_cancelled()
        except anyio.get_cancelled_exc_class():
            tell_late(request, response, "withdrawn")
            raise
        if response is None or turn.expired:
            tell_late(request, response, "timed_out")
            return Cancel("timed_out")
        if server.muted:
            return Cancel("muted")
        if isinstance(response, Decline):
            server.declined(request)
        return response

    async def _put_safely(self, request: Request, origin: Origin, turn: ShownTurn) -> Response:
        try:
            return await self.put(request, origin, turn)
        except Exception as error:  # whatever a surface raises, nobody declined
            # The type alone: the text of an error may hold what was typed.
            event("surface_failed", level=logging.ERROR, error=type(error).__name__)
            return Cancel("surface_failed")

"""A client without a protocol: one that is asked live, and one that repeats its call."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio

from elicitkit.asking import Ask
from elicitkit.asking.call import Call, Finished, run
from elicitkit.asking.journal import Journal
from elicitkit.asking.outstanding import Book, Outstanding
from elicitkit.asking.pulse import Pulse
from elicitkit.asking.replay import Replay
from elicitkit.core.dialects import MCP_2025_11_25, MCP_2026_07_28, Dialect
from elicitkit.core.model import (
    Accept,
    Cancel,
    Completion,
    Mode,
    Request,
    Response,
    UrlRequest,
)
from elicitkit.core.ports import Records, Undeliverable
from elicitkit.stores import MemoryRecords
from elicitkit.wire.mcp import encode_response

Handler = Callable[[Ask], Awaitable[Any]]
Answers = Callable[[Request], Response | None]

FORM: frozenset[Mode] = frozenset({"form"})
BOTH: frozenset[Mode] = frozenset({"form", "url"})


class FakeDelivery:
    """A connection that answers at once, from a list, and keeps what it was asked."""

    def __init__(
        self,
        *answers: Response | Exception,
        dialect: Dialect = MCP_2025_11_25,
        modes: frozenset[Mode] = FORM,
    ) -> None:
        self.dialect = dialect
        self.modes = modes
        self.asked: list[Request] = []
        self.keys: list[str] = []
        self.timeouts: list[float | None] = []
        self.completions: list[str] = []
        self.there = True
        """Whether the client can be told of a completion."""
        self._answers = list(answers)

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        await anyio.lowlevel.checkpoint()
        self.asked.append(request)
        self.keys.append(key)
        self.timeouts.append(timeout)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        with anyio.move_on_after(timeout):
            await finished()
            return Accept()
        return Cancel("timed_out")

    async def complete(self, completion: Completion) -> bool:
        await anyio.lowlevel.checkpoint()
        if self.there:
            self.completions.append(completion.elicitation_id)
        return self.there


def live(*answers: Response | Exception, **options: Any) -> tuple[Ask, FakeDelivery]:
    """An Ask on a connection, and the connection."""
    delivery = FakeDelivery(*answers, **options)
    return Ask(Call(delivery=delivery)), delivery


@dataclass(kw_only=True)
class Caller:
    """A client of 2026-07-28: repeats a call until it is done, with a journal as its state."""

    answers: Answers
    """What it says to a question; None leaves it out of the retry."""
    timeout: float | None = None
    now: float = 0.0
    pause: float = 1.0
    """Seconds between a round and its retry."""
    records: Records = field(default_factory=MemoryRecords)
    shuffle: random.Random | None = None
    """Orders what goes into a retry."""
    modes: frozenset[Mode] = FORM
    pulse: Pulse | None = None
    outstanding: Outstanding = field(default_factory=Outstanding)
    """What the server's process remembers."""
    principal: str | None = None
    name: str = "call-1"
    limit: int = 40
    rounds: list[Mapping[str, Request]] = field(default_factory=list[Mapping[str, Request]])
    """The questions of every round, by key."""
    states: list[str] = field(default_factory=list[str])

    async def call(self, handler: Handler) -> Any:
        """The final value of the call."""
        state: str | None = None
        responses: dict[str, object] = {}
        while True:
            ended = await self.round(handler, state, responses)
            if isinstance(ended, Finished):
                return ended.value
            assert len(self.rounds) < self.limit, "the call never ends"
            self.rounds.append(ended.requests)
            self.states.append(ended.state)
            state, responses = ended.state, self._respond(ended.requests)
            self.now += self.pause

    async def round(
        self, handler: Handler, state: str | None, responses: Mapping[str, object]
    ) -> Any:
        """One round, as a carrier runs it."""
        new = Journal(call=self.name, created=self.now)
        journal = new if state is None else Journal.load(state)
        replay = Replay(
            dialect=MCP_2026_07_28,
            modes=self.modes,
            journal=journal,
            now=self.now,
            pulse=self.pulse,
        )
        replay.receive(responses)
        call = Call(
            delivery=replay,
            timeout=self.timeout,
            once=journal.once,
            records=self.records,
            identity=f"\0{journal.call}",
            age=self.now - journal.created,
            ids=replay.elicitation_id,
            book=Book(
                outstanding=self.outstanding,
                owner=self.principal or journal.call,
                principal=self.principal,
                call=journal.call,
                fades=True,
                now=self.now,
            ),
        )
        began = anyio.current_time()
        try:
            return await run(call, handler(Ask(call)))
        finally:
            # Only what is held open in virtual time takes any.
            self.now += round(anyio.current_time() - began)

    @property
    def messages(self) -> list[list[str]]:
        """The messages of every round, sorted within it."""
        return [sorted(one.message for one in asked.values()) for asked in self.rounds]

    def _respond(self, requests: Mapping[str, Request]) -> dict[str, object]:
        said = [(key, self.answers(request)) for key, request in requests.items()]
        given = [(key, encode_response(answer)) for key, answer in said if answer is not None]
        if self.shuffle is not None:
            self.shuffle.shuffle(given)
        return dict(given)


def echo(request: Request) -> Response:
    """Accept with the message itself, so that a crossed answer shows."""
    return Accept({"value": request.message})


def says(value: object) -> Answers:
    """Accept every question with one value."""
    return lambda _: Accept({"value": value})


__all__ = ["BOTH", "FORM", "Caller", "FakeDelivery", "Undeliverable", "echo", "live", "says"]

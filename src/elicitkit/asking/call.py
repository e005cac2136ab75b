"""One client request that asks: its questions, its single-use steps and its end.

For the carriers, which make a ``Call`` per request and run the handler in it. A call
knows its delivery, hands every question its key, and refuses to ask once it has ended.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar, cast

import anyio
from pydantic import TypeAdapter
from typing_extensions import TypeForm

from elicitkit.asking.interaction import Interaction
from elicitkit.asking.outstanding import Book, Outstanding
from elicitkit.asking.replay import Replay
from elicitkit.asking.signal import Signal, holds_signal, without_signals
from elicitkit.core.errors import (
    ElicitationError,
    NoRequestInFlight,
    NotAccepted,
    OutcomeUnknown,
    QuestionSwallowed,
    UsageError,
)
from elicitkit.core.model import Request, UrlRequest
from elicitkit.core.ports import Delivery, Records

T = TypeVar("T")

RECORD_TTL: Final = 2 * 86_400.0
"""Seconds that a single-use record is kept at least: longer than any state lives by default."""

_STEP: Final[ContextVar[tuple[object, str] | None]] = ContextVar("elicitkit_step", default=None)
"""The call and name of the single-use step that this task is in."""


def random_id(key: str) -> str:
    """An elicitation id that nobody can guess and that is never used again (G32)."""
    # Hexadecimal, because no check of urls can take it for a credential or a telephone number.
    return secrets.token_hex(20)


def _own_book() -> Book:
    return Book(outstanding=Outstanding(), owner="")


@dataclass(slots=True, kw_only=True, eq=False)
class Call:
    """The state behind one ``Ask``."""

    delivery: Delivery
    unavailable: str = "not_declared"
    """Why a mode that the delivery does not have cannot be asked."""
    timeout: float | None = None
    """Default seconds of human time for each question."""
    once: dict[str, str] = field(default_factory=dict[str, str])
    """Results of single-use steps as JSON text, by name."""
    records: Records | None = None
    """Where single-use steps are recorded; None where a call can not be repeated."""
    identity: str = ""
    """Principal and call id, which records are keyed by."""
    record_ttl: float = RECORD_TTL
    """Seconds that a record of this call is kept."""
    age: float = 0.0
    """Seconds since the first round of this call."""
    ids: Callable[[str], str] = random_id
    """Gives the elicitation id of a question by its key, the same in every round."""
    book: Book = field(default_factory=_own_book)
    """Where the interactions of this call are found when it has ended."""
    url_required: bool = False
    """The call may end with the list of what must be visited before it is made again."""
    required: dict[str, UrlRequest] = field(default_factory=dict[str, UrlRequest])
    """That list, by question key."""
    used: list[Interaction] = field(default_factory=list[Interaction])
    """What was on the list of an earlier call and is done: good for one call."""
    _open: bool = True
    _suspending: bool = False
    """The signal is on its way out: no single-use step may begin any more."""
    _steps: dict[str, anyio.Lock] = field(default_factory=dict[str, anyio.Lock])
    _awaited: list[str] = field(default_factory=list[str])
    _named: dict[str, int] = field(default_factory=dict[str, int])
    """How often each key and digest has named a question of this call."""

    def require_open(self) -> None:
        """Refuse to ask outside the request (M89) or inside a single-use step."""
        if not self._open:
            raise NoRequestInFlight
        step = _STEP.get()
        if step is not None and step[0] is self:
            raise UsageError(
                f"the step {step[1]!r} may not ask: ask before it, and pass the answer"
            )

    async def settle(self) -> None:
        """Before a signal leaves its task: let parallel tasks come as far as they should.

        A single-use step that the end of the round cut short could never be repeated.
        """
        if isinstance(self.delivery, Replay):
            await self.delivery.settle()
        else:
            await anyio.lowlevel.checkpoint()
        while running := [lock for lock in self._steps.values() if lock.locked()]:
            async with running[0]:
                pass
        self._suspending = True

    def awaits(self, message: str) -> None:
        """Note that the answer to a question is awaited."""
        self._awaited.append(message)

    def awaits_no_more(self, message: str) -> None:
        """Note that it came, or will not come."""
        self._awaited.remove(message)

    def refuse_swallowed(self) -> None:
        """Check that a handler which returned has no question open.

        Raises:
            QuestionSwallowed: It left one to a task of its own, or caught the signal.
        """
        if isinstance(self.delivery, Replay):
            self.delivery.refuse_swallowed()
        if self.required:
            raise QuestionSwallowed(request.message for request in self.required.values())
        if self._awaited:
            raise QuestionSwallowed(self._awaited)

    def close(self) -> None:
        """The request has ended: nothing can be asked any more."""
        self._open = False
        if self.required:
            # Else the client would be sent from one page to the other for ever.
            for one in self.used:
                self.book.enter(one)
                self.book.keep(one)

    def name(self, key: str | None, digest: str) -> str:
        """The key of a question: the author's, else its digest and how often that came up."""
        named = digest if key is None else key
        times = self._named[named] = self._named.get(named, 0) + 1
        if key is None:
            return f"{digest}.{times}"
        if times > 1:
            raise UsageError(f"key={key!r} names two questions of one call: give each its own")
        return key

    async def do_once(self, name: str, step: Callable[[], Awaitable[T]], form: TypeForm[T]) -> T:
        """Run a step in the first round only, and give its result in every other.

        Raises:
            OutcomeUnknown: It began in an earlier run and never reported.
            UsageError: Its result holds a secret, which may not travel in the state.
        """
        self.require_open()
        adapter = cast("TypeAdapter[T]", TypeAdapter[Any](form))
        if _holds_secret(adapter):
            raise UsageError(f"the result of once({name!r}) holds a secret: keep it elsewhere")
        async with self._steps.setdefault(name, anyio.Lock()):
            if name not in self.once:
                self.once[name] = await self._taken(name, step, adapter)
            return adapter.validate_json(self.once[name])

    async def _taken(
        self, name: str, step: Callable[[], Awaitable[T]], adapter: TypeAdapter[T]
    ) -> str:
        if self._suspending:
            raise Signal(_task())
        if self.records is None:
            return await self._done(name, step, adapter)
        if self.age >= self.record_ttl:
            # An old state can be sealed anew for ever by leaving a question unanswered, and the
            # record of an earlier run may be gone by now.
            raise OutcomeUnknown(name)
        key = hashlib.sha256(f"{self.identity}\0{name}".encode()).hexdigest()
        held = await self.records.take(key, ttl=self.record_ttl)
        if held:
            return held
        if held is not None:
            raise OutcomeUnknown(name)
        result = await self._done(name, step, adapter)
        await self.records.finish(key, result)
        return result

    async def _done(
        self, name: str, step: Callable[[], Awaitable[T]], adapter: TypeAdapter[T]
    ) -> str:
        token = _STEP.set((self, name))
        try:
            return adapter.dump_json(await step()).decode()
        finally:
            _STEP.reset(token)


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The handler returned."""

    value: T


@dataclass(frozen=True, slots=True)
class Suspended:
    """The round ended with questions, by key; the state to send is the journal's."""

    requests: Mapping[str, Request]
    state: str


@dataclass(frozen=True, slots=True)
class Required:
    """The call ended because pages must be visited first, by question key (M28)."""

    requests: Mapping[str, UrlRequest]


async def run(call: Call, body: Awaitable[T]) -> Finished[T] | Suspended | Required:
    """Run a handler's body for one round of its call.

    Raises:
        QuestionSwallowed: It returned although a question of it is open.
        NotDeterministic: It did not repeat its earlier questions.
        NotAccepted: It let an outcome out; also when task groups wrapped it.
    """
    try:
        value = await body
    except BaseException as error:
        plain = _plain(error)
        if plain is not error:
            raise plain from None
        if not holds_signal(error):
            raise
        rest = without_signals(error)
        if rest is not None:
            raise _plain(rest) from None
        return _stopped(call, parallel=not isinstance(error, Signal) or error.task != _task())
    else:
        call.refuse_swallowed()
        return Finished(value)
    finally:
        call.close()


def _stopped(call: Call, *, parallel: bool) -> Suspended | Required:
    """How a call ends that the signal stopped."""
    replay = call.delivery
    if not isinstance(replay, Replay):
        return Required(dict(call.required))
    replay.suspend(parallel=parallel)
    return Suspended(dict(replay.pending), replay.journal.dump())


def _task() -> int:
    return anyio.get_current_task().id


def _plain(error: BaseException) -> BaseException:
    """What task groups wrapped, if it is all ours: a mistake before an outcome; else the error."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    group = cast("BaseExceptionGroup[BaseException]", error)
    ours, rest = group.split((ElicitationError, NotAccepted))
    if ours is None or rest is not None:
        return group
    leaves = list(_leaves(ours))
    return next((one for one in leaves if isinstance(one, ElicitationError)), leaves[0])


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(cast("BaseExceptionGroup[BaseException]", one))
        else:
            yield one


def _holds_secret(adapter: TypeAdapter[Any]) -> bool:
    return '"format": "password"' in json.dumps(adapter.json_schema())

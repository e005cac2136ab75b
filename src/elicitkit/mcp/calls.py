"""The requests of one connection that are in flight, and the clock over them.

Two rules need them. A question belongs to a request of ours and ends with it (G01), as does
a page that was opened by one. And the time a person takes is not the server's: while a
question or a page of the connection is open, no time limit of the connection runs, and then
each goes on with what it had left (G52). The SDK's own time limits know nothing of people,
so they are not used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

import anyio
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED

from elicitkit.core.errors import InvalidRequest


class Call:
    """One request of ours, from sending to result."""

    def __init__(self, target: str | None, budget: float | None) -> None:
        self.target = target
        """The tool, prompt or resource, as we called it."""
        self.expired = False
        """Whether its time limit ended it."""
        self.failure: Exception | None = None
        """What ended it in place of a result, where that was neither the server nor the time."""
        self.lost = False
        """Whether its connection ended it."""
        self.attached: dict[object, Callable[[Call], object]] = {}
        """What is known to end with it, each with what ends it."""
        self._left = math.inf if budget is None else budget
        self._scope = anyio.CancelScope()

    def start(self) -> None:
        if self._left < math.inf:
            self._scope.deadline = anyio.current_time() + self._left

    def stop(self) -> None:
        if self._left < math.inf:
            self._left = self._scope.deadline - anyio.current_time()
            self._scope.deadline = math.inf

    def fail(self, failure: Exception) -> None:
        """End it here and now; the server is told that it was cancelled."""
        self.failure = failure
        self._scope.cancel()

    @contextmanager
    def limited(self) -> Generator[None]:
        """Ended by its time limit or by ``fail``; a result that has come before stands."""
        with self._scope:
            yield
        if not self._scope.cancelled_caught:
            self.failure = None
        self.expired = self._scope.cancelled_caught and self.failure is None


class OpenQuestion:
    """One question in front of a person, or in line for it."""

    def __init__(self, call: Call | None) -> None:
        self.call = call
        """The request it belongs to, where that is known."""
        self.withdrawn = False
        """Whether it ended with its request or connection, unanswered."""
        self.scope = anyio.CancelScope()

    def withdraw(self) -> None:
        self.withdrawn = True
        self.scope.cancel()


def is_closed(error: MCPError) -> bool:
    """Whether a request failed because its connection has ended."""
    return error.error.code == CONNECTION_CLOSED


_sending: ContextVar[Call | None] = ContextVar("elicitkit_sending", default=None)
"""The request whose task this is. Transports that deliver a message in the context of its
request (streamable HTTP) so tell which request a question belongs to."""


class Calls:
    """All requests and questions of one connection."""

    def __init__(self) -> None:
        self.closed = False
        # Dicts, so that a thousand of them come and go in a thousand steps.
        self._calls: dict[Call, None] = {}
        self._questions: dict[OpenQuestion, None] = {}
        self._attached: dict[object, Callable[[Call], object]] = {}
        self._holds = 0

    @contextmanager
    def sending(self, target: str | None, budget: float | None) -> Generator[Call]:
        """A request of ours, in flight for the length of the block.

        The block is cancelled when ``budget`` seconds without an open question or page are
        over, or by ``fail``; then ``expired`` or ``failure`` says so afterwards.
        """
        call = Call(target, budget)
        self._calls[call] = None
        if not self._holds:
            call.start()
        token = _sending.set(call)
        try:
            with call.limited():
                yield call
        except MCPError as error:
            call.lost = is_closed(error)
            raise
        finally:
            _sending.reset(token)
            del self._calls[call]
            self._end_orphans(call)

    @contextmanager
    def live_question(self) -> Generator[OpenQuestion]:
        """A question that came as a request of the server, open for the length of the block.

        Raises:
            InvalidRequest: No request of ours is in flight that it could belong to (M90).
        """
        if not self._calls:
            raise InvalidRequest(
                "a question must belong to a request of this client, and none is in flight"
            )
        question = OpenQuestion(self._owner())
        with (
            self.attached(question.call, lambda _: question.withdraw()),
            self._open(question),
        ):
            yield question

    @contextmanager
    def round_question(self) -> Generator[OpenQuestion]:
        """A question that came in a result, open for the length of the block."""
        # It stands between two requests, so none of them ends it.
        with self._open(OpenQuestion(None)) as question:
            yield question

    @contextmanager
    def attached(self, call: Call | None, end: Callable[[Call], object]) -> Generator[None]:
        """Within the block, ``end`` is called when the call ends; where none is known, the last."""
        one = object()
        among = self._attached if call is None else call.attached
        among[one] = end
        try:
            yield
        finally:
            del among[one]

    @contextmanager
    def holding(self) -> Generator[None]:
        """No time limit runs in the block."""
        if not self._holds:
            for one in self._calls:
                one.stop()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                for one in self._calls:
                    one.start()

    def fail(self, call: Call | None, failure: Exception) -> None:
        """End the call; where none is known, the only one in flight."""
        ended = call or self._only()
        if ended is not None:
            ended.fail(failure)

    def close(self) -> None:
        """The connection has ended, and so has every question that was open on it."""
        self.closed = True
        for question in self._questions:
            question.withdraw()

    @contextmanager
    def _open(self, question: OpenQuestion) -> Generator[OpenQuestion]:
        self._questions[question] = None
        try:
            with self.holding(), question.scope:
                yield question
        finally:
            del self._questions[question]

    def _owner(self) -> Call | None:
        sending = _sending.get()
        return sending if sending in self._calls else self._only()

    def _only(self) -> Call | None:
        return next(iter(self._calls)) if len(self._calls) == 1 else None

    def _end_orphans(self, ended: Call) -> None:
        """End what belongs to a call that ended; of the last one, all that is left."""
        left = () if self._calls else self._attached.values()
        for end in (*ended.attached.values(), *left):
            end(ended)

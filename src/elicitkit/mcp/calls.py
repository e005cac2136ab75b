"""The requests of one connection that are in flight, and the clock over them.

Two rules need them. A question belongs to a request of ours and ends with it (G01), and
the time a person takes is not the server's: while a question of the connection is open,
no time limit of the connection runs, and then each goes on with what it had left (G52).
The SDK's own time limits know nothing of people, so they are not used.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

import anyio

from elicitkit.core.errors import InvalidRequest


class Call:
    """One request of ours, from sending to result."""

    def __init__(self, target: str | None, budget: float | None) -> None:
        self.target = target
        """The tool, prompt or resource, as we called it."""
        self.expired = False
        """Whether its time limit ended it."""
        self.questions: dict[OpenQuestion, None] = {}
        """The live questions that are known to belong to it."""
        self._left = math.inf if budget is None else budget
        self._scope = anyio.CancelScope()

    def start(self) -> None:
        if self._left < math.inf:
            self._scope.deadline = anyio.current_time() + self._left

    def stop(self) -> None:
        if self._left < math.inf:
            self._left = self._scope.deadline - anyio.current_time()
            self._scope.deadline = math.inf

    @contextmanager
    def limited(self) -> Generator[None]:
        with self._scope:
            yield
        self.expired = self._scope.cancelled_caught


class OpenQuestion:
    """One question in front of a person, or in line for it."""

    def __init__(self, call: Call | None, *, live: bool) -> None:
        self.call = call
        """The request it belongs to, where that is known."""
        self.live = live
        """Whether it must end with a request; one of a round stands between two requests."""
        self.withdrawn = False
        """Whether it ended with its request or connection, unanswered."""
        self.scope = anyio.CancelScope()

    def withdraw(self) -> None:
        self.withdrawn = True
        self.scope.cancel()


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

    @contextmanager
    def sending(self, target: str | None, budget: float | None) -> Generator[Call]:
        """A request of ours, in flight for the length of the block.

        The block is cancelled when ``budget`` seconds without an open question are over;
        then ``expired`` is true afterwards.
        """
        call = Call(target, budget)
        self._calls[call] = None
        if not self._questions:
            call.start()
        token = _sending.set(call)
        try:
            with call.limited():
                yield call
        finally:
            _sending.reset(token)
            del self._calls[call]
            self._withdraw_orphans(call)

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
        with self._open(OpenQuestion(self._owner(), live=True)) as question:
            yield question

    @contextmanager
    def round_question(self) -> Generator[OpenQuestion]:
        """A question that came in a result, open for the length of the block."""
        with self._open(OpenQuestion(None, live=False)) as question:
            yield question

    def close(self) -> None:
        """The connection has ended, and so has all that was open on it."""
        self.closed = True
        for question in self._questions:
            question.withdraw()

    @contextmanager
    def _open(self, question: OpenQuestion) -> Generator[OpenQuestion]:
        """While it is open, no time limit runs."""
        if not self._questions:
            for one in self._calls:
                one.stop()
        self._questions[question] = None
        if question.call is not None:
            question.call.questions[question] = None
        try:
            with question.scope:
                yield question
        finally:
            self._questions.pop(question)
            if question.call is not None:
                del question.call.questions[question]
            if not self._questions:
                for one in self._calls:
                    one.start()

    def _owner(self) -> Call | None:
        sending = _sending.get()
        if sending in self._calls:
            return sending
        return next(iter(self._calls)) if len(self._calls) == 1 else None

    def _withdraw_orphans(self, ended: Call) -> None:
        """Withdraw the live questions of a call that ended; of the last one, all that are left."""
        for question in ended.questions if self._calls else self._questions:
            if question.live:
                question.withdraw()

"""Delivery by repetition: the call ends with its questions and is made again with answers.

On MCP 2026-07-28 nothing can be sent to the client while a call runs. A question without
an answer is put aside, the signal ends the run, and the carrier returns what was put
aside as ``input_required``. On the next round the handler runs from its start and finds
its answers here, by key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

import anyio

from elicitkit.asking.journal import Journal
from elicitkit.asking.pulse import Pulse, kept_alive
from elicitkit.asking.signal import Signal
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import NotDeterministic, QuestionSwallowed
from elicitkit.core.model import Accept, Cancel, Completion, Mode, Request, Response, UrlRequest
from elicitkit.wire.mcp import decode_response

_GRACE: Final = 1.0
"""Seconds that a new question waits for parallel tasks to reach theirs."""


HOLD: Final = 50.0
"""Seconds that a repeated call is held open for a page; many clients end a call after 60 (G04)."""

HOLD_WITH_PULSES: Final = 300.0
"""The same for a caller that is told meanwhile that the call is alive."""


@dataclass(slots=True, kw_only=True)
class Replay:
    """The questions and answers of one round."""

    dialect: Dialect
    modes: frozenset[Mode]
    journal: Journal
    now: float
    pulse: Pulse | None = None
    """Tells the caller that the call is alive, where it wants to know."""
    pending: dict[str, Request] = field(default_factory=dict[str, Request])
    """What this round must ask, in the order in which it came up."""
    _turns: Counter[str] = field(default_factory=Counter[str])
    _waited: dict[str, float] = field(default_factory=dict[str, float])
    """How long each question of the last round has been out."""
    _all_repeated: anyio.Event = field(default_factory=anyio.Event)

    def receive(self, responses: Mapping[str, object]) -> None:
        """Take the answers of the last round; unknown keys are ignored (M79, M80).

        Raises:
            InvalidResponse: An answer to one of our questions is malformed (G06).
        """
        for key, asked in list(self.journal.asked.items()):
            self._waited[key] = self.now - asked.at
            if key in responses:
                self.journal.record(key, decode_response(responses[key]))

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """The answer of an earlier round, or the signal that there is none yet."""
        turn = self._turns[key]
        self._turns[key] += 1
        if not self._unrepeated():
            self._all_repeated.set()
        self._expire(key, turn, timeout)
        answers = self.journal.answers.get(key, [])
        if turn < len(answers):
            if isinstance(request, UrlRequest) and isinstance(answers[turn], Accept):
                # Consent has no content. Whatever came with it may be a secret, and the state
                # of the next round must not hold it.
                answers[turn] = Accept()
            return answers[turn]
        self.pending[key] = request
        raise Signal(anyio.get_current_task().id)

    def _expire(self, key: str, turn: int, timeout: float | None) -> None:
        # An answer that came too late counts as little here as where the question is withdrawn.
        open_ = key in self.journal.asked
        latest = len(self.journal.answers.get(key, ())) - (0 if open_ else 1)
        if turn != latest or timeout is None or self._waited.pop(key, 0.0) <= timeout:
            return
        if open_:
            self.journal.record(key, Cancel("timed_out"))
        else:
            self.journal.answers[key][turn] = Cancel("timed_out")

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        """Hold the repeated call; when that has been long enough, put the url again (G04)."""
        waits = self.journal.waits
        since = waits.setdefault(key, self.now)
        if since is None:
            return Accept()
        said = self._said_to_repeated(key)
        if said is not None:
            return said
        patience = HOLD if self.pulse is None else HOLD_WITH_PULSES
        left = inf if timeout is None else timeout - (self.now - since)
        with anyio.move_on_after(min(patience, left)):
            await kept_alive(finished, self.pulse)
            # Later rounds need not wait for what may be known to this process only.
            waits[key] = None
            return Accept()
        if left <= patience:
            return Cancel("timed_out")
        self.pending[key] = request
        raise Signal(anyio.get_current_task().id)

    def _said_to_repeated(self, key: str) -> Response | None:
        """What ended the wait, of what was answered to a url that was put again."""
        turn = self._turns[key]
        answers = self.journal.answers.get(key, [])
        if turn < len(answers) and not isinstance(answers[turn], Accept):
            self._turns[key] += 1
            return answers[turn]
        del answers[turn:]
        return None

    async def complete(self, completion: Completion) -> bool:
        """Nothing is sent: the repeated call finds out by itself."""
        return True

    def elicitation_id(self, key: str) -> str:
        """The id of a url question: known to nobody, and the same in every round."""
        secret = self.journal.call.encode()
        return hmac.new(secret, f"elicitation\0{key}".encode(), hashlib.sha256).hexdigest()[:40]

    async def settle(self) -> None:
        """Before a signal leaves its task: let parallel tasks reach their questions.

        Tasks may arrive in another order than in the round before. Whoever comes first with a
        new question would end the round before the others have repeated theirs.
        """
        await anyio.lowlevel.checkpoint()
        if self._unrepeated():
            with anyio.move_on_after(_GRACE):
                await self._all_repeated.wait()

    def suspend(self, *, parallel: bool) -> None:
        """Close a round that the signal ended, and note what it asks.

        Args:
            parallel: The signal came from one of several tasks and cut the others short.

        Raises:
            NotDeterministic: The round asks something new and left out what was answered.
        """
        new = [key for key in self.pending if key not in self.journal.asked]
        missing = self._unrepeated()
        if new and missing and not parallel:
            raise NotDeterministic(
                [self.pending[key].message for key in new],
                [self.journal.labels.get(key, key) for key in missing],
            )
        for key, request in self.pending.items():
            self.journal.ask(key, request.message, now=self.now)
        for key in [key for key in self.journal.asked if key not in self.pending]:
            del self.journal.asked[key]

    def refuse_swallowed(self) -> None:
        """Check a round whose handler returned a value.

        Raises:
            QuestionSwallowed: The signal was raised in it and never came out.
        """
        if self.pending:
            raise QuestionSwallowed(request.message for request in self.pending.values())

    def _unrepeated(self) -> list[str]:
        return [key for key in self.journal.answers if key not in self._turns]

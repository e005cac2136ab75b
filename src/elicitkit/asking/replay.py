"""Delivery by repetition: the call ends with its questions and is made again with answers.

On MCP 2026-07-28 nothing can be sent to the client while a call runs. A question without
an answer is put aside, the signal ends the run, and the carrier returns what was put
aside as ``input_required``. On the next round the handler runs from its start and finds
its answers here, by key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio

from elicitkit.asking.journal import Journal
from elicitkit.asking.signal import Signal
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import NotDeterministic, QuestionSwallowed
from elicitkit.core.model import Cancel, Mode, Request, Response
from elicitkit.wire.mcp import decode_response

_GRACE: Final = 1.0
"""Seconds that a new question waits for parallel tasks to reach theirs."""


@dataclass(slots=True, kw_only=True)
class Replay:
    """The questions and answers of one round."""

    dialect: Dialect
    modes: frozenset[Mode]
    journal: Journal
    now: float
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
        answers = self.journal.answers.get(key, ())
        if turn < len(answers):
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

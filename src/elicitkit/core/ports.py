"""The two ports that hold the house together, and the small ones beside them.

``Delivery`` is how a question reaches a client; ``Surface`` is where a person meets it.
Each side of the library knows its own port only. A bridge is a surface made of a
delivery.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import Cancel, FormRequest, Mode, Origin, Request, Response, UrlRequest


class Delivery(Protocol):
    """How a question reaches a client. ``ask`` cannot tell live from replay."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def modes(self) -> frozenset[Mode]:
        """The modes the client declared, less what was taken away locally."""
        ...

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """Put one question and wait for its answer.

        Asking the same key again puts the question anew.

        Args:
            key: Names the question within its call, the same in every run of the handler.
            request: What to ask.
            timeout: Seconds of human time; when they are over the answer is
                ``Cancel("timed_out")``. None waits without a limit (G16).

        Raises:
            Undeliverable: The question could not be put.
            InvalidResponse: The client answered with something that is no answer.
        """
        ...


class Undeliverable(Exception):
    """The question could not be put; ``reason`` is that of ``Unavailable``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Turn(Protocol):
    """One question's turn in front of a person: what they should know of it and may do."""

    @property
    def place(self) -> int:
        """1 for the question that is shown."""
        ...

    @property
    def waiting(self) -> int:
        """How many questions there are in all, this one included."""
        ...

    @property
    def dropped(self) -> int:
        """How many questions of this server were cancelled unseen since it was last told."""
        ...

    def seconds_left(self) -> float | None:
        """Seconds until the question is cancelled as ``timed_out``; None without a limit."""
        ...

    def extend(self) -> None:
        """Start the time limit anew (WCAG 2.2.1)."""
        ...

    def mute(self) -> None:
        """Cancel every further question of this server, unseen.

        The surface ends this one, too; whatever it returns is ``Cancel("muted")``.
        """
        ...


@runtime_checkable
class Surface(Protocol):
    """Where a person answers."""

    @property
    def modes(self) -> frozenset[Mode]:
        """What this surface can show here and now; nothing without a person (M10)."""
        ...

    async def fill(
        self, form: FormRequest, origin: Origin, turn: Turn | None = None
    ) -> Response: ...

    async def consent(self, request: UrlRequest, findings: Any, origin: Origin) -> Response: ...

    def completed(self, elicitation_id: str) -> None: ...


class Policy(Protocol):
    """What a host decides before a person is asked. It can only end a question or delay it."""

    async def decide(self, request: Request, origin: Origin) -> Cancel | None:
        """Let a question pass, or end it unseen; to wait here is to delay it.

        An accept or a decline is a person's, so there is no way to return one. A policy
        that raises ends the question as ``Cancel("policy_failed")``.

        Returns:
            None to go on; a cancel, whose reason stays here, to end the question.
        """
        ...


class Records(Protocol):
    """Single-use records: the store behind ``ask.once``.

    ``take`` must be atomic over every process that shares the store.
    """

    async def take(self, key: str, *, ttl: float) -> str | None:
        """Take the record, or tell what it holds.

        Returns:
            None when the record was free and is now taken; ``""`` when it was taken before
            and holds no result; else the result that ``finish`` stored.
        """
        ...

    async def finish(self, key: str, result: str) -> None:
        """Store the result of a taken record."""
        ...

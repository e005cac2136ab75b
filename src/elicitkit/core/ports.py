"""The two ports that hold the house together, and the small ones beside them.

``Delivery`` is how a question reaches a client; ``Surface`` is where a person meets it.
Each side of the library knows its own port only. A bridge is a surface made of a
delivery.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import FormRequest, Mode, Origin, Request, Response, UrlRequest


class Delivery(Protocol):
    """How a question reaches a client. ``ask`` cannot tell live from replay."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def modes(self) -> frozenset[Mode]:
        """The modes the client declared, less what was taken away locally."""
        ...

    async def deliver(self, key: str, request: Request) -> Response:
        """Put one question and wait for its answer.

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


@runtime_checkable
class Surface(Protocol):
    """Where a person answers."""

    @property
    def modes(self) -> frozenset[Mode]:
        """What this surface can show here and now; nothing without a person (M10)."""
        ...

    async def fill(self, form: FormRequest, origin: Origin) -> Response: ...

    async def consent(self, request: UrlRequest, findings: Any, origin: Origin) -> Response: ...

    def completed(self, elicitation_id: str) -> None: ...


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

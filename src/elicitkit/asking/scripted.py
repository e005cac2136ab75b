"""Delivery from a script, for tests of a handler without any protocol.

Everything but the delivery is the real thing: a question is derived, guarded and checked
as on the wire, so that a test fails where a client would.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import cast

from elicitkit.core.dialects import MCP_2025_11_25, Dialect
from elicitkit.core.fields import Value
from elicitkit.core.model import (
    Accept,
    Cancel,
    Completion,
    Decline,
    Mode,
    Request,
    Response,
    UrlRequest,
)
from elicitkit.core.outcome import Accepted, Cancelled, Declined, Unavailable
from elicitkit.core.ports import Undeliverable

Encode = Callable[[object], Mapping[str, Value]]


class Script:
    """Answers in the order in which they are asked for.

    An answer is the value itself, ``Accepted(value)``, or one of ``Declined()``,
    ``Cancelled(reason)`` and ``Unavailable(reason)``. Consent to visit a page is ``None``.
    """

    def __init__(self, answers: Iterable[object], dialect: Dialect = MCP_2025_11_25) -> None:
        self.dialect = dialect
        self.modes: frozenset[Mode] = dialect.modes
        self._answers = deque(answers)
        self._asked: set[str] = set()
        self._encode: Encode | None = None

    def expect(self, encode: Encode) -> None:
        """Tell how the value for the next question becomes content."""
        self._encode = encode

    def expect_consent(self) -> None:
        """Tell that the next question is about a page."""
        self._encode = _consent

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        """Nobody is on the page: the wait is over at once."""
        return Accept()

    async def complete(self, completion: Completion) -> bool:
        """There is nobody to tell."""
        return True

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """The next answer of the script.

        Raises:
            AssertionError: There is none left, or the last one did not fit its question.
        """
        if key in self._asked:
            raise AssertionError(f"a scripted answer does not fit its question: {request.message}")
        self._asked.add(key)
        if not self._answers:
            raise AssertionError(f"the script has no answer left for {request.message!r}")
        match self._answers.popleft():
            case Declined():
                return Decline()
            case Cancelled(reason):
                return Cancel(reason)
            case Unavailable(reason):
                raise Undeliverable(reason)
            case answer:
                value = (
                    cast("Accepted[object]", answer).value
                    if isinstance(answer, Accepted)
                    else answer
                )
                return Accept(self._encode(value) if self._encode else None)

    def refuse_unused(self) -> None:
        """Fail if the handler asked less than was scripted.

        Raises:
            AssertionError: Answers are left.
        """
        if self._answers:
            raise AssertionError(
                f"{len(self._answers)} scripted answer(s) were never asked for, first "
                f"{type(self._answers[0]).__name__}"
            )


def _consent(value: object) -> Mapping[str, Value]:
    if value is not None:
        raise AssertionError("a scripted answer for a visit is None, for consent, or an outcome")
    return {}

"""What operators see: one logger with a fixed list of events, and spans where traced.

Nothing here ever takes a message, content, a token or a URL: an event carries the
dialect, the mode, the outcome, counts and seconds, of a suspicious URL its host and what is
wrong with it, and no more. Spans go through
``opentelemetry-api`` where it is installed.
"""

from __future__ import annotations

import logging
import sys
import time
from functools import cache
from typing import Any, Final

logger: Final = logging.getLogger("elicitkit")

EVENTS: Final = frozenset(
    {
        "asked",  # asking side: a question goes out; dialect, mode
        "outcome",  # asking side: what came of it; dialect, mode, outcome, seconds
        "round",  # asking side: a call ended with questions; dialect, questions
        "answering",  # answering side: a question is shown; mode
        "answered",  # answering side: what was answered; mode, action, reason, seconds
        "dropped",  # answering side: a question was cancelled unseen; mode, reason
        "late_answer",  # answering side: a decision came too late and was not sent; mode, reason
        "opener_failed",  # answering side: an opener raised; the exception type
        "policy_failed",  # answering side: a policy raised; the exception type
        "surface_failed",  # answering side: a surface raised; the exception type
        "suspicious_url",  # answering side: a URL that warns or is refused; host, reason codes
        "handler_failed",  # carrier: what serves one message raised; method, the exception type
        "state_key",  # asking side: requestState may not outlive this process
    }
)


def event(name: str, /, *, level: int = logging.INFO, **fields: str | float | None) -> None:
    """Log one event of the fixed list, its fields as ``key=value`` and as ``extra``."""
    if name not in EVENTS:
        raise ValueError(f"{name!r} is no event: see EVENTS")
    if logger.isEnabledFor(level):
        told = " ".join(f"{key}={value}" for key, value in fields.items())
        logger.log(level, "%s %s", name, told, extra={"elicitation": {"event": name, **fields}})


class Observed:
    """One question under observation, from going out to its outcome."""

    __slots__ = ("_dialect", "_mode", "_outcome", "_span", "_started")

    def __init__(self, dialect: str, mode: str) -> None:
        self._dialect = dialect
        self._mode = mode
        self._outcome = "pending"

    def __enter__(self) -> Observed:
        # On a repeated call a question comes up again in every round: too much for INFO.
        event("asked", level=logging.DEBUG, dialect=self._dialect, mode=self._mode)
        self._started = time.monotonic()
        self._span = _start_span(self._dialect, self._mode)
        return self

    def ends(self, outcome: object) -> None:
        """Note what came of it: the name of the outcome and its reason, never its value."""
        reason = getattr(outcome, "reason", None)
        name = type(outcome).__name__.lower()
        self._outcome = f"{name}:{reason}" if reason else name

    def __exit__(self, *raised: object) -> None:
        if self._span is not None:
            self._span.set_attribute("elicitation.outcome", self._outcome)
            self._span.end()
        event(
            "outcome",
            level=logging.DEBUG,
            dialect=self._dialect,
            mode=self._mode,
            outcome=self._outcome,
            seconds=round(time.monotonic() - self._started, 3),
        )


def _start_span(dialect: str, mode: str) -> Any:
    # Whoever traces has imported the API by now; importing it here would cost everyone else.
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    attributes = {"elicitation.dialect": dialect, "elicitation.mode": mode}
    return _tracer(trace).start_span("elicitation", attributes=attributes)


@cache
def _tracer(trace: Any) -> Any:
    return trace.get_tracer("elicitkit")

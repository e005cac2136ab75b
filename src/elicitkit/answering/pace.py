"""How many questions a server may have waiting, how fast they may come, how long one stays.

Values only: whoever queues the questions counts and measures. How much a single question
may be is ``elicitkit.answering.limits``. What goes beyond the pace is a cancel with the
local reason ``rate_limited`` or ``timed_out``, never a decline (G18).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What one server may ask of a person's time."""

    outstanding: int = 64
    """Questions that may wait, the shown one included."""
    per_minute: int = 60
    """Questions that may come within a minute."""
    time: float | None = None
    """Seconds a question may stay open; None is no limit."""
    declined_url: float = 60.0
    """Seconds in which a URL that the person has declined is not shown again."""

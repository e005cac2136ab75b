"""Event loops whose clock jumps: a test may wait for hours and takes no time.

Only for tests that stay in memory: time jumps whenever every task waits.
"""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

from trio.testing import MockClock


class _JumpingSelector(selectors.DefaultSelector):
    """Lets the time it would have waited pass at once."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready:
            self.passed += max(0.0, timeout)
        return ready


class _JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed


def backends() -> list[tuple[str, dict[str, Any]]]:
    """The parameters of an ``anyio_backend`` fixture with virtual time, new for every test."""
    return [
        ("asyncio", {"loop_factory": _JumpingLoop}),
        ("trio", {"clock": MockClock(autojump_threshold=0)}),
    ]

"""First come, first shown: one question at a time in front of a person (G18).

Not a lock over shared data: nothing else ever waits for a turn, and a turn that is given
up while waiting leaves the line at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio


class Queue:
    """A line of questions, of which the first is shown."""

    def __init__(self) -> None:
        self._line: deque[anyio.Event] = deque()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for one's turn and have it for the length of the block."""
        mine = anyio.Event()
        self._line.append(mine)
        try:
            if self._line[0] is not mine:
                await mine.wait()
            yield
        finally:
            self._line.remove(mine)
            if self._line:
                self._line[0].set()

"""First come, first shown: one question at a time in front of a person (G18).

Not a lock over shared data: nothing else ever waits for a turn, and a turn that is given
up while waiting leaves the line at once. So does every question of a server that is muted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from elicitkit.answering.servers import Server


class Queue:
    """A line of questions, of which the first is shown."""

    def __init__(self) -> None:
        # Its first entry is found in constant time, which that of a dict is not.
        self._line: OrderedDict[anyio.Event, None] = OrderedDict()

    def __len__(self) -> int:
        """How many questions there are, the shown one included."""
        return len(self._line)

    @asynccontextmanager
    async def turn(self, server: Server) -> AsyncGenerator[None]:
        """Wait for one's turn and have it for the length of the block.

        Raises:
            Unseen: The server was muted before it came.
        """
        mine = anyio.Event()
        self._line[mine] = None
        try:
            if not self._is_first(mine):
                await server.wait_for(mine)
            server.check_turn(first=self._is_first(mine))
            yield
        finally:
            del self._line[mine]
            if self._line:
                next(iter(self._line)).set()

    def _is_first(self, mine: anyio.Event) -> bool:
        return next(iter(self._line)) is mine

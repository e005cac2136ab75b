"""First come, first shown: one question at a time in front of a person (G18).

Not a lock over shared data: nothing else ever waits for a turn, and a turn that is given
up while waiting leaves the line at once. So does every question of a server that is muted.

Pages that are open have a line of their own. The first of them is shown while there is no
question, and steps back as soon as one comes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio

from elicitkit.answering.servers import Server

T = TypeVar("T")


class Queue:
    """A line of questions, of which the first is shown."""

    def __init__(self) -> None:
        # Its first entry is found in constant time, which that of a dict is not.
        self._line: OrderedDict[anyio.Event, None] = OrderedDict()
        self._pages: OrderedDict[object, None] = OrderedDict()
        self._stepping_back: anyio.CancelScope | None = None
        """That of the page which is shown now."""
        self._changed = anyio.Event()

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
        if self._stepping_back is not None:
            self._stepping_back.cancel()
        try:
            if not self._is_first(mine) or self._stepping_back is not None:
                await server.wait_for(mine)
            server.check_turn(first=self._is_first(mine))
            yield
        finally:
            del self._line[mine]
            self._next()

    async def while_idle(self, show: Callable[[], Awaitable[T]]) -> T:
        """Show something whenever no question is there, anew after each, until it returns."""
        mine = object()
        self._pages[mine] = None
        try:
            while True:
                while self._line or next(iter(self._pages)) is not mine:
                    await self._changed.wait()
                with anyio.CancelScope() as scope:
                    self._stepping_back = scope
                    try:
                        return await show()
                    finally:
                        self._stepping_back = None
                        self._next()
        finally:
            del self._pages[mine]
            self._next()

    def _next(self) -> None:
        if self._line:
            next(iter(self._line)).set()
        else:
            self._changed.set()
            self._changed = anyio.Event()

    def _is_first(self, mine: anyio.Event) -> bool:
        return next(iter(self._line)) is mine

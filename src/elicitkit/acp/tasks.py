"""The tasks of one connection: started while messages arrive, ended with the connection.

The SDK calls for the next message from a loop of its own, so no task group can be open
around what its messages start. This is the owner instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class Tasks:
    """Tasks that all end when ``close`` returns."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task. It handles its own errors: nobody awaits it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def cancel(self) -> None:
        """Cancel what runs, but not the caller: a task may end the connection it belongs to."""
        for task in self._others():
            task.cancel()

    async def settle(self, seconds: float) -> None:
        """Wait until what runs has ended by itself, but no longer than this."""
        others = self._others()
        if others:
            await asyncio.wait(others, timeout=seconds)

    async def close(self) -> None:
        """Cancel what runs, and wait until it has ended."""
        self.cancel()
        others = self._others()
        if others:
            await asyncio.wait(others)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

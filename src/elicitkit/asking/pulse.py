"""Signs of life: what a caller is told while a call waits for a person.

A caller that asked for progress gets some every few seconds, so that it does not take a
slow person for a dead server. How a sign is sent is the carriers' part.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import anyio

T = TypeVar("T")

Pulse: TypeAlias = Callable[[], Awaitable[object]]
"""Sends one sign of life."""

PULSE: Final = 10.0
"""Seconds between two signs (G04)."""


async def kept_alive(
    work: Callable[[], Awaitable[T]], pulse: Pulse | None, *, every: float = PULSE
) -> T:
    """Await something, with signs of life where the caller wants them."""
    if pulse is None:
        return await work()
    results: list[T] = []
    failed: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_beat, pulse, every)
        # What is raised inside a task group leaves it wrapped; an outcome must not.
        try:
            results.append(await work())
        except Exception as error:
            failed = error
        # What is here now must not be lost to a call that ends in the same moment.
        group.cancel_scope.shield = True
        group.cancel_scope.cancel()
    if failed is not None:
        raise failed
    return results[0]


async def _beat(pulse: Pulse, every: float) -> None:
    while True:
        await anyio.sleep(every)
        await pulse()

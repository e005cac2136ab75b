"""Interleaved pairs: run A and B in turn, CPU seconds of this process, medians and their ratio.

CPU time and ratios in one run, because the machine's speed drifts; the order within a pair
alternates, because the second one profits from warm caches.
"""

import gc
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median

PAIRS = 9


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Medians of seconds per operation."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


async def _seconds(operation: Callable[[], Awaitable[object]], times: int) -> float:
    gc.collect()
    started = time.process_time()
    for _ in range(times):
        await operation()
    return (time.process_time() - started) / times


async def compare(
    ours: Callable[[], Awaitable[object]],
    theirs: Callable[[], Awaitable[object]],
    *,
    times: int,
    pairs: int = PAIRS,
) -> Pair:
    """Both operations ``times`` times in each of ``pairs`` interleaved pairs."""
    await ours(), await theirs()
    taken: tuple[list[float], list[float]] = ([], [])
    for at in range(pairs):
        order = (0, 1) if at % 2 == 0 else (1, 0)
        for which in order:
            taken[which].append(await _seconds((ours, theirs)[which], times))
    return Pair(ours=median(taken[0]), theirs=median(taken[1]))


def report(name: str, pair: Pair, aim: str) -> None:
    """One line: both medians in microseconds, the ratio and what it should be."""
    print(
        f"{name:<48} ours {pair.ours * 1e6:9.1f} us   theirs {pair.theirs * 1e6:9.1f} us   "
        f"ratio {pair.ratio:5.2f}   aim {aim}"
    )

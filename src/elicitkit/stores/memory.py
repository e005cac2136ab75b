"""Single-use records in this process: right for one process, lost with it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

_MOST: Final = 100_000
"""Records held at once; beyond it the oldest are dropped, which only a flood reaches."""


class MemoryRecords:
    """Records for ``ask.once`` in a dictionary, each until its time is over."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def take(self, key: str, *, ttl: float) -> str | None:
        """Take a free record (None), or tell what a taken one holds."""
        now = self._clock()
        held = self._held.get(key)
        if held is not None and held[0] > now:
            return held[1]
        self._drop_old(now)
        self._held[key] = (now + ttl, "")
        self._held.move_to_end(key)
        return None

    async def finish(self, key: str, result: str) -> None:
        """Store the result of a taken record; one that has expired meanwhile stays gone."""
        held = self._held.get(key)
        if held is not None:
            self._held[key] = (held[0], result)

    def _drop_old(self, now: float) -> None:
        while self._held:
            key, (until, _) = next(iter(self._held.items()))
            if until > now and len(self._held) < _MOST:
                return
            del self._held[key]

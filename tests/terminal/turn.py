"""A turn whose clock the test moves by hand."""

from __future__ import annotations

import time


class LineTurn:
    """One question's turn, as an answering side would hand it in."""

    def __init__(
        self, *, place: int = 1, waiting: int = 1, dropped: int = 0, seconds: float | None = None
    ) -> None:
        self.place = place
        self.waiting = waiting
        self.dropped = dropped
        self.limit = seconds
        self.left = seconds
        self.extended = 0
        self.muted = 0

    def seconds_left(self) -> float | None:
        return self.left

    def extend(self) -> None:
        self.extended += 1
        self.left = self.limit

    def mute(self) -> None:
        self.muted += 1


class RunningTurn(LineTurn):
    """A turn whose clock runs."""

    def __init__(self, *, seconds: float) -> None:
        super().__init__(seconds=seconds)
        self._until = time.monotonic() + seconds

    def seconds_left(self) -> float | None:
        return self._until - time.monotonic()

"""The turn of the question that is shown: its place, its time limit, and the mute.

The time starts when the question is shown, not while it waits in line, and starts anew
whenever the person asks for it (UX20). When it is over the question is withdrawn from the
surface, once, and nothing that still comes counts (UX22).
"""

from __future__ import annotations

from collections.abc import Sized

import anyio

from elicitkit.answering.servers import Server


class ShownTurn:
    """A ``Turn`` as long as ``scope`` runs.

    Attributes:
        dropped: How many questions of this server were cancelled unseen before this one.
        scope: Ends with the time limit.
        server: Whose question it is.
    """

    def __init__(self, line: Sized, server: Server) -> None:
        self._line = line
        self.server = server
        self._limit = server.pace.time
        self.dropped = server.told()
        self.scope = anyio.CancelScope()
        self.extend()

    @property
    def place(self) -> int:
        return 1

    @property
    def waiting(self) -> int:
        return len(self._line)

    @property
    def expired(self) -> bool:
        """Whether its time was over before it ended."""
        return self.scope.cancel_called

    def seconds_left(self) -> float | None:
        if self._limit is None:
            return None
        return max(0.0, self.scope.deadline - anyio.current_time())

    def extend(self) -> None:
        if self._limit is not None and not self.expired:
            self.scope.deadline = anyio.current_time() + self._limit

    def mute(self) -> None:
        self.server.mute()

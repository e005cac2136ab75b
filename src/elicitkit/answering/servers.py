"""What one server may ask here, and how much it has asked so far.

Rate, number and mute are counted by the name that the person gave the server, so what one
server does costs another nothing (M47, G18, G51). Whatever ends a question here ends it
unseen, and as a cancel. A URL that was declined does not come back at once, and a host that
the server sends for the first time is known to be new.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection, Generator
from contextlib import contextmanager
from typing import Final

import anyio

from elicitkit.answering.config import ServerConfig
from elicitkit.answering.hosts import HostRules
from elicitkit.answering.limits import Limits
from elicitkit.answering.pace import Pace
from elicitkit.core.model import Mode, Request, UrlRequest

_MINUTE: Final = 60.0
_HOSTS: Final = 1_000
"""The hosts of one server that are remembered."""


class Unseen(Exception):
    """Ends a question before it is shown; ``reason`` is that of its cancel."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Server:
    """One server, by the name that the person gave it.

    Attributes:
        label: What the person is shown as the one who asks.
        modes: What of the modes is left to it.
        hosts: What holds for the URLs that it sends.
        muted: Whether its questions are cancelled unseen.
    """

    def __init__(
        self,
        name: str,
        modes: frozenset[Mode],
        limits: Limits,
        pace: Pace,
        hosts: HostRules | None = None,
    ) -> None:
        self.name = name
        self.label = name
        self.modes = modes
        self.limits = limits
        self.pace = pace
        self.hosts = hosts or HostRules()
        self.muted = False
        self._dropped = 0
        self._outstanding = 0
        self._came: deque[float] = deque()
        self._waiting: dict[anyio.Event, None] = {}
        self._hosts: OrderedDict[str, None] = OrderedDict()
        self._declined: OrderedDict[str, float] = OrderedDict()

    @property
    def seen_hosts(self) -> Collection[str]:
        """The hosts of the URLs that it has sent."""
        return self._hosts

    def narrow(self, config: ServerConfig) -> None:
        """Take away what a configuration takes away; nothing is ever given back."""
        if config.label != self.name:
            self.label = config.label
        self.modes &= config.modes if config.surface != "none" else frozenset()
        self.limits = config.narrowed(self.limits)
        self.pace = config.paced(self.pace)
        self.hosts = self.hosts.narrowed(config.urls)

    @contextmanager
    def asking(self, request: Request) -> Generator[None]:
        """One question of this server, from its arrival to its end.

        Raises:
            Unseen: It is one too many, a URL that was just declined, or the server is muted.
        """
        self._take(request)
        self._outstanding += 1
        try:
            yield
        finally:
            self._outstanding -= 1

    async def wait_for(self, turn: anyio.Event) -> None:
        """Wait in line; a mute ends the wait as well."""
        self._waiting[turn] = None
        try:
            await turn.wait()
        finally:
            del self._waiting[turn]

    def check_turn(self, *, first: bool) -> None:
        """Whether a question that has waited may be shown.

        Raises:
            Unseen: The server was muted, which also wakes those who are not first.
        """
        if self.muted or not first:
            raise Unseen("muted")

    def mute(self) -> None:
        """Cancel what waits and what is still to come."""
        self.muted = True
        for turn in self._waiting:
            turn.set()

    def saw(self, host: str) -> None:
        """Remember a host that it has sent."""
        self._hosts[host] = None
        if len(self._hosts) > _HOSTS:
            self._hosts.popitem(last=False)

    def declined(self, request: Request) -> None:
        """The person declined this question."""
        if isinstance(request, UrlRequest):
            self._declined[request.url] = anyio.current_time()
            self._declined.move_to_end(request.url)

    def told(self) -> int:
        """How many questions were one too many since this was asked last."""
        dropped, self._dropped = self._dropped, 0
        return dropped

    def _take(self, request: Request) -> None:
        if self.muted:
            raise Unseen("muted")
        now = anyio.current_time()
        # Another event loop may count from elsewhere, so that what was lies in its future.
        while self._came and not now - _MINUTE < self._came[0] <= now:
            self._came.popleft()
        too_fast = len(self._came) >= self.pace.per_minute
        if too_fast or self._outstanding >= self.pace.outstanding:
            self._dropped += 1
            raise Unseen("rate_limited")
        if isinstance(request, UrlRequest) and self._just_declined(request.url, now):
            self._dropped += 1
            raise Unseen("repeated_url")
        self._came.append(now)

    def _just_declined(self, url: str, now: float) -> bool:
        while self._declined:
            oldest, at = next(iter(self._declined.items()))
            if now - self.pace.declined_url < at <= now:
                break
            del self._declined[oldest]
        return url in self._declined

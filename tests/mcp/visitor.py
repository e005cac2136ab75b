"""Somebody who is sent to pages, and what a test looks for on the wire."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp import Client

from tests.mcp.playing import connected, in_memory
from tests.mcp.servers.visiting import Visiting
from tests.mcp.table import Revision
from tests.mcp.wiretap import STOCK, Tap, Wire

COMPLETE = "notifications/elicitation/complete"
MISSING = {"requiredCapabilities": {"elicitation": {"url": {}}}}
Then = Callable[[types.ElicitRequestURLParams], Awaitable[object]]


class Visitor:
    """Answers every page in one way, perhaps after something else has happened."""

    def __init__(self, action: str = "accept", *, first: Then | None = None) -> None:
        self._action = action
        self._first = first
        self.asked: list[types.ElicitRequestURLParams] = []
        self.met = anyio.Event()

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestURLParams), "never a form"
        self.asked.append(params)
        self.met.set()
        if self._first is not None:
            await self._first(params)
        if self._action == "never":
            await anyio.sleep_forever()
        return types.ElicitResult(action=self._action)  # type: ignore[arg-type]

    @property
    def id(self) -> str:
        """The id of the one page."""
        (one,) = self.asked
        return one.elicitation_id or ""


@asynccontextmanager
async def met(
    served: Visiting,
    revision: Revision,
    person: Any,
    *,
    elicitation: Any = STOCK,
    patience: float = 10,
    **options: Any,
) -> AsyncGenerator[tuple[Client, Tap]]:
    async with connected(
        in_memory(served.server), revision, person, elicitation=elicitation, **options
    ) as both:
        with anyio.fail_after(patience):
            yield both


def completions(tap: Tap) -> list[Wire]:
    return [one for one in tap.received if one.get("method") == COMPLETE]


def codes(tap: Tap) -> list[int]:
    """Of every error that came."""
    return [one["error"]["code"] for one in tap.received if "error" in one]


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await anyio.lowlevel.checkpoint()

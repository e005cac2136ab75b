"""A thousand questions open at once, and what the default pace does to them.

Over streamable HTTP each call holds a connection, and the SDK's own client stops at a
hundred; ``connect`` brings one that does not.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Pace
from elicitkit.core.model import (
    Accept,
    Cancel,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
)
from elicitkit.core.ports import Turn
from elicitkit.mcp import connect
from tests.answering.surfaces import FormsOnly
from tests.mcp import asking_server
from tests.peers.serving import served

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("M47", "G18")]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tests.mcp.asking_server"]
MANY = 1_000
RAISED = Pace(outstanding=2 * MANY, per_minute=10 * MANY)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop: a thousand questions take a while, and the other one runs the same code."""
    return "asyncio"


class Crowd(FormsOnly):
    """Holds the first question open until so many have come; policy and surface in one."""

    modes: frozenset[Mode] = frozenset({"form"})

    def __init__(self, expected: int) -> None:
        self.came = 0
        self.shown = 0
        self.most_waiting = 0
        self._expected = expected
        self._complete = anyio.Event()

    async def decide(self, request: Request, origin: Origin) -> Cancel | None:
        self.came += 1
        if self.came == self._expected:
            self._complete.set()
        return None

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        assert turn is not None
        await self._complete.wait()
        self.shown += 1
        self.most_waiting = max(self.most_waiting, turn.waiting)
        return Accept({"name": "Ann"})


async def flood(target: Any, version: str, crowd: Crowd, pace: Pace | None) -> Counter[str]:
    """What came of so many calls at once."""
    said: Counter[str] = Counter()
    answerer = Answerer(crowd, pace=pace, policy=crowd)
    cwd = ROOT if target is COMMAND else None
    with anyio.fail_after(60):
        async with connect(
            target, cwd=cwd, name="crowd", answerer=answerer, protocol_version=version
        ) as client:
            await client.list_tools()

            async def call() -> None:
                result = await client.call_tool("greet")
                said["".join(block.text for block in result.content)] += 1

            async with anyio.create_task_group() as tasks:
                for _ in range(MANY):
                    tasks.start_soon(call)
    return said


@pytest.mark.parametrize(
    ("transport", "version"),
    [("http", "2025-11-25"), ("stdio", "2025-11-25"), ("http", "2026-07-28")],
)
async def test_a_thousand_questions_open_at_once_are_all_answered(
    transport: str, version: str
) -> None:
    crowd = Crowd(MANY)
    if transport == "stdio":
        said = await flood(COMMAND, version, crowd, RAISED)
    else:
        with served(f"{asking_server.__name__}:app") as base:
            said = await flood(f"{base}/mcp", version, crowd, RAISED)
    assert said == {"Hello Ann": MANY}
    assert (crowd.shown, crowd.most_waiting) == (MANY, MANY)


@pytest.mark.case("173-ask-flood-limited")
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_by_default_the_excess_is_cancelled_and_each_is_an_event(
    version: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")
    most = min(Pace().per_minute, Pace().outstanding)
    crowd = Crowd(most)
    assert await flood(COMMAND, version, crowd, None) == {
        "Hello Ann": most,
        "cancel": MANY - most,
    }
    assert (crowd.shown, crowd.most_waiting) == (most, most)
    assert caplog.text.count("dropped mode=form reason=rate_limited") == MANY - most

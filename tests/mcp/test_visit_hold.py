"""A call that waits for a page, over both deliveries, in virtual time and in memory."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.mcp.playing import called
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.visiting import Visiting, visiting
from tests.mcp.table import SDKS, Done, Failed
from tests.mcp.virtual_time import backends
from tests.mcp.visitor import Visitor, completions, met

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("sdk", SDKS)]


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return backends()[0]  # FastMCP runs on asyncio only


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


async def finishing(
    served: Visiting, client: Client, after: float, **options: Any
) -> tuple[object, list[float]]:
    """What a call gives whose page is done some time after consent, and the progress of it."""
    got: list[Any] = []
    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    async def call() -> None:
        if options.get("progress"):
            result = await client.call_tool("connect", progress_callback=progress)
            got.append(Done(result.content[0].text))
        else:
            got.append(await called(client, "connect", {}))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.sleep(after)
        assert await served.visits[0].complete()
    return got[0], told


@pytest.mark.requirement("G04")
async def test_a_repeated_call_is_held_and_then_asks_again(sdk: Sdk) -> None:
    served, person = visiting(sdk), Visitor()
    async with met(served, "2026-07-28", person, patience=3600) as (client, tap):
        got, _ = await finishing(served, client, 120)
    assert got == Done("connected")
    assert len(person.asked) == 3
    assert len({one.url for one in person.asked}) == 1
    rounds = tap.results("input_required")
    assert len({next(iter(one["inputRequests"])) for one in rounds}) == 1
    assert len(tap.calls()) == 4


@pytest.mark.requirement("G04")
async def test_one_that_is_told_meanwhile_is_held_longer(sdk: Sdk) -> None:
    served, person = visiting(sdk), Visitor()
    async with met(served, "2026-07-28", person, patience=3600) as (client, _):
        got, told = await finishing(served, client, 295, progress=True)
    assert got == Done("connected")
    assert len(person.asked) == 1
    assert told == list(range(1, 30))


@pytest.mark.requirement("G04", "G16")
async def test_a_live_call_waits_for_as_long_as_it_takes(sdk: Sdk) -> None:
    served, person = visiting(sdk), Visitor()
    async with met(served, "2025-11-25", person, patience=90_000) as (client, tap):
        got, told = await finishing(served, client, 3605, progress=True)
    assert got == Done("connected")
    assert len(tap.questions()) == 1
    assert told == list(range(1, 361))
    assert len(completions(tap)) == 1


@pytest.mark.requirement("M42", "G04")
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_whoever_gives_up_ends_the_wait(sdk: Sdk, action: str) -> None:
    class GivesUp(Visitor):
        async def __call__(self, context: Any, params: Any) -> Any:
            answer = await super().__call__(context, params)
            return answer.model_copy(update={"action": action}) if len(self.asked) > 1 else answer

    served, person = visiting(sdk), GivesUp()
    async with met(served, "2026-07-28", person, patience=3600) as (client, _):
        got = await called(client, "connect", {})
    assert isinstance(got, Failed)
    told = "declined" if action == "decline" else "cancelled (dismissed)"
    assert f"was {told}" in got.text
    assert len(person.asked) == 2
    assert not await served.visits[-1].complete()


@pytest.mark.requirement("G04")
async def test_a_call_that_is_cancelled_waits_no_more(sdk: Sdk) -> None:
    served, person = visiting(sdk), Visitor()
    async with met(served, "2025-11-25", person, patience=3600) as (client, tap):
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "connect")
            await anyio.sleep(100)
            assert not served.visits[0]._interaction.completed
            group.cancel_scope.cancel()
        await client.list_tools(cache_mode="bypass")
        # The page is still open, and its end is still news.
        assert await served.visits[0].complete()
        await anyio.sleep(1)
    assert len(completions(tap)) == 1

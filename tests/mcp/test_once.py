"""A step that must happen once, on a server that is killed in the middle of it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.mcp.playing import ROOT
from tests.mcp.servers.build import Sdk
from tests.mcp.table import SDKS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]


async def nobody(context: Any, params: Any) -> types.ElicitResult:
    raise AssertionError("the rounds are made by hand")


@asynccontextmanager
async def paying(sdk: Sdk, folder: Path) -> AsyncGenerator[Client]:
    """A process of its own with the same database and key as every other."""
    args = ["-m", "tests.mcp.servers.crashing", sdk, str(folder / "once.db"), effects(folder)]
    transport = stdio_client(StdioServerParameters(command=sys.executable, args=args, cwd=ROOT))
    async with Client(transport, mode="2026-07-28", elicitation_callback=nobody) as client:
        yield client


def effects(folder: Path) -> str:
    return str(folder / "effects.log")


def charged(folder: Path) -> list[int]:
    """The process of every run of the step."""
    path = Path(effects(folder))
    return [int(line) for line in path.read_text().split()] if path.exists() else []


async def go(client: Client, state: types.InputRequiredResult | None = None, value: Any = 5) -> Any:
    given: dict[str, Any] = {}
    if state is not None:
        answer = types.ElicitResult(action="accept", content={"value": value})
        given = {
            "request_state": state.request_state,
            "input_responses": dict.fromkeys(state.input_requests or {}, answer),
        }
    return await client.session.call_tool("pay", {}, **given, allow_input_required=True)


@pytest.mark.requirement("M71", "G39")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is POSIX")
async def test_a_step_of_a_killed_server_is_never_run_again(
    sdk: Sdk, tmp_path: Path, anyio_backend: str
) -> None:
    hold = tmp_path / "effects.hold"
    hold.touch()
    first: Any = None

    async def first_life() -> None:
        nonlocal first
        async with paying(sdk, tmp_path) as client:
            first = await go(client)
            async with anyio.create_task_group() as group:
                group.start_soon(go, client, first)
                while not charged(tmp_path):  # noqa: ASYNC110 - another process has no Event
                    await anyio.sleep(0.01)
                os.kill(charged(tmp_path)[0], signal.SIGKILL)

    with anyio.fail_after(20), pytest.raises(BaseException) as broken:  # noqa: PT011 - see below
        await first_life()
    assert "closed" in repr(leaves(broken.value)).lower()

    hold.unlink()
    with anyio.fail_after(20):
        async with paying(sdk, tmp_path) as client:
            for _ in range(2):
                result = await go(client, first)
                assert isinstance(result, types.CallToolResult)
                assert result.is_error
                assert "its result is not known" in result.content[0].text
    assert len(charged(tmp_path)) == 1


def leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in leaves(one)]
    return [error]


@pytest.mark.requirement("M71", "G39")
async def test_a_step_that_reported_is_known_to_every_replica(
    sdk: Sdk, tmp_path: Path, anyio_backend: str
) -> None:
    with anyio.fail_after(20):
        async with paying(sdk, tmp_path) as here, paying(sdk, tmp_path) as there:
            first = await go(here)
            second = await go(here, first)
            again = await go(there, first)
            for client, state in ((here, second), (there, again), (there, second)):
                done = await go(client, state, True)
                assert done.content[0].text == "receipt 42"
    assert len(charged(tmp_path)) == 1

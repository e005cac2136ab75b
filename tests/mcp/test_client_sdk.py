"""Canaries: the private names of the SDK's client that this package stands on."""

from __future__ import annotations

import inspect

import anyio
import pytest
from mcp import Client, ClientSession
from mcp.shared.dispatcher import Dispatcher
from mcp_types import InputRequiredResult

from tests.mcp.asking_server import server

pytestmark = pytest.mark.anyio


def parameters(function: object) -> list[str]:
    assert inspect.iscoroutinefunction(function)
    return list(inspect.signature(function).parameters)


def test_the_client_still_builds_its_session_in_a_method() -> None:
    assert parameters(Client._build_session) == ["self", "exit_stack"]


def test_the_client_still_runs_its_rounds_in_a_method() -> None:
    assert parameters(Client._drive_input_required) == ["self", "first", "retry"]


async def test_the_session_still_sends_through_its_dispatcher_attribute() -> None:
    class Seam(Client):
        async def _build_session(self, exit_stack: object) -> ClientSession:
            session = await super()._build_session(exit_stack)
            assert isinstance(session._dispatcher, Dispatcher)
            session._dispatcher = Counting(session._dispatcher)
            return session

    class Counting:
        def __init__(self, inner: Dispatcher) -> None:
            self.run, self.notify, self._send = inner.run, inner.notify, inner.send_raw_request

        async def send_raw_request(self, method: str, *rest: object) -> object:
            methods.append(method)
            return await self._send(method, *rest)

    methods: list[str] = []
    with anyio.fail_after(10):
        async with Seam(server, mode="legacy") as client:
            await client.list_tools()
    assert methods == ["initialize", "tools/list"]


async def test_a_call_still_ends_its_rounds_in_that_method() -> None:
    class Seam(Client):
        async def _drive_input_required(self, first: object, retry: object) -> object:
            assert isinstance(first, InputRequiredResult)
            raise NotImplementedError

    with anyio.fail_after(10):
        async with Seam(server, mode="2026-07-28") as client:
            with pytest.raises(NotImplementedError):
                await client.call_tool("greet")

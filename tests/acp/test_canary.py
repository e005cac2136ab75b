"""Canaries: what this package relies on in the ACP SDK beyond its documented names.

When an SDK changes one of them, this is the test that says so.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import anyio
import pytest
from acp._transport import Transport, memory_transport_pair
from acp.agent.connection import AgentSideConnection
from acp.client.connection import ClientSideConnection
from acp.connection import Connection

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("side", [AgentSideConnection, ClientSideConnection])
async def test_the_connection_of_a_side_has_one_behind_it(side: Any) -> None:
    ours, _ = memory_transport_pair()
    async with side(object(), ours) as connection:
        assert isinstance(connection._conn, Connection)


async def test_a_connection_serves_by_its_handler_attribute() -> None:
    ours, theirs = memory_transport_pair()
    with anyio.fail_after(20):
        async with Connection(never, ours) as connection:
            connection._handler = two
            await theirs.send({"jsonrpc": "2.0", "id": 1, "method": "m"})
            assert await theirs.receive() == {"jsonrpc": "2.0", "id": 1, "result": 2}


async def test_the_task_of_a_request_inherits_what_receiving_its_message_set() -> None:
    seen: ContextVar[int] = ContextVar("seen")

    class Setting:
        async def send(self, message: dict[str, Any]) -> None:
            await ours.send(message)

        async def receive(self) -> dict[str, Any] | None:
            message = await ours.receive()
            if message is not None:
                seen.set(message["id"])
            return message

        async def close(self) -> None:
            await ours.close()

    async def handler(method: str, params: Any, is_notification: bool) -> int:
        return seen.get()

    ours, theirs = memory_transport_pair()
    assert isinstance(Setting(), Transport)
    with anyio.fail_after(20):
        async with Connection(handler, Setting()):
            for id_ in (7, 8):
                await theirs.send({"jsonrpc": "2.0", "id": id_, "method": "m"})
            assert [(await theirs.receive() or {})["result"] for _ in range(2)] == [7, 8]


async def test_the_ids_of_the_sdk_are_integers() -> None:
    ours, theirs = memory_transport_pair()
    with anyio.fail_after(20):
        async with Connection(never, ours) as connection, anyio.create_task_group() as tasks:
            tasks.start_soon(connection.send_request, "m")
            message = await theirs.receive()
            assert message == {"jsonrpc": "2.0", "id": 0, "method": "m", "params": None}
            tasks.cancel_scope.cancel()


async def never(method: str, params: Any, is_notification: bool) -> Any:
    raise NotImplementedError


async def two(method: str, params: Any, is_notification: bool) -> int:
    return 2

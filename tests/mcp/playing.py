"""Plays one cell of the table with the SDK's own client, and with ours."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import mcp_types as types
import uvicorn
from mcp import Client, MCPError, StdioServerParameters
from mcp.client._memory import InMemoryTransport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp.servers.build import Sdk, app, lowlevel
from tests.mcp.table import NIGHTS, Answer, Cell, Done, Failed, Refused, Result, Revision, Withdrawn
from tests.mcp.wiretap import STOCK, Tap

ROOT = Path(__file__).parents[2]
LATE = 0.15


class Person:
    """Answers questions by their first line; stands behind the SDK's callback."""

    def __init__(self, answers: Mapping[str, Sequence[Answer]]) -> None:
        self._answers = {line: list(given) for line, given in answers.items()}
        self.asked: list[types.ElicitRequestParams] = []
        self.met = anyio.Event()
        self.withdrawn = 0

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params)
        self.met.set()
        answer = self._answer(params.message.splitlines()[0])
        try:
            if answer == "never":
                await anyio.sleep_forever()
            if answer == "late":
                await anyio.sleep(LATE)
        except anyio.get_cancelled_exc_class():
            self.withdrawn += 1
            raise
        return said(answer)

    def _answer(self, line: str) -> Answer:
        given = self._answers[next(known for known in self._answers if line.startswith(known))]
        return given.pop(0) if len(given) > 1 else given[0]


def said(answer: Answer) -> types.ElicitResult:
    if answer == "decline" or answer == "cancel":
        return types.ElicitResult(action=answer)
    content = answer if isinstance(answer, Mapping) else {"value": 2}
    return types.ElicitResult(action="accept", content=dict(content))


def two() -> Person:
    """Somebody who goes to Rome for two nights."""
    return Person({NIGHTS: [{"value": 2}], "Where to?": [{"value": "Rome"}]})


def in_memory(server: Any) -> InMemoryTransport:
    return InMemoryTransport(lowlevel(server))


def on_stdio(sdk: Sdk) -> Any:
    return stdio_client(
        StdioServerParameters(
            command=sys.executable, args=["-m", "tests.mcp.servers.build", sdk], cwd=ROOT
        )
    )


def on_http(url: str, **options: Any) -> Any:
    return streamable_http_client(url, **options)


@asynccontextmanager
async def connected(
    transport: Any,
    revision: Revision,
    person: Any,
    *,
    elicitation: Any = STOCK,
    **options: Any,
) -> AsyncGenerator[tuple[Client, Tap]]:
    """The SDK's client at one revision, and what goes over its wire."""
    modern = revision == "2026-07-28"
    tap = Tap(transport, offers=None if modern else revision, elicitation=elicitation)
    mode = revision if modern else "legacy"
    async with Client(tap, mode=mode, elicitation_callback=person, **options) as client:
        assert client.protocol_version == revision
        yield client, tap


async def played(cell: Cell, client: Client, person: Person) -> Result:
    """What came of one cell."""
    arguments = {
        name: uuid4().hex if given == "{new}" else given
        for name, given in cell.row.arguments.items()
    }
    with anyio.fail_after(10):
        if isinstance(cell.row.gives, Withdrawn):
            return await _cancelled(client, person, cell.row.tool, arguments)
        return await called(client, cell.row.tool, arguments)


async def called(client: Client, tool: str, arguments: dict[str, Any]) -> Result:
    """What a tool call gave."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return Refused(error.error.code, error.error.data)
    text = "".join(one.text for one in result.content if isinstance(one, types.TextContent))
    return Failed(text) if result.is_error else Done(text)


async def _cancelled(
    client: Client, person: Person, tool: str, arguments: dict[str, Any]
) -> Result:
    async with anyio.create_task_group() as group:
        group.start_soon(client.call_tool, tool, arguments)
        await person.met.wait()
        group.cancel_scope.cancel()
    while not person.withdrawn:
        await anyio.lowlevel.checkpoint()
    await client.list_tools(cache_mode="bypass")
    return Withdrawn()


def matches(got: Result, expected: Result) -> bool:
    """The text of a failure need only hold what is expected."""
    if isinstance(got, Failed) and isinstance(expected, Failed):
        return expected.text in got.text
    return got == expected


@contextmanager
def serving(server: Any, **options: Any) -> Generator[str]:
    """Serve on real uvicorn, in a thread of its own, and give the URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app(server, **options), log_level="critical", ws="none", timeout_graceful_shutdown=1
    )
    uvi = uvicorn.Server(config)
    thread = threading.Thread(target=uvi.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        uvi.should_exit = True
        thread.join(10)
        listener.close()

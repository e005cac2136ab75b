"""The same over a real process: an agent on stdio, a client around it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from acp import connect_to_agent, text_block

from elicitkit.acp import ElicitationTransport, spawned
from tests.acp.rig import Wire

pytestmark = pytest.mark.anyio

AGENT = (sys.executable, str(Path(__file__).with_name("stdio_agent.py")))
PATH = {"PYTHONPATH": os.pathsep.join(sys.path)} | {
    name: value for name, value in os.environ.items() if name.startswith("COVERAGE")
}
INITIALIZE = {"protocolVersion": 1, "clientCapabilities": {}}


class Client:
    """Leaves everything to the handlers of the transport."""


@asynccontextmanager
async def talking(create: Any) -> AsyncGenerator[tuple[Any, ElicitationTransport]]:
    with anyio.fail_after(20):
        async with spawned(*AGENT, env=PATH) as (lines, _):
            transport = ElicitationTransport(lines, create=create)
            async with connect_to_agent(Client(), transport) as connection:
                await connection.initialize(protocol_version=1)
                yield connection, transport


async def test_an_agent_asks_inside_its_requests_and_is_answered() -> None:
    asked: list[Wire] = []

    async def create(params: Wire, id_: Any) -> Wire:
        asked.append(params)
        return {"action": "accept", "content": {}}

    async with talking(create) as (connection, _):
        session = await connection.new_session(cwd="/", mcp_servers=[])
        assert session.session_id == "accept"
        done = await connection.prompt(session_id="accept", prompt=[text_block("go")])
        assert done.stop_reason == "end_turn"
    form = {"type": "object", "properties": {}}
    question = {"mode": "form", "message": "Sure?", "requestedSchema": form}
    assert asked == [question | {"requestId": 1}, question | {"sessionId": "accept"}]


@asynccontextmanager
async def agent_process() -> AsyncGenerator[asyncio.subprocess.Process]:
    """The agent, with its pipes in the hands of the test."""
    process = await asyncio.create_subprocess_exec(
        *AGENT,
        env=PATH,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    try:
        with anyio.fail_after(20):
            yield process
            process.stdin.close()
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def exchange(process: asyncio.subprocess.Process, line: bytes) -> Wire:
    """Write a line and read the next one."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + b"\n")
    await process.stdin.drain()
    return json.loads(await process.stdout.readline())


def call(id_: Any, method: str, params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    return json.dumps(message).encode()


@pytest.mark.requirement("A64")
async def test_a_cancelled_request_cancels_its_question_and_both_are_answered() -> None:
    async with agent_process() as process:
        await exchange(process, call(0, "initialize", INITIALIZE))
        new = call("n", "session/new", {"cwd": "/", "mcpServers": []})
        question = await exchange(process, new)
        assert question["params"]["requestId"] == "n"
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "n"}}
        first = await exchange(process, json.dumps(cancel).encode())
        second = await exchange(process, b"")
        by_method = {one.get("method"): one for one in (first, second)}
        assert by_method["$/cancel_request"]["params"] == {"requestId": question["id"]}
        assert by_method[None]["id"] == "n"
        assert by_method[None]["error"]["code"] == -32800


@pytest.mark.requirement("G42")
async def test_an_agent_survives_what_is_no_message_and_reads_batches() -> None:
    async with agent_process() as process:
        for broken, code in ((b"{", -32700), (b"[]", -32600), (b"[1]", -32600), (b'"a"', -32600)):
            assert (await exchange(process, broken))["error"]["code"] == code
        batch = b"[" + call(0, "initialize", INITIALIZE) + b"]"
        assert (await exchange(process, batch))["result"]["protocolVersion"] == 1


@pytest.mark.requirement("G15")
async def test_an_agent_that_waits_for_an_answer_ends_when_its_client_goes() -> None:
    async with agent_process() as process:
        await exchange(process, call(0, "initialize", INITIALIZE))
        prompt = {"sessionId": "s", "prompt": []}
        question = await exchange(process, call(1, "session/prompt", prompt))
        assert question["method"] == "elicitation/create"

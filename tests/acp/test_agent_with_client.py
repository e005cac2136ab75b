"""Our agents and our client at one connection: the table once more, with nothing bare between."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import anyio
import pytest
from acp import RequestError
from acp._transport import memory_transport_pair

from elicitkit.acp import raw_agent, run_agent
from elicitkit.answering import Answerer, Scripted
from tests.acp.test_agent_table import PLAYED
from tests.acp.tool_agent import VERSIONS, Version, build
from tests.mcp.table import Done, Failed, Row

pytestmark = pytest.mark.anyio

SCRIPTED = [row for row in PLAYED if row.in_order is not None]


class Seen:
    """What the agent told of itself."""

    def __init__(self) -> None:
        self.text = ""
        self.idle: dict[str, Any] = {}
        self.ended = anyio.Event()

    async def __call__(self, method: str, params: Any, is_notification: bool) -> None:
        assert (method, is_notification) == ("session/update", True)
        update = params["update"]
        if update["sessionUpdate"] == "agent_message_chunk":
            self.text += update["content"]["text"]
        if update.get("state") == "idle":
            self.idle = update
            self.ended.set()


@pytest.mark.requirement("A30", "A42", "A65")
@pytest.mark.parametrize("row", SCRIPTED, ids=lambda row: row.name.replace(" ", "_"))
@pytest.mark.parametrize("version", VERSIONS)
async def test_a_row(version: Version, row: Row) -> None:
    ours, theirs = memory_transport_pair()
    script, seen = Scripted(row.in_order or []), Seen()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run_agent, build(version), ours)
            async with raw_agent(
                theirs,
                name="table",
                answerer=Answerer(script),
                handler=seen,
                protocol_version=1 if version == "acp-v1" else 2,
                strict_v2=version == "acp-v2-strict",
            ) as agent:
                await agent.initialize()
                session = await agent.request("session/new", {"cwd": "/", "mcpServers": []})
                arguments = {
                    name: uuid4().hex if given == "{new}" else given
                    for name, given in row.arguments.items()
                }
                text = json.dumps({"tool": row.tool, "arguments": arguments})
                prompt = {**session, "prompt": [{"type": "text", "text": text}]}
                try:
                    await agent.request("session/prompt", prompt)
                    if version != "acp-v1":
                        await seen.ended.wait()
                    failed = seen.idle.get("error", {}).get("message")
                except RequestError as error:
                    failed = str(error)
    match row.gives:
        case Done(text):
            assert (seen.text, failed) == (text, None)
        case Failed(text):
            assert failed is not None
            assert text in failed
        case other:
            raise AssertionError(other)
    assert script.errors == []
    assert len(script.asked) == row.questions

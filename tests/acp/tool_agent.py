"""Agents that ask, one for each version, with the same handlers behind ``session/prompt``.

The text of a prompt is JSON: which handler to run, and its arguments. What it returns comes
back as a chunk of a message. ``python -m tests.acp.tool_agent acp-v1`` serves one on stdio.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from acp import text_block, update_agent_message
from acp.schema import (
    AuthenticateResponse,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
)

from elicitkit import Ask
from elicitkit.acp import AgentV2, Asks, current_transport, run_agent
from tests.mcp.servers.handlers import TOOLS, named

Version = Literal["acp-v1", "acp-v2", "acp-v2-strict"]
VERSIONS: tuple[Version, ...] = ("acp-v1", "acp-v2", "acp-v2-strict")

Tool = Callable[..., Awaitable[str]]


def build(
    version: Version, tools: Mapping[str, Tool] = TOOLS, *, asks: Asks | None = None
) -> object:
    """An agent of a version; ``session/new`` and logging in ask, too."""
    asks = asks or Asks()
    if version == "acp-v1":
        return agent_v1(tools, asks)
    return agent_v2(tools, asks, strict=version == "acp-v2-strict")


def agent_v1(tools: Mapping[str, Tool], asks: Asks) -> object:
    class Agent:
        def on_connect(self, connection: Any) -> None:
            self.connection = connection

        async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
            return InitializeResponse(protocol_version=1)

        @asks
        async def authenticate(self, method_id: str, ask: Ask) -> AuthenticateResponse:
            if method_id == "ask":
                await ask("Which account?", str)
            return AuthenticateResponse()

        @asks
        async def new_session(self, cwd: str, ask: Ask, **_: Any) -> NewSessionResponse:
            where = named(await ask.outcome("Which branch?", str)) if cwd == "/ask" else "s"
            return NewSessionResponse(session_id=where)

        @asks
        async def load_session(self, session_id: str, ask: Ask, **_: Any) -> LoadSessionResponse:
            await ask("Which branch?", str)
            return LoadSessionResponse()

        async def close_session(self, **_: Any) -> None:
            pass

        async def cancel(self, session_id: str, **_: Any) -> None:
            pass

        @asks
        async def prompt(self, prompt: list[Any], session_id: str, ask: Ask) -> PromptResponse:
            text = await ran(tools, prompt[0].text, ask)
            await self.connection.session_update(session_id, update_agent_message(text_block(text)))
            return PromptResponse(stop_reason="end_turn")

    return Agent()


def agent_v2(tools: Mapping[str, Tool], asks: Asks, *, strict: bool = False) -> AgentV2:
    agent = AgentV2(name="asking", version="1", strict=strict)

    @agent.on("auth/login")
    @asks
    async def login(params: dict[str, Any], ask: Ask) -> dict[str, Any]:
        if params["methodId"] == "ask":
            await ask("Which account?", str)
        return {}

    @agent.on("session/new")
    @asks
    async def new_session(params: dict[str, Any], ask: Ask) -> dict[str, Any]:
        where = named(await ask.outcome("Which branch?", str)) if params["cwd"] == "/ask" else "s"
        return {"sessionId": where}

    @agent.on("session/resume")
    @asks
    async def resume(params: dict[str, Any], ask: Ask) -> dict[str, Any]:
        await ask("Which branch?", str)
        return {}

    @agent.on("session/prompt")
    @asks
    async def prompt(params: dict[str, Any], ask: Ask) -> None:
        text = await ran(tools, params["prompt"][0]["text"], ask)
        content = {"type": "text", "text": text}
        update = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": content}
        await current_transport().notify(
            "session/update", {"sessionId": params["sessionId"], "update": update}
        )

    return agent


async def ran(tools: Mapping[str, Tool], text: str, ask: Ask) -> str:
    """What the handler gives that a prompt names."""
    said = json.loads(text)
    return await tools[said["tool"]](**said.get("arguments", {}), ask=ask)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(run_agent(build(sys.argv[1])))  # type: ignore[arg-type]

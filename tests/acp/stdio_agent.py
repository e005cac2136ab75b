"""An agent on stdio, written with the SDK's own classes, that asks beside them.

``session/new`` asks in the scope of its own request, ``session/prompt`` in that of its session.
What it is told in answer comes back as the id of the session.
"""

from __future__ import annotations

import asyncio
from typing import Any

from acp import run_agent
from acp.schema import InitializeResponse, NewSessionResponse, PromptResponse

from elicitkit.acp import ElicitationTransport, current_request_id, own_stdio

FORM = {"type": "object", "properties": {}}


class Agent:
    def __init__(self, transport: ElicitationTransport) -> None:
        self._transport = transport

    def on_connect(self, connection: Any) -> None:
        self._transport.watch(connection)

    async def initialize(self, **_: Any) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)

    async def new_session(self, **_: Any) -> NewSessionResponse:
        answer = await self._ask({"requestId": current_request_id()})
        return NewSessionResponse(session_id=answer["action"])

    async def prompt(self, session_id: str, **_: Any) -> PromptResponse:
        await self._ask({"sessionId": session_id})
        return PromptResponse(stop_reason="end_turn")

    async def _ask(self, scope: dict[str, Any]) -> dict[str, Any]:
        question = {"mode": "form", "message": "Sure?", "requestedSchema": FORM, **scope}
        return await self._transport.request("elicitation/create", question)


async def main() -> None:
    transport = ElicitationTransport(await own_stdio())
    await run_agent(Agent(transport), transport)


asyncio.run(main())

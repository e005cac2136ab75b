"""ACP v2, which the SDK's classes do not speak: its bare connection and a handler of one's own."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from elicitkit.acp import Incoming, Observer, current_request_id
from tests.acp.rig import ACCEPT, Wire, connected

pytestmark = pytest.mark.anyio


class Versions(Observer):
    """Notes what the client of an agent says it can do."""

    initialize: Any = None

    def incoming(self, message: Incoming) -> None:
        if message.method == "initialize":
            self.initialize = message.params


async def test_an_agent_of_version_2_asks_inside_a_request() -> None:
    async def agent(method: str, params: Any, is_notification: bool) -> Any:
        if method == "initialize":
            return {"protocolVersion": 2, "info": {"name": "a", "version": "1"}}
        scope = {"requestId": current_request_id()}
        answer = await transport.request("elicitation/create", {"mode": "form", **scope})
        return {"sessionId": answer["content"]["name"]}

    seen = Versions()
    hello = {"protocolVersion": 2, "capabilities": {"elicitation": {"form": {}}}}
    async with connected(agent, observer=seen) as (transport, peer, _):
        await peer.ask("i", "initialize", hello)
        assert (await peer.hear())["result"]["protocolVersion"] == 2
        await peer.ask("n", "session/new", {"cwd": "/"})
        question = await peer.hear()
        assert question["params"] == {"mode": "form", "requestId": "n"}
        await peer.answer(question, ACCEPT)
        assert (await peer.hear())["result"] == {"sessionId": "Ann"}
    assert seen.initialize == hello


async def test_questions_of_a_session_can_end_before_its_close_is_answered() -> None:
    class Closing(Observer):
        """Ends the question that is open, and lets the answer wait for it."""

        def __init__(self) -> None:
            self.scope = anyio.CancelScope()
            self.over = anyio.Event()

        def incoming(self, message: Incoming) -> None:
            if message.method == "session/close":
                self.scope.cancel()

        async def answering(self, request: Incoming, answer: Wire) -> None:
            if request.method == "session/close":
                await self.over.wait()

    async def agent(method: str, params: Any, is_notification: bool) -> Any:
        return {}

    async def ask() -> None:
        with closing.scope:
            await transport.request("elicitation/create", {})
        closing.over.set()

    closing = Closing()
    async with connected(agent, observer=closing) as (transport, peer, _):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            question = await peer.hear()
            await peer.ask(1, "session/close", {"sessionId": "s"})
        assert (await peer.hear())["params"] == {"requestId": question["id"]}
        assert (await peer.hear())["id"] == 1

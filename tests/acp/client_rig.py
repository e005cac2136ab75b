"""A client of ours and the agent at its other end, which the test speaks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from acp._transport import memory_transport_pair

from elicitkit.acp import RawAgent, connect, raw_agent
from elicitkit.answering import Answerer
from elicitkit.core.dialects import ACP_V1, ACP_V2, Dialect
from tests.acp.rig import Peer, Wire

SCHEMA: Wire = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}
QUESTION: Wire = {"mode": "form", "message": "Who are you?", "requestedSchema": SCHEMA}
PAGE = "https://Example.com/connect?handle=1#é"
URL_QUESTION: Wire = {"mode": "url", "message": "Sign in", "url": PAGE, "elicitationId": "e1"}
ANN: Wire = {"action": "accept", "content": {"name": "Ann"}}
CANCEL: Wire = {"action": "cancel"}
S1: Wire = {"sessionId": "s1"}
AGENT_INFO: Wire = {"name": "claims", "title": "Claims to be you", "version": "1"}
VERSIONS = (ACP_V1, ACP_V2)


def hello_result(dialect: Dialect) -> Wire:
    version = int(dialect.revision)
    if version == 1:
        return {"protocolVersion": 1, "agentInfo": AGENT_INFO}
    return {"protocolVersion": 2, "info": AGENT_INFO, "capabilities": {}}


class Agent(Peer):
    """The agent's end.

    Attributes:
        dialect: The version that is spoken.
        client: The client's end.
        hello: The client's ``initialize``.
        tasks: What the client is waiting for, by the method it called.
    """

    dialect: Dialect
    client: RawAgent
    hello: Wire

    def __init__(self, transport: Any) -> None:
        super().__init__(transport)
        self.tasks: set[asyncio.Task[Any]] = set()
        self._numbers = iter(range(1, 100_000))

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let the client wait for something while the test goes on."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        return task

    async def call(self, method: str, params: Wire | None = None) -> tuple[asyncio.Task[Any], Wire]:
        """The client sends a request: its task, and the request as it came."""
        task = self.start(self.client.request(method, params or {}))
        request = await self.hear()
        assert request["method"] == method
        return task, request

    async def shake_hands(self, result: Wire | None = None) -> None:
        task = self.start(self.client.initialize())
        self.hello = await self.hear()
        await self.answer(self.hello, hello_result(self.dialect) if result is None else result)
        await task

    async def open_session(self, id_: str = "s1") -> None:
        task, request = await self.call("session/new", {"cwd": "/", "mcpServers": []})
        await self.answer(request, {"sessionId": id_})
        await task

    async def prompted(self, session: str = "s1") -> tuple[asyncio.Task[Any], Wire]:
        """The client sends a prompt."""
        prompt = [{"type": "text", "text": "go"}]
        return await self.call("session/prompt", {"sessionId": session, "prompt": prompt})

    async def create(self, params: Wire, id_: Any = None) -> Any:
        """Send a question, and give its id."""
        id_ = next(self._numbers) if id_ is None else id_
        await self.ask(id_, "elicitation/create", params)
        await settled()
        return id_

    async def asked(self, params: Wire) -> Wire:
        """The client's answer to a question: a result or an error."""
        id_ = await self.create(params)
        answer = await self.hear()
        assert answer["id"] == id_
        return answer["result"] if "result" in answer else answer["error"]

    async def complete(self, id_: Any = "e1") -> None:
        await self.tell("elicitation/complete", {"elicitationId": id_})
        await settled()

    async def update(self, update: Wire, session: str = "s1") -> None:
        await self.tell("session/update", {"sessionId": session, "update": update})
        await settled()

    async def end_turn(self, request: Wire, reason: str = "end_turn") -> None:
        """End the turn of a prompt, as the version does."""
        if self.dialect.revision == "1":
            await self.answer(request, {"stopReason": reason})
        else:
            await self.answer(request, {"messageId": "m"})
            idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": reason}
            await self.update(idle)
        await settled()


async def settled() -> None:
    """Let everybody do what they can."""
    await anyio.wait_all_tasks_blocked()


@asynccontextmanager
async def online(
    answerer: Answerer, dialect: Dialect = ACP_V1, *, session: bool = True, **options: Any
) -> AsyncGenerator[Agent]:
    """A client of plain dicts, by default with one session that is called ``s1``."""
    async with unmet(answerer, dialect, **options) as agent:
        await agent.shake_hands()
        if session:
            await agent.open_session()
        yield agent


@asynccontextmanager
async def unmet(
    answerer: Answerer, dialect: Dialect = ACP_V1, **options: Any
) -> AsyncGenerator[Agent]:
    """The same before the handshake."""
    ours, theirs = memory_transport_pair()
    agent = Agent(theirs)
    version: Any = int(dialect.revision)
    with anyio.fail_after(5):
        async with raw_agent(
            ours, name="mine", answerer=answerer, protocol_version=version, **options
        ) as client:
            agent.dialect, agent.client = dialect, client
            yield agent
        await _end(agent)


@asynccontextmanager
async def sdk_online(answerer: Answerer, **options: Any) -> AsyncGenerator[tuple[Any, Agent]]:
    """The SDK's own connection and the agent's end."""
    ours, theirs = memory_transport_pair()
    agent = Agent(theirs)
    with anyio.fail_after(5):
        async with connect(ours, name="mine", answerer=answerer, **options) as connection:
            yield connection, agent
        await _end(agent)


async def _end(agent: Agent) -> None:
    for task in agent.tasks:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task

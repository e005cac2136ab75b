"""A client of bare messages, of either version: it says and keeps exactly what a test wants."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
from acp._transport import memory_transport_pair

from elicitkit.acp import Asks, run_agent, spawned
from elicitkit.core.dialects import ACP_V1, ACP_V2, ACP_V2_STRICT, Dialect
from tests.acp.tool_agent import Version, build

Wire = dict[str, Any]
Person = Callable[[Wire], Wire | None]
"""Answers the params of a question, or lets it wait."""

DIALECT: Mapping[Version, Dialect] = {
    "acp-v1": ACP_V1,
    "acp-v2": ACP_V2,
    "acp-v2-strict": ACP_V2_STRICT,
}
BOTH: Wire = {"form": {}, "url": {}}
ROOT = Path(__file__).parents[2]


class Client:
    """The client's end of one connection."""

    def __init__(self, frames: Any, version: Version, person: Person) -> None:
        self.frames = frames
        self.version = version
        self.person = person
        self.received: list[Wire] = []
        """Everything that the agent said, in order."""
        self.ended = asyncio.Event()
        self._news = asyncio.Event()
        self._id = 0
        self._idles: dict[Any, int] = {}
        """How many turns of ACP v2 had ended when a prompt was sent."""

    @property
    def idles(self) -> list[Wire]:
        return [one for one in self.states if one["state"] == "idle"]

    @property
    def questions(self) -> list[Wire]:
        return self.heard("elicitation/create")

    @property
    def cancelled(self) -> list[Any]:
        """The ids of the requests that the agent took back."""
        return [one["params"]["requestId"] for one in self.heard("$/cancel_request")]

    @property
    def states(self) -> list[Wire]:
        """The states that the agent told, without what they are wrapped in."""
        updates = [one["params"]["update"] for one in self.heard("session/update")]
        return [
            {key: value for key, value in one.items() if key != "sessionUpdate"}
            for one in updates
            if one["sessionUpdate"] == "state_update"
        ]

    @property
    def text(self) -> str:
        """What the agent said in messages."""
        updates = [one["params"]["update"] for one in self.heard("session/update")]
        chunks = [one for one in updates if one["sessionUpdate"] == "agent_message_chunk"]
        return "".join(one["content"]["text"] for one in chunks)

    def heard(self, method: str) -> list[Wire]:
        return [one for one in self.received if one.get("method") == method]

    async def listen(self) -> None:
        while (message := await self.frames.receive()) is not None:
            self.received.append(message)
            if message.get("method") == "elicitation/create":
                answer = self.person(message["params"])
                if answer is not None:
                    await self.reply(message, answer)
            self._news.set()
        self.ended.set()

    async def until(self, ready: Callable[[], Any]) -> Any:
        """Wait until something is there, and give it."""
        while not (found := ready()):
            self._news.clear()
            await self._news.wait()
        return found

    async def question(self, number: int = 1) -> Wire:
        """The question of this number, when it has come."""
        await self.until(lambda: len(self.questions) >= number)
        return self.questions[number - 1]

    async def say(self, **message: Any) -> None:
        await self.frames.send({"jsonrpc": "2.0", **message})

    async def reply(self, message: Wire, answer: Wire) -> None:
        """Answer a question by a result, or by ``{"error": ...}``."""
        said = answer if "error" in answer else {"result": answer}
        await self.say(id=message["id"], **said)

    async def start(self, method: str, params: Wire) -> Any:
        """Send a request, and give its id."""
        self._id += 1
        await self.say(id=self._id, method=method, params=params)
        return self._id

    async def answer_to(self, id_: Any) -> Wire:
        def found() -> Wire | None:
            for one in self.received:
                if "method" not in one and one["id"] == id_:
                    return one
            return None

        return await self.until(found)

    async def request(self, method: str, params: Wire) -> Wire:
        """The whole answer to a request."""
        return await self.answer_to(await self.start(method, params))

    async def tell(self, method: str, params: Wire) -> None:
        await self.say(method=method, params=params)

    async def shake_hands(
        self, elicitation: Any = BOTH, *, name: str = "bare", more: Wire | None = None
    ) -> Wire:
        info = {"name": name, "version": "1"}
        said = {} if elicitation is None else {"elicitation": elicitation}
        if self.version == "acp-v1":
            params = {"protocolVersion": 1, "clientCapabilities": said, "clientInfo": info}
        else:
            params = {"protocolVersion": 2, "capabilities": said, "info": info}
        return await self.request("initialize", params | (more or {}))

    async def prompted(self, tool: str, session: str = "s", **arguments: Any) -> Any:
        """Send a prompt, and give what tells when its work is over."""
        said = json.dumps({"tool": tool, "arguments": arguments})
        prompt = [{"type": "text", "text": said}]
        before = len(self.idles)
        id_ = await self.start("session/prompt", {"sessionId": session, "prompt": prompt})
        self._idles[id_] = before
        return id_

    async def over(self, id_: Any) -> Wire:
        """The end of the work that a prompt began: a result or an error, as v1 would answer."""
        answer = await self.answer_to(id_)
        if self.version == "acp-v1" or "error" in answer:
            return answer
        assert set(answer["result"]) == {"messageId"}
        before = self._idles.get(id_, 0)
        idle = (await self.until(lambda: self.idles[before:]))[0]
        if idle["stopReason"] == "error":
            return {"error": idle["error"]}
        return {"result": {"stopReason": idle["stopReason"]}}

    async def turn(self, tool: str, session: str = "s", **arguments: Any) -> Wire:
        """What became of a prompt."""
        return await self.over(await self.prompted(tool, session, **arguments))


def accept(**content: Any) -> Wire:
    return {"action": "accept", "content": content}


def saying(*answers: Wire) -> Person:
    """Answer with these in order, the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def silent(_: Wire) -> None:
    """Let every question wait."""


@asynccontextmanager
async def served(
    agent: object,
    version: Version,
    person: Person = silent,
    *,
    elicitation: Any = BOTH,
    hello: bool = True,
    within: float = 5,
    through: Callable[[Any], Any] = lambda frames: frames,
    **options: Any,
) -> AsyncGenerator[Client]:
    """An agent in memory, and a client of it that has shaken hands.

    Args:
        agent: It.
        version: What the client speaks.
        person: Answers its questions.
        elicitation: The capability, raw; None declares nothing.
        hello: Shake hands first.
        within: Seconds.
        through: What stands between the agent and its end of the connection.
        options: For ``run_agent``.
    """
    ours, theirs = memory_transport_pair()
    client = Client(theirs, version, person)
    with anyio.fail_after(within):
        async with anyio.create_task_group() as tasks:

            async def serve() -> None:
                await run_agent(agent, through(ours), **options)

            tasks.start_soon(serve)
            tasks.start_soon(client.listen)
            if hello:
                await client.shake_hands(elicitation)
            yield client
            with suppress(ConnectionError):
                await theirs.close()
            await client.ended.wait()


@asynccontextmanager
async def asked(
    version: Version,
    person: Person = silent,
    *,
    tools: Mapping[str, Any] | None = None,
    asks: Asks | None = None,
    **options: Any,
) -> AsyncGenerator[Client]:
    """As ``served``, the agent of ``tool_agent``."""
    agent = build(version, asks=asks) if tools is None else build(version, tools, asks=asks)
    async with served(agent, version, person, **options) as client:
        yield client


@asynccontextmanager
async def on_stdio(
    version: Version, person: Person = silent, *, elicitation: Any = BOTH
) -> AsyncGenerator[Client]:
    """The agent of ``tool_agent`` in a process of its own."""
    command = (sys.executable, "-m", "tests.acp.tool_agent", version)
    with anyio.fail_after(20):
        async with spawned(*command, cwd=ROOT) as (lines, _), anyio.create_task_group() as tasks:
            client = Client(lines, version, person)
            tasks.start_soon(client.listen)
            await client.shake_hands(elicitation)
            yield client
            tasks.cancel_scope.cancel()

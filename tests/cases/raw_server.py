"""Whoever asks exactly what a report says, and a client of ours on the other side."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
from mcp import Client

from elicitkit.answering import Answerer
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest
from elicitkit.mcp import connect
from elicitkit.terminal import Terminal
from tests.acp.client_rig import S1, Agent, online
from tests.mcp.client_peer import CAPABILITIES_KEY, DONE, Peer, Wire, asked, wired
from tests.terminal.person import Person, seated


class RawServer:
    """The server's end of one connection."""

    def __init__(self, client: Client, peer: Peer, dialect: Dialect) -> None:
        self.client = client
        self.peer = peer
        self._live = dialect.delivery == "live"

    async def ask(self, params: Wire) -> Wire:
        """Ask during a tool call: the answer, or ``{"error_code": ...}``.

        On 2026-07-28 there is no error to send, so it is that of the failed call.
        """
        got: list[Wire] = []
        async with anyio.create_task_group() as tasks:

            async def call() -> None:
                try:
                    await self.client.call_tool("book")
                except InvalidRequest as error:
                    got.append({"error_code": error.code})
                    tasks.cancel_scope.cancel()

            async def serve() -> None:
                got.append(await (self._ask_live if self._live else self._ask_in_a_round)(params))

            tasks.start_soon(call)
            tasks.start_soon(serve)
        (answer,) = got
        return answer

    async def declared(self) -> Wire:
        """The capabilities of the client."""
        if self._live:
            return self.peer.received[0]["params"]["capabilities"]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.client.call_tool, "book")
            call = await self.peer.receive("tools/call")
            await self.peer.reply(call, DONE | {"resultType": "complete"})
        return call["params"]["_meta"][CAPABILITIES_KEY]

    async def _ask_live(self, params: Wire) -> Wire:
        call = await self.peer.receive("tools/call")
        answer = await self.peer.ask(params)
        await self.peer.reply(call, DONE)
        return {"error_code": answer["error"]["code"]} if "error" in answer else answer["result"]

    async def _ask_in_a_round(self, params: Wire) -> Wire:
        result = asked("k")
        result["inputRequests"]["k"]["params"] = params
        await self.peer.reply(await self.peer.receive("tools/call"), result)
        retry = await self.peer.receive("tools/call")
        await self.peer.reply(retry, DONE | {"resultType": "complete"})
        return retry["params"]["inputResponses"]["k"]


class RawAgent:
    """The same of an agent, which asks in its only session."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    async def ask(self, params: Wire) -> Wire:
        await self.agent.ask("q", "elicitation/create", {"mode": "form"} | params | S1)
        answer = await self.agent.hear()
        return {"error_code": answer["error"]["code"]} if "error" in answer else answer["result"]

    async def declared(self) -> Wire:
        place = "clientCapabilities" if self.agent.dialect.revision == "1" else "capabilities"
        return self.agent.hello["params"][place]


def asker(
    answerer: Answerer, dialect: Dialect
) -> AbstractAsyncContextManager[RawServer] | AbstractAsyncContextManager[RawAgent]:
    """Whoever asks in this dialect, at the other end of a client of ours."""
    return raw_server(answerer, dialect) if dialect.protocol == "mcp" else _raw(answerer, dialect)


@asynccontextmanager
async def _raw(answerer: Answerer, dialect: Dialect) -> AsyncGenerator[RawAgent]:
    async with online(answerer, dialect) as agent:
        yield RawAgent(agent)


@asynccontextmanager
async def raw_server(
    answerer: Answerer, dialect: Dialect, **options: Any
) -> AsyncGenerator[RawServer]:
    """A client of ours, connected to a server that says what the test says."""
    with anyio.fail_after(20):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            if dialect.delivery == "live":
                tasks.start_soon(peer.shake_hands, dialect.revision)
            async with connect(
                transport,
                name="mine",
                answerer=answerer,
                protocol_version=dialect.revision,
                **options,
            ) as client:
                yield RawServer(client, peer, dialect)
                tasks.cancel_scope.cancel()


class Sitting:
    """What a person at a plain terminal saw, and what the server got from them."""

    def __init__(self) -> None:
        self.answer: Wire | None = None
        self.seen = ""


async def at_a_terminal(dialect: Dialect, params: Wire, *lines: str, rows: int = 200) -> Sitting:
    """Ask a person who types one line at each prompt, and a Ctrl-D at one more."""
    sitting = Sitting()
    with seated(80, rows) as person:
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="plain")
        async with (
            asker(Answerer(terminal), dialect) as server,
            anyio.create_task_group() as tasks,
        ):

            async def ask() -> None:
                sitting.answer = await server.ask(params)
                tasks.cancel_scope.cancel()

            tasks.start_soon(ask)
            await _type(person, lines)
        person.catch_up()
        sitting.seen = person.seen
    return sitting


async def _type(person: Person, lines: tuple[str, ...]) -> None:
    for line in lines:
        await person.prompted()
        person.type(line + "\n")
    await person.prompted()
    person.type("\x04")
    while True:
        await person.look()

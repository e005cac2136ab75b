"""``connect`` and ``answering_transport`` around real agents and the SDK's own classes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from acp import connect_to_agent, text_block
from acp._transport import memory_transport_pair
from acp.client.connection import ClientSideConnection

from elicitkit.acp import RawAgent, answering_transport, connect, raw_agent
from elicitkit.answering import Answerer, Scripted
from elicitkit.answering.config import Config, ServerConfig
from elicitkit.core.dialects import ACP_V1, ACP_V2
from elicitkit.core.errors import InvalidResponse
from tests.acp.client_rig import (
    ANN,
    QUESTION,
    S1,
    Agent,
    hello_result,
    online,
    sdk_online,
    settled,
)
from tests.answering.surfaces import Screen

pytestmark = pytest.mark.anyio

AGENT = (sys.executable, str(Path(__file__).with_name("stdio_agent.py")))
PATH = {"PYTHONPATH": ":".join(sys.path)}


async def test_an_agent_that_is_a_program_is_started_asked_and_answered() -> None:
    surface = Scripted([{"action": "accept"}, {"action": "decline"}])
    with anyio.fail_after(20):
        async with connect(AGENT, name="mine", answerer=Answerer(surface), env=PATH) as agent:
            assert isinstance(agent, ClientSideConnection)
            await agent.initialize(protocol_version=1)
            session = await agent.new_session(cwd="/", mcp_servers=[])
            # The agent calls the session by the answer to its first question.
            assert session.session_id == "accept"
            done = await agent.prompt(session_id="accept", prompt=[text_block("go")])
            assert done.stop_reason == "end_turn"
    assert [request.message for request in surface.asked] == ["Sure?", "Sure?"]


async def test_an_agent_that_is_started_here_is_local_and_one_by_a_transport_is_not() -> None:
    class Sees(Scripted):
        async def fill(self, form: Any, origin: Any, turn: Any = None) -> Any:
            seen.append(origin.local)
            return await super().fill(form, origin, turn)

    seen: list[bool] = []
    with anyio.fail_after(20):
        surface = Sees([{"action": "accept"}])
        async with raw_agent(AGENT, name="m", answerer=Answerer(surface), env=PATH) as agent:
            await agent.initialize()
            await agent.request("session/new", {"cwd": "/", "mcpServers": []})
    async with online(Answerer(Sees([ANN]))) as peer:
        await peer.asked(QUESTION | S1)
    assert seen == [True, False]


async def test_a_program_that_is_not_there_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        async with connect(["/no/such/program"], name="a", answerer=Answerer(Screen())):
            pass


async def test_an_error_of_the_block_leaves_as_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        async with sdk_online(Answerer(Screen())):
            raise ZeroDivisionError


@pytest.mark.requirement("G44")
async def test_version_two_is_a_connection_of_plain_dicts() -> None:
    ours, theirs = memory_transport_pair()
    with anyio.fail_after(20):
        async with connect(
            ours, name="m", answerer=Answerer.scripted([ANN]), protocol_version=2
        ) as client:
            assert isinstance(client, RawAgent)
            agent = Agent(theirs)
            agent.client, agent.dialect = client, ACP_V2
            await agent.shake_hands()
            await agent.open_session()
            assert await agent.asked(QUESTION | S1) == ANN


async def test_a_transport_serves_whoever_builds_the_connection() -> None:
    ours, theirs = memory_transport_pair()
    agent = Agent(theirs)
    config = Config(servers={"mine": ServerConfig(label="Mine")})
    screen = Screen()
    with anyio.fail_after(20):
        transport = answering_transport(
            ours,
            name="mine",
            answerer=Answerer(screen),
            config=config,
            local=True,
            host="agent.example",
            client_info={"name": "c", "version": "1"},
        )
        async with connect_to_agent(Mine(), transport) as connection:
            transport.watch(connection)
            task = agent.start(connection.initialize(protocol_version=1))
            hello = await agent.hear()
            assert hello["params"]["clientInfo"] == {"name": "c", "version": "1"}
            await agent.answer(hello, hello_result(ACP_V1))
            await task
            task = agent.start(connection.new_session(cwd="/"))
            await agent.answer(await agent.hear(), {"sessionId": "s1"})
            await task
            await agent.create(QUESTION | S1)
            origin = screen.shown[0].origin
            assert (origin.label, origin.local, origin.host) == ("Mine", True, "agent.example")


class Mine:
    """Leaves all to the transport."""


@pytest.mark.parametrize("result", [None, 5, [], "x"])
async def test_a_result_that_is_no_object_is_an_error(result: Any) -> None:
    async with online(Answerer(Screen())) as agent:
        task, request = await agent.call("session/new")
        await agent.answer(request, result)
        with pytest.raises(InvalidResponse):
            await task


async def test_the_end_of_the_connection_can_be_waited_for() -> None:
    async with online(Answerer(Screen())) as agent:
        task = agent.start(agent.client.over())
        await settled()
        assert not task.done()
        await agent.hang_up()
        await task

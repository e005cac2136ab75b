"""``@asks`` on the methods of an agent, and ``run_agent`` around it."""

from __future__ import annotations

import inspect
import os
from typing import Any

import anyio
import pytest
from acp import text_block
from acp._transport import memory_transport_pair
from acp.schema import InitializeResponse, PromptResponse, TextContentBlock

from elicitkit import Ask, Declined, UsageError
from elicitkit.acp import agent as serving
from elicitkit.acp import asks, current_transport, run_agent
from elicitkit.acp.line import current_line
from tests.acp.asked_client import Client, accept, saying, served

pytestmark = pytest.mark.anyio


class Agent:
    """An agent as an author writes it."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    async def initialize(self, **_: Any) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)

    @asks
    async def prompt(
        self, prompt: list[TextContentBlock], session_id: str, ask: Ask, **kwargs: Any
    ) -> PromptResponse:
        """Answer a prompt."""
        self.told.append((session_id, kwargs, await ask("How many nights?", int)))
        return PromptResponse(stop_reason="end_turn")

    @asks
    async def authenticate(self, params: Any, ask: Ask) -> Any:
        """In the style of the SDK's older versions."""
        self.told.append((params.method_id, await ask("Which account?", str)))


def test_a_handler_keeps_everything_but_its_ask() -> None:
    assert list(inspect.signature(Agent.prompt).parameters) == [
        "self",
        "prompt",
        "session_id",
        "kwargs",
    ]
    assert Agent.prompt.__doc__ == "Answer a prompt."
    assert Agent.prompt.__name__ == "prompt"
    assert inspect.iscoroutinefunction(Agent.prompt)


async def test_an_author_calls_it_with_a_script() -> None:
    agent = Agent()
    ended = await agent.prompt([text_block("hi")], "s1", ask=Ask.scripted(2))
    assert ended.stop_reason == "end_turn"
    assert agent.told == [("s1", {}, 2)]
    with pytest.raises(AssertionError, match="never asked for"):
        await agent.prompt([], "s1", ask=Ask.scripted(2, 3))
    with pytest.raises(Exception, match="was declined"):
        await agent.prompt([], "s1", ask=Ask.scripted(Declined()))


async def test_a_call_without_script_or_connection_says_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"elicitkit\.acp\.run_agent"):
        await Agent().prompt(prompt=[], session_id="s1")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"elicitkit\.acp\.run_agent"):
        current_transport()


def test_only_what_can_wait_can_ask() -> None:
    with pytest.raises(UsageError, match="must be 'async def'"):

        @asks  # type: ignore[arg-type]
        def prompt(self: Any, ask: Ask) -> None: ...

    with pytest.raises(UsageError, match="one parameter of type Ask"):

        @asks
        async def forgetful(self: Any) -> None: ...


async def test_both_styles_of_the_sdk_are_served() -> None:
    agent = Agent()
    async with served(agent, "acp-v1", saying(accept(value=2), accept(value="me"))) as client:
        assert "result" in await client.turn("any", "s-1")
        with pytest.warns(DeprecationWarning, match="old style"):
            assert "result" in await client.request("authenticate", {"methodId": "m"})
    assert agent.told == [("s-1", {}, 2), ("m", "me")]


class Whose:
    """Tells who its client is."""

    def __init__(self) -> None:
        self.principals: list[str | None] = []

    async def initialize(self, **_: Any) -> InitializeResponse:
        self.principals.append(current_line().principal)
        return InitializeResponse(protocol_version=1)


@pytest.mark.requirement("A15", "A18")
async def test_a_transport_has_nobody_unless_its_server_says_who() -> None:
    agent = Whose()
    async with served(agent, "acp-v1"):
        pass
    async with served(agent, "acp-v1", principal="ann"):
        pass
    assert agent.principals == [None, "ann"]


@pytest.mark.requirement("A15")
@pytest.mark.parametrize("numbered", [True, False])
async def test_on_stdio_it_is_the_user_of_this_machine(
    numbered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = memory_transport_pair()

    async def own_stdio() -> Any:
        return ours

    monkeypatch.setattr(serving, "own_stdio", own_stdio)
    if not numbered:
        monkeypatch.delattr(os, "getuid")
    agent, client = Whose(), Client(theirs, "acp-v1", saying({}))
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run_agent, agent)
            tasks.start_soon(client.listen)
            await client.shake_hands()
            await theirs.close()
    assert agent.principals == ([f"uid:{os.getuid()}"] if numbered else [None])


async def test_whoever_serves_an_agent_can_stop() -> None:
    ours, theirs = memory_transport_pair()
    client = Client(theirs, "acp-v1", lambda _: None)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run_agent, Agent(), ours)
            tasks.start_soon(client.listen)
            await client.shake_hands()
            await client.prompted("any")
            await client.question()
            tasks.cancel_scope.cancel()
    with pytest.raises(ConnectionError):
        await ours.send({})

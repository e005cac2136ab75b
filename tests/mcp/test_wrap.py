"""A client that somebody else built answers as well as one of ``connect``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from fastmcp import Client as FastMCPClient
from mcp import Client
from mcp_types import ElicitResult

from elicitkit.answering import Answerer, Pace
from elicitkit.answering.config import Config, ServerConfig
from elicitkit.core.errors import InvalidRequest, LimitExceeded, UsageError
from elicitkit.core.model import Origin
from elicitkit.mcp import wrap
from tests.mcp import asking_server
from tests.mcp.client_peer import (
    CAPABILITIES_KEY,
    DONE,
    QUESTION,
    Peer,
    Wire,
    asked,
    wired,
)
from tests.mcp.desk import Desk

pytestmark = pytest.mark.anyio

ANN = {"action": "accept", "content": {"name": "Ann"}}
MODERN = "2026-07-28"


@asynccontextmanager
async def wrapped(
    answerer: Answerer, mode: str, **options: Any
) -> AsyncGenerator[tuple[Client, Peer]]:
    with anyio.fail_after(5):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            if mode == "legacy":
                tasks.start_soon(peer.shake_hands, "2025-11-25")
            own = {key: options.pop(key) for key in ("read_timeout_seconds",) if key in options}
            client = Client(transport, mode=mode, **own)
            async with wrap(client, name="mine", answerer=answerer, **options) as same:
                assert same is client
                yield client, peer
                tasks.cancel_scope.cancel()


async def result_of(client: Client, play: Callable[[], Any]) -> Any:
    """What a call came to while the server's side was played."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(play)
        return await client.call_tool("book")


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_a_wrapped_client_answers_a_real_server_in_both_eras(mode: str) -> None:
    client = Client(asking_server.server, mode=mode)
    answerer = Answerer.scripted([ANN, {"action": "decline"}])
    with anyio.fail_after(10):
        async with wrap(client, name="mine", answerer=answerer):
            results = [await client.call_tool("greet") for _ in range(2)]
    assert [result.content[0].text for result in results] == ["Hello Ann", "decline"]


class Special(Client):
    """A client with methods of its own."""

    def mine(self) -> str:
        return "mine"


async def test_a_client_of_a_class_of_ones_own_keeps_it() -> None:
    client = wrap(Special(asking_server.server), name="mine", answerer=Answerer.scripted([ANN]))
    with anyio.fail_after(10):
        async with client:
            assert client.mine() == "mine"
            result = await client.call_tool("greet")
    assert result.content[0].text == "Hello Ann"


@pytest.mark.requirement("M07", "M10")
async def test_it_declares_exactly_what_can_be_shown() -> None:
    async with wrapped(Answerer(Desk()), "legacy") as (_, peer):
        assert peer.received[0]["params"]["capabilities"]["elicitation"] == {"form": {}}
    async with wrapped(Answerer(Desk(attended=False)), "legacy") as (_, peer):
        assert "elicitation" not in peer.received[0]["params"]["capabilities"]


@pytest.mark.requirement("M08")
async def test_a_configuration_takes_the_declaration_away_from_one_server() -> None:
    config = Config(servers={"mine": ServerConfig(label="Mine", surface="none")})
    async with wrapped(Answerer(Desk()), MODERN, config=config) as (client, peer):

        async def play() -> None:
            await peer.reply(await peer.receive("tools/call"), DONE | {"resultType": "complete"})

        await result_of(client, play)
        meta = peer.calls[0]["params"]["_meta"]
        assert "elicitation" not in meta[CAPABILITIES_KEY]


@pytest.mark.requirement("M90", "G01")
async def test_a_question_that_belongs_to_no_request_is_refused() -> None:
    async with wrapped(Answerer(Desk()), "legacy") as (_, peer):
        assert (await peer.ask(QUESTION))["error"]["code"] == -32602


@pytest.mark.requirement("G03")
async def test_one_bad_entry_of_a_round_fails_the_call_before_anything_is_shown() -> None:
    desk = Desk()
    async with wrapped(Answerer(desk), MODERN) as (client, peer):

        async def play() -> None:
            result = asked("good", "bad")
            result["inputRequests"]["bad"] = {"method": "elicitation/create", "params": {}}
            await peer.reply(await peer.receive("tools/call"), result)

        with pytest.raises(ExceptionGroup) as caught:
            await result_of(client, play)
        assert caught.group_contains(InvalidRequest)
    assert desk.seen == []


@pytest.mark.requirement("G52")
async def test_the_time_of_a_person_is_not_charged_to_the_clients_own_time_limit() -> None:
    answerer = Answerer(Desk(), pace=Pace(time=0.3))
    async with wrapped(answerer, "legacy", read_timeout_seconds=0.1) as (client, peer):
        saw: list[Wire] = []

        async def play() -> None:
            call = await peer.receive("tools/call")
            saw.append(await peer.ask(QUESTION))
            await peer.reply(call, DONE)

        result = await result_of(client, play)
    assert result.is_error
    assert saw[0]["result"] == {"action": "cancel"}


async def test_its_rounds_are_bounded_by_the_limit_of_wrap() -> None:
    answerer = Answerer.scripted([{"action": "decline"}] * 9)
    async with wrapped(answerer, MODERN, max_rounds=2) as (client, peer):

        async def play() -> None:
            for _ in range(3):
                await peer.reply(await peer.receive("tools/call"), asked("k"))

        with pytest.raises(ExceptionGroup) as caught:
            await result_of(client, play)
        assert caught.group_contains(LimitExceeded, match="'mine' asked in more than 2 rounds")


@pytest.mark.requirement("G12")
async def test_the_person_sees_their_own_name_of_the_server() -> None:
    desk = Desk()
    async with wrapped(Answerer(desk), "legacy") as (client, peer), anyio.create_task_group() as g:
        g.start_soon(client.call_tool, "book")
        await peer.receive("tools/call")
        await peer.send(id="q", method="elicitation/create", params=QUESTION)
        await anyio.wait_all_tasks_blocked()
        g.cancel_scope.cancel()
    assert desk.seen[0][1] == Origin(label="mine", claimed="claims to be you", request="book")


async def callback(context: object, params: object) -> ElicitResult:
    raise AssertionError("nothing is asked")


def test_what_cannot_be_wrapped_is_refused_with_the_way_out() -> None:
    terms: dict[str, Any] = {"name": "mine", "answerer": Answerer.scripted([])}
    with pytest.raises(UsageError, match=r"elicitkit\.fastmcp\.elicitation_handler"):
        wrap(FastMCPClient("http://127.0.0.1:9"), **terms)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="leave it out"):
        wrap(Client("http://127.0.0.1:9", elicitation_callback=callback), **terms)


async def test_a_client_that_is_entered_is_refused() -> None:
    with anyio.fail_after(5):
        async with Client(asking_server.server) as client:
            with pytest.raises(UsageError, match="before it is entered"):
                wrap(client, name="mine", answerer=Answerer.scripted([]))

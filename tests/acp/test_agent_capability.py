"""What a client of an agent can be asked, as it said in ``initialize``, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from acp import RequestError
from acp.schema import PromptResponse

from elicitkit import Ask
from elicitkit.acp import AgentV2, Asks
from tests.acp.asked_client import BOTH, Wire, accept, asked, saying, served
from tests.acp.tool_agent import VERSIONS, Version
from tests.mcp.servers.handlers import named, outcome

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("version", VERSIONS)]

TWO = saying(accept(value=2))


async def modes(ask: Ask) -> str:
    return " ".join(sorted(ask.modes)) or "none"


async def visit(ask: Ask) -> str:
    await ask.visit("Sign in", "https://id.example/connect")
    return "consented"


async def fallback(ask: Ask) -> str:
    async def seven() -> int:
        return 7

    return named(await ask.outcome("How many nights?", int, fallback=seven))


TOOLS = {one.__name__: one for one in (modes, outcome, visit, fallback)}


@pytest.mark.requirement("A08", "A09", "A10", "G40")
@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ({}, "none"),
        ({"form": None, "url": None}, "none"),
        ({"form": True}, "none"),
        ({"form": "yes", "url": []}, "none"),
        ({"audio": {}}, "none"),
        ("form", "none"),
        ([], "none"),
        ({"form": {}}, "form"),
        ({"form": {}, "url": None}, "form"),
        ({"url": {}}, "url"),
        ({"form": {"x": 1}, "url": {}, "_meta": {}}, "form url"),
    ],
    ids=str,
)
async def test_a_mode_counts_by_its_object(version: Version, declared: Any, found: str) -> None:
    async with asked(version, TWO, tools=TOOLS, elicitation=declared) as client:
        await client.turn("modes")
        assert client.text == found
        await client.turn("outcome", "t")
        form = "accepted 2" if "form" in found else "unavailable not_declared"
        assert client.text.removeprefix(found) == form
        assert len(client.questions) == ("form" in found)


@pytest.mark.requirement("A08")
@pytest.mark.parametrize("more", [{}, {"elicitation": None}])
async def test_without_the_capability_nothing_is_sent(version: Version, more: Wire) -> None:
    async with asked(version, TWO, tools=TOOLS, hello=False) as client:
        where = "clientCapabilities" if version == "acp-v1" else "capabilities"
        await client.shake_hands(None, more={where: more})
        assert (await client.turn("outcome"))["result"]
        assert client.text == "unavailable not_declared"
        assert client.questions == []


@pytest.mark.requirement("A08")
async def test_a_client_that_never_said_who_it_is_is_not_asked(version: Version) -> None:
    async with asked(version, TWO, tools=TOOLS, hello=False) as client:
        await client.turn("outcome")
        assert client.text == "unavailable not_declared"
        assert client.questions == []


@pytest.mark.requirement("A08")
async def test_a_capability_of_the_other_version_is_none(version: Version) -> None:
    async with asked(version, TWO, tools=TOOLS, hello=False) as client:
        where = "capabilities" if version == "acp-v1" else "clientCapabilities"
        await client.shake_hands(None, more={where: {"elicitation": BOTH}})
        await client.turn("modes")
        assert client.text == "none"


@pytest.mark.requirement("A10", "A33", "A34")
async def test_a_page_is_never_asked_for_by_a_form(version: Version) -> None:
    async with asked(version, TWO, tools=TOOLS, elicitation={"form": {}}) as client:
        ended = await client.turn("visit")
        assert ended["error"]["code"] == -32010
        assert ended["error"]["data"] == {"outcome": "unavailable", "reason": "not_declared"}
        assert client.questions == []


@pytest.mark.requirement("A11")
async def test_an_authors_fallback_comes_first(version: Version) -> None:
    async with asked(version, TWO, tools=TOOLS, elicitation={"url": {}}) as client:
        await client.turn("fallback")
        assert client.text == "accepted 7"
        assert client.questions == []


@pytest.mark.parametrize(
    ("left", "declared", "found"),
    [
        (frozenset({"url"}), BOTH, "url"),
        (frozenset(), BOTH, "none"),
        (frozenset({"form", "url"}), {"form": {}}, "form"),
        (frozenset({"form", "url"}), None, "none"),
    ],
)
async def test_an_override_only_takes_modes_away(
    version: Version, left: Any, declared: Any, found: str
) -> None:
    asks = Asks(clients={"shy": left})
    for name, expected in (("shy", found), ("bold", None)):
        async with asked(version, TWO, tools=TOOLS, asks=asks, hello=False) as client:
            await client.shake_hands(declared, name=name)
            await client.turn("modes")
            plain = " ".join(sorted(declared or ())) or "none"
            assert client.text == (expected or plain)


@pytest.mark.parametrize("info", [None, {"name": ["shy"]}, "shy"])
async def test_a_client_whose_name_is_none_has_no_override(version: Version, info: Any) -> None:
    asks = Asks(clients={"shy": ()})
    async with asked(version, TWO, tools=TOOLS, asks=asks, hello=False) as client:
        if version == "acp-v1":
            params = {"protocolVersion": 1, "clientCapabilities": {"elicitation": BOTH}}
            await client.request("initialize", params | {"clientInfo": info})
        else:
            params = {"protocolVersion": 2, "capabilities": {"elicitation": BOTH}}
            await client.request("initialize", params | {"info": info})
        await client.turn("modes")
        assert client.text == "form url"


@pytest.mark.requirement("A08")
async def test_what_came_with_a_refused_handshake_was_not_agreed_on(version: Version) -> None:
    class Refusing:
        async def initialize(self, **_: Any) -> Any:
            raise RequestError(-32603, "not today")

        @Asks()
        async def prompt(self, session_id: str, ask: Ask) -> PromptResponse:
            told.append(await modes(ask))
            return PromptResponse(stop_reason="end_turn")

    told: list[str] = []
    agent: object = Refusing()
    if version != "acp-v1":
        agent = AgentV2(name="a", version="1", strict=version == "acp-v2-strict")

        @agent.on("initialize")
        async def initialize(params: Wire) -> Wire:
            raise RequestError(-32603, "not today")

        @agent.on("session/prompt")
        @Asks()
        async def prompt(params: Wire, ask: Ask) -> None:
            told.append(await modes(ask))

    async with served(agent, version, TWO, hello=False) as client:
        assert "error" in await client.shake_hands(BOTH)
        assert "result" in await client.turn("any")
        assert told == ["none"]

"""The decorator on real servers: what an SDK sees of a handler, and what it refuses."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Annotated, Any, Optional

import fastmcp
import mcp.server.mcpserver
import mcp_types as types
import pytest
from fastmcp import FastMCP
from mcp import Client
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

import elicitkit.fastmcp
import elicitkit.mcp
from elicitkit import Ask, NotAccepted, UsageError
from elicitkit.core.outcome import Declined
from tests.mcp.playing import Person, connected, in_memory
from tests.mcp.table import NIGHTS

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


@dataclass
class Kit:
    """One SDK: how a tool is registered on a new server, and what its context is called."""

    server: Callable[[], Any]
    tool: Callable[[Any], Callable[[Any], Any]]
    asks: Any
    context: Any


KITS = [
    pytest.param(
        Kit(
            lambda: MCPServer("m"),
            lambda server: server.tool(),
            elicitkit.mcp.asks,
            mcp.server.mcpserver.Context,
        ),
        id="mcp",
    ),
    pytest.param(
        Kit(
            lambda: FastMCP("f"),
            lambda server: server.tool,
            elicitkit.fastmcp.asks,
            fastmcp.Context,
        ),
        id="fastmcp",
    ),
]
every_sdk = pytest.mark.parametrize("kit", KITS)


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Booking(BaseModel):
    city: str
    nights: int


async def listed(server: Any) -> types.Tool:
    async with Client(in_memory(server), mode="legacy") as client:
        (tool,) = (await client.list_tools()).tools
    return tool


async def result_of(server: Any, name: str, **arguments: Any) -> types.CallToolResult:
    person = Person({NIGHTS: [{"value": 2}]})
    async with connected(in_memory(server), "2025-11-25", person) as (client, _):
        return await client.call_tool(name, arguments)


def registered(kit: Kit, function: Any) -> Any:
    server = kit.server()
    kit.tool(server)(function)
    return server


@every_sdk
async def test_the_sdk_sees_the_tool_as_if_it_did_not_ask(kit: Kit, anyio_backend: str) -> None:
    async def asking(
        city: Annotated[str, Field(description="Where to")], ask: Ask, stars: int = 3
    ) -> Booking:
        """Book a room.

        Any room.
        """
        return Booking(city=city, nights=await ask(NIGHTS, int) + stars)

    async def plain(city: Annotated[str, Field(description="Where to")], stars: int = 3) -> Booking:
        """Book a room.

        Any room.
        """
        return Booking(city=city, nights=stars)

    plain.__name__ = "asking"
    ours = await listed(registered(kit, kit.asks(asking)))
    assert ours == await listed(registered(kit, plain))
    assert set(ours.input_schema["properties"]) == {"city", "stars"}
    assert ours.output_schema is not None
    result = await result_of(registered(kit, kit.asks(asking)), "asking", city="Rome")
    assert result.structured_content == {"city": "Rome", "nights": 5}


@every_sdk
async def test_a_tool_that_returns_nothing_stays_one(kit: Kit, anyio_backend: str) -> None:
    async def asking(ask: Ask) -> None:
        await ask(NIGHTS, int)

    async def plain() -> None: ...

    plain.__name__ = "asking"
    ours = await listed(registered(kit, kit.asks(asking)))
    assert ours == await listed(registered(kit, plain))
    assert not (await result_of(registered(kit, kit.asks(asking)), "asking")).is_error


@every_sdk
async def test_the_authors_own_context_is_handed_on(kit: Kit, anyio_backend: str) -> None:
    own = kit.context

    async def plain(ctx: own, ask: Ask) -> str:
        await ask(NIGHTS, int)
        return str(isinstance(ctx, own))

    async def last(ask: Ask, *, ctx: own) -> str:
        await ask(NIGHTS, int)
        return str(isinstance(ctx, own))

    async def optional(ask: Ask, ctx: own | None = None) -> str:
        await ask(NIGHTS, int)
        return str(isinstance(ctx, own))

    async def old(ask: Ask, ctx: Optional[own] = None) -> str:  # noqa: UP045
        await ask(NIGHTS, int)
        return str(isinstance(ctx, own))

    for function in (plain, last, optional, old):
        server = registered(kit, kit.asks(function))
        assert (await listed(server)).input_schema.get("properties", {}) == {}
        result = await result_of(server, function.__name__)
        assert result.content[0].text == "True", function.__name__


async def test_a_generic_context_is_handed_on(anyio_backend: str) -> None:
    kit = KITS[0].values[0]

    async def tool(ctx: mcp.server.mcpserver.Context[Any, Any], ask: Ask) -> str:
        await ask(NIGHTS, int)
        return ctx.request_context.protocol_version

    server = registered(kit, kit.asks(tool))
    result = await result_of(server, "tool")
    assert result.content[0].text == "2025-11-25"


@every_sdk
async def test_a_method_of_an_object_can_ask(kit: Kit, anyio_backend: str) -> None:
    class Local(BaseModel):
        stars: int

    class Hotel:
        name = "Ritz"

        @kit.asks
        async def book(self, wish: Local, ask: Ask) -> str:
            return f"{self.name} {wish.stars} {await ask(NIGHTS, int)}"

        async def later(self, ask: Ask) -> str:
            return f"{self.name} {await ask(NIGHTS, int)}"

    hotel = Hotel()
    result = await result_of(registered(kit, hotel.book), "book", wish={"stars": 5})
    assert result.content[0].text == "Ritz 5 2"
    result = await result_of(registered(kit, kit.asks(hotel.later)), "later")
    assert result.content[0].text == "Ritz 2"
    assert await hotel.book(Local(stars=1), Ask.scripted(3)) == "Ritz 1 3"


@every_sdk
async def test_wrong_order_is_refused_by_a_sentence(kit: Kit, anyio_backend: str) -> None:
    async def tool(ask: Ask) -> str:
        return await ask(NIGHTS, str)

    with pytest.raises(Exception, match="@asks directly on it") as error:
        kit.asks(kit.tool(kit.server())(tool))
    assert isinstance(error.value, UsageError) or isinstance(error.value.__cause__, UsageError)


@every_sdk
async def test_asks_on_what_a_decorator_left_is_refused_by_a_sentence(
    kit: Kit, anyio_backend: str
) -> None:
    async def tool(ask: Ask) -> str:
        return await ask(NIGHTS, str)

    with pytest.raises(UsageError, match="directly on the function"):
        kit.asks(object())
    with pytest.raises(UsageError, match="needs one parameter of type Ask"):
        kit.asks(kit.asks(tool))


async def test_any_keyword_is_handled_as_the_sdk_does(anyio_backend: str) -> None:
    async def tool(city: str, ask: Ask, **rest: Any) -> str:
        return f"{city} {await ask(NIGHTS, int)} {rest}"

    decorated = elicitkit.fastmcp.asks(tool)
    with pytest.raises(ValueError, match=r"\*\*kwargs"):
        FastMCP("f").tool(decorated)
    assert await decorated("Rome", ask=Ask.scripted(2), stars=3) == "Rome 2 {'stars': 3}"


@every_sdk
async def test_a_decorated_tool_is_called_directly_in_a_test(kit: Kit, anyio_backend: str) -> None:
    async def tool(city: str, ask: Ask, stars: int = 3) -> str:
        return f"{city} {stars} {await ask(NIGHTS, int)}"

    decorated = kit.asks(tool)
    assert await decorated("Rome", Ask.scripted(2)) == "Rome 3 2"
    assert await decorated("Rome", ask=Ask.scripted(2), stars=4) == "Rome 4 2"
    with pytest.raises(AssertionError, match="no answer left"):
        await decorated("Rome", ask=Ask.scripted())
    with pytest.raises(AssertionError, match="never asked for"):
        await decorated("Rome", ask=Ask.scripted(2, 3))
    with pytest.raises(NotAccepted):
        await decorated("Rome", ask=Ask.scripted(Declined()))


@every_sdk
async def test_a_handlers_own_error_is_the_sdks_business(kit: Kit, anyio_backend: str) -> None:
    async def tool(ask: Ask) -> str:
        raise ValueError("mine")

    async def plain() -> str:
        raise ValueError("mine")

    plain.__name__ = "tool"
    result = await result_of(registered(kit, kit.asks(tool)), "tool")
    assert result.is_error
    assert result == await result_of(registered(kit, plain), "tool")


@every_sdk
@pytest.mark.requirement("M89", "G01")
async def test_a_task_that_outlives_its_call_cannot_ask(kit: Kit, anyio_backend: str) -> None:
    kept: list[Ask] = []

    async def tool(ask: Ask) -> str:
        kept.append(ask)
        return "done"

    person = Person({NIGHTS: [{"value": 2}]})
    server = registered(kit, kit.asks(tool))
    async with connected(in_memory(server), "2025-11-25", person) as (client, tap):
        await client.call_tool("tool")
        with pytest.raises(UsageError, match="has ended"):
            await kept[0](NIGHTS, int)
    assert tap.questions() == []

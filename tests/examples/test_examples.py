"""The examples do what they say, on a live revision and on the replayed one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mcp_types import TextContent, TextResourceContents

from elicitkit import Answerer
from elicitkit.mcp import connect

EXAMPLES = Path(__file__).parents[2] / "examples"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("revision", REVISIONS)]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """FastMCP and the SQL store are asyncio only."""
    return "asyncio"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def values(*given: object) -> Answerer:
    return Answerer.scripted([{"action": "accept", "content": {"value": value}} for value in given])


def lowlevel(fastmcp_server: Any) -> Any:
    return fastmcp_server._mcp_server


async def test_the_library_lends_recommends_and_tells_its_hours(revision: str) -> None:
    server = lowlevel(example("fastmcp_library").server)
    answerer = values(7, "history", 250, "weekend")
    async with connect(
        server, name="library", answerer=answerer, protocol_version=revision
    ) as client:
        lent = await client.call_tool("lend", {"title": "Emma"})
        prompt = await client.get_prompt("recommend")
        hours = await client.read_resource("library://hours")
    assert isinstance(lent.content[0], TextContent)
    assert lent.content[0].text == "'Emma' is yours for 7 days."
    assert isinstance(prompt.messages[0].content, TextContent)
    assert "from history with at most 250 pages" in prompt.messages[0].content.text
    assert isinstance(hours.contents[0], TextResourceContents)
    assert hours.contents[0].text == "closed"


async def test_the_library_lends_nothing_against_a_no(revision: str) -> None:
    server = lowlevel(example("fastmcp_library").server)
    answerer = Answerer.scripted([{"action": "decline"}])
    async with connect(
        server, name="library", answerer=answerer, protocol_version=revision
    ) as client:
        lent = await client.call_tool("lend", {"title": "Emma"})
    assert isinstance(lent.content[0], TextContent)
    assert lent.content[0].text == "Then it stays here."


async def test_a_ticket_is_printed_once(
    revision: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STATE_KEY", "0123456789abcdef" * 4)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'tickets.db'}")
    tickets = example("http_replicas")
    printed = 0

    async def print_ticket() -> int:
        nonlocal printed
        printed += 1
        return printed

    tickets.print_ticket = print_ticket
    async with connect(
        tickets.server,
        name="tickets",
        answerer=values("front", True, True),
        protocol_version=revision,
    ) as client:
        bought = await client.call_tool("buy", {"concert": "Tosca"})
    await tickets.asks._records.aclose()
    assert isinstance(bought.content[0], TextContent)
    assert bought.content[0].text == "Ticket 1, front, on its way."
    assert printed == 1

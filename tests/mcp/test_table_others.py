"""Prompts and resources that ask: the same handler, and the codes of what is not accepted.

A static resource can ask on FastMCP only: the mcp SDK gives it no context.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from functools import cache
from typing import Any

import pytest
from mcp import Client, MCPError

from elicitkit.mcp.server import NOT_ACCEPTED
from tests.mcp.playing import Person, connected, in_memory
from tests.mcp.servers.build import Sdk, build
from tests.mcp.table import MISSING, NIGHTS, REVISIONS, Answer, Revision
from tests.mcp.wiretap import STOCK

PLACES: Sequence[tuple[Sdk, str]] = [
    ("mcp", "prompt"),
    ("mcp", "template"),
    ("fastmcp", "prompt"),
    ("fastmcp", "template"),
    ("fastmcp", "resource"),
]
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("revision", REVISIONS),
    pytest.mark.parametrize(("sdk", "place"), PLACES),
]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@cache
def server_of(sdk: Sdk) -> Any:
    return build(sdk)


async def got(client: Client, place: str) -> Any:
    if place == "prompt":
        prompt = await client.get_prompt("guide", {"city": "Rome"})
        return prompt.messages[0].content.text
    uri = "rates://Rome" if place == "template" else "rates://today"
    return (await client.read_resource(uri)).contents[0].text


async def refused(
    sdk: Sdk, place: str, revision: Revision, answer: Answer, elicitation: Any = STOCK
) -> tuple[MCPError, int]:
    person = Person({NIGHTS: [answer]})
    transport = in_memory(server_of(sdk))
    async with connected(transport, revision, person, elicitation=elicitation) as (client, _):
        with pytest.raises(MCPError) as error:
            await got(client, place)
    return error.value, len(person.asked)


async def test_an_answer_goes_on(
    sdk: Sdk, place: str, revision: Revision, anyio_backend: str
) -> None:
    person = Person({NIGHTS: [{"value": "many"}, {"value": 2}]})
    async with connected(in_memory(server_of(sdk)), revision, person) as (client, _):
        text = await got(client, place)
    assert text == ("today for 2" if place == "resource" else "Rome for 2")
    assert len(person.asked) == 2


@pytest.mark.requirement("M42")
@pytest.mark.parametrize(
    ("answer", "data", "words"),
    [
        ("decline", {"outcome": "declined"}, "declined"),
        ("cancel", {"outcome": "cancelled", "reason": "dismissed"}, "cancelled (dismissed)"),
        (
            {"value": "many"},
            {"outcome": "cancelled", "reason": "invalid_answer"},
            "cancelled (invalid_answer)",
        ),
    ],
)
async def test_what_is_not_accepted_has_a_code_and_its_outcome(
    sdk: Sdk,
    place: str,
    revision: Revision,
    answer: Answer,
    data: dict[str, str],
    words: str,
    anyio_backend: str,
) -> None:
    error, _ = await refused(sdk, place, revision, answer)
    assert (error.error.code, error.error.data) == (NOT_ACCEPTED, data)
    assert error.error.message == f"Not done: the question 'How many nights?' was {words}."
    assert NOT_ACCEPTED == -32010


@pytest.mark.requirement("M72", "M11")
async def test_without_the_capability_nothing_is_asked(
    sdk: Sdk, place: str, revision: Revision, anyio_backend: str
) -> None:
    error, asked = await refused(sdk, place, revision, "decline", elicitation=None)
    assert asked == 0
    if revision == "2026-07-28":
        assert (error.error.code, error.error.data) == (-32021, MISSING)
    else:
        data = {"outcome": "unavailable", "reason": "not_declared"}
        assert (error.error.code, error.error.data) == (NOT_ACCEPTED, data)

"""The table, played: one handler gives the same wherever it runs."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack
from functools import cache
from itertools import product
from typing import Any

import pytest

from elicitkit import Answerer
from elicitkit.answering.scripted import Scripted
from elicitkit.mcp import connect
from tests.mcp.playing import (
    Person,
    connected,
    in_memory,
    matches,
    on_http,
    on_stdio,
    played,
    serving,
)
from tests.mcp.servers.build import Sdk, build, lasting, lowlevel
from tests.mcp.table import (
    CARRIERS,
    LEFT_OUT,
    PAIRS,
    REVISIONS,
    ROWS,
    SDKS,
    Cell,
    Revision,
    every_cell,
    why_not,
)
from tests.mcp.wiretap import STOCK

CELLS = [cell for cell in every_cell() if why_not(cell) is None]
PLACES = list(product(SDKS, REVISIONS))


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    """FastMCP prints every failed tool with its traceback."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def urls() -> Generator[dict[Sdk, str]]:
    with ExitStack() as stack:
        yield {sdk: stack.enter_context(serving(build(sdk))) for sdk in SDKS}


@cache
def server_of(sdk: Sdk, ttl: float) -> Any:
    return build(sdk, request_state_security=lasting(ttl))


def loops(cell: Cell) -> tuple[str, ...]:
    return ("asyncio", "trio") if cell.sdk == "mcp" else ("asyncio",)  # FastMCP has no trio


IN_MEMORY = [
    pytest.param(cell, loop, id=f"{cell}-{loop}")
    for cell in CELLS
    if cell.carrier == "memory"
    for loop in loops(cell)
]


@pytest.mark.anyio
@pytest.mark.requirement("M42", "M62", "G05", "M71", "M72", "M11")
@pytest.mark.parametrize(("cell", "anyio_backend"), IN_MEMORY)
async def test_in_memory(cell: Cell, anyio_backend: str) -> None:
    person = Person(cell.row.answers)
    elicitation = STOCK if cell.row.declares else None
    transport = in_memory(server_of(cell.sdk, cell.row.ttl))
    async with connected(transport, cell.revision, person, elicitation=elicitation) as (client, _):
        got = await played(cell, client, person)
    assert matches(got, cell.row.expected(cell.revision)), got
    assert len(person.asked) == cell.row.asked(cell.revision)


SCRIPTED = [cell for cell in CELLS if cell.carrier == "memory" and cell.row.in_order is not None]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("cell", SCRIPTED, ids=str)
async def test_with_our_own_client(cell: Cell, anyio_backend: str) -> None:
    script = Scripted(cell.row.in_order or [])
    async with connect(
        lowlevel(server_of(cell.sdk, cell.row.ttl)),
        name="table",
        answerer=Answerer(script),
        protocol_version=cell.revision,
    ) as client:
        assert client.protocol_version == cell.revision
        got = await played(cell, client, Person({}))
    assert matches(got, cell.row.expected(cell.revision)), got
    assert len(script.asked) == cell.row.asked(cell.revision)
    assert script.errors == []


async def mismatches(cells: list[Cell], transport: Any, revision: Revision) -> dict[str, object]:
    """Play several cells on one connection, and keep what is not as the table says."""
    wrong: dict[str, object] = {}
    person = Person({})

    async def callback(context: Any, params: Any) -> Any:
        return await person(context, params)

    async with connected(transport, revision, callback) as (client, _):
        for cell in cells:
            person = Person(cell.row.answers)
            got = await played(cell, client, person)
            if not matches(got, cell.row.expected(revision)):
                wrong[str(cell)] = got
    return wrong


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize(("sdk", "revision"), PLACES)
async def test_on_stdio(sdk: Sdk, revision: Revision, anyio_backend: str) -> None:
    cells = [c for c in CELLS if (c.sdk, c.revision, c.carrier) == (sdk, revision, "stdio")]
    assert cells
    assert await mismatches(cells, on_stdio(sdk), revision) == {}


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize(("sdk", "revision"), PLACES)
async def test_on_http(
    sdk: Sdk, revision: Revision, urls: dict[Sdk, str], anyio_backend: str
) -> None:
    cells = [c for c in CELLS if (c.sdk, c.revision, c.carrier) == (sdk, revision, "http")]
    able = [cell for cell in cells if cell.row.declares]
    assert able
    assert await mismatches(able, on_http(urls[sdk]), revision) == {}
    for cell in cells:
        if not cell.row.declares:
            person = Person({})
            async with connected(on_http(urls[sdk]), revision, person, elicitation=None) as (
                client,
                _,
            ):
                got = await played(cell, client, person)
            assert matches(got, cell.row.expected(revision)), got
            assert person.asked == []


def test_the_cells_that_are_left_out_are_these_and_no_more() -> None:
    reasons = Counter(reason for cell in every_cell() if (reason := why_not(cell)))
    assert reasons == LEFT_OUT
    assert len(CELLS) + sum(LEFT_OUT.values()) == len(ROWS) * 2 * 3 * 3


def test_what_is_left_out_for_pairs_is_shown_in_pairs() -> None:
    rows = {cell.row.name for cell in every_cell() if why_not(cell) == PAIRS}
    for name in rows:
        cells = [cell for cell in CELLS if cell.row.name == name]
        seen = {(cell.carrier, cell.sdk) for cell in cells}
        carriers = CARRIERS if cells[0].row.declares else ("memory", "http")
        assert seen == set(product(carriers, SDKS))
    outside = [cell for cell in CELLS if cell.carrier != "memory"]
    for carrier in ("stdio", "http"):
        seen_ = {(cell.sdk, cell.revision) for cell in outside if cell.carrier == carrier}
        assert seen_ == set(product(SDKS, REVISIONS))

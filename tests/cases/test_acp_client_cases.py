"""Reports about the answering side and its screen, replayed against agents of ACP.

The tests are those of MCP: what a person sees and what their client sends is the same, and
whoever asks is an agent here. What only one protocol can meet has a test of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from elicitkit.core.dialects import Dialect
from tests.cases import test_client_cases, test_ui_cases
from tests.cases.replay import Case, load

pytestmark = pytest.mark.anyio
Replay = Callable[[Case, Dialect], Awaitable[None]]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"  # as the ACP SDK needs it


def shared() -> Iterator[Any]:
    """Each test of a report with the report on its ACP dialects."""
    for module in (test_client_cases, test_ui_cases):
        for test in vars(module).values():
            ids = {row.values[0].id for row in _rows(test)}
            for case in map(load, sorted(ids)):
                for dialect in case.dialects:
                    if dialect.protocol == "acp":
                        yield pytest.param(
                            case,
                            dialect,
                            test,
                            id=f"{case.id}-{dialect.name}",
                            marks=pytest.mark.case(case.id),
                        )


def _rows(test: Any) -> list[Any]:
    marks = getattr(test, "pytestmark", []) if callable(test) else []
    return [row for mark in marks if mark.name == "parametrize" for row in mark.args[1]]


@pytest.mark.parametrize(("case", "dialect", "replay"), [*shared()])
async def test_a_client_of_agents_does_the_same(
    case: Case, dialect: Dialect, replay: Replay, request: pytest.FixtureRequest
) -> None:
    needed = {"caplog"} & set(replay.__annotations__)
    await replay(case, dialect, **{name: request.getfixturevalue(name) for name in needed})

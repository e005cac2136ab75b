"""Connecting to real servers: every revision on every transport, and what can go wrong."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError

from elicitkit.answering import Answerer, Scripted
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Accept, FormRequest, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.mcp.client import connect
from tests.mcp import asking_server
from tests.mcp.desk import Desk
from tests.peers.serving import served

pytestmark = [
    pytest.mark.anyio,
    # On trio the SDK's HTTP transport leaves response iterators to the garbage collector.
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <async_generator:pytest.PytestUnraisableExceptionWarning"
    ),
]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tests.mcp.asking_server"]
REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
ANN = {"action": "accept", "content": {"name": "Ann"}}


@pytest.fixture(autouse=True)
def collected() -> Generator[None]:
    """What the SDK leaves behind is collected here, and not in some later test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with served("tests.mcp.asking_server:app") as base:
        yield f"{base}/mcp"


def options(transport: str, url: str) -> dict[str, Any]:
    return {
        "memory": {"target": asking_server.server},
        "stdio": {"target": COMMAND, "cwd": ROOT},
        "http": {"target": url},
    }[transport]


def text_of(result: Any) -> str:
    return "".join(block.text for block in result.content)


class Noting(Scripted):
    """Scripted, and keeps who asked."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        super().__init__(answers)
        self.origins: list[Origin] = []

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.origins.append(origin)
        return await super().fill(form, origin, turn)


@pytest.mark.parametrize("version", REVISIONS)
@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
@pytest.mark.requirement("M07", "M08")
async def test_a_question_is_answered_on_every_revision_and_transport(
    transport: str, version: str, url: str
) -> None:
    surface = Noting([ANN, {"action": "decline"}, {"action": "cancel"}])
    with anyio.fail_after(30):
        async with connect(
            name="mine",
            answerer=Answerer(surface),
            protocol_version=version,
            read_timeout=20,
            **options(transport, url),
        ) as client:
            assert isinstance(client, Client)
            assert client.protocol_version == version
            said = [text_of(await client.call_tool("greet")) for _ in range(3)]
    assert said == ["Hello Ann", "decline", "cancel"]
    assert [form.message for form in surface.asked] == [asking_server.MESSAGE] * 3
    assert surface.unused == 0
    assert {(one.label, one.request) for one in surface.origins} == {("mine", "greet")}


@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
async def test_the_newest_revision_both_speak_is_found(transport: str, url: str) -> None:
    with anyio.fail_after(30):
        async with connect(
            name="mine", answerer=Answerer.scripted([ANN]), **options(transport, url)
        ) as client:
            assert client.protocol_version == "2026-07-28"
            assert text_of(await client.call_tool("greet")) == "Hello Ann"


async def test_a_question_over_http_tells_which_of_two_calls_it_belongs_to(url: str) -> None:
    desk = Desk()
    with anyio.fail_after(30):
        async with (
            connect(
                url, name="mine", answerer=Answerer(desk), protocol_version="2025-11-25"
            ) as client,
            anyio.create_task_group() as tasks,
        ):
            for tool in ("greet", "welcome"):
                tasks.start_soon(client.call_tool, tool)
            for number in (1, 2):
                while len(desk.seen) < number:
                    await anyio.wait_all_tasks_blocked()
                desk.answer(Accept({"name": "Ann"}))
    assert {origin.request for _, origin in desk.seen} == {"greet", "welcome"}


@pytest.mark.parametrize("version", REVISIONS)
async def test_a_server_that_dies_ends_the_call(version: str) -> None:
    with anyio.fail_after(30):
        async with connect(
            COMMAND,
            cwd=ROOT,
            name="mine",
            answerer=Answerer.scripted([]),
            protocol_version=version,
        ) as client:
            with pytest.raises(MCPError, match="Connection closed"):
                await client.call_tool("die")


async def test_an_error_of_the_block_leaves_as_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        async with connect(asking_server.server, name="mine", answerer=Answerer.scripted([])):
            raise ZeroDivisionError


async def test_a_group_of_errors_of_the_block_stays_the_group_it_was() -> None:
    group = ExceptionGroup("of the block", [ValueError()])
    with pytest.raises(ExceptionGroup) as caught:
        async with connect(asking_server.server, name="mine", answerer=Answerer.scripted([])):
            raise group
    assert caught.value is group


async def test_a_server_that_cannot_be_reached_fails_with_one_error_not_with_a_group() -> None:
    with pytest.raises(httpx2.ConnectError):
        async with connect("http://127.0.0.1:9/mcp", name="mine", answerer=Answerer.scripted([])):
            raise AssertionError("nobody serves the discard port")


async def test_a_program_that_cannot_be_started_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        async with connect(["/no/such/program"], name="mine", answerer=Answerer.scripted([])):
            raise AssertionError("there is no such program")


async def test_an_http_client_of_ones_own_is_used(url: str) -> None:
    seen: list[str] = []

    async def note(request: httpx2.Request) -> None:
        seen.append(request.headers["x-mine"])

    async with (
        httpx2.AsyncClient(headers={"x-mine": "1"}, event_hooks={"request": [note]}) as http,
        connect(url, name="mine", answerer=Answerer.scripted([]), http_client=http) as client,
    ):
        await client.list_tools()
    assert set(seen) == {"1"}


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"target": []}, "the command is empty"),
        ({"target": "http://127.0.0.1:9/", "cwd": "/"}, "env and cwd are for a command"),
        ({"target": "http://127.0.0.1:9/", "env": {}}, "env and cwd are for a command"),
        ({"target": ["x"], "http_client": httpx2.AsyncClient()}, "http_client is for a URL"),
        ({"target": ["x"], "mode": "legacy", "protocol_version": "2025-06-18"}, "not both"),
    ],
)
async def test_options_that_contradict_each_other_are_refused(
    wrong: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        async with connect(name="mine", answerer=Answerer.scripted([]), **wrong):
            raise AssertionError("this must not connect")


async def test_errors_that_came_together_stay_together() -> None:
    @asynccontextmanager
    async def broken() -> AsyncGenerator[Any]:
        raise ExceptionGroup("both", [OSError(), ValueError()])
        yield

    with pytest.raises(ExceptionGroup) as caught:
        async with connect(broken(), name="mine", answerer=Answerer.scripted([])):
            raise AssertionError("this must not connect")
    assert [type(error) for error in caught.value.exceptions] == [OSError, ValueError]

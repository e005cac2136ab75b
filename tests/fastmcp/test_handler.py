"""The answerer as a handler of FastMCP's client."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from fastmcp import Client
from fastmcp.client.transports import ClientTransport
from mcp.client.session import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestURLParams, ElicitResult, ErrorData

from elicitkit.answering import Answerer, Scripted
from elicitkit.fastmcp import elicitation_handler
from tests.mcp import asking_server
from tests.mcp.desk import Desk
from tests.peers.serving import served

pytestmark = pytest.mark.anyio

ANN = {"action": "accept", "content": {"name": "Ann"}}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """FastMCP knows no other event loop."""
    return "asyncio"


class Session:
    protocol_version = "2025-11-25"
    server_info = None


def callback_of(answerer: Answerer) -> Any:
    """What FastMCP makes of the handler, as its session calls it."""
    client: Client[ClientTransport] = Client(
        "http://127.0.0.1:9", elicitation_handler=elicitation_handler(answerer, name="mine")
    )
    return client._session_kwargs["elicitation_callback"]


async def answer_to(answerer: Answerer, schema: dict[str, Any]) -> Any:
    session: Any = Session()
    context = ClientRequestContext(session=session, request_id=1)
    params = ElicitRequestFormParams(message="m", requested_schema=schema)
    return await callback_of(answerer)(context, params)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize(
    ("scripted", "said"),
    [(ANN, "Hello Ann"), ({"action": "decline"}, "decline"), ({"action": "cancel"}, "cancel")],
)
async def test_a_client_with_the_handler_answers_a_real_server(
    mode: str, scripted: dict[str, Any], said: str, url: str
) -> None:
    surface = Scripted([scripted])
    handler = elicitation_handler(Answerer(surface), name="mine")
    with anyio.fail_after(20):
        async with Client(url, mode=mode, elicitation_handler=handler) as client:
            result = await client.call_tool("greet")
    assert result.content[0].text == said
    assert [form.message for form in surface.asked] == [asking_server.MESSAGE]


@pytest.fixture(scope="module")
def url() -> Any:
    with served("tests.mcp.asking_server:app") as base:
        yield f"{base}/mcp"


@pytest.mark.requirement("M61")
async def test_content_that_does_not_fit_is_never_sent() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 2}}}
    assert await answer_to(Answerer.scripted([ANN]), schema) == ElicitResult(action="cancel")


@pytest.mark.ux("UX16")
async def test_the_pattern_of_a_server_is_not_run_again_by_an_engine_that_backtracks() -> None:
    slow = "a" * 60 + "b"
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "pattern": "^(a+)+$|b$"}},
    }
    answerer = Answerer.scripted([{"action": "accept", "content": {"name": slow}}])
    with interrupted_after(5):
        answer = await answer_to(answerer, schema)
    assert answer == ElicitResult(action="accept", content={"name": slow})


@contextmanager
def interrupted_after(seconds: int) -> Generator[None]:
    """A pattern that runs away lets no task run, but it does look for signals."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


async def test_a_question_of_a_mode_that_cannot_be_shown_is_an_error() -> None:
    desk = Desk()
    session: Any = Session()
    context = ClientRequestContext(session=session, request_id=1)
    params = ElicitRequestURLParams(message="m", url="https://x.example", elicitation_id="1")
    answer = await callback_of(Answerer(desk))(context, params)
    assert isinstance(answer, ErrorData)
    # FastMCP has one code for every error of a handler: -32602 cannot be said.
    assert (answer.code, answer.message) == (
        -32603,
        "url mode was not declared; supported: form",
    )
    assert desk.seen == []


async def test_a_url_in_a_round_is_a_cancel_since_an_error_would_end_the_call() -> None:
    class Modern(Session):
        protocol_version = "2026-07-28"

    session: Any = Modern()
    context = ClientRequestContext(session=session, request_id="k")
    params = ElicitRequestURLParams(message="m", url="https://x.example")
    assert await callback_of(Answerer(Desk()))(context, params) == ElicitResult(action="cancel")

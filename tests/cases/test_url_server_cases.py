"""Reports about pages on the asking side, replayed against real servers and agents."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import anyio
import pytest

from elicitkit import Ask, Page
from elicitkit.core.dialects import Dialect
from tests.cases.raw_client import RawClient, Wire, raw_client
from tests.cases.replay import Case, load, replays
from tests.mcp.playing import called
from tests.mcp.servers.build import Sdk, lowlevel
from tests.mcp.servers.visiting import PAGES, Visiting, visiting
from tests.mcp.table import Done
from tests.mcp.virtual_time import backends
from tests.mcp.visitor import COMPLETE, Visitor, met

pytestmark = pytest.mark.anyio
URLS: Wire = {"elicitation": {"form": {}, "url": {}}}
CODE = -32042


def mcp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their MCP dialects."""
    return replays(map(load, ids), protocol="mcp")


@pytest.fixture(params=[("mcp", "asyncio"), ("mcp", "trio"), ("fastmcp", "asyncio")], ids="-".join)
def stage(request: pytest.FixtureRequest) -> tuple[Sdk, str]:
    """An SDK and an event loop that it runs on."""
    return request.param


@pytest.fixture
def sdk(stage: tuple[Sdk, str]) -> Sdk:
    return stage[0]


@pytest.fixture
def anyio_backend(stage: tuple[Sdk, str]) -> str:
    return stage[1]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def listed(message: Wire) -> list[Wire]:
    """The pages of an error that lists them."""
    assert message["error"]["code"] == CODE
    return message["error"]["data"]["elicitations"]


async def consented(client: RawClient, tool: str) -> tuple[str, Wire]:
    """Call a tool and consent to its page: the id, and what comes next."""
    question = await client.request(tool, {})
    elicitation_id = question["params"]["elicitationId"]
    return elicitation_id, await client.answer(question, {"": {"action": "accept"}}, tool, {})


# The error that lists pages.


@pytest.mark.requirement("M28", "M29", "M30")
@mcp("124-url-required-on-resource-read")
async def test_a_resource_may_need_pages_as_well(case: Case, dialect: Dialect, sdk: Sdk) -> None:
    served = visiting(sdk)
    async with raw_client(lowlevel(served.server), dialect, URLS) as client:
        message = await client.ask_for("resources/read", {"uri": "rates://Rome"})
    assert message["error"]["code"] == case.expect["wire_error_code"]
    assert [(one["mode"], one["url"]) for one in listed(message)] == [
        ("url", page.url) for page in PAGES
    ]
    assert all(one["elicitationId"] for one in listed(message))


@pytest.mark.requirement("M27")
@mcp("125-url-required-empty-list")
async def test_a_list_without_a_page_is_no_error_to_send(
    case: Case, dialect: Dialect, sdk: Sdk
) -> None:
    """Ours: nobody constructs the error; a call that needs no page just goes on."""
    assert case.expect["error"] == "at construction"
    served = visiting(sdk)

    async def go_on(ask: Ask) -> str:
        return f"ready {await ask.require(*[Page(**one) for one in case.given['elicitations']])}"

    served.server.tool()(served.asks(go_on))
    async with raw_client(lowlevel(served.server), dialect, URLS) as client:
        message = await client.request("go_on", {})
    assert message["result"]["content"][0]["text"] == "ready ()"


@pytest.mark.requirement("M31", "G02")
@mcp("130-url-required-on-2026-07-28")
async def test_where_the_error_is_gone_the_pages_are_asked_for_in_a_round(
    case: Case, dialect: Dialect, sdk: Sdk
) -> None:
    served = visiting(sdk)
    async with raw_client(lowlevel(served.server), dialect, URLS) as client:
        messages = [
            await client.request("needs", {}),
            await client.ask_for("resources/read", {"uri": "rates://Rome"}),
            await client.ask_for("prompts/get", {"name": "guide", "arguments": {"city": "Rome"}}),
        ]
    assert case.expect["wire"] == "InputRequiredResult with url request"
    for message in messages:
        assert message["result"]["resultType"] == "input_required"
        asked = message["result"]["inputRequests"].values()
        assert [one["params"]["mode"] for one in asked] == ["url"] * len(PAGES)
        assert str(case.expect["never_wire_code"]) not in str(message)


# Completion.


@pytest.mark.requirement("M22", "M23")
@mcp("139-complete-only-to-originator")
async def test_the_end_is_told_to_whoever_asked_and_before_the_result(
    case: Case, dialect: Dialect, sdk: Sdk
) -> None:
    served = visiting(sdk)
    async with (
        raw_client(lowlevel(served.server), dialect, URLS) as asker,
        raw_client(lowlevel(served.server), dialect, URLS) as idle,
    ):
        heard: dict[str, list[Wire]] = {"X": [], "Y": []}
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_finish, served)
            id_, first = await consented(asker, "connect")
        heard["X"] += [first, await asker.receive()]
        heard["Y"].append(await idle.ask_for("tools/list", {}))
    methods = {name: [one.get("method") for one in said] for name, said in heard.items()}
    assert [name for name, said in methods.items() if COMPLETE in said] == case.expect["notified"]
    assert (methods["X"] == [COMPLETE, None]) is case.expect["delivered_before_result"]
    assert first["params"] == {"elicitationId": id_}


async def _finish(served: Visiting) -> None:
    """Whoever serves the page says that it is over."""
    while not served.visits:
        await anyio.lowlevel.checkpoint()
    assert await served.asks.complete(served.visits[0].elicitation_id)


# Consent.


@pytest.mark.requirement("M33")
@mcp("076-url-accept-with-content")
async def test_consent_to_a_page_brings_nothing_with_it(
    case: Case, dialect: Dialect, sdk: Sdk, caplog: pytest.LogCaptureFixture
) -> None:
    logging.disable(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    served = visiting(sdk)
    async with raw_client(lowlevel(served.server), dialect, URLS) as client:
        message = await client.call("consent", [case.given["response"]])
    assert message["result"]["content"][0]["text"] == case.expect["outcome"]
    token = case.given["response"]["content"]["token"]
    assert (token in str(message)) is not case.expect["content_ignored"]
    ours = "".join(one.getMessage() for one in caplog.records if one.name.startswith("elicitkit"))
    assert (token in ours) is case.expect["content_logged"]


# What a URL may not hold.


@pytest.mark.requirement("M49")
@mcp("172-url-carries-secret-or-pii")
async def test_a_url_with_a_secret_or_personal_data_never_leaves(
    case: Case, dialect: Dialect, sdk: Sdk
) -> None:
    served = visiting(sdk)

    async def visit(ask: Ask) -> str:
        await ask.visit("Why?", case.given["url"])
        return "sent"

    served.server.tool()(served.asks(visit))
    async with raw_client(lowlevel(served.server), dialect, URLS) as client:
        message = await client.call("visit")
    assert client.questions == []
    text = message["result"]["content"][0]["text"]
    assert all(code in text for code in case.expect["error_or_warning"])
    assert case.given["url"] not in text


# Time.


class TestWithVirtualTime:
    @pytest.fixture(params=["mcp", "fastmcp"])
    def sdk(self, request: pytest.FixtureRequest) -> Sdk:
        return request.param

    @pytest.fixture
    def anyio_backend(self) -> tuple[str, dict[str, Any]]:
        return backends()[0]  # FastMCP runs on asyncio only

    @pytest.mark.requirement("G04")
    @mcp("182-state-only-while-url-pending")
    async def test_a_stock_client_has_its_result_after_two_minutes_on_the_page(
        self, case: Case, dialect: Dialect, sdk: Sdk
    ) -> None:
        """Its own limits are ten rounds, and two seconds of waiting if those only carry state."""
        assert "120 s" in case.given["flow"]
        served, person = visiting(sdk), Visitor()
        async with met(served, dialect.revision, person, patience=3600) as (client, tap):
            got: list[object] = []
            began = anyio.current_time()
            async with anyio.create_task_group() as tasks:

                async def call() -> None:
                    got.append(await called(client, "connect", {}))

                tasks.start_soon(call)
                await anyio.sleep(120)
                assert got == []
                assert await served.visits[0].complete()
            assert anyio.current_time() - began == pytest.approx(120, abs=1)
        assert case.expect["final"] == "result"
        assert got == [Done("connected")]
        assert all(one["inputRequests"] for one in tap.results("input_required"))

"""Pages that must be visited before a call can go on, on the wire."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from tests.mcp.playing import called
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.visiting import visiting
from tests.mcp.table import SDKS, Done, Failed, Refused
from tests.mcp.visitor import Visitor, codes, completions, met

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
    pytest.mark.parametrize("sdk", SDKS),
]


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class TestRequired:
    async def listed(self, client: Client, place: str) -> Any:
        """What came of something that needs three pages, from a tool, a prompt or a resource."""
        if place == "tool":
            return await called(client, "needs", {})
        try:
            if place == "prompt":
                result = await client.get_prompt("guide", {"city": "Rome"})
                return Done(result.messages[0].content.text.removeprefix("Rome "))
            read = await client.read_resource("rates://Rome")
            return Done(read.contents[0].text.removeprefix("Rome "))
        except Exception as error:
            return Refused(error.error.code, error.error.data)

    @pytest.mark.requirement("M28", "M29", "M30", "M23")
    @pytest.mark.case("124-url-required-on-resource-read")
    @pytest.mark.parametrize("place", ["tool", "prompt", "resource"])
    async def test_the_call_ends_with_every_page_and_goes_on_when_they_are_done(
        self, sdk: Sdk, place: str, anyio_backend: str
    ) -> None:
        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, tap):
            got = await self.listed(client, place)
            assert isinstance(got, Refused)
            assert got.code == -32042
            entries = (got.data or {})["elicitations"]
            ids = [one["elicitationId"] for one in entries]
            assert len(set(ids)) == 3
            assert got.data == {
                "elicitations": [
                    {
                        "mode": "url",
                        "message": f"Sign in to {name}",
                        "url": f"https://{name}.example/in",
                        "elicitationId": id,
                    }
                    for name, id in zip("abc", ids, strict=True)
                ]
            }
            for id in ids[:2]:
                assert await served.asks.complete(id)
            left = await self.listed(client, place)
            assert [one["elicitationId"] for one in left.data["elicitations"]] == ids[2:]
            assert await served.asks.complete(ids[2])
            assert await self.listed(client, place) == Done("ready")
            again = await self.listed(client, place)
            assert again.code == -32042
            assert not {one["elicitationId"] for one in again.data["elicitations"]} & set(ids)
        assert tap.questions() == []
        assert [one["params"]["elicitationId"] for one in completions(tap)] == ids

    @pytest.mark.requirement("M27")
    async def test_without_pages_there_is_no_error(self, sdk: Sdk, anyio_backend: str) -> None:
        async with met(visiting(sdk), "2025-11-25", Visitor()) as (client, tap):
            assert await called(client, "needs_nothing", {}) == Done("ready ()")
        assert codes(tap) == []

    async def test_another_call_is_another_matter(self, sdk: Sdk, anyio_backend: str) -> None:
        """Ours: what was done for one call lets only the same call through."""
        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, _):
            got = await self.listed(client, "prompt")
            for one in got.data["elicitations"]:
                assert await served.asks.complete(one["elicitationId"])
            with pytest.raises(Exception, match="pages to be visited"):
                await client.get_prompt("guide", {"city": "Oslo"})
            assert await self.listed(client, "prompt") == Done("ready")

    async def test_the_same_call_is_known_by_what_it_asks_for(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        """Ours: what comes with a call beside its arguments may be new in every retry."""

        async def progress(done: float, total: float | None, message: str | None) -> None: ...

        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, _):
            got = await self.listed(client, "tool")
            for one in got.data["elicitations"]:
                assert await served.asks.complete(one["elicitationId"])
            result = await client.call_tool("needs", {}, progress_callback=progress)
        assert result.content[0].text == "ready"

    async def test_so_many_calls_can_be_waited_for(
        self, sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ours: a client cannot make the server remember without end."""
        monkeypatch.setattr("elicitkit.mcp.visits.PER_OWNER", 4)
        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, _):
            for city in ("a", "b", "c"):
                with pytest.raises(Exception, match="pages to be visited"):
                    await client.get_prompt("guide", {"city": city})
            (line,) = served.asks._visits._lines.values()
            assert len(line.listed) == 4

    async def test_whoever_swallows_it_loses_the_result(self, sdk: Sdk, anyio_backend: str) -> None:
        async with met(visiting(sdk), "2025-11-25", Visitor()) as (client, tap):
            got = await called(client, "needs_swallowed", {})
        assert isinstance(got, Failed)
        assert "its result was thrown away" in got.text
        assert codes(tap) == []

    @pytest.mark.requirement("M31")
    @pytest.mark.case("130-url-required-on-2026-07-28")
    async def test_nothing_of_it_exists_on_2026_07_28(self, sdk: Sdk, anyio_backend: str) -> None:
        served = visiting(sdk)

        async def at_once(params: types.ElicitRequestURLParams) -> None:
            for one in list(served.asks._visits._outstanding._by_id):
                await served.asks.complete(one)

        async with met(served, "2026-07-28", Visitor(first=at_once)) as (client, tap):
            assert await called(client, "needs", {}) == Done("ready")
            assert await called(client, "connect", {}) == Done("connected")
            got = await called(client, "needs_swallowed", {})
            assert isinstance(got, Failed)
            for tool in ("careless", "needs_nothing", "swallowed", "unsafe", "outcome"):
                await called(client, tool, {})
        (first, *_) = tap.results("input_required")
        urls = [one["params"]["url"] for one in first["inputRequests"].values()]
        assert urls == [f"https://{name}.example/in" for name in "abc"]
        assert codes(tap) == []
        assert not any(code in str(tap.received) for code in ("-32042", "-32002", "elicitationId"))

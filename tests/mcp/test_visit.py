"""Pages to visit on the wire: what goes out, who is told of the end, and what never goes out."""

from __future__ import annotations

import logging
import sys
from collections.abc import Generator
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.mcp.playing import ROOT, called, connected
from tests.mcp.servers.build import Sdk
from tests.mcp.servers.visiting import MESSAGE, visiting
from tests.mcp.table import REVISIONS, SDKS, Done, Failed, Refused, Revision
from tests.mcp.visitor import MISSING, Visitor, codes, completions, met, until

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


class TestAsked:
    @pytest.mark.requirement("M17", "G32")
    async def test_a_live_visit_in_full(self, sdk: Sdk, anyio_backend: str) -> None:
        served, person = visiting(sdk), Visitor()
        async with met(served, "2025-11-25", person) as (client, tap):
            assert await called(client, "consent", {}) == Done("consented")
        (question,) = tap.questions()
        assert question["params"] == {
            "mode": "url",
            "message": MESSAGE,
            "url": f"https://id.example/connect/{person.id}",
            "elicitationId": person.id,
        }
        assert served.visits[0].elicitation_id == person.id

    @pytest.mark.requirement("M18", "M31")
    async def test_a_visit_in_a_round_in_full(self, sdk: Sdk, anyio_backend: str) -> None:
        served, person = visiting(sdk), Visitor()
        async with met(served, "2026-07-28", person) as (client, tap):
            assert await called(client, "consent", {}) == Done("consented")
        (asked,) = tap.results("input_required")
        (question,) = asked["inputRequests"].values()
        url = served.visits[0].url
        assert question == {
            "method": "elicitation/create",
            "params": {"mode": "url", "message": MESSAGE, "url": url},
        }
        assert url == f"https://id.example/connect/{served.visits[0].elicitation_id}"
        assert tap.requests_from_server() == []

    @pytest.mark.requirement("M21", "G32")
    @pytest.mark.case("140-elicitation-id-unique")
    async def test_no_id_is_used_twice_by_a_server_or_its_successor(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        ids: list[str] = []
        for _ in range(2):
            served = visiting(sdk)
            for _ in range(2):
                person = Visitor()
                async with met(served, "2025-11-25", person) as (client, _):
                    for _ in range(10):
                        await client.call_tool("consent")
                ids += [one.elicitation_id or "" for one in person.asked]
        assert len(set(ids)) == len(ids) == 40
        assert all(len(one) == 40 for one in ids)

    @pytest.mark.requirement("M42")
    @pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
    @pytest.mark.parametrize(
        ("action", "told"),
        [
            ("accept", "accepted"),
            ("decline", "url declined"),
            ("cancel", "url cancelled dismissed"),
        ],
    )
    async def test_each_answer_is_what_it_is(
        self, sdk: Sdk, revision: Revision, action: str, told: str, anyio_backend: str
    ) -> None:
        async with met(visiting(sdk), revision, Visitor(action)) as (client, tap):
            assert await called(client, "outcome", {}) == Done(told)
        assert completions(tap) == []

    @pytest.mark.requirement("M42", "G16")
    async def test_a_person_who_does_not_decide_has_not(self, sdk: Sdk, anyio_backend: str) -> None:
        served, person = visiting(sdk), Visitor("never")
        async with met(served, "2025-11-25", person) as (client, tap):
            assert await called(client, "outcome", {}) == Done("url cancelled timed_out")
            assert await served.asks.complete(person.id) is False
        assert completions(tap) == []

    @pytest.mark.requirement("M42")
    @pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
    async def test_a_refusal_that_leaves_the_tool_is_no_success(
        self, sdk: Sdk, revision: Revision, anyio_backend: str
    ) -> None:
        async with met(visiting(sdk), revision, Visitor("decline")) as (client, _):
            got = await called(client, "connect", {})
        assert got == Failed(f"Not done: the question {MESSAGE!r} was declined.")

    @pytest.mark.requirement("M49")
    @pytest.mark.parametrize("revision", REVISIONS)
    async def test_a_url_with_a_secret_never_leaves(
        self, sdk: Sdk, revision: Revision, anyio_backend: str
    ) -> None:
        async with met(visiting(sdk), revision, Visitor()) as (client, tap):
            got = await called(client, "unsafe", {})
        assert isinstance(got, Failed)
        assert "(credential)" in got.text
        assert "hunter2" not in str(tap.received)


class TestNotAsked:
    @pytest.mark.requirement("A34", "M72")
    @pytest.mark.case("086-server-does-not-send-undeclared")
    @pytest.mark.parametrize("declared", [None, {}, {"form": {}}, {"video": {}}], ids=str)
    @pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
    async def test_only_who_declared_url_mode_is_sent_anywhere(
        self, sdk: Sdk, revision: Revision, declared: Any, anyio_backend: str
    ) -> None:
        served = visiting(sdk)
        async with met(served, revision, Visitor(), elicitation=declared) as (client, tap):
            assert await called(client, "outcome", {}) == Done("url unavailable not_declared")
            for tool in ("connect", "needs"):
                got = await called(client, tool, {})
                if revision == "2026-07-28":
                    assert got == Refused(-32021, MISSING)
                else:
                    assert isinstance(got, Failed)
                    assert "was unavailable (not_declared)" in got.text
        assert tap.questions() == tap.results("input_required") == []
        assert -32042 not in codes(tap)

    @pytest.mark.requirement("M72")
    async def test_from_a_prompt_the_missing_mode_is_named_too(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        served = visiting(sdk)
        async with met(served, "2026-07-28", Visitor(), elicitation={"form": {}}) as (client, tap):
            with pytest.raises(Exception, match="needs a client that can be asked"):
                await client.get_prompt("guide", {"city": "Rome"})
        (error,) = [one["error"] for one in tap.received if "error" in one]
        assert (error["code"], error["data"]) == (-32021, MISSING)

    @pytest.mark.requirement("G31")
    @pytest.mark.case("142-url-data")
    async def test_2025_06_18_has_no_pages_and_no_form_in_their_place(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        declared = {"form": {}, "url": {}}
        async with met(visiting(sdk), "2025-06-18", Visitor(), elicitation=declared) as (
            client,
            tap,
        ):
            assert await called(client, "outcome", {}) == Done("url unavailable not_in_dialect")
            for tool in ("connect", "needs"):
                got = await called(client, tool, {})
                assert isinstance(got, Failed)
                assert "was unavailable (not_in_dialect)" in got.text
        assert tap.requests_from_server() == completions(tap) == codes(tap) == []

    @pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
    async def test_an_override_takes_url_mode_away(
        self, sdk: Sdk, revision: Revision, anyio_backend: str
    ) -> None:
        served = visiting(sdk, asks={"clients": {"says but does not": {"form"}}})
        info = types.Implementation(name="says but does not", version="1")
        async with met(served, revision, Visitor(), client_info=info) as (client, tap):
            assert await called(client, "outcome", {}) == Done("url unavailable not_declared")
            assert not isinstance(await called(client, "needs", {}), Done)
        assert -32042 not in codes(tap)
        assert tap.questions() == tap.results("input_required") == []


class TestCompletion:
    @pytest.mark.requirement("M23", "G33")
    @pytest.mark.case("133-accept-at-consent")
    async def test_after_consent_it_is_told_before_the_result(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        served, person = visiting(sdk), Visitor()
        got: list[object] = []
        async with met(served, "2025-11-25", person) as (client, tap):

            async def call() -> None:
                got.append(await called(client, "connect", {}))

            async with anyio.create_task_group() as group:
                group.start_soon(call)
                await until(lambda: served.visits)
                answers = [one for one in tap.sent if one.get("result") == {"action": "accept"}]
                assert len(answers) == 1
                assert completions(tap) == []
                assert await served.asks.complete(person.id) is True
                assert await served.asks.complete(person.id) is False
                assert await served.visits[0].complete() is False
        assert got == [Done("connected")]
        at = [tap.received.index(one) for one in (*tap.questions(), *completions(tap))]
        assert at == sorted(at)
        assert [one["params"] for one in completions(tap)] == [{"elicitationId": person.id}]
        results = [one for one in tap.received if "connected" in str(one.get("result"))]
        assert tap.received.index(completions(tap)[0]) < tap.received.index(results[0])

    @pytest.mark.requirement("M23", "G33")
    @pytest.mark.case("136-complete-before-accept")
    async def test_before_consent_it_is_told_as_well(self, sdk: Sdk, anyio_backend: str) -> None:
        served = visiting(sdk)

        async def at_once(params: types.ElicitRequestURLParams) -> None:
            assert await served.asks.complete(params.elicitation_id or "") is True
            await until(lambda: completions(tap))

        person = Visitor(first=at_once)
        async with met(served, "2025-11-25", person) as (client, tap):
            assert await called(client, "connect", {}) == Done("connected")
        assert [one["params"] for one in completions(tap)] == [{"elicitationId": person.id}]

    async def test_a_page_that_nobody_finishes(self, sdk: Sdk, anyio_backend: str) -> None:
        served, person = visiting(sdk), Visitor()
        async with met(served, "2025-11-25", person) as (client, tap):
            assert await called(client, "impatient", {}) == Done("cancelled timed_out")
            assert completions(tap) == []
            assert await served.visits[0].complete() is True
            await until(lambda: completions(tap))
        assert len(completions(tap)) == 1

    @pytest.mark.requirement("G33")
    @pytest.mark.parametrize("action", ["decline", "cancel"])
    async def test_there_is_none_after_a_refusal(
        self, sdk: Sdk, action: str, anyio_backend: str
    ) -> None:
        served, person = visiting(sdk), Visitor(action)
        async with met(served, "2025-11-25", person) as (client, tap):
            await called(client, "consent", {})
            assert await served.asks.complete(person.id) is False
            await client.list_tools(cache_mode="bypass")
        assert completions(tap) == []

    @pytest.mark.requirement("M22")
    @pytest.mark.case("139-complete-only-to-originator")
    async def test_of_two_clients_the_one_that_asked_is_told(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        served, hers, his = visiting(sdk), Visitor(), Visitor()
        async with (
            met(served, "2025-11-25", hers) as (her_client, her_tap),
            met(served, "2025-11-25", his) as (his_client, his_tap),
        ):
            assert await called(her_client, "consent", {}) == Done("consented")
            assert await called(his_client, "consent", {}) == Done("consented")
            # Even when it is he who says so.
            got = await called(his_client, "finish", {"elicitation_id": hers.id})
            assert isinstance(got, Done)
            assert got.text.lower() == "true"
            await until(lambda: completions(her_tap))
            await his_client.list_tools(cache_mode="bypass")
        assert [one["params"] for one in completions(her_tap)] == [{"elicitationId": hers.id}]
        assert completions(his_tap) == []

    @pytest.mark.requirement("G15")
    async def test_a_client_that_is_gone_is_told_nothing_and_forgotten(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        served, person = visiting(sdk), Visitor()
        async with met(served, "2025-11-25", person) as (client, tap):
            await called(client, "consent", {})
            assert len(served.asks._visits._outstanding) == 1
        with anyio.fail_after(5):
            await until(lambda: len(served.asks._visits._outstanding) == 0)
        assert await served.asks.complete(person.id) is False
        assert await served.visits[0].complete() is False
        assert completions(tap) == []

    @pytest.mark.requirement("G15")
    async def test_nor_is_it_told_by_a_visit_that_there_was_no_more_room_for(
        self, sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("elicitkit.asking.outstanding.PER_OWNER", 1)
        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, tap):
            for _ in range(3):
                await called(client, "consent", {})
            first, second, _ = served.visits
            assert await served.asks.complete(first.elicitation_id) is False
            assert await first.complete() is True
        assert await second.complete() is False
        assert [one["params"]["elicitationId"] for one in completions(tap)] == [
            first.elicitation_id
        ]

    @pytest.mark.requirement("M42")
    async def test_a_stream_that_closes_in_that_moment_tells_nobody(
        self, sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def closed(*_: object, **__: object) -> None:
            raise anyio.ClosedResourceError

        served, person = visiting(sdk), Visitor()
        monkeypatch.setattr("mcp.server.session.ServerSession.send_elicit_complete", closed)
        async with met(served, "2025-11-25", person) as (client, _):
            await called(client, "consent", {})
            assert await served.asks.complete(person.id) is False

    @pytest.mark.requirement("M43")
    async def test_nor_is_a_connection_that_another_principal_took_over(
        self, sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        speaks = "ann"
        monkeypatch.setattr("elicitkit.mcp.server.authenticated_principal", lambda _: speaks)
        served, person = visiting(sdk), Visitor()
        async with met(served, "2025-11-25", person) as (client, tap):
            await called(client, "consent", {})
            speaks = "bob"
            await called(client, "needs_nothing", {})
            assert await served.asks.complete(person.id) is False
            assert await served.visits[0].complete() is False
            await client.list_tools(cache_mode="bypass")
            assert completions(tap) == []
            speaks = "ann"
            await called(client, "needs_nothing", {})
            assert await served.asks.complete(person.id) is True
            await until(lambda: completions(tap))

    @pytest.mark.requirement("M43")
    async def test_what_one_principal_must_visit_is_not_done_for_another(
        self, sdk: Sdk, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        speaks = "ann"
        monkeypatch.setattr("elicitkit.mcp.server.authenticated_principal", lambda _: speaks)
        served = visiting(sdk)
        async with met(served, "2025-11-25", Visitor()) as (client, _):
            hers = await called(client, "needs", {})
            assert isinstance(hers, Refused)
            for one in (hers.data or {})["elicitations"]:
                assert await served.asks.complete(one["elicitationId"])
            speaks = "bob"
            his = await called(client, "needs", {})
            assert isinstance(his, Refused)
            ids = [
                {one["elicitationId"] for one in (got.data or {})["elicitations"]}
                for got in (hers, his)
            ]
            assert ids[0].isdisjoint(ids[1])
            speaks = "ann"
            assert await called(client, "needs", {}) == Done("ready")

    @pytest.mark.requirement("M31")
    async def test_2026_07_28_is_told_nothing(self, sdk: Sdk, anyio_backend: str) -> None:
        served = visiting(sdk)
        async with met(served, "2026-07-28", Visitor()) as (client, tap):
            await called(client, "consent", {})
            assert await served.asks.complete(served.visits[0].elicitation_id) is True
            assert await served.asks.complete(served.visits[0].elicitation_id) is False
            await client.list_tools(cache_mode="bypass")
        assert completions(tap) == []

    async def test_an_unknown_id_completes_nothing(self, sdk: Sdk, anyio_backend: str) -> None:
        assert await visiting(sdk).asks.complete("unknown") is False

    @pytest.mark.requirement("M22", "M23")
    async def test_over_stdio(self, sdk: Sdk, anyio_backend: str) -> None:
        program = ["-m", "tests.mcp.servers.visiting", sdk]
        transport = stdio_client(
            StdioServerParameters(command=sys.executable, args=program, cwd=ROOT)
        )
        person = Visitor()
        got: list[object] = []
        async with connected(transport, "2025-11-25", person) as (client, tap):

            async def call() -> None:
                got.append(await called(client, "connect", {}))

            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    group.start_soon(call)
                    await person.met.wait()
                    await called(client, "finish", {"elicitation_id": person.id})
        assert got == [Done("connected")]
        assert [one["params"] for one in completions(tap)] == [{"elicitationId": person.id}]


class TestCaught:
    @pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
    async def test_except_exception_does_not_see_what_ends_a_round(
        self, sdk: Sdk, revision: Revision, anyio_backend: str
    ) -> None:
        async with met(visiting(sdk), revision, Visitor()) as (client, _):
            assert await called(client, "careless", {}) == Done("connected")

    async def test_whoever_catches_more_loses_the_result(
        self, sdk: Sdk, anyio_backend: str
    ) -> None:
        async with met(visiting(sdk), "2026-07-28", Visitor()) as (client, _):
            got = await called(client, "swallowed", {})
        assert isinstance(got, Failed)
        assert "its result was thrown away" in got.text

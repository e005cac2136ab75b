"""Reports about the asking side, replayed against real agents of ACP; v2 in both readings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from typing import Any

import anyio
import pytest

from elicitkit import Ask, NotAccepted
from elicitkit.acp import Asks
from elicitkit.core.dialects import ACP_V1, Dialect
from tests.acp.asked_client import BOTH, Wire, accept, asked, saying
from tests.acp.tool_agent import Version
from tests.cases.replay import Case, load, replays
from tests.cases.test_server_cases import TRIES, outcome_of
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio
NAME: Wire = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"  # as the ACP SDK needs it


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def acp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their ACP dialects."""
    return replays(map(load, ids), protocol="acp")


def versions(dialect: Dialect) -> tuple[Version, ...]:
    """The dialect, and both readings of it where it is a draft."""
    return ("acp-v1",) if dialect is ACP_V1 else ("acp-v2", "acp-v2-strict")


class Asking:
    """A handler that asks by a schema, and what came of it."""

    def __init__(self, schema: Wire, **terms: Any) -> None:
        self.outcomes: list[str] = []
        self.contents: list[Any] = []
        self.tools = {"ask": self.ask, "url": self.url}
        self._schema = schema
        self._terms = terms

    async def ask(self, ask: Ask) -> str:
        try:
            self.contents.append(await ask.raw("Why?", self._schema, **self._terms))
            self.outcomes.append("accepted")
        except NotAccepted as raised:
            self.outcomes.append(outcome_of(raised))
        return "asked"

    async def url(self, url: str, ask: Ask) -> str:
        await ask.visit("Why?", url)
        self.outcomes.append("consented")
        return "asked"


# Answers.


@pytest.mark.requirement("A38", "A41")
@acp("065-cancel-with-content-not-validated", "067-cancel-content-null")
async def test_what_is_not_accepted_has_no_content_to_check(case: Case, dialect: Dialect):
    for version in versions(dialect):
        asking = Asking(case.given["requestedSchema"])
        async with asked(version, saying(case.given["response"]), tools=asking.tools) as client:
            await client.turn("ask")
            assert len(client.questions) == 1
        assert asking.outcomes == [case.expect["outcome"]]


@pytest.mark.requirement("A30", "G05", "G07")
@acp("068-accept-content-missing-required", "070-accept-wrong-types")
async def test_an_answer_that_does_not_fit_is_asked_for_again_and_ends_as_invalid(
    case: Case, dialect: Dialect
):
    responses = case.given.get("responses") or [case.given["response"]]
    outcomes = case.expect.get("outcomes") or [case.expect["outcome"]]
    fields = case.expect["error_fields"]
    wrong = fields if "responses" in case.given else [fields]
    for version in versions(dialect):
        for response, outcome, names in zip(responses, outcomes, wrong, strict=True):
            asking = Asking(case.given["requestedSchema"])
            async with asked(version, saying(response), tools=asking.tools) as client:
                await client.turn("ask")
                assert len(client.questions) == TRIES
                message = client.questions[-1]["params"]["message"]
            _, _, lines = message.partition("Please correct:")
            found = [one.removeprefix("- ").partition(":")[0] for one in lines.strip().splitlines()]
            assert (asking.outcomes, found) == ([outcome], names)


@pytest.mark.requirement("A30")
@acp("073-content-not-object")
async def test_content_that_is_no_object_never_reaches_the_author(case: Case, dialect: Dialect):
    for version in versions(dialect):
        for response, outcome in zip(case.given["responses"], case.expect["outcomes"], strict=True):
            assert outcome == "protocol-error-or-invalid"
            asking = Asking(case.given["requestedSchema"])
            async with asked(version, saying(response), tools=asking.tools) as client:
                ended = await client.turn("ask")
            assert ended.get("error", {}).get("code") == -32602 or asking.outcomes == ["invalid"]
            assert asking.contents == []


@pytest.mark.requirement("A41", "A42")
@acp("074-declined-is-falsy")
async def test_the_natural_guard_is_safe(case: Case, dialect: Dialect):
    deleted: list[bool] = []

    async def delete(ask: Ask) -> str:
        result = await ask.confirm("Delete?")
        if result:
            deleted.append(True)
        return "asked"

    for version in versions(dialect):
        person = saying(case.given["response"], accept(value=True))
        async with asked(version, person, tools={"delete": delete}) as client:
            await client.turn("delete")
            assert bool(deleted) is case.expect["delete_called"]
            await client.turn("delete")
            assert deleted.pop() is True


@pytest.mark.requirement("A37", "A38")
@acp("076-url-accept-with-content")
async def test_consent_to_a_page_brings_nothing_with_it(
    case: Case, dialect: Dialect, caplog: pytest.LogCaptureFixture
):
    logging.disable(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    for version in versions(dialect):
        asking = Asking(NAME)
        async with asked(version, saying(case.given["response"]), tools=asking.tools) as client:
            assert (await client.turn("url", url="https://id.example/connect"))["result"]
        assert asking.outcomes == [case.expect["outcome"]]
    assert case.expect["content_ignored"]
    assert (case.given["response"]["content"]["token"] in caplog.text) is case.expect[
        "content_logged"
    ]


# Capabilities.


@pytest.mark.requirement("A08", "A09", "A10", "G40")
@acp("079-cap-null-modes", "203-acp-malformed-mode-value")
async def test_a_mode_counts_as_the_client_declared_it(case: Case, dialect: Dialect):
    def listed(it: Any) -> list[Any]:
        return it if isinstance(it, list) else [it]

    found: list[list[str]] = []

    async def modes(ask: Ask) -> str:
        found.append(sorted(ask.modes))
        return "asked"

    for version in versions(dialect):
        found.clear()
        for given in listed(case.given["client_capabilities"]):
            where = "clientCapabilities" if version == "acp-v1" else "capabilities"
            async with asked(version, tools={"modes": modes}, hello=False) as client:
                await client.shake_hands(None, more={where: given})
                await client.turn("modes")
        for mode in {"form", "url"} & set(case.expect):
            assert [mode in one for one in found] == listed(case.expect[mode])


@pytest.mark.requirement("A08", "A11")
@acp("089-client-without-capability-fallback")
async def test_without_the_capability_the_authors_fallback_is_used(case: Case, dialect: Dialect):
    for version in versions(dialect):
        called: list[str] = []

        async def hook(called: list[str] = called) -> dict[str, Any]:
            called.append("hook")
            return {"name": "plan B"}

        plain, backed = Asking(NAME), Asking(NAME, fallback=hook)
        for asking in (plain, backed):
            declared = case.given["client_capabilities"].get("elicitation")
            async with asked(version, tools=asking.tools, elicitation=declared) as client:
                await client.turn("ask")
                assert bool(client.questions) is case.expect["sent"]
        assert plain.outcomes == [case.expect["outcome"]]
        assert backed.contents == [{"name": "plan B"}]
        assert (called == ["hook"]) is case.expect["hook_called"]


@acp("193-acp-agent-advertises-nothing")
async def test_an_agent_advertises_nothing(case: Case, dialect: Dialect):
    for version in versions(dialect):
        async with asked(version) as client:
            hello = client.received[0]["result"]
            assert ("elicitation" in str(hello)) is case.expect["capabilities_contain_elicitation"]


# Time and connection.


class TestWithVirtualTime:
    @pytest.fixture
    def anyio_backend(self) -> Any:
        return backends()[0]

    @pytest.mark.requirement("G16", "A66")
    @acp("106-ask-has-own-bound")
    async def test_a_question_ends_when_its_own_time_is_up(self, case: Case, dialect: Dialect):
        assert case.given["events"] == ["t=0 ask timeout 600", "t=600 no answer"]
        for version in versions(dialect):
            asking = Asking(NAME, timeout=600)
            async with asked(version, tools=asking.tools, within=700) as client:
                began = anyio.current_time()
                await client.turn("ask")
                assert anyio.current_time() - began == pytest.approx(600, abs=1)
                assert (len(client.cancelled) == 1) is case.expect["dialog_withdrawn"]
            assert asking.outcomes == [case.expect["outcome"]]


@pytest.mark.requirement("A42", "G15")
@acp("113-disconnect-fails-server-wait")
async def test_a_lost_connection_ends_the_wait_and_is_no_answer(case: Case, dialect: Dialect):
    for version in versions(dialect):
        asking = Asking(NAME)
        within = case.expect["within_s"]
        async with asked(version, tools=asking.tools, within=within) as client:
            await client.prompted("ask")
            await client.question()
            await client.frames.close()
        assert asking.outcomes == [case.expect["outcome"]]


# Pages.


def consenting(version: Version, asks: Asks, open_: Callable[[Any], None], **page: Any) -> Any:
    async def visit(ask: Ask) -> str:
        open_(await ask.visit("Why?", lambda id_: f"https://id.example/{id_}", **page))
        return "asked"

    return asked(version, saying({"action": "accept"}), tools={"visit": visit}, asks=asks)


@pytest.mark.requirement("A46")
@acp("139-complete-only-to-originator")
async def test_whoever_asked_hears_of_the_end_and_nobody_else(case: Case, dialect: Dialect):
    for version in versions(dialect):
        asks, visits = Asks(), list[Any]()
        async with (
            consenting(version, asks, visits.append) as asker,
            consenting(version, asks, visits.append) as idle,
        ):
            await asker.turn("visit")
            assert await asks.complete(visits[0].elicitation_id)
            # On ACP nothing is lost with a response that closes; it is the connection that counts.
            await asker.until(lambda asker=asker: asker.heard("elicitation/complete"))
            await idle.turn("visit")
            notified = {"X": asker, "Y": idle}
            assert [
                name for name, one in notified.items() if one.heard("elicitation/complete")
            ] == case.expect["notified"]


@pytest.mark.requirement("A43")
@acp("140-elicitation-id-unique")
async def test_an_outstanding_id_is_not_used_again(case: Case, dialect: Dialect):
    first, second = case.given["ids"]
    assert (first == second) is case.given["outstanding"]
    for version in versions(dialect):
        visits = list[Any]()
        async with consenting(version, Asks(), visits.append, elicitation_id=first) as client:
            assert (await client.turn("visit"))["result"]
            error = (await client.turn("visit"))["error"]
            assert "outstanding" in error["message"]
            assert len(client.questions) == 1


@pytest.mark.requirement("A51")
@acp("172-url-carries-secret-or-pii")
async def test_a_url_with_a_secret_or_personal_data_never_leaves(case: Case, dialect: Dialect):
    for version in versions(dialect):
        asking = Asking(NAME)
        async with asked(version, tools=asking.tools, elicitation=BOTH) as client:
            error = (await client.turn("url", url=case.given["url"]))["error"]
            assert all(code in error["message"] for code in case.expect["error_or_warning"])
            assert case.given["url"] not in error["message"]
            assert client.questions == []


# Forms that may not leave.


@pytest.mark.requirement("A54")
@acp("157-url-in-form-field-not-clickable")
async def test_a_form_with_an_address_to_click_never_leaves(case: Case, dialect: Dialect):
    for version in versions(dialect):
        asking = Asking(case.given["requestedSchema"])
        async with asked(version, tools=asking.tools) as client:
            error = (await client.turn("ask"))["error"]
            assert "'a' holds a URL" in error["message"], error
            assert len(client.questions) == case.expect["clickable_links"]


@pytest.mark.requirement("A32", "A33", "G30")
@acp("166-secret-words-in-form", "167-ordinary-profile-not-flagged")
async def test_a_form_that_asks_for_a_secret_is_refused_and_a_profile_is_not(
    case: Case, dialect: Dialect
):
    for version in versions(dialect):
        asking = Asking(case.given["requestedSchema"])
        async with asked(version, saying({"action": "decline"}), tools=asking.tools) as client:
            ended = await client.turn("ask")
            if "any_of" in case.expect:
                assert {"error": "secret in form mode"} in case.expect["any_of"]
                assert client.questions == []
                assert "asks for a secret" in ended["error"]["message"]
            else:
                assert case.expect["error"] is None
                assert len(client.questions) == 1

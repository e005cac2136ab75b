"""Pages that an agent asks a person to visit: what goes out, and who is told of the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest
from acp import RequestError
from acp._transport import memory_transport_pair

from elicitkit import Ask, NotAccepted
from elicitkit.acp import AgentV2, Asks, Login
from elicitkit.acp.line import Line
from elicitkit.acp.visits import Visits
from elicitkit.asking import Page, Visit
from tests.acp.asked_client import DIALECT, Client, Wire, accept, asked, saying, served
from tests.acp.tool_agent import VERSIONS, Version, build
from tests.mcp.servers.handlers import named

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("version", VERSIONS)]

MESSAGE = "Sign in to Example"
CONSENT = saying({"action": "accept"})


def page(elicitation_id: str) -> str:
    return f"https://id.example/connect/{elicitation_id}"


def completions(client: Client) -> list[Any]:
    return [one["params"] for one in client.heard("elicitation/complete")]


class Visiting:
    """Handlers that have to do with pages, and the visits of their clients."""

    def __init__(self, **options: Any) -> None:
        self.asks = Asks(**options)
        self.visits: list[Visit] = []
        self.waits = anyio.Event()
        """Whether somebody consented and ``connect`` waits for the page."""

    @property
    def tools(self) -> Mapping[str, Any]:
        return {
            name: getattr(self, name)
            for name in ("consent", "connect", "own", "require", "hurried", "short", "same")
        }

    async def consent(self, ask: Ask) -> str:
        self.visits.append(await ask.visit(MESSAGE, page))
        return "consented"

    async def connect(self, ask: Ask) -> str:
        try:
            self.visits.append(await ask.visit(MESSAGE, page))
            self.waits.set()
            await self.visits[-1].wait()
        except NotAccepted as refused:
            return f"{refused.mode} {named(refused.outcome)}"
        return "connected"

    async def hurried(self, ask: Ask) -> str:
        self.visits.append(await ask.visit(MESSAGE, page))
        try:
            await self.visits[-1].wait(timeout=0.01)
        except NotAccepted as refused:
            return named(refused.outcome)
        return "connected"

    async def own(self, ask: Ask) -> str:
        self.visits.append(await ask.visit(MESSAGE, page, elicitation_id="a"))
        return "consented"

    async def same(self, ask: Ask) -> str:
        await ask.require(
            Page("One", page, elicitation_id="a"), Page("Two", page, elicitation_id="a")
        )
        return "never"

    async def require(self, ask: Ask) -> str:
        for visit in await ask.require(Page("One", page), Page("Two", page)):
            self.visits.append(visit)
        return "required"

    async def short(self, ask: Ask) -> str:
        await ask.visit(MESSAGE, page)
        return "consented"

    def asked(self, version: Version, person: Callable[[Wire], Wire | None], **options: Any) -> Any:
        return asked(version, person, tools=self.tools, asks=self.asks, **options)


@pytest.mark.requirement("A43", "A53", "G32")
async def test_a_visit_in_full(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        await client.turn("consent")
        (visit,) = visiting.visits
        assert client.questions[0]["params"] == {
            "sessionId": "s",
            "mode": "url",
            "message": MESSAGE,
            "url": page(visit.elicitation_id),
            "elicitationId": visit.elicitation_id,
        }
        assert len(visit.elicitation_id) == 40
        assert client.text == "consented"
        assert completions(client) == []


@pytest.mark.requirement("A37", "A38")
async def test_consent_has_no_content_and_is_no_completion(
    version: Version, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    visiting = Visiting()
    async with visiting.asked(version, saying(accept(token="hunter2"))) as client:
        id_ = await client.prompted("connect")
        await visiting.waits.wait()
        assert client.text == ""
        assert await visiting.visits[0].complete() is True
        await client.over(id_)
        assert client.text == "connected"
    assert "hunter2" not in caplog.text


@pytest.mark.requirement("A45", "A46", "G33")
async def test_completion_goes_to_the_connection_that_asked_and_once(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as ann, visiting.asked(version, CONSENT) as bob:
        await ann.turn("consent", "same")
        (visit,) = visiting.visits
        await bob.turn("consent", "same")
        assert await visiting.asks.complete(visit.elicitation_id) is True
        assert await visiting.asks.complete(visit.elicitation_id) is False
        assert await visit.complete() is False
        await ann.until(lambda: completions(ann))
        assert completions(ann) == [{"elicitationId": visit.elicitation_id}]
        assert completions(bob) == []


@pytest.mark.requirement("A45", "G33")
@pytest.mark.parametrize("answer", [{"action": "decline"}, {"action": "cancel"}], ids=str)
async def test_nothing_is_completed_after_a_refusal(version: Version, answer: Wire) -> None:
    visiting = Visiting()
    async with visiting.asked(version, saying(answer)) as client:
        ended = await client.turn("short")
        assert ended["error"]["code"] == -32010
        id_ = client.questions[0]["params"]["elicitationId"]
        assert await visiting.asks.complete(id_) is False
        assert (await client.turn("short"))["error"]
        assert completions(client) == []


@pytest.mark.requirement("A45", "G33")
async def test_completion_may_come_before_consent(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, lambda _: None) as client:
        id_ = await client.prompted("connect")
        question = await client.question()
        assert await visiting.asks.complete(question["params"]["elicitationId"]) is True
        await client.reply(question, {"action": "accept"})
        await client.over(id_)
        assert client.text == "connected"
        assert len(completions(client)) == 1


@pytest.mark.requirement("A43")
async def test_an_id_is_not_used_twice_while_it_is_outstanding(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        assert (await client.turn("own"))["result"]
        error = (await client.turn("own"))["error"]
        assert error["code"] == -32603
        assert "outstanding on this connection" in error["message"]
        assert len(client.questions) == 1
        await visiting.visits[0].complete()
        assert (await client.turn("own"))["result"]
        assert len(client.questions) == 2
        assert "error" in await client.turn("same", "t")
        assert len(client.questions) == 2


@pytest.mark.requirement("A43")
async def test_not_even_by_two_questions_of_one_list(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        assert "outstanding" in (await client.turn("same"))["error"]["message"]
        assert len(client.questions) == 1


@pytest.mark.requirement("A46")
async def test_the_same_id_on_two_connections_is_two_visits(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as ann, visiting.asked(version, CONSENT) as bob:
        await ann.turn("own")
        await bob.turn("own")
        with pytest.raises(Exception, match="on several connections"):
            await visiting.asks.complete("a")
        assert await visiting.visits[0].complete() is True
        await ann.until(lambda: completions(ann))
        assert completions(ann) == [{"elicitationId": "a"}]
        assert await visiting.asks.complete("a") is True
        await bob.until(lambda: completions(bob))
        assert completions(ann) == completions(bob)


async def test_pages_that_are_required_are_asked_for_one_by_one(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        assert (await client.turn("require"))["result"]
        assert [one["params"]["message"] for one in client.questions] == ["One", "Two"]
        assert {one["params"]["mode"] for one in client.questions} == {"url"}


async def test_to_wait_for_a_page_has_a_time_limit_of_its_own(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        await client.turn("hurried")
        assert client.text == "cancelled timed_out"
        # The person may still be on the page.
        assert await visiting.visits[0].complete() is True


@pytest.mark.requirement("G14")
async def test_a_cancelled_session_waits_for_no_page(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        id_ = await client.prompted("connect")
        await visiting.waits.wait()
        await client.tell("session/cancel", {"sessionId": "s"})
        await client.over(id_)
        if version == "acp-v1":
            assert client.text == "url cancelled session_cancelled"
            assert await visiting.visits[0].complete() is False
            assert completions(client) == []
        else:
            assert client.states[-1] == {"state": "idle", "stopReason": "cancelled"}


async def test_after_a_cancel_no_page_is_waited_for(version: Version) -> None:
    told: list[str] = []

    async def late(ask: Ask) -> str:
        visit = await ask.visit(MESSAGE, page)
        await go.wait()
        try:
            await visit.wait()
        except NotAccepted as refused:
            told.append(named(refused.outcome))
        return "done"

    go = anyio.Event()
    async with asked(version, CONSENT, tools={"late": late}) as client:
        id_ = await client.prompted("late")
        await client.question()
        await client.tell("session/cancel", {"sessionId": "s"})
        # The next answer says that the cancel was read.
        await client.request("session/new", {"cwd": "/", "mcpServers": []})
        go.set()
        ended = await client.over(id_)
    # On version 2 the handler has ended before it could wait.
    assert told == (["cancelled session_cancelled"] if version == "acp-v1" else [])
    assert ended["result"]["stopReason"] == ("end_turn" if version == "acp-v1" else "cancelled")


@pytest.mark.requirement("G15", "A15")
async def test_visits_end_with_their_connection(version: Version) -> None:
    visiting = Visiting()
    async with visiting.asked(version, CONSENT) as client:
        await client.turn("consent")
    (visit,) = visiting.visits
    assert await visit.complete() is False
    assert await visiting.asks.complete(visit.elicitation_id) is False


class Accounts:
    """Knows users by their method of authentication, as an agent would by its own means."""

    def __init__(self) -> None:
        self.logins: list[Login] = []
        self.fails = False

    def __call__(self, login: Login) -> str | None:
        self.logins.append(login)
        if self.fails:
            raise ValueError("no database")
        method = login.params["methodId"]
        return None if method == "guest" else method


async def logged_in(client: Client, method_id: str) -> None:
    login = "authenticate" if client.version == "acp-v1" else "auth/login"
    meta = {"principal": "eve", "user": "eve"}
    answer = await client.request(login, {"methodId": method_id, "_meta": meta})
    assert "result" in answer


@pytest.mark.requirement("A15", "A18")
async def test_a_visit_is_not_completed_for_whoever_came_after(version: Version) -> None:
    accounts = Accounts()
    visiting = Visiting(identify=accounts)
    async with visiting.asked(version, CONSENT, principal="host") as client:
        await client.turn("consent")
        await logged_in(client, "ann")
        await client.turn("consent", "t")
        await logged_in(client, "bob")
        for visit in visiting.visits:
            assert await visit.complete() is False
        await logged_in(client, "ann")
        assert await visiting.visits[0].complete() is False
        assert await visiting.visits[1].complete() is True
        await logged_in(client, "guest")
        assert await visiting.visits[0].complete() is True
        await client.until(lambda: len(completions(client)) == 2)
    assert {tuple(login.params) for login in accounts.logins} == {("methodId",)}
    assert {tuple(login.result) for login in accounts.logins} == {()}


@pytest.mark.requirement("A18")
async def test_an_identity_that_cannot_be_found_out_is_nobodys(version: Version) -> None:
    accounts = Accounts()
    visiting = Visiting(identify=accounts)
    async with visiting.asked(version, CONSENT) as client:
        await logged_in(client, "ann")
        accounts.fails = True
        assert (await client.turn("consent"))["error"]["code"] == -32603
        assert client.questions == []


@pytest.mark.requirement("A15")
async def test_a_login_that_was_refused_changes_nobody(version: Version) -> None:
    visiting = Visiting(identify=Accounts())
    async with visiting.asked(version, CONSENT) as client:
        await logged_in(client, "ann")
        await client.turn("consent")
        client.person = saying({"action": "decline"})
        login = "authenticate" if version == "acp-v1" else "auth/login"
        assert "error" in await client.request(login, {"methodId": "ask"})
        assert await visiting.visits[0].complete() is True


@pytest.mark.requirement("A15")
async def test_who_has_logged_out_is_nobody(version: Version) -> None:
    visiting = Visiting(identify=Accounts())
    agent = build(version, visiting.tools, asks=visiting.asks)

    async def logout(params: Wire) -> Wire:
        if params:
            raise RequestError.invalid_params({})
        return {}

    if isinstance(agent, AgentV2):
        agent.on("auth/logout")(logout)
    async with served(agent, version, CONSENT) as client:
        method = "logout" if version == "acp-v1" else "auth/logout"
        await logged_in(client, "ann")
        await client.turn("consent")
        assert "error" in await client.request(method, {"methodId": "ann"})
        assert await visiting.visits[0].complete() is True
        await client.turn("consent")
        granted = "result" in await client.request(method, {})
        # The SDK of version 1 serves no logout, so nobody is.
        assert granted is (version != "acp-v1")
        assert await visiting.visits[1].complete() is not granted


class Breaking:
    """Frames that carry everything but completions."""

    def __init__(self, inner: Any) -> None:
        self.receive, self.close, self._send = inner.receive, inner.close, inner.send

    async def send(self, message: Wire) -> None:
        if message.get("method") == "elicitation/complete":
            raise BrokenPipeError
        await self._send(message)


async def test_a_completion_that_nobody_hears_is_none(version: Version) -> None:
    visiting = Visiting()
    agent = build(version, visiting.tools, asks=visiting.asks)
    async with served(agent, version, CONSENT, through=Breaking) as client:
        await client.turn("consent")
        assert await visiting.visits[0].complete() is False
        assert await visiting.asks.complete(visiting.visits[0].elicitation_id) is False


async def test_what_begins_after_the_end_of_a_connection_is_kept_nowhere(version: Version) -> None:
    frames, _ = memory_transport_pair()
    line = Line(frames, DIALECT[version])
    line.ended()
    visits = Visits()
    book = visits.book(line, None)
    assert visits.book(line, None).outstanding is not book.outstanding

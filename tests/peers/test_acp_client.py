"""Our client against an agent on the TypeScript SDK, which is nobody's of ours, over stdio."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import anyio
import pytest

from elicitkit.acp import RawAgent, raw_agent
from elicitkit.answering import Answerer
from elicitkit.core.model import Accept, Cancel, Decline, Response
from tests.answering.surfaces import Browser, Screen
from tests.mcp.url_desk import Visitor, at

pytestmark = pytest.mark.anyio

Wire: TypeAlias = dict[str, Any]

AGENT = Path(__file__).with_name("acp_agent.mjs")
every_version = pytest.mark.parametrize("version", [1, 2])
NAME: Wire = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
QUESTION: Wire = {"mode": "form", "message": "Who are you?", "requestedSchema": NAME}
URL = "https://Example.com/connect?handle=1"
VISIT: Wire = {"mode": "url", "message": "Sign in", "url": URL, "elicitationId": "e1"}
EVERYTHING: Wire = {
    "mode": "form",
    "message": "All of it",
    "requestedSchema": {
        "type": "object",
        "title": "A form",
        "properties": {
            "text": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
            "email": {"type": "string", "format": "email"},
            "day": {"type": "string", "format": "date"},
            "number": {"type": "number", "minimum": 0.5},
            "integer": {"type": "integer", "maximum": 9},
            "flag": {"type": "boolean", "default": True},
            "plain": {"type": "string", "enum": ["a", "b"]},
            "titled": {
                "type": "string",
                "oneOf": [{"const": "a", "title": "A", "description": "The first"}],
            },
            "several": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "titles": {
                "type": "array",
                "items": {"anyOf": [{"const": "x", "title": "X"}]},
                "maxItems": 1,
            },
        },
        "required": ["text", "flag"],
    },
}
ALL: Wire = {
    "text": "abc",
    "email": "ann@x.example",
    "day": "2026-11-30",
    "number": 1.5,
    "integer": 7,
    "flag": False,
    "plain": "b",
    "titled": "a",
    "several": ["a", "b"],
    "titles": ["x"],
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The ACP SDK runs on nothing else."""
    return "asyncio"


class Talk:
    """The client's end of one conversation with the agent."""

    def __init__(self, agent: RawAgent) -> None:
        self._agent = agent
        self._said: list[str] = []
        self._idle = anyio.Event()
        self.session = ""

    def updated(self, params: Wire) -> None:
        update = params["update"]
        if update["sessionUpdate"] == "agent_message_chunk":
            self._said.append(update["content"]["text"])
        if update.get("state") == "idle":
            self._idle.set()

    async def open(self, ask: Wire | None = None) -> str:
        """A new session; with a question, it is called by what came of it."""
        params: Wire = {"cwd": "/", "mcpServers": []}
        if ask is not None:
            params["_meta"] = {"ask": ask}
        self.session = (await self._agent.request("session/new", params))["sessionId"]
        return self.session

    async def steps(self, *steps: Wire) -> list[Wire]:
        """What came of each of the steps that the agent takes."""
        prompt = [{"type": "text", "text": json.dumps(steps)}]
        params = {"sessionId": self.session, "prompt": prompt}
        result = await self._agent.request("session/prompt", params)
        if "stopReason" not in result:
            await self._idle.wait()
        return [json.loads(line) for line in "".join(self._said).splitlines()]

    async def cancel(self) -> None:
        await self._agent.notify("session/cancel", {"sessionId": self.session})


@pytest.fixture
def talking(node22: Path) -> Any:
    """Give a function that starts the agent and shakes hands with it."""

    @asynccontextmanager
    async def talk(answerer: Answerer, version: Any) -> AsyncGenerator[Talk]:
        with anyio.fail_after(60):
            async with raw_agent(
                [str(node22), str(AGENT), f"v{version}"],
                name="peer",
                answerer=answerer,
                protocol_version=version,
                on_update=lambda params: talk.updated(params),
            ) as agent:
                talk = Talk(agent)
                await agent.initialize()
                yield talk

    return talk


async def answers(talking: Any, answerer: Answerer, version: int, *steps: Wire) -> list[Wire]:
    async with talking(answerer, version) as talk:
        await talk.open()
        return await talk.steps(*steps)


@every_version
@pytest.mark.requirement("A39")
async def test_a_form_with_every_kind_of_field_is_filled(talking: Any, version: int) -> None:
    answerer = Answerer.scripted([{"action": "accept", "content": ALL}])
    (answer,) = await answers(talking, answerer, version, {"ask": EVERYTHING})
    assert answer == {"result": {"action": "accept", "content": ALL}}


@every_version
@pytest.mark.requirement("A37", "A40", "A48", "A47")
async def test_a_page_is_consented_to_opened_and_completed(talking: Any, version: int) -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    steps = ({"ask": VISIT}, {"complete": "e9"}, {"complete": "e1"}, {"complete": "e1"})
    first, *_ = await answers(talking, answerer, version, *steps)
    assert first == {"result": {"action": "accept"}}
    assert visitor.consents[0][0].url == URL
    assert browser.opened == ["https://example.com/connect?handle=1"]
    assert visitor.log[-1] == "told completed"


@every_version
@pytest.mark.requirement("A14")
async def test_a_question_inside_session_new_belongs_to_that_request(
    talking: Any, version: int
) -> None:
    answerer = Answerer.scripted([{"action": "accept", "content": {"name": "Ann"}}])
    async with talking(answerer, version) as talk:
        assert await talk.open(QUESTION) == "accept"
        # Of a request that has been answered nobody may ask any more.
        assert await talk.open(QUESTION | {"requestId": 1}) == "error -32602"


@every_version
@pytest.mark.requirement("A03", "A38")
@pytest.mark.parametrize("response", [Decline(), Cancel()], ids=["decline", "cancel"])
async def test_a_no_and_no_answer_reach_the_agent_as_they_are(
    talking: Any, version: int, response: Response
) -> None:
    async def person(_: Any) -> Response:
        return response

    visitor = Visitor(response)
    action = type(response).__name__.lower()
    asked = (Screen(person), QUESTION), (visitor, VISIT)
    for surface, question in asked:
        answerer = Answerer(surface, opener=Browser(visitor))
        (answer,) = await answers(talking, answerer, version, {"ask": question})
        assert answer == {"result": {"action": action}}


@every_version
@pytest.mark.requirement("A64")
async def test_a_question_cancelled_in_flight_leaves_the_screen_and_is_answered(
    talking: Any, version: int
) -> None:
    screen = Screen()
    step = {"ask": QUESTION, "cancel": 300}
    (answer,) = await answers(talking, Answerer(screen), version, step)
    assert answer["error"]["code"] == -32800
    assert len(screen.shown) == 1
    assert screen.open is None


@every_version
@pytest.mark.requirement("G14")
async def test_cancelling_the_turn_cancels_its_question(talking: Any, version: int) -> None:
    async def person(_: Any) -> Response:
        await talk.cancel()
        await anyio.sleep_forever()
        raise AssertionError

    async with talking(Answerer(Screen(person)), version) as talk:
        await talk.open()
        assert await talk.steps({"ask": QUESTION}) == [{"result": {"action": "cancel"}}]


@every_version
@pytest.mark.requirement("A24", "A50", "G47")
async def test_what_must_not_be_shown_is_refused_at_once(talking: Any, version: int) -> None:
    bad_schema = {"type": "object", "properties": {"n": {"type": "string", "minLength": "x"}}}
    steps = [
        {"ask": VISIT},
        {"ask": QUESTION | {"mode": "_hologram"}},
        {"ask": {"mode": "form", "message": "m"}},
        {"ask": QUESTION | {"requestedSchema": bad_schema}},
        {"ask": QUESTION | {"sessionId": "s9"}},
        {"ask": QUESTION | {"message": "m" * 20_000}},
        {"ask": QUESTION},
    ]
    answerer = Answerer(Screen(_ann))
    *refused, good = await answers(talking, answerer, version, *steps)
    assert [one["error"]["code"] for one in refused] == [-32602] * 6
    assert refused[0]["error"]["data"] == {"supportedModes": ["form"]}
    assert refused[1]["error"]["data"] == {"supportedModes": ["form"]}
    assert all(one["error"]["message"] for one in refused)
    assert good == {"result": {"action": "accept", "content": {"name": "Ann"}}}


async def _ann(_: Any) -> Response:
    return Accept({"name": "Ann"})


@every_version
async def test_permission_is_asked_of_the_person(talking: Any, version: int) -> None:
    options = [{"optionId": "yes", "name": "Allow", "kind": "allow_once"}]
    own: Wire = {"toolCall": {"toolCallId": "t", "title": "Delete"}}
    request = (own if version == 1 else {"title": "Delete"}) | {"options": options}
    answerer = Answerer.scripted([{"action": "accept", "content": {"option": "yes"}}])
    (answer,) = await answers(talking, answerer, version, {"permission": request})
    assert answer == {"result": {"outcome": {"outcome": "selected", "optionId": "yes"}}}

"""Whatever an agent asks: each question ends in time, in one answer, and the connection goes on."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elicitkit.answering import Answerer, Pace
from elicitkit.core.dialects import ACP_V1, ACP_V2, Dialect
from elicitkit.core.model import Accept, Response
from tests.acp.client_rig import ANN, QUESTION, S1, URL_QUESTION, online
from tests.acp.rig import Wire
from tests.answering.surfaces import Shown
from tests.mcp.url_desk import Visitor, at
from tests.wire.any_acp import JSON

SECONDS = 10.0
"""In which each question has its answer; none takes a person, who answers at once here."""
EVIL = ("(a+)+$" * 20, "[", "\x00", "\u202e" * 50, "x" * 300_000, "javascript:alert(1)", "[::1")
VALUES = JSON | st.sampled_from(EVIL) | st.floats(allow_nan=False, allow_infinity=False)
KEYS = st.sampled_from(
    ["mode", "message", "requestedSchema", "sessionId", "requestId", "toolCallId", "url", "_meta",
     "elicitationId", "type", "properties", "required", "items", "enum", "oneOf", "anyOf", "const",
     "pattern", "format", "default", "minimum", "maxLength", "minItems", "title", "name"]
)  # fmt: skip
SEEDS: tuple[Wire, ...] = (
    QUESTION | S1,
    URL_QUESTION | S1,
    QUESTION | S1 | {"requestId": 0, "mode": "_own"},
    QUESTION
    | S1
    | {
        "requestedSchema": {
            "type": "object",
            "title": "All",
            "properties": {
                "t": {"type": "string", "pattern": "^a+$", "maxLength": 3, "default": "a"},
                "i": {"type": "integer", "minimum": 0, "maximum": 9},
                "n": {"type": "number", "default": 1.5},
                "b": {"type": "boolean"},
                "e": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
                "m": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1},
            },
            "required": ["t"],
        }
    },
)


@st.composite
def broken(draw: st.DrawFn) -> Any:
    """A question with one to three parts of it taken out or replaced."""
    question: Any = deepcopy(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 3))):
        place = question
        while isinstance(place, dict) and place:
            key = draw(st.sampled_from(sorted(place)) | KEYS)
            inner = place.get(key)
            if isinstance(inner, dict) and draw(st.integers(0, 3)):
                place = inner
            elif draw(st.booleans()) and key in place:
                del place[key]
                break
            else:
                place[key] = draw(VALUES)
                break
    return draw(st.just(question) | st.just(question) | st.just(question) | VALUES)


class Eager(Visitor):
    """Sends every form with one field of a text, and agrees to every page."""

    async def fill(self, *given: Any) -> Response:
        return Accept(ANN["content"])


def check(answer: Wire, id_: int) -> None:
    assert answer["id"] == id_
    if "error" in answer:
        assert answer["error"]["code"] == -32602
        assert answer["error"]["message"]
        assert len(answer["error"]["message"]) < 20_000
    else:
        assert answer["result"]["action"] in {"accept", "cancel"}


async def asked(questions: list[Any], dialect: Dialect, strict: bool) -> None:
    answerer, _ = at(Eager(), pace=Pace(per_minute=10_000, outstanding=10_000))
    async with online(answerer, dialect, strict_v2=strict) as agent:
        for number, question in enumerate(questions):
            await agent.ask(number, "elicitation/create", question)
            with anyio.fail_after(SECONDS):
                check(await agent.hear(), number)
        await agent.hear_nothing()
        good = await agent.asked(QUESTION | S1)
        assert good == ANN


@pytest.mark.parametrize(
    ("dialect", "strict"),
    [(ACP_V1, False), (ACP_V2, False), (ACP_V2, True)],
    ids=["v1", "v2", "v2-strict"],
)
@settings(max_examples=85, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(questions=st.lists(broken(), min_size=20, max_size=20))
def test_five_thousand_broken_questions_each_get_one_answer(
    dialect: Dialect, strict: bool, questions: list[Any]
) -> None:
    """Together 3 times 85 times 20 questions."""
    asyncio.run(asked(questions, dialect, strict))


def test_the_surface_is_reached_by_what_is_not_broken() -> None:
    """Ours: else the test above would prove little."""
    shown: list[Shown] = []

    class Sees(Eager):
        async def fill(self, form: Any, *others: Any) -> Response:
            shown.append(form)
            return await super().fill(form, *others)

    async def run() -> None:
        async with online(Answerer(Sees()), ACP_V1) as agent:
            await agent.asked(SEEDS[3])

    asyncio.run(run())
    assert len(shown) == 1

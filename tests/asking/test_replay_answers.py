"""What a repeated call does with the answers of its last round. Ours, with G05, G06 and G38."""

from __future__ import annotations

import pytest

from elicitkit import (
    Accepted,
    Ask,
    Cancelled,
    InvalidResponse,
    Question,
)
from elicitkit.asking.call import Suspended
from elicitkit.core.model import Accept, Request, Response
from tests.asking.doubles import Caller, echo, says

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("M80")
@pytest.mark.case("178-missing-response-asked-again")
async def test_an_answer_that_is_missing_is_asked_for_again_and_the_others_are_kept() -> None:
    skipped = False

    def answers(request: Request) -> Response | None:
        nonlocal skipped
        if request.message == "b" and not skipped:
            skipped = True
            return None
        return echo(request)

    async def handler(ask: Ask) -> tuple[str, str]:
        return await ask.all(Question("a", str), Question("b", str))

    caller = Caller(answers=answers)
    assert await caller.call(handler) == ("a", "b")
    assert caller.messages == [["a", "b"], ["b"]]


@pytest.mark.requirement("M79")
@pytest.mark.case("179-unexpected-response-key-ignored")
async def test_answers_to_what_was_not_asked_are_ignored() -> None:
    async def handler(ask: Ask) -> str:
        return await ask("a", str, key="a")

    caller = Caller(answers=echo)
    first = await caller.round(handler, None, {})
    second = await caller.round(
        handler,
        first.state,
        {"zz": {"action": "accept"}, "a": {"action": "accept", "content": {"value": "x"}}},
    )
    assert second.value == "x"


@pytest.mark.requirement("G38")
async def test_answers_without_our_state_are_not_trusted() -> None:
    async def handler(ask: Ask) -> str:
        return await ask("a", str, key="a")

    forged = {"a": {"action": "accept", "content": {"value": "forged"}}}
    ended = await Caller(answers=echo).round(handler, None, forged)
    assert isinstance(ended, Suspended)
    assert list(ended.requests) == ["a"]


@pytest.mark.requirement("G06", "M78")
@pytest.mark.parametrize(
    "malformed",
    [None, 3, {}, {"action": "reject"}, {"action": "accept", "content": [1]}],
)
async def test_a_malformed_answer_is_invalid_params(malformed: object) -> None:
    async def handler(ask: Ask) -> str:
        return await ask("a", str, key="a")

    caller = Caller(answers=echo)
    first = await caller.round(handler, None, {})
    with pytest.raises(InvalidResponse) as error:
        await caller.round(handler, first.state, {"a": malformed})
    assert error.value.code == -32602


@pytest.mark.requirement("G05", "M62")
async def test_an_answer_that_does_not_fit_is_asked_for_again_with_the_reason() -> None:
    values = iter([{"value": "one"}, {}, {"value": 3}])

    async def handler(ask: Ask) -> int:
        return await ask("How many?", int)

    caller = Caller(answers=lambda _: Accept(next(values)))
    assert await caller.call(handler) == 3
    texts = [texts[0] for texts in caller.messages]
    assert texts[0] == "How many?"
    assert texts[1].startswith("How many?\n\nPlease correct:\n- ")
    assert len({key for asked in caller.rounds for key in asked}) == 1


@pytest.mark.requirement("G05")
async def test_three_tries_are_all() -> None:
    async def handler(ask: Ask) -> object:
        return await ask.outcome("How many?", int)

    caller = Caller(answers=says("one"))
    assert await caller.call(handler) == Cancelled("invalid_answer")
    assert len(caller.rounds) == 3


async def test_an_invalid_answer_stays_part_of_the_journal_while_later_ones_come() -> None:
    values = iter(["no number", 3, 4])

    async def handler(ask: Ask) -> tuple[int, int]:
        return await ask("First?", int), await ask("Second?", int)

    caller = Caller(answers=lambda _: Accept({"value": next(values)}))
    assert await caller.call(handler) == (3, 4)


@pytest.mark.requirement("G16")
async def test_an_answer_that_comes_too_late_is_a_timeout_in_every_later_round() -> None:
    async def handler(ask: Ask) -> tuple[object, object]:
        first = await ask.outcome("First?", str, timeout=60)
        return first, await ask.outcome("Second?", str)

    caller = Caller(answers=echo, pause=61)
    assert await caller.call(handler) == (Cancelled("timed_out"), Accepted("Second?"))
    assert caller.messages == [["First?"], ["Second?"]]


async def test_an_answer_in_time_counts() -> None:
    async def handler(ask: Ask) -> object:
        return await ask.outcome("First?", str, timeout=60)

    assert await Caller(answers=echo, pause=60).call(handler) == Accepted("First?")


async def test_a_question_that_stays_unanswered_times_out_by_the_time_of_its_first_asking() -> None:
    async def handler(ask: Ask) -> object:
        return await ask.outcome("First?", str)

    caller = Caller(answers=lambda _: None, pause=20, timeout=50)
    assert await caller.call(handler) == Cancelled("timed_out")
    assert len(caller.rounds) == 3


async def test_without_a_timeout_a_late_answer_counts() -> None:
    async def handler(ask: Ask) -> str:
        return await ask("First?", str)

    assert await Caller(answers=echo, pause=86_000).call(handler) == "First?"

"""The time limit of a question, and decisions that come too late; in virtual time."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Pace
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response
from tests.answering.forms import NAME, ORIGIN
from tests.answering.surfaces import Screen, Shown
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

ANN = Accept({"name": "Ann"})
TIMED_OUT = Cancel("timed_out")
LIMIT = Pace(time=100)


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def hours(count: float) -> float:
    return count * 3600


@pytest.mark.requirement("G16")
async def test_without_a_limit_a_person_may_take_all_the_time_there_is() -> None:
    async def person(shown: Shown) -> Response:
        assert shown.turn.seconds_left() is None
        shown.turn.extend()
        await anyio.sleep(hours(1000))
        assert shown.turn.seconds_left() is None
        return ANN

    assert await Answerer(Screen(person)).answer(NAME, ORIGIN) == ANN


@pytest.mark.ux("UX20")
@pytest.mark.requirement("G16")
async def test_a_question_ends_as_timed_out_when_its_time_is_over() -> None:
    screen = Screen()
    answerer, begun = Answerer(screen, pace=LIMIT), anyio.current_time()
    assert await answerer.answer(NAME, ORIGIN) == TIMED_OUT
    assert anyio.current_time() - begun == pytest.approx(100)
    assert screen.open is None
    assert screen.shown[0].turn.seconds_left() == 0


@pytest.mark.ux("UX20")
async def test_the_time_that_is_left_is_told_and_starts_anew_on_request() -> None:
    left: list[float | None] = []

    async def person(shown: Shown) -> Response:
        for _ in range(3):
            left.append(shown.turn.seconds_left())
            await anyio.sleep(90)
            left.append(shown.turn.seconds_left())
            shown.turn.extend()
        return ANN

    assert await Answerer(Screen(person), pace=LIMIT).answer(NAME, ORIGIN) == ANN
    assert left == [pytest.approx(seconds) for seconds in (100, 10) * 3]


@pytest.mark.ux("UX20")
async def test_the_time_of_a_question_does_not_run_while_it_waits_in_line() -> None:
    async def person(shown: Shown) -> Response:
        await anyio.sleep(90)
        return ANN

    answers: list[Response] = []
    answerer, begun = Answerer(Screen(person), pace=LIMIT), anyio.current_time()

    async def ask(label: str) -> None:
        answers.append(await answerer.answer(NAME, Origin(label=label)))

    async with anyio.create_task_group() as tasks:
        for label in ("A", "B", "C"):
            tasks.start_soon(ask, label)
    assert answers == [ANN] * 3
    assert anyio.current_time() - begun == pytest.approx(270)


@pytest.mark.ux("UX22")
@pytest.mark.case("110-single-terminal-outcome")
@pytest.mark.parametrize("decided", [ANN, Decline()])
async def test_a_decision_that_comes_after_the_time_is_counted_and_changes_nothing(
    decided: Response, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")

    async def stubborn(shown: Shown) -> Response:
        with anyio.CancelScope(shield=True):
            await anyio.sleep(150)
            shown.turn.extend()
            assert shown.turn.seconds_left() == 0
        return decided

    assert await Answerer(Screen(stubborn), pace=LIMIT).answer(NAME, ORIGIN) == TIMED_OUT
    assert caplog.text.count("late_answer mode=form reason=timed_out") == 1
    assert caplog.text.count("answered ") == 1
    assert "Ann" not in caplog.text


@pytest.mark.case("109-late-answer-reported")
@pytest.mark.case("112-disconnect-clears-forms")
async def test_a_decision_after_the_withdrawal_is_counted_and_not_returned(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")

    async def stubborn(shown: Shown) -> Response:
        with anyio.CancelScope(shield=True):
            await anyio.sleep(10)
        return ANN

    answers: list[Response] = []
    with anyio.move_on_after(1):
        answers.append(await Answerer(Screen(stubborn)).answer(NAME, ORIGIN))
    assert answers == []
    assert caplog.text.count("late_answer mode=form reason=withdrawn") == 1
    assert "answered mode=form action=cancel reason=withdrawn" in caplog.text


async def test_a_cancel_that_comes_late_is_no_decision_and_not_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")

    async def stubborn(shown: Shown) -> Response:
        with anyio.CancelScope(shield=True):
            await anyio.sleep(150)
        return Cancel("dismissed")

    assert await Answerer(Screen(stubborn), pace=LIMIT).answer(NAME, ORIGIN) == TIMED_OUT
    assert "late_answer" not in caplog.text


async def test_a_surface_that_fails_on_its_way_out_still_timed_out() -> None:
    async def person(shown: Shown) -> Response:
        try:
            await anyio.sleep_forever()
        except BaseException:
            raise RuntimeError("no goodbye") from None
        return ANN

    assert await Answerer(Screen(person), pace=LIMIT).answer(NAME, ORIGIN) == TIMED_OUT


async def test_the_next_question_is_shown_when_the_time_of_one_is_over() -> None:
    screen = Screen()
    answerer = Answerer(screen, pace=LIMIT)
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(answerer.answer, NAME, ORIGIN)
    assert len(screen.shown) == 3

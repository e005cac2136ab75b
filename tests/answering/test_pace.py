"""How many questions one server may ask, and that it costs another server nothing."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Pace
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Accept, Cancel, Capability, Origin, Response
from tests.answering.forms import NAME, form
from tests.answering.surfaces import Screen, Shown
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

NOISY, QUIET = Origin(label="noisy"), Origin(label="quiet")
LIMITED, MUTED = Cancel("rate_limited"), Cancel("muted")
YES = Accept({})
EMPTY = form()


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


class Asking:
    """Asks through one answerer and keeps what came of each question."""

    def __init__(self, answerer: Answerer, tasks: Any) -> None:
        self.answerer = answerer
        self.ended: dict[str, Response] = {}
        self.scopes: dict[str, anyio.CancelScope] = {}
        self._tasks = tasks

    async def ask(self, message: str, origin: Origin = NOISY) -> None:
        """Begin to ask, and let everything happen that can."""
        self._tasks.start_soon(self._ask, message, origin)
        await anyio.wait_all_tasks_blocked()

    async def _ask(self, message: str, origin: Origin) -> None:
        with anyio.CancelScope() as self.scopes[message]:
            self.ended[message] = await self.answerer.answer(form(message=message), origin)


async def decide(screen: Screen, response: Response = YES) -> None:
    assert screen.open is not None
    screen.open.decide(response)
    await anyio.wait_all_tasks_blocked()


@pytest.mark.requirement("M47", "G51")
@pytest.mark.case("173-ask-flood-limited")
async def test_of_a_flood_no_more_than_the_pace_is_shown_and_another_server_is_unaffected() -> None:
    async def person(shown: Shown) -> Response:
        return YES

    screen = Screen(person)
    answerer = Answerer(screen, pace=Pace(per_minute=10))
    ended: Counter[str] = Counter()

    async def ask(origin: Origin) -> None:
        ended[f"{origin.label}: {await answerer.answer(EMPTY, origin)}"] += 1

    async with anyio.create_task_group() as tasks:
        for number in range(200):
            tasks.start_soon(ask, NOISY)
            if number % 50 == 0:
                tasks.start_soon(ask, QUIET)
            await anyio.sleep(0.05)
    assert ended == {f"noisy: {YES}": 10, f"noisy: {LIMITED}": 190, f"quiet: {YES}": 4}
    assert len(screen.shown) == 14


async def test_the_minute_slides_so_that_a_patient_server_is_asked_for_again() -> None:
    async def person(shown: Shown) -> Response:
        return YES

    answerer = Answerer(Screen(person), pace=Pace(per_minute=2))
    seen: list[Response] = []
    for second in (0, 10, 20, 59, 60, 69, 70):
        await anyio.sleep_until(second + 1_000_000)
        seen.append(await answerer.answer(EMPTY, NOISY))
    assert seen == [YES, YES, LIMITED, LIMITED, YES, LIMITED, YES]


@pytest.mark.requirement("G18")
async def test_a_server_may_have_so_many_questions_waiting_and_no_more() -> None:
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen, pace=Pace(outstanding=2)), tasks)
        for message in ("A", "B", "C"):
            await asking.ask(message)
        assert asking.ended == {"C": LIMITED}
        await asking.ask("other", QUIET)
        assert "other" not in asking.ended
        await decide(screen)
        await asking.ask("D")
        assert "D" not in asking.ended
        for _ in range(3):
            await decide(screen)
    assert screen.messages == ["A", "B", "other", "D"]


@pytest.mark.ux("UX21")
async def test_what_was_one_too_many_is_told_once_with_the_next_question_of_that_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen, pace=Pace(outstanding=3)), tasks)
        for message in ("A", "B", "C", "D", "E"):
            await asking.ask(message)
        await asking.ask("other", QUIET)
        for _ in range(4):
            await decide(screen)
    assert [(one.form.message, one.turn.dropped) for one in screen.shown] == [
        ("A", 0),
        ("B", 2),
        ("C", 0),
        ("other", 0),
    ]
    assert caplog.text.count("dropped mode=form reason=rate_limited") == 2


@pytest.mark.ux("UX21")
async def test_the_place_and_the_number_of_questions_are_those_of_this_moment() -> None:
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen), tasks)
        await asking.ask("A")
        turn = screen.shown[0].turn
        assert (turn.place, turn.waiting) == (1, 1)
        await asking.ask("B", QUIET)
        await asking.ask("C")
        assert (turn.place, turn.waiting) == (1, 3)
        asking.scopes["B"].cancel()
        await anyio.wait_all_tasks_blocked()
        assert (turn.place, turn.waiting) == (1, 2)
        await decide(screen)
        assert (screen.shown[1].turn.place, screen.shown[1].turn.waiting) == (1, 1)
        await decide(screen)


@pytest.mark.ux("UX21")
@pytest.mark.requirement("M45")
async def test_a_mute_ends_all_questions_of_that_server_and_none_of_another() -> None:
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen), tasks)
        for message, origin in (("A", NOISY), ("B", NOISY), ("other", QUIET), ("C", NOISY)):
            await asking.ask(message, origin)
        screen.shown[0].turn.mute()
        await anyio.wait_all_tasks_blocked()
        assert asking.ended == {"B": MUTED, "C": MUTED}
        await decide(screen, Accept({}))
        assert asking.ended["A"] == MUTED
        await asking.ask("D")
        assert asking.ended["D"] == MUTED
        assert asking.answerer.muted == {"noisy"}
        assert screen.messages == ["A", "other"]
        await decide(screen)
        asking.answerer.unmute("noisy")
        await asking.ask("E")
        assert (asking.answerer.muted, screen.messages[-1]) == (set(), "E")
        assert screen.shown[-1].turn.dropped == 0
        await decide(screen)
    assert asking.ended["other"] == YES


async def test_a_server_muted_and_unmuted_at_once_still_loses_what_waited() -> None:
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen), tasks)
        await asking.ask("A", QUIET)
        await asking.ask("B")
        asking.answerer.mute("noisy")
        asking.answerer.unmute("noisy")
        await anyio.wait_all_tasks_blocked()
        assert asking.ended == {"B": MUTED}
        assert screen.messages == ["A"]
        await decide(screen)


async def test_a_question_that_was_given_up_makes_room_for_another() -> None:
    screen = Screen()
    async with anyio.create_task_group() as tasks:
        asking = Asking(Answerer(screen, pace=Pace(outstanding=1)), tasks)
        await asking.ask("A")
        asking.scopes["A"].cancel()
        await anyio.wait_all_tasks_blocked()
        await asking.ask("B")
        assert screen.messages == ["A", "B"]
        await decide(screen)
    assert asking.ended == {"B": YES}


def test_an_answerer_that_outlives_its_event_loop_does_not_take_an_old_clock_for_the_new() -> None:
    async def person(shown: Shown) -> Response:
        return YES

    answerer = Answerer(Screen(person), pace=Pace(per_minute=1))

    async def ask_at(second: float) -> Response:
        await anyio.sleep_until(second)
        return await answerer.answer(EMPTY, NOISY)

    for second in (10_000_000.0, 20_000.0):
        name, options = backends()[0]
        assert anyio.run(ask_at, second, backend=name, backend_options=options) == YES


async def test_an_answer_that_is_refused_does_not_count() -> None:
    async def person(shown: Shown) -> Response:
        return Accept({"name": "Ann"})

    answerer = Answerer(Screen(person), pace=Pace(per_minute=1))
    with pytest.raises(InvalidRequest):
        await answerer.answer(NAME, NOISY, declared=Capability())
    assert await answerer.answer(NAME, NOISY) == Accept({"name": "Ann"})

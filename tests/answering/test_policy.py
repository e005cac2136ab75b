"""What a host decides before a person is asked: it ends a question or delays it, no more."""

from __future__ import annotations

import logging

import anyio
import pytest

from elicitkit.answering import Answerer
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Request, Response
from tests.answering.forms import NAME, ORIGIN
from tests.answering.surfaces import Screen, Shown

pytestmark = pytest.mark.anyio

ANN = Accept({"name": "Ann"})


async def ann(shown: Shown) -> Response:
    return ANN


class Policy:
    """Returns or raises what it was given."""

    def __init__(self, decided: object = None) -> None:
        self.asked: list[tuple[Request, Origin]] = []
        self._decided = decided

    async def decide(self, request: Request, origin: Origin) -> Cancel | None:
        self.asked.append((request, origin))
        if isinstance(self._decided, Exception):
            raise self._decided
        return self._decided  # type: ignore[return-value]  # some tests break the contract


async def test_a_policy_that_has_nothing_against_it_lets_a_question_pass() -> None:
    policy = Policy()
    assert await Answerer(Screen(ann), policy=policy).answer(NAME, ORIGIN) == ANN
    assert policy.asked == [(NAME, ORIGIN)]


async def test_a_policy_ends_a_question_unseen_with_its_own_reason() -> None:
    screen = Screen(ann)
    answerer = Answerer(screen, policy=Policy(Cancel("outside_hours")))
    assert await answerer.answer(NAME, ORIGIN) == Cancel("outside_hours")
    assert screen.shown == []


@pytest.mark.case("097-auto-accept-needs-empty-schema")
@pytest.mark.parametrize("decided", [Accept({}), ANN, Decline(), True, RuntimeError("secret 42")])
async def test_a_policy_that_accepts_declines_or_fails_is_a_cancel(
    decided: object, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")
    screen = Screen(ann)
    answerer = Answerer(screen, policy=Policy(decided))
    assert await answerer.answer(NAME, ORIGIN) == Cancel("policy_failed")
    assert screen.shown == []
    assert "policy_failed error=" in caplog.text
    assert "secret" not in caplog.text


async def test_a_policy_that_waits_delays_the_question_and_can_be_withdrawn() -> None:
    release = anyio.Event()

    class Patient:
        async def decide(self, request: Request, origin: Origin) -> Cancel | None:
            await release.wait()
            return None

    screen = Screen(ann)
    answerer = Answerer(screen, policy=Patient())
    answers: list[Response] = []

    async def ask() -> None:
        answers.append(await answerer.answer(NAME, ORIGIN))

    async with anyio.create_task_group() as tasks:
        with anyio.move_on_after(0):
            await answerer.answer(NAME, ORIGIN)
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        assert screen.shown == []
        release.set()
    assert answers == [ANN]
    assert len(screen.shown) == 1

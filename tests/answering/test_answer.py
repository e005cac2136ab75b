"""One question becomes one answer, in one order of steps."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import anyio
import pytest

from elicitkit.answering import Answerer, Limits, Scripted
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.fields import TextField
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    Decline,
    FormRequest,
    Mode,
    Origin,
    Response,
)
from elicitkit.core.ports import Turn
from tests.answering.forms import DEFAULTS, NAME, ORIGIN, PAGE, form
from tests.answering.surfaces import FormsOnly

pytestmark = pytest.mark.anyio

Fill = Callable[[FormRequest], Awaitable[Response]]


class Surface(FormsOnly):
    """Shows a form by calling a function, and keeps what was shown."""

    def __init__(self, fill: Fill, modes: frozenset[Mode] = frozenset({"form"})) -> None:
        self.modes = modes
        self.shown: list[FormRequest] = []
        self._fill = fill

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.shown.append(form)
        return await self._fill(form)


def answering(response: Response) -> Fill:
    async def fill(form: FormRequest) -> Response:
        return response

    return fill


async def broken(form: FormRequest) -> Response:
    raise RuntimeError("the secret answer was 42")


@pytest.mark.parametrize("response", [Accept({"name": "Ann"}), Decline(), Cancel("dismissed")])
@pytest.mark.requirement("M33")
async def test_what_the_person_decided_is_the_answer(response: Response) -> None:
    assert await Answerer(Surface(answering(response))).answer(NAME, ORIGIN) == response


async def test_a_scripted_answerer_needs_nobody() -> None:
    answerer = Answerer.scripted([{"action": "accept", "content": {"name": "Ann"}}])
    assert isinstance(answerer.surface, Scripted)
    assert await answerer.answer(NAME, ORIGIN) == Accept({"name": "Ann"})


@pytest.mark.parametrize(
    ("shown", "served"),
    [(set[Mode](), set[Mode]()), ({"form"}, {"form"}), ({"form", "url"}, {"form", "url"})],
)
@pytest.mark.requirement("M10")
def test_only_what_can_be_served_here_and_now_is_offered(
    shown: set[Mode], served: set[Mode]
) -> None:
    assert Answerer(Surface(broken, frozenset(shown))).modes == served


@pytest.mark.requirement("M32", "G47")
async def test_an_undeclared_mode_is_refused_and_nothing_is_shown() -> None:
    surface = Surface(broken)
    with pytest.raises(
        InvalidRequest, match="url mode was not declared; supported: form"
    ) as caught:
        await Answerer(surface).answer(PAGE, ORIGIN)
    assert (caught.value.code, caught.value.data) == (-32602, {"supportedModes": ["form"]})
    with pytest.raises(InvalidRequest, match="form mode was not declared; supported: none"):
        await Answerer(surface).answer(NAME, ORIGIN, declared=Capability())
    assert surface.shown == []


async def test_a_person_who_left_after_the_declaration_is_no_error_of_the_server() -> None:
    surface = Surface(answering(Cancel("no_person")), frozenset())
    declared = Capability(frozenset({"form"}))
    answer = await Answerer(surface).answer(NAME, ORIGIN, declared=declared)
    assert answer == Cancel("no_person")


@pytest.mark.requirement("G17")
async def test_a_form_beyond_the_limits_is_refused_and_nothing_is_shown() -> None:
    surface = Surface(broken)
    answerer = Answerer(surface, limits=Limits(properties=1))
    with pytest.raises(InvalidRequest, match="2 fields"):
        await answerer.answer(form(TextField(name="a"), TextField(name="b")), ORIGIN)
    assert surface.shown == []


@pytest.mark.case("095-render-failure-is-not-decline")
async def test_a_surface_that_fails_is_a_cancel_and_logged_without_what_it_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "elicitkit")
    assert await Answerer(Surface(broken)).answer(NAME, ORIGIN) == Cancel("surface_failed")
    assert [record.levelname for record in caplog.records] == ["INFO", "ERROR", "INFO"]
    assert "surface_failed error=RuntimeError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("content", [{"name": 5}, {}, None])
@pytest.mark.requirement("M61")
async def test_content_that_does_not_fit_is_never_sent(content: dict[str, int] | None) -> None:
    surface = Surface(answering(Accept(content)))
    assert await Answerer(surface).answer(NAME, ORIGIN) == Cancel("invalid_answer")


@pytest.mark.requirement("G09")
async def test_keys_that_nobody_asked_for_are_never_sent() -> None:
    surface = Surface(answering(Accept({"name": "Ann", "path": "/home"})))
    assert await Answerer(surface).answer(NAME, ORIGIN) == Accept({"name": "Ann"})


@pytest.mark.case("047-defaults-not-on-decline")
async def test_a_decline_carries_no_defaults() -> None:
    assert await Answerer(Surface(answering(Decline()))).answer(DEFAULTS, ORIGIN) == Decline()


async def test_the_log_holds_no_content_and_no_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "elicitkit")
    await Answerer(Surface(answering(Accept({"name": "Ann"})))).answer(NAME, ORIGIN)
    assert "answered mode=form action=accept" in caplog.text
    assert "Ann" not in caplog.text
    assert NAME.message not in caplog.text


class Desk:
    """Holds every question open until it is told to answer it."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.ended: list[str] = []
        self.answers: dict[str, anyio.Event] = {}

    async def fill(self, form: FormRequest) -> Response:
        self.open.append(form.message)
        try:
            await self.answers.setdefault(form.message, anyio.Event()).wait()
        finally:
            self.open.remove(form.message)
            self.ended.append(form.message)
        return Accept({})

    def answer(self, message: str) -> None:
        self.answers.setdefault(message, anyio.Event()).set()


@pytest.mark.requirement("G18")
async def test_questions_are_shown_one_at_a_time_in_the_order_they_came() -> None:
    desk = Desk()
    answerer = Answerer(Surface(desk.fill))
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for message in ("A", "B", "C"):
                tasks.start_soon(answerer.answer, form(message=message), ORIGIN)
                await anyio.wait_all_tasks_blocked()
            for message in ("A", "B", "C"):
                assert desk.open == [message]
                desk.answer(message)
                await anyio.wait_all_tasks_blocked()
    assert desk.ended == ["A", "B", "C"]


async def test_a_caller_that_gives_up_withdraws_its_question_and_the_next_is_shown() -> None:
    desk = Desk()
    answerer = Answerer(Surface(desk.fill))
    scopes = {message: anyio.CancelScope() for message in ("A", "B", "C")}

    async def ask(message: str) -> None:
        with scopes[message]:
            await answerer.answer(form(message=message), ORIGIN)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for message in scopes:
                tasks.start_soon(ask, message)
                await anyio.wait_all_tasks_blocked()
            scopes["B"].cancel()
            await anyio.wait_all_tasks_blocked()
            assert desk.open == ["A"]
            scopes["A"].cancel()
            await anyio.wait_all_tasks_blocked()
            assert desk.open == ["C"]
            desk.answer("C")
    assert desk.ended == ["A", "C"]

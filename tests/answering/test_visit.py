"""The wait for the end of an open page: shown when nothing else is, and over once."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Scripted
from elicitkit.answering.visit import Visit
from elicitkit.core.model import Accept, Decline, Origin, UrlRequest
from elicitkit.core.open_page import Ending, OpenPage, Way
from tests.answering.forms import form
from tests.answering.surfaces import Browser, Window
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

ORIGIN = Origin(label="my server")


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


async def opened(answerer: Answerer, url: str = "https://x.example/") -> Visit:
    request = UrlRequest(message="Sign in", url=url)
    visit = answerer.visit(await answerer.answer(request, ORIGIN))
    assert visit is not None
    return visit


@asynccontextmanager
async def watched(visit: Visit) -> AsyncGenerator[None]:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(visit.watch)
            await anyio.wait_all_tasks_blocked()
            yield


def answering(window: Window, *, works: bool = True) -> tuple[Answerer, Browser]:
    browser = Browser(window, works=works)
    return Answerer(window, opener=browser), browser


async def test_what_is_no_consent_leaves_no_page() -> None:
    assert Answerer(Window()).visit(Decline()) is None
    assert Answerer(Window()).visit(Accept({})) is None


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M24", "M25", "G33")
async def test_a_completion_ends_the_wait_and_the_person_is_told() -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with watched(visit):
        assert visit.end("completed")
        assert await visit.over() == "completed"
        assert not visit.end("completed")
        assert not visit.end("given_up")
    assert window.log == ["consent", "open", "wait", "left", "told completed"]
    assert visit.state == "completed"


@pytest.mark.requirement("G33")
async def test_a_completion_that_came_first_shows_no_wait() -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    visit.end("completed")
    async with watched(visit):
        pass
    assert window.log == ["consent", "open", "told completed"]


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M26")
@pytest.mark.parametrize("works", [True, False])
async def test_the_page_can_be_opened_again_and_only_the_same_page(works: bool) -> None:
    window = Window()
    answerer, browser = answering(window)
    visit = await opened(answerer)
    browser.works = works
    async with watched(visit):
        window.say("again")
        await anyio.wait_all_tasks_blocked()
        assert browser.opened == ["https://x.example/"] * 2
        assert visit.page.opening == ("browser" if works else "failed")
        assert visit.state == "open"
        window.say("give_up")
    assert await visit.over() == "given_up"


@pytest.mark.parametrize("surface_opens", [True, False])
async def test_what_the_person_opens_by_hand_is_opened_by_nobody_else(
    surface_opens: bool,
) -> None:
    window = Window()
    window.opens = surface_opens
    answerer, browser = answering(window)
    browser.opening = "by_hand" if surface_opens else "browser"
    visit = await opened(answerer)
    async with watched(visit):
        window.say("again")
        await anyio.wait_all_tasks_blocked()
        assert (browser.opened, visit.page.opening) == ([], "by_hand")
        visit.end("result")


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M26")
async def test_a_person_who_has_finished_is_shown_nothing_until_the_server_disagrees() -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with watched(visit):
        window.say("finished")
        assert await visit.over() == "finished"
        visit.ask_again()
        visit.ask_again()
        await anyio.wait_all_tasks_blocked()
        assert window.log == ["consent", "open", "wait", "pending"]
        assert visit.state == "open"
        window.say("finished")
        await anyio.wait_all_tasks_blocked()
        visit.end("completed")
    assert window.log[-2:] == ["pending", "told completed"]


@pytest.mark.requirement("G18")
async def test_a_question_pushes_the_wait_aside_and_it_comes_back() -> None:
    window = Window()
    answerer, _ = answering(window)
    visit = await opened(answerer)
    async with watched(visit):
        await answerer.answer(form(message="Which seat?"), ORIGIN)
        await anyio.wait_all_tasks_blocked()
        assert window.log == ["consent", "open", "wait", "left", "fill Which seat?", "wait"]
        visit.end("result")


@pytest.mark.requirement("G18")
async def test_of_two_open_pages_the_first_is_shown() -> None:
    window = Window()
    answerer, _ = answering(window)
    first = await opened(answerer)
    second = await opened(answerer, "https://y.example/")
    async with watched(first), watched(second):
        assert window.pages == [first.page]
        first.end("completed")
        await anyio.wait_all_tasks_blocked()
        assert window.pages == [first.page, second.page]
        second.end("disconnected")


@pytest.mark.parametrize("shown", [True, False])
async def test_an_end_is_told_when_the_question_before_it_is_answered(shown: bool) -> None:
    class Slow(Window):
        async def fill(self, *args: Any, **kwargs: Any) -> Any:
            await anyio.sleep(100)
            return await super().fill(*args, **kwargs)

    window = Slow()
    answerer, _ = answering(window)
    visit = await opened(answerer)
    async with anyio.create_task_group() as tasks:
        if shown:
            tasks.start_soon(visit.watch)
            await anyio.sleep(1)
        tasks.start_soon(answerer.answer, form(message="Which seat?"), ORIGIN)
        await anyio.sleep(1)
        visit.end("completed")
        assert await visit.over() == "completed"
        assert window.log[-1] != "told completed"
        if not shown:
            tasks.start_soon(visit.watch)
    assert window.log[-2:] == ["fill Which seat?", "told completed"]


async def test_a_surface_that_cannot_show_a_wait_gives_up_for_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Window):
        async def wait(self, page: OpenPage) -> Way:
            raise RuntimeError("secret")

    visit = await opened(answering(Broken())[0])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(visit.watch)
        await anyio.sleep(700)
        assert visit.state == "open"
        assert visit.idle() >= 700
        visit.end("idle")
    assert visit.page.ending == "idle"
    assert "surface_failed error=RuntimeError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.requirement("G04")
async def test_nobody_is_idle_while_the_wait_is_on_their_screen() -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(visit.watch)
        await anyio.sleep(10_000)
        assert visit.idle() == 0.0
        window.say("finished")
        await anyio.sleep(30)
        assert visit.idle() == pytest.approx(30)
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize("ending", ["result", "disconnected", "idle"])
async def test_every_other_end_leaves_the_page_to_the_person(ending: Ending) -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with watched(visit):
        visit.end(ending)
    assert visit.state == "over"
    assert window.log[-1] == f"told {ending}"


async def test_whoever_has_finished_is_told_of_a_completion_and_of_nothing_else() -> None:
    for ending, told in (("result", []), ("completed", ["told completed"])):
        window = Window()
        visit = await opened(answering(window)[0])
        async with watched(visit):
            window.say("finished")
            await anyio.wait_all_tasks_blocked()
            visit.end(ending)  # type: ignore[arg-type]
        assert window.log[3:] == told


async def test_a_script_is_no_person_whose_screen_could_show_a_wait() -> None:
    script = Scripted([{"action": "accept", "url": "https://x.example/"}])
    visit = await opened(Answerer(script))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(visit.watch)
        assert await visit.over() == "finished"
        visit.ask_again()
        await anyio.sleep(1_000)
        assert visit.idle() > 1_000
        tasks.cancel_scope.cancel()


@pytest.mark.ux("UX19")
async def test_a_person_has_finished_too_early_if_nothing_comes_of_it_for_a_while() -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(visit.watch)
        await anyio.wait_all_tasks_blocked()
        window.say("finished")
        begun = anyio.current_time()
        assert await visit.too_early()
        assert anyio.current_time() - begun == pytest.approx(15, abs=1)
        visit.end("result")


@pytest.mark.parametrize("ending", ["completed", "result", "disconnected"])
async def test_what_comes_of_it_ends_that_wait_at_once(ending: Ending) -> None:
    window = Window()
    visit = await opened(answering(window)[0])
    async with watched(visit), anyio.create_task_group() as tasks:
        window.say("finished")
        await anyio.wait_all_tasks_blocked()
        begun = anyio.current_time()
        tasks.start_soon(visit.too_early)
        await anyio.sleep(1)
        visit.end(ending)
        assert not await visit.too_early()
        assert anyio.current_time() - begun < 2

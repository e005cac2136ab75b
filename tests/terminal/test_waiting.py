"""Waiting for a page that is open elsewhere, in both renderers."""

from __future__ import annotations

import io
import os
import signal
import termios
from typing import get_args

import anyio
import pytest

from elicitkit.core.model import Accept, Response
from elicitkit.core.open_page import Ending, Opening, OpenPage, Way
from elicitkit.i18n import catalog
from elicitkit.terminal import Terminal
from tests.terminal.hands import DOWN, ENTER, ESC, F1, F2, RendererName
from tests.terminal.person import EVERYTHING, Person, form, seated
from tests.terminal.test_consent import LONG, joined
from tests.terminal.url_hands import MESSAGE, FullUrlHand, PlainUrlHand, page, waiting

pytestmark = pytest.mark.anyio

URL = "https://login.example.com/authorize?client_id=1&state=xyz"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=["plain", "full"])
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


def at(person: Person, renderer: RendererName, lang: str = "en") -> Terminal:
    return Terminal(stdin=person.stdin, stdout=person.stdout, lang=lang, renderer=renderer)


def written(one: OpenPage, *typed: str, lang: str = "en") -> tuple[Way, str]:
    """What was said, and all that the plain renderer wrote, on 80 columns, at trio."""
    out = io.StringIO()
    stdin = io.StringIO("".join(f"{line}\n" for line in typed))
    terminal = Terminal(stdin=stdin, stdout=out, lang=lang, interactive=True, renderer="plain")
    return anyio.run(terminal.wait, one, backend="trio"), out.getvalue()


GOLDEN = """
everything waits for you to finish on a web page
  Please sign in.
The page is of this site:
DOMAIN: example.com
It was opened in your browser.

Type again to open it again, finished when you have finished, or give
  up. :message shows the address, :help tells more.
> """
GOLDEN_BY_HAND = """
everything 正在等您在网页上完成操作
  Please sign in.

网页属于以下网站：
域名：example.com
  https://login.example.com/authorize?client_id=1&state=xyz
此处无法启动浏览器。请复制完整网址（包括每一行），在您自己电脑的浏览器中打开。
期间又问过 everything，对方仍在等待。

输入 again（再次打开）可再次显示网址；也可输入 finished（已完成）或 give up
  （放弃）。:help 查看帮助。
> """


@pytest.mark.ux("UX19", "UX24")
def test_plain_lines_tell_who_waits_whose_page_it_is_and_how_it_was_opened() -> None:
    way, seen = written(page(URL), "finished")
    assert seen == GOLDEN + "\nYou said that you have finished. everything goes on.\n"
    assert way == "finished"


@pytest.mark.ux("UX18", "UX19", "UX30")
def test_plain_lines_in_chinese_hold_the_address_where_it_is_opened_by_hand() -> None:
    _, seen = written(page(URL, opening="by_hand", pending=True), lang="zh")
    assert seen.startswith(GOLDEN_BY_HAND)


@pytest.mark.ux("UX18", "UX19")
@pytest.mark.parametrize("opening", get_args(Opening))
async def test_how_it_was_opened_is_told_and_the_address_is_at_hand(
    renderer: RendererName, opening: Opening
) -> None:
    async with waiting(renderer, page(URL, opening=opening), columns=80) as hand:
        assert joined(hand.t(f"wait.opened.{opening}")) in joined(hand.seat.display)
        assert "example.com" in hand.seat.display
        if isinstance(hand, PlainUrlHand):
            await hand.line(":message")
        assert URL in hand.seat.display
        await hand.give_up()
        assert await hand.seat.ended() == "give_up"


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M26")
@pytest.mark.parametrize("way", get_args(Way))
async def test_the_page_can_be_opened_again_finished_or_given_up(
    renderer: RendererName, way: Way
) -> None:
    async with waiting(renderer, page(URL)) as hand:
        await getattr(hand, way)()
        assert await hand.seat.ended() == way


@pytest.mark.parametrize(
    ("typed", "way"),
    [
        ("a", "again"),
        ("再次打开", "again"),
        ("DONE", "finished"),
        ("已完成", "finished"),
        ("Give Up", "give_up"),
        ("放弃", "give_up"),
        (":cancel", "give_up"),
    ],
)
def test_each_way_has_its_words(typed: str, way: Way) -> None:
    assert written(page(URL), typed)[0] == way


@pytest.mark.ux("UX19")
@pytest.mark.requirement("M26")
async def test_enter_alone_says_nothing_and_tells_what_there_is(renderer: RendererName) -> None:
    async with waiting(renderer, page(URL)) as hand:
        await hand.enter()
        await hand.enter()
        assert hand.seat.response is None
        assert hand.seat.saw("The page is still waited for.")
        await hand.finished()
        assert await hand.seat.ended() == "finished"


@pytest.mark.ux("UX19")
async def test_that_the_server_still_waits_is_told(renderer: RendererName) -> None:
    async with waiting(renderer, page(URL, pending=True)) as hand:
        assert "everything was asked again meanwhile, and still waits." in hand.seat.display
        await hand.finished()
        await hand.seat.ended()


@pytest.mark.ux("UX04")
async def test_the_end_of_input_gives_up(renderer: RendererName) -> None:
    async with waiting(renderer, page(URL)) as hand:
        await hand.end_input()
        assert await hand.seat.ended() == "give_up"


@pytest.mark.ux("UX04")
async def test_a_hangup_signal_gives_up(renderer: RendererName) -> None:
    async with waiting(renderer, page(URL)) as hand:
        os.kill(os.getpid(), signal.SIGHUP)
        assert await hand.seat.ended() == "give_up"


@pytest.mark.ux("UX05")
async def test_the_second_interrupt_gives_up(renderer: RendererName) -> None:
    async with waiting(renderer, page(URL)) as hand:
        await hand.interrupt()
        await hand.seat.see("Press Ctrl-C again to give up.")
        assert hand.seat.response is None
        await hand.interrupt()
        assert await hand.seat.ended() == "give_up"


@pytest.mark.ux("UX04")
async def test_a_lost_terminal_gives_up(renderer: RendererName) -> None:
    with seated() as person, anyio.fail_after(10):
        ways: list[Way] = []
        async with anyio.create_task_group() as group:

            async def wait() -> None:
                ways.append(await at(person, renderer).wait(page(URL)))

            group.start_soon(wait)
            await person.see("F1: help" if renderer == "full" else "\n> ")
            person.hang_up()
        assert ways == ["give_up"]


async def test_a_terminal_that_was_gone_before_gives_up_and_tells_nothing() -> None:
    with seated() as person:
        person.hang_up()
        gone = Terminal(stdin=person.stdin, stdout=person.stdout, interactive=True)
        assert await gone.wait(page(URL)) == "give_up"
        one = page(URL)
        one.ending = "result"
        assert await gone.wait(one) == "finished"


def test_declining_is_nothing_here_and_the_choices_are_told() -> None:
    way, seen = written(page(URL), ":decline", ":back", ":what", "-", "x", "finished")
    assert way == "finished"
    assert seen.count("The page is still waited for.") == 4
    assert "There is no command :what here." in seen


async def test_in_the_full_screen_esc_and_letters_end_nothing() -> None:
    async with waiting("full", page(URL)) as hand:
        hand.type(ESC)
        await hand.seat.see("The page is still waited for. Move to a line")
        hand.type(DOWN)
        await hand.seat.see("> Open it again")
        hand.type("x")
        await hand.seat.see("The page is still waited for. Move to a line")
        for key, row in (("f", "I have finished"), ("g", "Give up"), ("a", "Open it again")):
            hand.type(key)
            await hand.seat.see(f"> {row}")
        # Keys that belong to a field do nothing.
        hand.type("\t\x12\x0f\x7f ")
        await hand.seat.see("> I have finished")
        assert hand.seat.response is None
        hand.type(ENTER)
        assert await hand.seat.ended() == "finished"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_help_tells_what_each_way_does(renderer: RendererName, lang: str) -> None:
    async with waiting(renderer, page(URL), lang=lang) as hand:
        if isinstance(hand, PlainUrlHand):
            await hand.line(":help")
            told = "wait.help"
        else:
            hand.type(F1)
            await hand.seat.see(hand.t("full.keys.reading"))
            told = "wait.keys_told"
        assert joined(hand.t(told)) in joined(hand.seat.display)
        await hand.end_input()
        await hand.seat.ended()


async def test_a_long_url_can_be_read_while_it_is_waited_for() -> None:
    async with waiting("full", page(LONG), columns=40, rows=24) as hand:
        assert "F2 shows all)" in hand.seat.display
        for told in ("Open it again", "I have finished", "Give up"):
            assert told in hand.seat.display
        hand.type(F2)
        await hand.seat.see("read on.")
        hand.type("\x1b[F")
        await hand.seat.see("=end")
        await hand.end_input()
        await hand.seat.ended()


# How it ends.


@pytest.mark.ux("UX19", "UX30")
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("ending", get_args(Ending))
async def test_each_ending_is_one_sentence_and_takes_no_answer(
    renderer: RendererName, ending: Ending, lang: str
) -> None:
    one = page(URL)
    one.ending = ending
    with seated() as person, anyio.fail_after(5):
        await at(person, renderer, lang).wait(one)
        person.catch_up()
        told = catalog(lang).t(f"wait.ended.{ending}", who="everything")
        assert person.seen == f"\n{told}\n"


@pytest.mark.requirement("M10")
@pytest.mark.parametrize("ending", [None, "completed"])
async def test_without_a_person_nothing_is_shown_and_nobody_gives_up(
    ending: Ending | None,
) -> None:
    out = io.StringIO()
    terminal = Terminal(stdin=io.StringIO("give up\n"), stdout=out)
    one = page(URL)
    one.ending = ending
    ways: list[Way] = []
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:

            async def wait() -> None:
                ways.append(await terminal.wait(one))

            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
    assert ways == ([] if ending is None else ["finished"])
    assert out.getvalue() == ""


@pytest.mark.ux("UX19")
@pytest.mark.parametrize("half", ["", "fini"])
async def test_a_wait_that_is_cancelled_says_nothing_and_the_next_question_is_asked(
    renderer: RendererName, half: str
) -> None:
    with seated(80, 40) as person, anyio.fail_after(10):
        terminal = at(person, renderer)
        before = termios.tcgetattr(person.slave)
        async with anyio.create_task_group() as group:
            group.start_soon(terminal.wait, page(URL))
            await person.see("F1: help" if renderer == "full" else "\n> ")
            person.type(half)
            group.cancel_scope.cancel()
        assert termios.tcgetattr(person.slave) == before
        shown = len(person.seen)
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def ask() -> None:
                answers.append(await terminal.fill(form(message="Next?"), EVERYTHING))

            group.start_soon(ask)
            await person.see("Next?")
            if renderer == "full":
                await person.see("Not now")
                person.type("y")
                await person.see("> Yes, I agree")
                person.type(ENTER)
            else:
                await person.prompted()
                person.type("yes\n")
        person.catch_up()
    assert answers == [Accept({})]
    between = person.seen[: shown + 200]
    for misleading in ("no longer waits", "given up", "gave up", "finished.", "Cancelled"):
        assert misleading not in between


async def test_a_question_waits_for_its_turn_and_a_wait_is_no_question() -> None:
    with seated(80, 40) as person, anyio.fail_after(10):
        terminal = at(person, "plain")
        answers: list[object] = []

        async def ask() -> None:
            answers.append(await terminal.fill(form(message="Next?"), EVERYTHING))

        async def wait() -> None:
            answers.append(await terminal.wait(page(URL)))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await person.see("Next?")
            await person.prompted()
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            assert MESSAGE not in person.seen
            person.type(":message\n")
            await person.prompted()
            assert "Question 1 of" not in person.seen
            person.type("yes\n")
            await person.see(MESSAGE)
            await person.prompted()
            person.type("again\n")
    assert answers == [Accept({}), "again"]


async def test_what_was_typed_before_a_wait_answers_nothing(renderer: RendererName) -> None:
    with seated(80, 40) as person, anyio.fail_after(10):
        person.type("finished\n")
        ways: list[Way] = []
        async with anyio.create_task_group() as group:

            async def wait() -> None:
                ways.append(await at(person, renderer).wait(page(URL)))

            group.start_soon(wait)
            await person.see("typed before this prompt were thrown away")
            assert ways == []
            person.type("\x04")
    assert ways == ["give_up"]


@pytest.mark.ux("UX23", "UX24")
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("opening", get_args(Opening))
async def test_forty_columns_hold_the_wait(
    renderer: RendererName, opening: Opening, lang: str
) -> None:
    one = page(URL, opening=opening, pending=True)
    async with waiting(renderer, one, lang=lang, columns=40, rows=24) as hand:
        if isinstance(hand, FullUrlHand):
            for key in (f"wait.do.{opening}", "wait.do.finished", "wait.do.give_up"):
                assert hand.t(key) in hand.seat.display
            assert "  example.com" in hand.seat.display.split("\n")
        else:
            assert b"\x1b" not in hand.seat.raw
        await hand.end_input()
        await hand.seat.ended()

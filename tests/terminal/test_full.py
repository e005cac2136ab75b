"""What only the renderer in which one moves about has: its keys, its screen, its ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import termios

import anyio
import pytest
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    IntegerField,
    Option,
    OtherField,
    TextField,
)
from elicitkit.core.model import Accept, Cancel, Decline, Response
from elicitkit.core.text import width
from elicitkit.terminal import Terminal
from elicitkit.terminal.full.desk import Desk
from tests.terminal.hands import (
    BACKSPACE,
    DOWN,
    END,
    ENTER,
    ESC,
    F1,
    F2,
    HOME,
    PAGE_DOWN,
    TAB,
    UP,
    FullHand,
    Hand,
    asked,
)
from tests.terminal.person import EVERYTHING, form, seated

pytestmark = pytest.mark.anyio
LEFT = "\x1b[D"
COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green", "Like grass."), Option("#00F", "Blue"))
TRIP = form(
    TextField(name="name", title="Name", required=True),
    IntegerField(name="age", title="Age", default=42),
    ChoiceField(name="colour", title="Colour", options=COLOURS),
    message="Who travels?",
)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def marked(hand: Hand) -> str:
    """The line on which the terminal's own cursor stands."""
    return hand.seat.screen.display[hand.seat.screen.cursor.y].rstrip()


# Esc, Ctrl-C, Ctrl-D and the ends of a terminal.


@pytest.mark.ux("UX05")
@pytest.mark.requirement("M04")
async def test_esc_goes_back_a_level_keeps_the_text_and_never_ends_at_once() -> None:
    async with asked("full", TRIP) as hand:
        hand.type("Ada")
        await hand.seat.see("> Ada")
        hand.type(ESC)
        await hand.seat.see("> 1. Name: Ada (yours)")
        hand.type(ESC)
        await hand.seat.see("What would you like to do?")
        hand.type(ESC)
        await hand.seat.gone("What would you like to do?")
        assert "> 1. Name: Ada (yours)" in hand.seat.display
        assert hand.seat.response is None
        await hand.cancel()
        assert await hand.seat.ended() == Cancel("dismissed")


@pytest.mark.ux("UX04", "UX05")
async def test_the_first_ctrl_c_asks_and_the_second_cancels() -> None:
    async with asked("full", TRIP) as hand:
        hand.type("Ada\x03")
        await hand.seat.see("Press Ctrl-C again to cancel")
        assert "> Ada" in hand.seat.display
        hand.type(" L")
        await hand.seat.see("> Ada L")
        hand.type("\x03")
        await hand.seat.see("Press Ctrl-C again to cancel")
        assert hand.seat.response is None
        hand.type("\x03")
        assert await hand.seat.ended() == Cancel("interrupted")


@pytest.mark.ux("UX04")
@pytest.mark.parametrize(
    ("numbers", "response"),
    [
        ([signal.SIGINT, signal.SIGINT], Cancel("interrupted")),
        ([signal.SIGHUP], Cancel("hangup")),
    ],
)
async def test_signals_of_the_terminal_end_the_question(
    numbers: list[signal.Signals], response: Response
) -> None:
    taken = (signal.SIGINT, signal.SIGHUP, signal.SIGWINCH)
    before = [signal.getsignal(number) for number in taken]
    async with asked("full", TRIP) as hand:
        for number in numbers:
            os.kill(os.getpid(), number)
            if number == signal.SIGINT and len(hand.seat.screens) < 90:
                await hand.seat.until(
                    lambda: hand.seat.saw("Press Ctrl-C again") or hand.seat.response is not None,
                    "the first Ctrl-C",
                )
        assert await hand.seat.ended() == response
    assert [signal.getsignal(number) for number in taken] == before


@pytest.mark.ux("UX04")
async def test_ctrl_d_deletes_in_a_text_and_cancels_where_there_is_none() -> None:
    async with asked("full", TRIP) as hand:
        hand.type("Adx" + LEFT + "\x04")
        await hand.seat.see("> Ad")
        await hand.seat.gone("> Adx")
        assert hand.seat.response is None
        hand.type(BACKSPACE * 2)
        await hand.seat.gone("> Ad")
        hand.type("\x04")
        assert await hand.seat.ended() == Cancel("eof")


@pytest.mark.ux("UX04")
@pytest.mark.parametrize("typed", ["", "Ada"])
async def test_a_closed_window_cancels(typed: str) -> None:
    with seated() as person, anyio.fail_after(10):
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def fill() -> None:
                answers.append(await terminal.fill(TRIP, EVERYTHING))

            group.start_soon(fill)
            await person.see("Delete: leave out")
            person.type(typed)
            person.hang_up()
    assert answers == [Cancel("hangup")]


@pytest.mark.ux("UX04")
@pytest.mark.parametrize("lost", ["hands", "eyes"])
async def test_either_end_of_a_terminal_that_is_lost_cancels(lost: str) -> None:
    with seated() as hands, seated() as eyes, anyio.fail_after(10):
        terminal = Terminal(stdin=hands.stdin, stdout=eyes.stdout, lang="en", renderer="full")
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def fill() -> None:
                answers.append(await terminal.fill(TRIP, EVERYTHING))

            group.start_soon(fill)
            await eyes.see("Delete: leave out")
            if lost == "hands":
                hands.hang_up()
            else:
                eyes.hang_up()
                hands.type("x")
    assert answers == [Cancel("hangup")]


@pytest.mark.requirement("G27")
async def test_a_needed_field_of_unknown_kind_ends_as_cancel() -> None:
    request = form(OtherField(name="o", raw={"type": "object"}, required=True))
    with seated() as person, anyio.fail_after(10):
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        assert await terminal.fill(request, EVERYTHING) == Cancel("unsupported_schema")
        person.catch_up()
        assert "of a kind that is not known here: o." in person.seen


async def test_the_mode_of_the_terminal_is_put_back_however_the_question_ends() -> None:
    with seated() as person:
        before = termios.tcgetattr(person.slave)
        tasks = asyncio.all_tasks()
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        for withdrawn in (True, False):
            with anyio.fail_after(10):
                async with anyio.create_task_group() as group:
                    group.start_soon(terminal.fill, TRIP, EVERYTHING)
                    await person.see("Delete: leave out")
                    assert termios.tcgetattr(person.slave) != before
                    if withdrawn:
                        group.cancel_scope.cancel()
                    else:
                        person.type("\x04")
            assert termios.tcgetattr(person.slave) == before
            assert asyncio.all_tasks() == tasks
            person.raw = b""


async def test_a_fault_of_ours_ends_the_question_and_leaves_the_terminal_usable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: Desk) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(Desk, "help", fail)
    with seated() as person, anyio.fail_after(10):
        before = termios.tcgetattr(person.slave)
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="a fault")):
            async with anyio.create_task_group() as group:
                group.start_soon(terminal.fill, TRIP, EVERYTHING)
                await person.see("Delete: leave out")
                person.type(F1)
        assert termios.tcgetattr(person.slave) == before


@pytest.mark.case("107-parent-cancelled-closes-dialog")
async def test_keys_struck_for_a_withdrawn_question_answer_not_the_next() -> None:
    with seated() as person, anyio.fail_after(10):
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        async with anyio.create_task_group() as group:
            group.start_soon(terminal.fill, TRIP, EVERYTHING)
            await person.see("Delete: leave out")
            group.cancel_scope.cancel()
        person.type("y\r")
        await person.see("It was not delivered")
        second: list[Response] = []
        async with anyio.create_task_group() as group:

            async def fill() -> None:
                second.append(await terminal.fill(form(message="Delete all?"), EVERYTHING))

            group.start_soon(fill)
            await person.see("Delete all?")
            await person.see("Lines typed before this prompt were thrown away.")
            assert second == []
            person.type("\x04")
        assert second == [Cancel("eof")]


async def test_keys_that_the_host_read_too_early_answer_nothing() -> None:
    with seated() as person, anyio.fail_after(10):
        source = create_input(person.stdin)
        store_typeahead(source, [KeyPress("y"), KeyPress(Keys.ControlM, "\r")])
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="full")
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def fill() -> None:
                answers.append(await terminal.fill(form(message="Delete all?"), EVERYTHING))

            group.start_soon(fill)
            await person.see("Delete all?")
            person.type("\x04")
        assert answers == [Cancel("eof")]


async def test_keys_struck_after_the_last_one_are_forgotten() -> None:
    async with asked("full", TRIP) as hand:
        hand.type("\x03\x03y\r")
        assert await hand.seat.ended() == Cancel("interrupted")
        assert get_typeahead(create_input(hand.seat.person.stdin)) == []


async def test_the_handler_of_resizes_that_a_host_has_set_is_put_back() -> None:
    def resized(number: int, frame: object) -> None:
        raise AssertionError("nothing is resized here")

    before = signal.signal(signal.SIGWINCH, resized)
    try:
        async with asked("full", TRIP) as hand:
            await hand.end_input()
            await hand.seat.ended()
        assert signal.getsignal(signal.SIGWINCH) is resized
    finally:
        signal.signal(signal.SIGWINCH, before)


# Lines that are typed.


@pytest.mark.ux("UX07")
async def test_a_suggestion_is_never_in_the_line_and_typing_replaces_it() -> None:
    async with asked("full", TRIP) as hand:
        await hand.open("age")
        assert marked(hand) == ">"
        assert "Suggested: [42]. It is sent unless you change it." in hand.seat.display
        hand.type("99" + ENTER)
        await hand.seat.see("2. Age: 99 (yours)")
        await hand.fill("name", "Ada")
        await hand.send()
        assert await hand.seat.ended() == Accept({"name": "Ada", "age": 99})


@pytest.mark.ux("UX07")
async def test_tab_takes_the_suggestion_into_the_line_to_be_changed() -> None:
    async with asked("full", TRIP) as hand:
        await hand.open("age")
        hand.type(TAB)
        await hand.seat.see("\n> 42")
        hand.type(BACKSPACE + ENTER)
        await hand.seat.see("2. Age: 4 (yours)")
        await hand.end_input()


@pytest.mark.ux("UX15")
async def test_a_suggestion_that_acts_is_not_taken_into_the_line() -> None:
    async with asked("full", form(TextField(name="t", default="a\u202eb"))) as hand:
        await hand.open("t")
        hand.type(TAB)
        await hand.seat.gone("Enter: take it")
        assert "a\\u202eb (suggested)" in hand.seat.display
        assert "\u202e".encode() not in hand.seat.raw
        await hand.end_input()


@pytest.mark.ux("UX07")
async def test_enter_on_an_empty_line_keeps_the_suggestion_as_one() -> None:
    async with asked("full", TRIP) as hand:
        await hand.open("age")
        hand.type(ENTER)
        await hand.seat.see("> 3. Colour")
        assert "2. Age: 42 (suggested)" in hand.seat.display
        await hand.end_input()


async def test_an_own_text_is_opened_again_by_enter_and_replaced_by_typing() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.open("name")
        await hand.seat.see("\n> Ada")
        hand.type(" L" + ENTER)
        await hand.seat.see("1. Name: Ada L (yours)")
        await hand.fill("name", "Bob")
        assert "1. Name: Bob (yours)" in hand.seat.display
        await hand.open("name")
        hand.type(BACKSPACE * 3 + ENTER)
        await hand.seat.see("1. Name: An answer is needed.")
        await hand.end_input()


async def test_arrows_in_a_text_stay_in_the_text() -> None:
    """An arrow that leads to a button has cost people their answers."""
    async with asked("full", TRIP) as hand:
        hand.type("bd" + LEFT + "a" + LEFT * 9 + "A" + ENTER)
        await hand.seat.see("1. Name: Abad (yours)")
        assert marked(hand).startswith("> 2. Age")
        await hand.end_input()


@pytest.mark.ux("UX10")
async def test_up_and_down_leave_a_line_with_what_was_typed() -> None:
    async with asked("full", TRIP) as hand:
        hand.type("Ada" + DOWN + "x1" + UP)
        await hand.seat.see("2. Age: [x1] Write a whole number")
        assert marked(hand) == "> 1. Name: Ada (yours)"
        await hand.end_input()


@pytest.mark.ux("UX25")
@pytest.mark.parametrize("opened", [True, False])
async def test_pasted_line_breaks_are_taken_out_with_a_notice_and_submit_nothing(
    opened: bool,
) -> None:
    async with asked("full", TRIP) as hand:
        if opened:
            await hand.open("name")
        hand.type(pasted("Ada\r\nLovelace\r"))
        await hand.seat.see("Pasted line breaks were taken out.")
        await hand.seat.see("> Ada Lovelace")
        assert "1. Name: An answer is needed." in hand.seat.display
        hand.type(ENTER)
        await hand.seat.see("1. Name: Ada Lovelace (yours)")
        await hand.end_input()


@pytest.mark.ux("UX25")
async def test_a_paste_at_the_review_sends_nothing() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.review()
        hand.type(pasted("s\r\r"))
        await hand.seat.see("Nothing can be typed here.")
        assert hand.seat.response is None
        await hand.end_input()


async def test_keys_and_bytes_that_are_no_text_are_not_taken() -> None:
    async with asked("full", TRIP) as hand:
        hand.type(pasted("a\x07b") + ENTER)
        await hand.seat.see("that line holds keys that are no text")
        hand.type(BACKSPACE * 3)
        hand.seat.person.type(b"\xff\xfe\r")
        await hand.seat.until(lambda: "1. Name: An answer" in hand.seat.display, "nothing taken")
        assert hand.seat.response is None
        await hand.cancel()


async def test_wide_characters_are_typed_and_taken() -> None:
    async with asked("full", TRIP, lang="zh", columns=40) as hand:
        hand.type("你好\u3000世界")
        await hand.seat.see("> 你")
        hand.type(ENTER)
        await hand.seat.until(lambda: "（您的回答）" in hand.seat.display, "the answer")
        await hand.fill("age", "7")
        await hand.send()
        assert await hand.seat.ended() == Accept({"name": "你好\u3000世界", "age": 7})


# Lists that are picked from.


async def test_a_list_marks_nothing_until_a_person_moves_and_enter_alone_chooses_nothing() -> None:
    request = form(ChoiceField(name="c", title="Colour", required=True, options=COLOURS))
    async with asked("full", request) as hand:
        hand.type(ENTER)
        await hand.seat.see("( ) Red")
        assert "(x)" not in hand.seat.display
        assert "> (" not in hand.seat.display
        hand.type(ENTER)
        await hand.seat.see("1. Colour: An answer is needed.")
        hand.type(UP + ENTER + DOWN + DOWN)
        await hand.seat.see("> ( ) Green")
        assert "  Green: Like grass." in hand.seat.display
        hand.type(ENTER)
        await hand.seat.see("1. Colour: Green (sends #0F0) (yours)")
        await hand.end_input()


async def test_typing_narrows_a_list_and_says_when_nothing_fits() -> None:
    async with asked("full", TRIP) as hand:
        await hand.go("colour")
        hand.type("zz")
        await hand.seat.see("Find: zz")
        hand.type(ENTER)
        await hand.seat.see("No option has zz in its name.")
        hand.type(BACKSPACE * 2 + "0f0")
        await hand.seat.see("> ( ) Green")
        assert "Red" not in hand.seat.display
        hand.type(ENTER)
        await hand.seat.see("3. Colour: Green (sends #0F0) (yours)")
        await hand.end_input()


@pytest.mark.ux("UX10")
@pytest.mark.case("038-multi-select-bounds")
async def test_ticks_are_kept_when_there_are_too_many_and_the_bounds_are_told() -> None:
    request = form(ChoicesField(name="m", title="M", options=COLOURS, min_items=1, max_items=2))
    async with asked("full", request) as hand:
        hand.type(ENTER + DOWN + ENTER)
        await hand.seat.see("Nothing is ticked yet. Space ticks the marked option.")
        assert "Options to choose: 1 to 2." in hand.seat.display
        hand.type(DOWN + " " + DOWN + " " + DOWN + " " + ENTER)
        await hand.seat.see("Not taken: M: Choose at most 2 options.")
        assert hand.seat.display.count("[x]") == 3
        hand.type(ESC)
        await hand.seat.see("> 1. M: Choose at most 2 options.")
        hand.type(ENTER)
        await hand.seat.see("[x] Red")
        assert hand.seat.display.count("[x]") == 3
        hand.type(DOWN + " " + ENTER)
        await hand.seat.see("1. M: Green (sends #0F0), Blue (sends #00F) (yours)")
        await hand.send()
        assert await hand.seat.ended() == Accept({"m": ["#0F0", "#00F"]})


async def test_a_yes_or_no_is_chosen_by_its_first_letter() -> None:
    async with asked("full", form(BooleanField(name="b"), TextField(name="t"))) as hand:
        hand.type("n")
        await hand.seat.see("> ( ) no")
        hand.type(ENTER)
        await hand.seat.see("1. b: no (yours)")
        await hand.send()
        assert await hand.seat.ended() == Accept({"b": False})


# The list of fields, the menu and what is read.


async def test_declining_on_its_line_asks_once_where_answers_would_be_lost() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        hand.type(END + UP + ENTER)
        await hand.seat.see("Your answers would be lost.")
        hand.type(DOWN + ENTER)
        await hand.seat.until(lambda: marked(hand) == "> Not now", "Not now")
        assert hand.seat.response is None
        hand.type(UP + ENTER + ENTER)
        assert await hand.seat.ended() == Decline()


async def test_send_is_not_marked_when_the_review_opens() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.review()
        assert marked(hand) == "> 1. Name: Ada (yours)"
        hand.type(ENTER + ENTER)
        await hand.seat.see("Review: this goes to everything")
        assert hand.seat.response is None
        await hand.end_input()


async def test_a_value_is_changed_at_the_review_and_the_review_comes_back() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.review()
        hand.type(DOWN + ENTER + "7" + ENTER)
        await hand.seat.see("> 2. Age: 7 (yours)")
        assert "Review: this goes to everything" in hand.seat.display
        hand.type(UP + ENTER + BACKSPACE * 3 + ESC)
        await hand.seat.see("> 1. Name: An answer is needed.")
        hand.type("s")
        await hand.seat.see("> Send to everything")
        hand.type(ENTER)
        await hand.seat.see("Not sent yet. Fields that need you: 1")
        assert marked(hand).startswith("> 1. Name")
        await hand.end_input()


async def test_the_whole_of_a_long_value_is_seen_at_the_review() -> None:
    words = " ".join(f"word{n}" for n in range(300))
    async with asked("full", form(TextField(name="t", default=words)), columns=60, rows=20) as it:
        assert isinstance(it, FullHand)
        await it.review()
        while "> Not now" not in it.seat.display:
            before = it.seat.display
            it.type(PAGE_DOWN)
            await it.seat.until(lambda seen=before: it.seat.display != seen, "a page")
        await it.end_input()
        await it.seat.ended()
        assert [n for n in range(300) if not it.seat.saw(f"word{n}")] == []


async def test_what_does_not_fit_is_said_and_can_be_read() -> None:
    message = "\n".join(f"line {n}" for n in range(90))
    async with asked("full", form(TextField(name="t"), message=message), rows=24) as hand:
        assert "F2 shows all)" in hand.seat.display
        hand.type(F2)
        await hand.seat.see("Page Down: read on.")
        hand.type(PAGE_DOWN * 9)
        await hand.seat.see("  line 89")
        hand.type(HOME)
        await hand.seat.see("  line 0")
        hand.type(END)
        await hand.seat.see("  line 89")
        hand.type(ESC)
        await hand.seat.see("Delete: leave out")
        await hand.end_input()


async def test_the_help_is_read_and_left() -> None:
    async with asked("full", TRIP) as hand:
        hand.type(F1)
        await hand.seat.see("Delete leaves an optional answer out.")
        hand.type(ENTER)
        await hand.seat.see("> 1. Name")
        hand.type(ESC)
        await hand.seat.see("> Go on answering")
        hand.type(DOWN * 2 + ENTER)
        await hand.seat.see("Page Down: read on.")
        assert "Who travels?" in hand.seat.display
        await hand.end_input()


# The screen.


@pytest.mark.ux("UX23")
@pytest.mark.parametrize("no_color", [True, False])
async def test_the_screen_uses_no_colour_no_mouse_no_other_screen_and_asks_nothing(
    no_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.send()
        await hand.seat.ended()
    seen = hand.seat.transcript
    styles = {code for found in re.findall(r"\x1b\[([0-9;]*)m", seen) for code in found.split(";")}
    assert styles <= {"", "0", "1", "7"}
    for sequence in ("?1049", "?47", "?1000", "?1003", "\x1b[6n", "\x1b]"):
        assert sequence not in seen


@pytest.mark.ux("UX23")
async def test_nothing_is_wider_than_forty_columns_in_either_language() -> None:
    for lang in ("en", "zh"):
        async with asked("full", TRIP, lang=lang, columns=40, rows=24) as hand:
            assert [line for line in hand.seat.screen.display if width(line.rstrip()) > 40] == []
            assert hand.t("ask.from", who="everything") in hand.seat.display
            await hand.end_input()


@pytest.mark.ux("UX23")
async def test_a_resized_terminal_is_drawn_anew() -> None:
    request = form(TextField(name="t"), message="word " * 20)
    async with asked("full", request, columns=100, rows=30) as hand:
        hand.type("half")
        await hand.seat.see("> half")
        hand.seat.screen.reset()
        hand.seat.screen.resize(30, 40)
        hand.seat.person.resize(40, 30)
        os.kill(os.getpid(), signal.SIGWINCH)
        await hand.seat.see("> half")
        await hand.seat.until(lambda: hand.seat.display.count("word") == 20, "the message")
        assert max(len(line) for line in hand.seat.display.split("\n")) <= 40
        hand.type(ENTER)
        await hand.seat.see("1. t: half (yours)")
        await hand.end_input()


async def test_afterwards_the_terminal_keeps_who_asked_what_and_how_it_ended() -> None:
    async with asked("full", TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.send()
        await hand.seat.ended()
    left = [line for line in hand.seat.display.split("\n") if line]
    assert left == [
        "Question from everything",
        "  Who travels?",
        "Your answer goes to everything.",
    ]


def test_the_library_is_loaded_only_when_a_question_is_shown() -> None:
    code = (
        "import sys; from elicitkit.terminal import Terminal; Terminal(renderer='full').modes; "
        "print(sorted(n for n in sys.modules if n.startswith('prompt_toolkit')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"

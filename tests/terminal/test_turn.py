"""The place in the line, the time limit and the mute, in both renderers."""

from __future__ import annotations

import pytest

from elicitkit.core.fields import TextField
from elicitkit.core.model import Accept, Cancel
from elicitkit.i18n import catalog
from elicitkit.terminal.limit import Limit
from tests.terminal.hands import FullHand, PlainHand, RendererName, asked
from tests.terminal.person import form, talk
from tests.terminal.turn import LineTurn, RunningTurn

pytestmark = pytest.mark.anyio
NAME = form(TextField(name="name", title="Name", required=True), message="Who are you?")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=["plain", "full"])
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


@pytest.mark.ux("UX21")
@pytest.mark.case("173-ask-flood-limited")
@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "en",
            (
                "Question 1 of 3",
                "4 more questions of this server were cancelled: too many at once",
            ),
        ),
        ("zh", ("第 1 个提问，共 3 个", "此服务器另有 4 个提问已被取消：一次来得太多")),
    ],
)
async def test_the_place_in_the_line_and_what_was_cancelled_unseen_are_told(
    renderer: RendererName, lang: str, told: tuple[str, str]
) -> None:
    async with asked(renderer, NAME, lang=lang, turn=LineTurn(waiting=3, dropped=4)) as hand:
        for text in told:
            assert text in hand.seat.display
        await hand.end_input()


async def test_a_question_alone_says_nothing_of_a_line(renderer: RendererName) -> None:
    async with asked(renderer, NAME, turn=LineTurn(dropped=1)) as hand:
        assert "Question 1 of" not in hand.seat.display
        assert "1 more question of this server was cancelled" in hand.seat.display
        await hand.end_input()


@pytest.mark.ux("UX20")
async def test_the_time_limit_is_told_at_the_start_and_can_start_anew(
    renderer: RendererName,
) -> None:
    turn = LineTurn(seconds=150)
    async with asked(renderer, NAME, turn=turn) as hand:
        assert hand.seat.saw("Time left to answer: 2 min 30 s")
        turn.left = 100
        await hand.extend()
        assert (turn.extended, turn.left) == (1, 150)
        await hand.fill("name", "Ada")
        await hand.send()
        assert await hand.seat.ended() == Accept({"name": "Ada"})


@pytest.mark.ux("UX20")
async def test_without_a_limit_nothing_is_told_of_time(renderer: RendererName) -> None:
    async with asked(renderer, NAME, turn=LineTurn()) as hand:
        assert "Time left" not in hand.seat.transcript
        if isinstance(hand, PlainHand):
            await hand.extend()
        else:
            hand.type("\x14")
        await hand.seat.see("This question has no time limit.")
        await hand.end_input()


@pytest.mark.ux("UX20")
async def test_a_warning_comes_in_time_and_leaves_what_was_typed_alone(
    renderer: RendererName,
) -> None:
    async with asked(renderer, NAME, turn=RunningTurn(seconds=1.2)) as hand:
        if isinstance(hand, PlainHand):
            await hand.line("1")
        hand.type("Ada Love")
        how = "anew" if isinstance(hand, FullHand) else "What you have typed on this line"
        before = hand.seat.raw.count(b"Time left")
        await hand.seat.until(
            lambda: hand.seat.raw.count(b"Time left") > before and hand.seat.saw(how), how
        )
        hand.type("lace\r" if isinstance(hand, FullHand) else "lace\n")
        await hand.seat.see("1. Name: Ada Lovelace (yours)")
        await hand.send()
        assert await hand.seat.ended() == Accept({"name": "Ada Lovelace"})


@pytest.mark.ux("UX20")
@pytest.mark.case("109-late-answer-reported")
@pytest.mark.case("110-single-terminal-outcome")
@pytest.mark.parametrize(
    ("left", "told"),
    [
        (0, "The time is up. Your answer was not delivered to everything: nothing was sent."),
        (9, "everything no longer waits for this answer. It was not delivered: nothing was sent."),
    ],
)
async def test_a_late_answer_is_refused_politely(
    renderer: RendererName, left: float, told: str
) -> None:
    turn = LineTurn(seconds=30)
    async with asked(renderer, NAME, turn=turn) as hand:
        await hand.fill("name", "Ada")
        turn.left = left
        hand.seat.scope.cancel()
        await hand.send() if isinstance(hand, PlainHand) else hand.type("\r")
        await hand.seat.see(told)
        assert hand.seat.response is None
        assert "Your answer goes to" not in hand.seat.transcript


@pytest.mark.ux("UX21")
async def test_muting_asks_once_says_what_it_does_and_cancels(renderer: RendererName) -> None:
    turn = LineTurn(waiting=2)
    async with asked(renderer, NAME, turn=turn) as hand:
        await hand.mute(sure=False)
        assert hand.seat.saw("That cancels this question and every further one of this server")
        assert turn.muted == 0
        await hand.mute(sure=True)
        assert await hand.seat.ended() == Cancel("muted")
    assert turn.muted == 1
    assert "Muted. Questions of everything are cancelled from now on." in hand.seat.transcript


@pytest.mark.ux("UX21")
async def test_mute_is_never_on_the_screen_that_sends(renderer: RendererName) -> None:
    async with asked(renderer, NAME, turn=LineTurn()) as hand:
        await hand.fill("name", "Ada")
        await hand.review()
        assert "Send" in hand.seat.display or "[S]end" in hand.seat.display
        assert "ute" not in hand.seat.display.replace("minute", "")
        await hand.end_input()


async def test_without_a_line_there_is_nothing_to_mute(renderer: RendererName) -> None:
    async with asked(renderer, NAME) as hand:
        if isinstance(hand, PlainHand):
            await hand.line(":mute")
            assert ":mute does nothing here." in hand.seat.display
        else:
            hand.type("\x1b")
            await hand.seat.see("What would you like to do?")
            assert "Mute" not in hand.seat.display
        await hand.end_input()


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_a_line_turn_serves_plain_lines_on_every_event_loop() -> None:
    turn = LineTurn(waiting=2, seconds=900)
    done = await talk(NAME, ":extend", ":mute", "no", ":mute", ":decline", turn=turn)
    assert turn.extended == 1
    assert turn.muted == 0
    assert "Not muted. everything may go on asking." in done.seen


@pytest.mark.parametrize(
    ("seconds", "told", "due"),
    [
        (300.0, "Time left to answer: 5 min", 240.0),
        (61.2, "Time left to answer: 1 min 2 s", 40.8),
        (30.0, "Time left to answer: 30 s", 20.0),
        (0.4, "Time left to answer: 1 s", 0.4 * 2 / 3),
        (-3.0, "Time left to answer: 0 s", 0.0),
    ],
)
def test_a_rest_is_told_rounded_up_and_warned_of_once(
    seconds: float, told: str, due: float
) -> None:
    turn = LineTurn(seconds=seconds)
    limit = Limit(turn, catalog("en"))
    assert limit.told() == told
    assert limit.due() == pytest.approx(due)
    limit.warned()
    assert limit.due() is None
    assert limit.over is (seconds < 0)
    assert limit.extend()
    assert limit.due() == pytest.approx(due)

"""A choice and its companion before a person: one control in both renderers."""

from __future__ import annotations

import pytest

from elicitkit.core.fields import UNSET, ChoiceField, Option, RequestedSchema, TextField, Unset
from elicitkit.core.model import Accept, FormRequest, Response
from elicitkit.core.schema import opened
from elicitkit.i18n import catalog
from tests.terminal.hands import (
    BACKSPACE,
    DOWN,
    ENTER,
    ESC,
    TAB,
    FullHand,
    PlainHand,
    RendererName,
    asked,
    put,
)
from tests.terminal.person import form, talk

pytestmark = pytest.mark.anyio

Anyone = PlainHand | FullHand
COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green"))
NAME = TextField(name="name", title="Name")
EN = catalog("en")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=["plain", "full"])
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


def paint(
    default: str | Unset = UNSET, own: str | Unset = UNSET, title: str | None = "Other"
) -> FormRequest:
    """A colour that may be another, and a name after it."""
    choice = ChoiceField(
        name="colour", title="Colour", options=COLOURS, other="own", default=default
    )
    text = TextField(name="own", title=title, description="In a word.", default=own)
    return form(choice, text, NAME)


@pytest.mark.ux("UX06", "UX14")
async def test_a_text_of_ones_own_is_sent_alone_under_the_companion(
    renderer: RendererName,
) -> None:
    async def script(hand: Anyone) -> None:
        await hand.own("colour", "teal")
        await hand.review()
        shown = hand.seat.display.rpartition("Review: this goes to")[2]
        assert "1. Colour: other: teal (yours)" in shown
        assert "2. Name: not sent" in shown
        assert "3. " not in shown
        await back(hand)
        await hand.send()

    seat = await put(renderer, paint(), script)
    assert seat.response == Accept({"own": "teal"})


async def back(hand: Anyone) -> None:
    if isinstance(hand, FullHand):
        await hand.back_to_list()


@pytest.mark.ux("UX06", "UX14")
async def test_an_option_is_sent_alone_and_takes_the_place_of_a_text(
    renderer: RendererName,
) -> None:
    async def script(hand: Anyone) -> None:
        await hand.own("colour", "teal")
        await hand.pick("colour", "Green")
        await hand.fill("name", "Ada")
        await hand.send()

    seat = await put(renderer, paint(), script)
    assert seat.response == Accept({"colour": "#0F0", "name": "Ada"})


async def test_a_text_takes_the_place_of_an_option(renderer: RendererName) -> None:
    async def script(hand: Anyone) -> None:
        await hand.pick("colour", "Red")
        await hand.own("colour", "Red")
        await hand.send()

    seat = await put(renderer, paint(default="#0F0"), script)
    assert seat.response == Accept({"own": "Red"})


@pytest.mark.ux("UX07")
@pytest.mark.parametrize(
    ("request_", "content"),
    [
        (paint(), {}),
        (paint(default="#F00"), {"colour": "#F00"}),
        (paint(own="teal"), {"own": "teal"}),
        (paint(default="#F00", own="teal"), {"own": "teal"}),
    ],
    ids=["nothing", "an option", "a text", "both"],
)
async def test_what_is_suggested_is_sent_unless_it_is_changed(
    renderer: RendererName, request_: FormRequest, content: dict[str, str]
) -> None:
    async def untouched(hand: Anyone) -> None:
        await hand.send()

    async def anew(hand: Anyone) -> None:
        await hand.own("colour", "!")
        await hand.reset("colour")
        await hand.send()

    async def left_out(hand: Anyone) -> None:
        await hand.leave_out("colour")
        await hand.send()

    assert (await put(renderer, request_, untouched)).response == Accept(content)
    if "own" not in content:
        assert (await put(renderer, request_, anew)).response == Accept(content)
    assert (await put(renderer, request_, left_out)).response == Accept({})


@pytest.mark.ux("UX12")
async def test_what_can_be_done_is_seen_before_anything_is_typed(renderer: RendererName) -> None:
    async with asked(renderer, paint(title="Another shade")) as hand:
        if isinstance(hand, FullHand):
            assert "1 of 2 for everything: Colour (optional, choose one, or write your own)" in (
                hand.seat.display
            )
            hand.type(ENTER + DOWN * 3)
            await hand.seat.see("> ( ) Another shade (write your own answer)")
        else:
            await hand.line("1")
            assert "  3. Another shade (write your own answer)" in hand.seat.display
        assert "In a word." in hand.seat.display
        await hand.end_input()


async def test_a_companion_without_a_title_is_called_other_in_the_persons_language() -> None:
    for lang, row in (("en", "Other (write your own answer)"), ("zh", "其他（自行填写）")):
        told = await talk(paint(title=None), ":review", ":cancel", lang=lang)
        assert f"  3. {row}" in told.seen
        assert "own (" not in told.seen


# Line by line.


@pytest.mark.parametrize("word", ["3", "other", "Other", "其他"])
async def test_the_row_is_asked_for_by_its_number_or_its_name(word: str) -> None:
    told = await talk(paint(), word, "teal", "", "s")
    assert told.response == Accept({"own": "teal"})
    assert "Write your own answer.\nEnter alone goes back to the options." in told.seen


@pytest.mark.ux("UX08")
async def test_a_slip_in_an_option_is_told_and_not_taken_for_a_text() -> None:
    told = await talk(paint(), "teal", "other", "teal", "", "s")
    assert "Not taken: Colour: That is none of the options." in told.seen
    assert told.response == Accept({"own": "teal"})


@pytest.mark.parametrize("way_back", ["", ":back"])
async def test_from_the_line_one_can_go_back_to_the_options(way_back: str) -> None:
    told = await talk(paint(), "other", way_back, "Red", "", "s")
    assert told.response == Accept({"colour": "#F00"})
    assert told.seen.count("3. Other (write your own answer)") == 2


@pytest.mark.ux("UX03")
async def test_every_command_works_at_the_line() -> None:
    left = await talk(paint(default="#F00"), "other", "-", "", "s")
    assert left.response == Accept({})
    reviewed = await talk(paint(default="#F00"), "other", ":review", "s")
    assert reviewed.response == Accept({"colour": "#F00"})
    declined = await talk(paint(), "other", ":decline")
    assert "Declined." in declined.seen
    unknown = await talk(paint(), "other", ":teal", "other", "::teal", "", "s")
    assert "There is no command :teal here." in unknown.seen
    assert unknown.response == Accept({"own": ":teal"})
    emptied = await talk(paint(), "other", "teal", ":back", ":empty", "", "", "s")
    assert "Only a text or a list can be empty." in emptied.seen
    assert emptied.response == Accept({"own": "teal"})


@pytest.mark.ux("UX15")
async def test_what_a_server_calls_the_row_cannot_write_on_the_screen() -> None:
    told = await talk(paint(title="\x1b[2JOther\n\u202e"), ":review", ":cancel")
    assert "\x1b[2J" not in told.seen
    assert "\u202e" not in told.seen


async def test_values_that_look_like_numbers_leave_the_row_its_own() -> None:
    choice, text = opened(ChoiceField(name="n", options=(Option("2"), Option("1"))), ["n"])
    request = FormRequest(message="How many?", schema=RequestedSchema(fields=(choice, text)))
    told = await talk(request, "#3", "2", "s")
    assert "  #3. Other (write your own answer)" in told.seen
    assert told.response == Accept({"n_custom": "2"})


# Moving about.


async def answer(hand: Anyone, *keys: tuple[str, str]) -> Response | str:
    """Strike keys, each time waiting for what they bring."""
    for struck, seen in keys:
        hand.type(struck)
        await hand.seat.see(seen)
    await hand.send()
    return await hand.seat.ended()


async def test_what_no_option_has_in_its_name_goes_into_the_line() -> None:
    async with asked("full", paint()) as hand:
        hand.type("teal")
        await hand.seat.see("> ( ) Other (write your own answer)")
        assert "Red" not in hand.seat.display
        found = await answer(
            hand, (ENTER, "Write your own answer."), (ENTER, "other: teal"), ("", "> 2. ")
        )
        assert found == Accept({"own": "teal"})


async def test_what_was_typed_to_find_an_option_is_no_text() -> None:
    async with asked("full", paint()) as hand:
        found = await answer(
            hand,
            ("re" + DOWN * 2, "> ( ) Other"),
            (ENTER, "Write your own answer."),
            (ENTER, "> 2. Name"),
        )
        assert found == Accept({})


@pytest.mark.ux("UX05", "UX10")
async def test_a_text_stays_and_can_be_changed() -> None:
    async with asked("full", paint()) as hand:
        await hand.own("colour", "teal")
        await hand.go("colour")
        found = await answer(
            hand,
            (ENTER, "(x) Other (write your own answer)"),
            (DOWN * 3 + ENTER, "> teal"),
            (BACKSPACE + "k", "> teak"),
            (ESC, "1. Colour: other: teak (yours)"),
        )
        assert found == Accept({"own": "teak"})


async def test_an_emptied_line_leaves_the_field_out() -> None:
    async with asked("full", paint()) as hand:
        await hand.own("colour", "ab")
        await hand.go("colour")
        found = await answer(
            hand,
            (ENTER, "(x) Other"),
            (DOWN * 3 + ENTER, "> ab"),
            (BACKSPACE * 2 + ENTER, "1. Colour: not sent"),
        )
        assert found == Accept({})


@pytest.mark.ux("UX07")
async def test_tab_takes_a_suggested_text_and_no_option_into_the_line() -> None:
    for request, line, content in (
        (paint(own="teal"), "> teal", {"own": "teals"}),
        (paint(default="#F00"), "> 2. Name", {"colour": "#F00"}),
    ):
        async with asked("full", request) as hand:
            hand.type(ENTER + DOWN * 3 + ENTER)
            await hand.seat.see("Write your own answer.")
            hand.type(TAB)
            await hand.seat.see(line)
            if content == {"own": "teals"}:
                hand.type("s" + ENTER)
                await hand.seat.see("> 2. Name")
            assert await answer(hand) == Accept(content)

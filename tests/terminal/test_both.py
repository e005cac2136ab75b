"""One person, both renderers: the same intents come to the same answers."""

from __future__ import annotations

import pytest

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    TextField,
)
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response
from tests.terminal.hands import FullHand, PlainHand, RendererName, asked, put
from tests.terminal.person import form

pytestmark = pytest.mark.anyio

Anyone = PlainHand | FullHand
RENDERERS: list[RendererName] = ["plain", "full"]
COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green"), Option("#00F", "Blue"))
MEALS = (Option("veg", "Vegetarian"), Option("fish", "Fish"), Option("halal", "Halal"))
TRIP = form(
    TextField(name="name", title="Name", required=True, min_length=2),
    IntegerField(name="age", title="Age", minimum=0, maximum=150, default=42),
    ChoiceField(name="colour", title="Colour", options=COLOURS),
    message="Who travels?",
)
BANK = Origin(label="everything", claimed="The Bank", request="tool book")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=RENDERERS)
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


async def done(hand: Anyone) -> Response:
    return await hand.seat.ended()


@pytest.mark.ux("UX01")
@pytest.mark.requirement("G12")
async def test_who_asks_is_on_every_screen_the_own_name_before_the_claimed(
    renderer: RendererName,
) -> None:
    async with asked(renderer, TRIP, origin=BANK) as hand:
        await hand.fill("name", "Ada")
        await hand.review()
        display = hand.seat.display
        assert "Review: this goes to everything when you send it" in display
        own = display.index("Question from everything")
        assert own < display.index("It calls itself The Bank (its own words, not checked)")
        assert "Asked for: tool book" in display
        await hand.end_input()


@pytest.mark.ux("UX02")
async def test_the_message_stays_in_sight_at_every_step(renderer: RendererName) -> None:
    async with asked(renderer, TRIP, rows=24) as hand:
        assert "Who travels?" in hand.seat.display
        await hand.bad("age", "many")
        assert "Who travels?" in hand.seat.display
        await hand.fill("age", "7")
        assert "Who travels?" in hand.seat.display
        await hand.fill("name", "Ada")
        await hand.review()
        assert "Who travels?" in hand.seat.display
        await hand.end_input()


async def accept(hand: Anyone) -> None:
    await hand.fill("name", "Ada")
    await hand.send()


async def decline(hand: Anyone) -> None:
    await hand.decline()


async def decline_after_answers(hand: Anyone) -> None:
    await hand.fill("name", "Ada")
    await hand.decline()


async def cancel(hand: Anyone) -> None:
    await hand.cancel()


async def cancel_after_answers(hand: Anyone) -> None:
    await hand.bad("age", "x")
    await hand.cancel()


async def end_input(hand: Anyone) -> None:
    await hand.end_input()


@pytest.mark.ux("UX03", "UX04")
@pytest.mark.requirement("M46")
@pytest.mark.case("100-no-button-is-decline")
@pytest.mark.parametrize(
    ("script", "response"),
    [
        (accept, Accept({"name": "Ada", "age": 42})),
        (decline, Decline()),
        (decline_after_answers, Decline()),
        (cancel, Cancel("dismissed")),
        (cancel_after_answers, Cancel("dismissed")),
        (end_input, Cancel("eof")),
    ],
)
async def test_each_way_out_is_its_own_outcome(
    renderer: RendererName, script: object, response: Response
) -> None:
    seat = await put(renderer, TRIP, script)  # pyright: ignore[reportArgumentType]
    assert seat.response == response
    end = {Accept: "Your answer goes to", Decline: "Declined.", Cancel: "Cancelled."}
    assert end[type(response)] in seat.transcript


@pytest.mark.ux("UX06", "UX10")
@pytest.mark.requirement("M05")
async def test_an_answer_changed_after_the_review_changes_no_other(
    renderer: RendererName,
) -> None:
    async def script(hand: Anyone) -> None:
        await hand.fill("name", "Ada")
        await hand.pick("colour", "Green")
        await hand.review()
        assert hand.seat.saw("2. Age: 42 (suggested)")
        assert hand.seat.saw("3. Colour: Green (sends #0F0) (yours)")
        if isinstance(hand, FullHand):
            await hand.back_to_list()
        await hand.fill("age", "8")
        await hand.send()

    seat = await put(renderer, TRIP, script)
    assert seat.response == Accept({"name": "Ada", "age": 8, "colour": "#0F0"})


@pytest.mark.ux("UX06")
async def test_what_is_not_sent_is_called_so_at_the_review(renderer: RendererName) -> None:
    async def script(hand: Anyone) -> None:
        await hand.fill("name", "Ada")
        await hand.leave_out("age")
        await hand.review()
        assert "2. Age: not sent" in hand.seat.display
        assert "3. Colour: not sent" in hand.seat.display
        if isinstance(hand, FullHand):
            await hand.back_to_list()
        await hand.send()

    seat = await put(renderer, TRIP, script)
    assert seat.response == Accept({"name": "Ada"})


@pytest.mark.ux("UX07")
@pytest.mark.requirement("M16")
async def test_a_left_out_suggestion_stays_out_until_it_is_reset(renderer: RendererName) -> None:
    request = form(IntegerField(name="a", default=1), IntegerField(name="b", default=2))

    async def script(hand: Anyone) -> None:
        await hand.leave_out("a")
        await hand.leave_out("b")
        await hand.reset("b")
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.response == Accept({"b": 2})
    assert seat.saw("b: 2 (suggested)")


@pytest.mark.ux("UX07", "UX11")
@pytest.mark.case("044-required-boolean-no-default-untouched")
@pytest.mark.parametrize(
    "field",
    [
        TextField(name="f", title="F", required=True),
        IntegerField(name="f", title="F", required=True, minimum=3),
        NumberField(name="f", title="F", required=True),
        BooleanField(name="f", title="F", required=True),
        ChoiceField(name="f", title="F", required=True, options=COLOURS),
        ChoicesField(name="f", title="F", required=True, options=COLOURS),
    ],
)
async def test_send_is_never_disabled_and_nothing_is_chosen_for_a_person(
    renderer: RendererName, field: TextField
) -> None:
    async def script(hand: Anyone) -> None:
        await hand.try_to_send()
        assert hand.seat.saw("Not sent yet. Fields that need you: 1")
        assert hand.seat.saw("F: An answer is needed.")
        assert hand.seat.response is None
        await hand.leave_out("f") if isinstance(hand, FullHand) else None
        await hand.cancel()

    seat = await put(renderer, form(field, TextField(name="z")), script)
    assert seat.response == Cancel("dismissed")


@pytest.mark.ux("UX08", "UX09", "UX10")
@pytest.mark.requirement("M61")
@pytest.mark.case("049-int-text-with-junk")
async def test_all_errors_are_told_with_their_fields_and_what_was_typed_is_kept(
    renderer: RendererName,
) -> None:
    request = form(
        TextField(name="a", title="Mail", format="email"),
        IntegerField(name="b", title="Seats", maximum=9),
        TextField(name="c", title="Name", required=True),
    )

    async def script(hand: Anyone) -> None:
        await hand.bad("a", "notanemail")
        await hand.bad("b", "42xyz")
        await hand.try_to_send()
        for told in (
            "Not sent yet. Fields that need you: 3",
            "Mail: This must be an e-mail address, such as name@example.com.",
            "Seats: Write a whole number in plain digits, such as 42.",
            "Name: An answer is needed.",
        ):
            assert hand.seat.saw(told)
        assert hand.seat.saw("[notanemail]")
        assert hand.seat.saw("[42xyz]")
        if isinstance(hand, FullHand):
            assert "> 1. Mail:" in hand.seat.display
            assert hand.seat.screen.display[hand.seat.screen.cursor.y].startswith("> 1. Mail")
        else:
            assert "1 of 3 for everything: Mail" in hand.seat.transcript.rsplit("Not sent yet.")[1]
        await hand.fill("a", "a@example.com")
        await hand.fill("b", "4")
        await hand.fill("c", "Ada")
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.response == Accept({"a": "a@example.com", "b": 4, "c": "Ada"})


@pytest.mark.ux("UX12")
@pytest.mark.parametrize(
    ("field", "told"),
    [
        (TextField(name="f", min_length=1, max_length=5), "Characters: 1 to 5."),
        (TextField(name="f", format="email"), "An e-mail address, such as name@example.com."),
        (TextField(name="f", format="uri"), "A full web address or other URI"),
        (TextField(name="f", format="date"), "A date, such as 2026-02-28."),
        (TextField(name="f", format="date-time"), "A date and a time with its zone"),
        (TextField(name="f", pattern="^a+$"), "Has to match the pattern ^a+$"),
        (NumberField(name="f", minimum=0.5), "0.5 or more."),
        (IntegerField(name="f", minimum=1, maximum=9, required=True), "From 1 to 9."),
        (ChoicesField(name="f", options=MEALS, min_items=1, max_items=2), "choose: 1 to 2."),
        (BooleanField(name="f"), "(optional, yes or no)"),
        (TextField(name="f", description="As in your passport."), "As in your passport."),
    ],
)
async def test_constraints_are_told_before_anything_is_typed(
    renderer: RendererName, field: TextField, told: str
) -> None:
    async with asked(renderer, form(field), rows=24) as hand:
        if isinstance(hand, PlainHand):
            await hand.line("1")
        assert told in hand.seat.display
        await hand.end_input()


@pytest.mark.ux("UX13")
@pytest.mark.requirement("G27")
async def test_an_unknown_kind_is_named_and_a_needed_one_ends_as_cancel(
    renderer: RendererName,
) -> None:
    odd = OtherField(name="odd", title="Odd", raw={"type": "object"})
    async with asked(renderer, form(odd, TextField(name="t"))) as hand:
        assert "because this kind is not known: Odd" in hand.seat.transcript
        await hand.fill("t", "x")
        await hand.send()
        assert await done(hand) == Accept({"t": "x"})


@pytest.mark.ux("UX13", "UX14")
async def test_every_kind_is_a_control_of_its_own_and_values_keep_their_type(
    renderer: RendererName,
) -> None:
    big = 12345678901234567890123
    request = form(
        TextField(name="text"),
        TextField(name="when", format="date"),
        IntegerField(name="integer"),
        IntegerField(name="big"),
        NumberField(name="number"),
        BooleanField(name="boolean"),
        ChoiceField(name="choice", options=COLOURS),
        ChoicesField(name="choices", options=MEALS),
        ChoiceField(name="bare", options=(Option("one"), Option("two"))),
    )

    async def script(hand: Anyone) -> None:
        await hand.fill("text", "12")
        await hand.fill("when", "2026-02-28")
        await hand.fill("integer", "1.0")
        await hand.fill("big", str(big))
        await hand.fill("number", "3.5")
        await hand.pick("boolean", "no")
        await hand.pick("choice", "Blue")
        await hand.pick("choices", "Fish", "Halal")
        await hand.pick("bare", "two")
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.response == Accept(
        {
            "text": "12",
            "when": "2026-02-28",
            "integer": 1,
            "big": big,
            "number": 3.5,
            "boolean": False,
            "choice": "#00F",
            "choices": ["fish", "halal"],
            "bare": "two",
        }
    )
    assert isinstance(seat.response, Accept)
    content = seat.response.content
    assert content is not None
    assert [type(content[name]) for name in ("integer", "big", "boolean")] == [int, int, bool]


@pytest.mark.ux("UX14")
async def test_titles_are_shown_and_what_they_send_beside_them(renderer: RendererName) -> None:
    request = form(ChoiceField(name="c", options=COLOURS, default="#0F0"))

    async def script(hand: Anyone) -> None:
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.saw("Green (sends #0F0) (suggested)")
    assert seat.response == Accept({"c": "#0F0"})


@pytest.mark.ux("UX15")
@pytest.mark.requirement("M59")
@pytest.mark.case("160-rich-markup-in-message")
@pytest.mark.case("161-html-in-message")
async def test_server_text_is_shown_as_it_is_written_and_does_nothing(
    renderer: RendererName,
) -> None:
    message = "<b>x</b> [red]y[/] \x1b[31mz \x1b]8;;https://e\x07go \u202egnp.exe {t} %s"
    request = form(
        TextField(name="a", title="<ansired>t</ansired>", description="\x1b[2J\x9b31m"),
        message=message,
    )
    async with asked(renderer, request, origin=Origin(label="everything", claimed="\x1b[1m")) as it:
        if isinstance(it, PlainHand):
            await it.line("1")
        for written in (
            "<b>x</b> [red]y[/] \\x1b[31mz \\x1b]8;;https://e\\x07go \\u202egnp.exe {t} %s",
            "<ansired>t</ansired>",
            "\\x1b[2J\\x9b31m",
            "It calls itself \\x1b[1m",
        ):
            assert written in it.seat.display
        for acting in (b"\x1b[31m", b"\x1b]8", b"\x1b[2J", "\u202e".encode(), b"\xc2\x9b"):
            assert acting not in it.seat.raw
        await it.end_input()


@pytest.mark.ux("UX16")
@pytest.mark.case("035-pattern-redos-bounded")
async def test_a_hostile_pattern_holds_nobody_up(renderer: RendererName) -> None:
    request = form(TextField(name="p", title="P", pattern="^(a+)+$"))

    async def script(hand: Anyone) -> None:
        await hand.bad("p", "a" * 60 + "!")
        await hand.fill("p", "aaa")
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.response == Accept({"p": "aaa"})


@pytest.mark.ux("UX22")
@pytest.mark.case("110-single-terminal-outcome")
async def test_a_second_enter_answers_nothing_more(renderer: RendererName) -> None:
    async with asked(renderer, TRIP) as hand:
        await hand.fill("name", "Ada")
        await hand.send()
        hand.type("\r\r\n")
        assert await done(hand) == Accept({"name": "Ada", "age": 42})
        assert hand.seat.transcript.count("Your answer goes to everything.") <= 1


@pytest.mark.ux("UX30")
async def test_a_whole_talk_in_chinese_fits_forty_columns(renderer: RendererName) -> None:
    request = form(
        TextField(name="name", title="姓名", required=True, description="与证件一致。"),
        IntegerField(name="seats", title="人数", default=2),
        message="旅行社需要以下信息来为您预订航班。",
    )

    async def script(hand: Anyone) -> None:
        await hand.try_to_send()
        await hand.fill("name", "李雷")
        await hand.send()

    seat = await put(renderer, request, script, lang="zh", columns=40)
    assert seat.response == Accept({"name": "李雷", "seats": 2})
    for told in ("提问方：everything", "1. 姓名：李雷（您的回答）", "2. 人数：2（建议值）"):
        assert seat.saw(told)
    assert seat.saw("您的回答将提交给 everything。")
    ours = {word for word in ("Question", "Review", "Enter", "Up,", "Not sent") if seat.saw(word)}
    assert ours == set()


@pytest.mark.ux("UX32")
@pytest.mark.case("098-empty-schema-renders-buttons")
@pytest.mark.parametrize(("yes", "response"), [(True, Accept({})), (False, Decline())])
async def test_without_fields_enter_alone_sends_nothing(
    renderer: RendererName, yes: bool, response: Response
) -> None:
    async with asked(renderer, form(message="May I?")) as hand:
        await hand.enter()
        assert hand.seat.response is None
        await hand.answer(yes=yes)
        assert await done(hand) == response


@pytest.mark.case("101-one-boolean-one-prompt")
@pytest.mark.parametrize("yes", [True, False])
async def test_one_yes_or_no_is_one_screen_and_no_is_an_answer(
    renderer: RendererName, yes: bool
) -> None:
    async with asked(renderer, form(BooleanField(name="ok", required=True))) as hand:
        await hand.enter()
        assert hand.seat.response is None
        await hand.answer(yes=yes)
        assert await done(hand) == Accept({"ok": yes})


@pytest.mark.ux("UX03")
async def test_one_yes_or_no_can_be_declined(renderer: RendererName) -> None:
    async with asked(renderer, form(BooleanField(name="ok", required=True))) as hand:
        await hand.decline()
        assert await done(hand) == Decline()


async def test_an_empty_text_or_list_is_sent_when_it_is_meant(renderer: RendererName) -> None:
    request = form(TextField(name="note", required=True), ChoicesField(name="m", options=MEALS))

    async def script(hand: Anyone) -> None:
        await hand.empty("note")
        await hand.empty("m")
        await hand.send()

    seat = await put(renderer, request, script)
    assert seat.response == Accept({"note": "", "m": []})


async def test_length_counts_beside_the_format(renderer: RendererName) -> None:
    request = form(TextField(name="u", title="U", format="uri", max_length=20))

    async def script(hand: Anyone) -> None:
        await hand.bad("u", "https://example.com/" + "a" * 16)
        await hand.cancel()

    seat = await put(renderer, request, script)
    assert seat.saw("Write at most 20 characters.")


@pytest.mark.case("163-message-very-long")
async def test_a_long_message_leaves_room_for_the_answer(renderer: RendererName) -> None:
    request = form(TextField(name="t"), message="\n".join(f"line {n}" for n in range(400)))
    async with asked(renderer, request, rows=24, columns=80) as hand:
        assert "  line 0" in hand.seat.display
        await hand.fill("t", "x")
        await hand.send()
        assert await done(hand) == Accept({"t": "x"})


@pytest.mark.case("164-many-option-groups")
async def test_many_fields_are_all_reached(renderer: RendererName) -> None:
    options = tuple(Option(f"c{n}", f"Choice {n}") for n in range(8))
    request = form(*(ChoiceField(name=f"f{n}", options=options) for n in range(14)))

    async def script(hand: Anyone) -> None:
        for n in (0, 7, 13):
            await hand.pick(f"f{n}", f"Choice {n % 8}")
        await hand.send()

    seat = await put(renderer, request, script, rows=24, columns=80)
    assert seat.response == Accept({"f0": "c0", "f7": "c7", "f13": "c5"})

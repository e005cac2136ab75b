"""What a person sees and sends, typed at a real pseudo-terminal on both event loops."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

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
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Origin
from elicitkit.core.text import width
from elicitkit.terminal.commands import COMMANDS
from tests.terminal.person import Person, form, talk
from tests.terminal.turn import LineTurn

pytestmark = pytest.mark.anyio

COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green"), Option("#00F"))
TRIP = form(
    TextField(name="name", title="Name", required=True, min_length=2, description="In full."),
    IntegerField(name="age", minimum=0, maximum=150, default=42),
    ChoiceField(name="colour", title="Colour", options=COLOURS),
    message="Who travels?",
)
BANK = Origin(label="trips", claimed="The Bank", request="tool book")


@pytest.mark.requirement("M03", "M05", "M16", "M44", "M45", "M48", "G12")
async def test_the_whole_talk_in_english() -> None:
    done = await talk(TRIP, "A", "Ada", "", "red", "s", origin=BANK)
    assert done.response == Accept({"name": "Ada", "age": 42, "colour": "#F00"})
    assert done.seen == snapshot("""\

Question from trips
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Who travels?

Fields to fill in: 3
At every prompt: :decline (No, do not give), :cancel (Not now), :back, :help

1 of 3 for trips: Name (required, text)
  In full.
  Characters: 2 or more.
An answer is needed.
> A
Not taken: Name: Write at least 2 characters.
You typed: [A].
> Ada

2 of 3 for trips: age (optional, whole number)
  From 0 to 150.
Suggested: [42]. Enter keeps it, - leaves this out.
> \n\

3 of 3 for trips: Colour (optional, choose one)
  Write the number or the name.
  1. Red
  2. Green
  3. #00F
Enter leaves this out.
> red

Review: this goes to trips when you send it
1. Name: Ada (yours)
2. age: 42 (suggested)
3. Colour: Red (sends #F00) (yours)
[S]end, a number to change that answer, :decline (No, do not give), or :cancel
  (Not now)
> s
Your answer goes to trips.
""")


async def test_the_whole_talk_in_chinese_on_a_narrow_terminal() -> None:
    done = await talk(
        TRIP, "Ada", "", "红", "", "发送", lang="zh_CN.UTF-8", columns=40, origin=BANK
    )
    assert done.response == Accept({"name": "Ada", "age": 42})
    assert [line for line in done.seen.split("\n") if width(line) > 40] == []
    assert done.seen == snapshot("""\

提问方：trips
它自称：The Bank（由对方自报，未经核
  实）
起因：tool book
  Who travels?

需要填写的项数：3
随时可用：:decline（拒绝提
  供）、:cancel（暂不回答）、:back（上一
  项）、:help（帮助）

第 1 项，共 3 项，提交给 trips：Name
  （必填，文本）
  In full.
  至少 2 个字符。
此项必须填写。
> Ada

第 2 项，共 3 项，提交给 trips：age
  （选填，整数）
  从 0 到 150。
建议值：[42]。按回车采用，输入 - 则不
  填此项。
> \n\

第 3 项，共 3 项，提交给 trips：Colour
  （选填，单选）
  输入编号或名称。
  1. Red
  2. Green
  3. #00F
按回车则不填此项。
> 红
未采用：Colour：没有这个选项。请输入某
  个选项的编号或名称。
您输入了：[红]。按回车则不填此项。
> \n\

核对：确认发送后，以下内容将提交给
  trips
1. Name：Ada（您的回答）
2. age：42（建议值）
3. Colour：不发送
输入 S（发送）；输入编号可修改该
  项；:decline（拒绝提供）；:cancel（暂
  不回答）
> 发送
您的回答将提交给 trips。
""")


@pytest.mark.requirement("M05")
async def test_an_answer_changed_at_the_review_is_the_one_that_is_sent() -> None:
    done = await talk(TRIP, "Ada", "7", "1", "2", "8", "s")
    assert done.response == Accept({"name": "Ada", "age": 8, "colour": "#F00"})
    assert "2. age: 7 (yours)" in done.seen
    assert "Your answer: [7]. Enter keeps it" in done.seen
    assert "2. age: 8 (yours)" in done.seen


@pytest.mark.requirement("M05", "M45")
async def test_nothing_but_send_sends_at_the_review() -> None:
    done = await talk(TRIP, "Ada", "", "", "", "yes", "-", ":empty", ":what", "9", "s")
    assert done.response == Accept({"name": "Ada", "age": 42})
    assert done.seen.count("Nothing was sent.") == 4
    assert ":empty does nothing here." in done.seen
    assert "There is no command :what here." in done.seen


@pytest.mark.requirement("M04", "M46")
@pytest.mark.case("100-no-button-is-decline")
@pytest.mark.case("047-defaults-not-on-decline")
@pytest.mark.parametrize("before", [[], ["Ada"], ["Ada", "7"], ["Ada", "7", "1"], ["x"]])
@pytest.mark.parametrize(
    ("command", "response"),
    [
        (":decline", Decline()),
        ("：拒绝", Decline()),
        (":cancel", Cancel("dismissed")),
        ("：取消", Cancel("dismissed")),
    ],
)
async def test_declining_and_cancelling_are_two_things_at_every_prompt(
    before: list[str], command: str, response: Decline | Cancel
) -> None:
    done = await talk(TRIP, *before, command)
    assert done.response == response


async def test_an_untouched_suggestion_is_shown_as_one_and_a_dash_leaves_it_out() -> None:
    request = form(IntegerField(name="a", default=1), IntegerField(name="b", default=2))
    done = await talk(request, "", "-", "s")
    assert "Suggested: [1]. Enter keeps it, - leaves this out." in done.seen
    assert "1. a: 1 (suggested)" in done.seen
    assert "2. b: not sent" in done.seen
    assert done.response == Accept({"a": 1})


async def test_an_optional_field_without_a_suggestion_is_not_sent() -> None:
    done = await talk(form(BooleanField(name="verbose"), TextField(name="t")), "", "", "s")
    assert done.response == Accept({})


@pytest.mark.parametrize("name", ["s", "i", "n", "b", "e", "m"])
async def test_a_required_field_is_not_left_out_and_nothing_is_chosen_for_it(name: str) -> None:
    fields = {
        "s": (TextField(name="s", required=True), "x", "x"),
        "i": (IntegerField(name="i", minimum=3, required=True), "4", 4),
        "n": (NumberField(name="n", required=True), "1.5", 1.5),
        "b": (BooleanField(name="b", required=True), "no", False),
        "e": (ChoiceField(name="e", options=COLOURS, required=True), "2", "#0F0"),
        "m": (ChoicesField(name="m", options=COLOURS, required=True), "1,3", ["#F00", "#00F"]),
    }
    field, typed, value = fields[name]
    done = await talk(form(field, TextField(name="z")), "", "-", typed, "", "s")
    assert done.seen.count("An answer is needed.") >= 3
    assert "This field is required, so it cannot be left out." in done.seen
    assert done.response == Accept({name: value})


async def test_a_dash_and_a_colon_can_be_answers() -> None:
    request = form(TextField(name="a"), TextField(name="b"), TextField(name="c"))
    done = await talk(request, "--", "::decline", ":)", "-x", "s")
    assert done.response == Accept({"a": "-", "b": ":decline", "c": "-x"})
    assert "There is no command :) here." in done.seen


async def test_an_empty_text_is_sent_only_when_it_is_meant() -> None:
    request = form(TextField(name="note", required=True), ChoicesField(name="m", options=COLOURS))
    done = await talk(request, "", ":empty", ":empty", "s")
    assert done.response == Accept({"note": "", "m": []})
    assert '1. note: "" (yours)' in done.seen
    assert "2. m: nothing chosen (yours)" in done.seen


async def test_back_at_the_review_goes_to_the_last_field_and_review_shows_it_again() -> None:
    request = form(TextField(name="a"), TextField(name="b"))
    done = await talk(request, "1", "2", ":review", ":back", "3", "s")
    assert done.seen.count("Review: this goes to everything") == 3
    assert done.response == Accept({"a": "1", "b": "3"})


async def test_only_a_text_or_a_list_can_be_empty() -> None:
    done = await talk(form(IntegerField(name="n")), ":empty", "", "s")
    assert "Only a text or a list can be empty." in done.seen
    assert done.response == Accept({})


async def test_back_and_reset_keep_every_other_answer() -> None:
    done = await talk(TRIP, ":back", "Ada", "7", ":back", ":back", "", ":reset", "", "2", "s")
    assert done.response == Accept({"name": "Ada", "age": 42, "colour": "#0F0"})


@pytest.mark.requirement("M61")
@pytest.mark.case("049-int-text-with-junk")
async def test_a_bad_answer_is_named_kept_in_sight_and_never_sent() -> None:
    request = form(IntegerField(name="n", required=True), TextField(name="t", default="x"))
    done = await talk(request, "42xyz", ":review", "s", "42", "s")
    assert "Not taken: n: Write a whole number in plain digits, such as 42." in done.seen
    assert "1. n: [42xyz] Write a whole number" in done.seen
    assert "Not sent yet. Fields that need you: 1" in done.seen
    assert done.seen.count("You typed: [42xyz].") == 2
    assert done.response == Accept({"n": 42, "t": "x"})


async def test_send_is_always_there_and_tells_all_that_is_wrong() -> None:
    request = form(
        TextField(name="a", required=True), TextField(name="b", required=True, title="Bee")
    )
    done = await talk(request, ":review", "s", "1", "2", "2", "s")
    assert "Not sent yet. Fields that need you: 2" in done.seen
    assert "a: An answer is needed.\nBee: An answer is needed.\n" in done.seen
    assert done.response == Accept({"a": "1", "b": "2"})


async def test_after_a_slip_enter_takes_the_suggestion_or_leaves_the_field_out() -> None:
    request = form(
        IntegerField(name="a", default=1), IntegerField(name="b"), TextField(name="c", default="d")
    )
    done = await talk(request, "x", "", "x", "", "", "s")
    assert "You typed: [x]. Enter takes the suggestion [1] instead." in done.seen
    assert "You typed: [x]. Enter leaves this out instead." in done.seen
    assert done.response == Accept({"a": 1, "c": "d"})


async def test_a_field_left_out_stays_so_until_it_is_reset() -> None:
    request = form(IntegerField(name="a", default=1))
    done = await talk(request, "-", "1", "", "1", ":reset", "", "s")
    assert "Left out. Enter keeps it so." in done.seen
    assert done.response == Accept({"a": 1})


async def test_titles_are_shown_and_constants_are_sent() -> None:
    request = form(
        ChoiceField(name="c", options=COLOURS, default="#0F0"),
        ChoicesField(name="m", options=COLOURS, min_items=1, max_items=2, default=("#F00",)),
    )
    done = await talk(request, "", "Green, 3", "s")
    assert "  1. Red\n  2. Green\n  3. #00F\n" in done.seen
    assert "Suggested: [Green (sends #0F0)]" in done.seen
    assert "Options to choose: 1 to 2." in done.seen
    assert "2. m: Green (sends #0F0), #00F (yours)" in done.seen
    assert done.response == Accept({"c": "#0F0", "m": ["#0F0", "#00F"]})


async def test_options_that_look_like_numbers_are_marked_so_that_none_is_mistaken() -> None:
    done = await talk(form(ChoiceField(name="c", options=(Option("2"), Option("1")))), "#1", "s")
    assert "  #1. 2\n  #2. 1\n" in done.seen
    assert done.response == Accept({"c": "2"})


async def test_constraints_are_said_before_anything_is_typed() -> None:
    request = form(
        TextField(name="a", min_length=1, max_length=5, pattern="^a+$"),
        TextField(name="b", format="email", max_length=9),
        TextField(name="c", format="phone"),
        NumberField(name="d", minimum=0.5),
        IntegerField(name="e", maximum=3),
        BooleanField(name="f"),
        TextField(name="g", format="date-time", min_length=3),
        ChoicesField(name="h", options=COLOURS, max_items=2),
        ChoicesField(name="i", options=COLOURS, min_items=2),
    )
    done = await talk(request, *[""] * 9, "s")
    for hint in (
        "  Characters: 1 to 5.\n  Has to match the pattern ^a+$\n",
        "  Characters: 9 or fewer.\n  An e-mail address, such as name@example.com.\n",
        "  Format, as the server names it: phone\n",
        "  0.5 or more.\n",
        "  3 or less.\n",
        "  Write yes or no.\n",
        "  Characters: 3 or more.\n  A date and a time with its zone",
        "  Options to choose: 2 or fewer.\n",
        "  Options to choose: 2 or more.\n",
    ):
        assert hint in done.seen


async def test_the_help_names_every_command() -> None:
    done = await talk(TRIP, ":help", ":cancel", turn=LineTurn(seconds=900))
    english = {word for word in COMMANDS if word.isascii()} - {"help"}
    assert [word for word in english if f":{word} " not in done.seen] == []
    chinese = await talk(TRIP, "：帮助", ":cancel", lang="zh", turn=LineTurn(seconds=900))
    aliases = {word for word in COMMANDS if not word.isascii()} - {"帮助", "上一项"}
    assert [word for word in aliases if f"（{word}）" not in chinese.seen] == []


@pytest.mark.case("101-one-boolean-one-prompt")
@pytest.mark.parametrize(("typed", "value"), [("no", False), ("是", True)])
async def test_one_yes_or_no_is_one_prompt_and_no_is_an_answer(typed: str, value: bool) -> None:
    request = form(BooleanField(name="value", required=True), message="Delete the file?")
    done = await talk(request, typed)
    assert done.response == Accept({"value": value})
    assert done.prompts == 1
    assert "It is sent to everything when you press Enter." in done.seen


async def test_one_yes_or_no_sends_nothing_else_and_can_be_declined() -> None:
    request = form(BooleanField(name="value", required=True))
    done = await talk(request, "", "maybe", "-", ":review", ":decline")
    assert done.response == Decline()
    assert done.seen.count("Nothing was sent. Type yes or no.") == 3


@pytest.mark.case("043-required-boolean-default-true")
async def test_a_suggested_yes_goes_through_the_review() -> None:
    request = form(BooleanField(name="ok", required=True, default=True))
    done = await talk(request, "", "", "s")
    assert done.response == Accept({"ok": True})
    assert "1. ok: yes (suggested)" in done.seen


@pytest.mark.case("098-empty-schema-renders-buttons")
@pytest.mark.parametrize(
    ("typed", "response"),
    [
        ("yes", Accept({})),
        ("no", Decline()),
        (":decline", Decline()),
        (":cancel", Cancel("dismissed")),
    ],
)
async def test_a_form_without_fields_is_an_explicit_yes_or_no(
    typed: str, response: Accept | Decline | Cancel
) -> None:
    done = await talk(form(message="May I?"), "", typed)
    assert done.response == response
    assert "Nothing was sent. Type yes or no." in done.seen
    for shown in ("May I?", "yes to agree", ":decline", ":cancel"):
        assert shown in done.seen


@pytest.mark.requirement("G27")
async def test_a_needed_field_of_unknown_kind_ends_as_cancel() -> None:
    request = form(OtherField(name="o", raw={"type": "object"}, required=True))
    done = await talk(request)
    assert done.response == Cancel("unsupported_schema")
    assert "of a kind that is not known here: o." in done.seen


async def test_an_optional_field_of_unknown_kind_is_named_and_not_sent() -> None:
    request = form(OtherField(name="o", raw={"type": "object"}), TextField(name="t"))
    done = await talk(request, "x", "s")
    assert "because this kind is not known: o" in done.seen
    assert done.response == Accept({"t": "x"})


@pytest.mark.case("163-message-very-long")
async def test_a_long_message_is_read_page_by_page_and_the_prompt_stays_in_reach() -> None:
    message = "\n".join(f"line {number}" for number in range(400))
    request = form(TextField(name="t"), message=message)
    pages = [":more"] * 25
    done = await talk(request, *pages, ":more", "x", "s", rows=24)
    assert done.response == Accept({"t": "x"})
    assert [n for n in range(400) if f"  line {n}\n" not in done.seen] == []
    first = done.seen.split("> ", 1)[0]
    assert first.count("\n") <= 24
    assert "There is nothing more to read." in done.seen


@pytest.mark.case("164-many-option-groups")
async def test_many_options_are_all_reached() -> None:
    options = tuple(Option(f"c{n}", f"Choice {n}") for n in range(8))
    request = form(*(ChoiceField(name=f"f{n}", options=options) for n in range(12)))
    done = await talk(request, *(str(1 + n % 8) for n in range(12)), "s", rows=24)
    assert done.response == Accept({f"f{n}": f"c{n % 8}" for n in range(12)})


async def test_the_question_comes_back_once_it_has_scrolled_away() -> None:
    fields = [TextField(name=f"f{n}") for n in range(12)]
    done = await talk(form(*fields, message="Why we ask."), *["x"] * 12, "s", rows=24)
    screens = done.seen.split("> ")
    for shown in range(1, 14):
        recent = "".join(screens[:shown]).split("\n")[-24:]
        assert "  Why we ask." in recent


async def test_the_message_can_be_asked_for_again() -> None:
    done = await talk(TRIP, ":message", ":cancel")
    assert done.seen.count("  Who travels?\n") == 2


@pytest.mark.requirement("M59")
@pytest.mark.case("157-url-in-form-field-not-clickable")
@pytest.mark.case("160-rich-markup-in-message")
@pytest.mark.case("161-html-in-message")
async def test_markup_and_addresses_are_shown_as_they_are_written() -> None:
    message = "See https://evil.example <img src=x onerror=alert(1)> [bold red]x[/]"
    request = form(
        TextField(name='a"><script>', title="<b>t</b>", description="[c](https://evil.example)"),
        message=message,
    )
    done = await talk(request, "x", "s")
    for written in (message, "<b>t</b>", "[c](https://evil.example)"):
        assert written in done.seen
    assert "\x1b" not in done.seen


@pytest.mark.case("028-title-missing-is-fine")
async def test_a_field_without_a_title_shows_its_key() -> None:
    done = await talk(form(TextField(name="reason")), ":cancel")
    assert "1 of 1 for everything: reason (optional, text)" in done.seen


async def test_a_whole_suggestion_is_shown_before_it_can_be_sent() -> None:
    draft = "Dear all,\n" + "blah " * 100 + "END"
    done = await talk(form(TextField(name="draft", default=draft)), "", "s", columns=2_000)
    at_field, at_review = done.seen.split("Review:")
    assert "(shown whole at the review)" in at_field
    assert "END" not in at_field
    assert "1. draft: Dear all,\\n" + "blah " * 100 + "END (suggested)" in at_review
    assert done.response == Accept({"draft": draft})


async def test_blanks_at_the_ends_of_an_answer_are_seen_at_the_review() -> None:
    done = await talk(form(TextField(name="t")), " x ", "s")
    assert '1. t: " x " (yours)' in done.seen
    assert done.response == Accept({"t": " x "})


async def test_a_chinese_answer_with_a_wide_blank_is_text() -> None:
    done = await talk(form(TextField(name="t")), "你好\u3000世界", "s", lang="zh")
    assert done.response == Accept({"t": "你好\u3000世界"})


async def test_arrow_keys_and_bad_bytes_are_no_answer() -> None:
    done = await talk(form(TextField(name="t")), "ab\x1b[D", b"\xff\xfe", "ok", "s")
    assert "that line holds keys that are no text" in done.seen
    assert "that line is not readable as utf-8" in done.seen.lower()
    assert done.response == Accept({"t": "ok"})


async def test_a_second_pasted_line_answers_nothing() -> None:
    request = form(TextField(name="a"), TextField(name="b"))
    done = await talk(request, "one\ntwo\ns", "b", "s")
    assert "Lines typed before this prompt were thrown away." in done.seen
    assert done.response == Accept({"a": "one", "b": "b"})


async def test_a_resized_terminal_is_folded_anew() -> None:
    def narrow(person: Person) -> None:
        person.resize(40, 100)
        person.type("x\n")

    request = form(TextField(name="a"), TextField(name="b", description="word " * 30))
    done = await talk(request, narrow, ":cancel")
    assert [line for line in done.seen.split("2 of 2")[1].split("\n") if len(line) > 40] == []


async def test_texts_of_the_schema_itself_are_shown() -> None:
    request = form(TextField(name="t"))
    schema = type(request.schema)(
        fields=request.schema.fields, title="About you", description="Two words."
    )
    done = await talk(FormRequest(message="Hello", schema=schema), ":cancel")
    assert "  Hello\n  About you\n  Two words.\n" in done.seen

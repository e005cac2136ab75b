"""Typed text becomes a value of the field's kind, or is refused whole."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    TextField,
)
from elicitkit.core.typed import READING_MESSAGES, Menu, Unreadable, parse

INTEGER = IntegerField(name="n")
NUMBER = NumberField(name="n")


def refusal(one: Field, text: str) -> str:
    with pytest.raises(Unreadable) as caught:
        parse(one, text, None)
    assert caught.value.code in READING_MESSAGES
    return caught.value.code


def read(one: Field, text: str) -> object:
    return parse(one, text, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        ("-7", -7),
        ("0", 0),
        ("1.0", 1),
        ("1.5e1", 15),
        ("1e3", 1000),
        ("1e23", 10**23),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_an_integer_is_read_exactly(text: str, value: int) -> None:
    found = read(INTEGER, text)
    assert found == value
    assert type(found) is int


@pytest.mark.case("050-int-text-with-spaces")
@pytest.mark.parametrize("text", [" 42 ", "\t42", "42\u3000"])
def test_blanks_around_a_number_are_no_error(text: str) -> None:
    assert read(INTEGER, text) == 42
    assert read(NUMBER, text) == 42


@pytest.mark.case("049-int-text-with-junk")
@pytest.mark.parametrize(
    "text",
    ["42xyz", "x", "4 2", "+5", "007", "1.", ".5", "0x10", "1_000", "1,000", "٤٢", "４２", "--1"],
)
def test_anything_but_a_plain_number_is_refused(text: str) -> None:
    assert refusal(INTEGER, text) == "unreadable.integer"
    assert refusal(NUMBER, text) == "unreadable.number"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "inf", "nan"])
def test_words_for_no_number_are_refused(text: str) -> None:
    assert refusal(NUMBER, text) == "unreadable.number"
    assert refusal(INTEGER, text) == "unreadable.integer"


def test_what_overflows_is_left_infinite_for_the_check_to_refuse() -> None:
    assert read(NUMBER, "1e999") == float("inf")
    assert read(INTEGER, "-1e999") == float("-inf")


def test_what_would_round_to_another_answer_is_refused() -> None:
    assert refusal(INTEGER, "1.00000000000000000000000001") == "unreadable.integer"
    assert refusal(NUMBER, "1e-999") == "unreadable.number"
    assert read(NUMBER, "0e-999") == 0
    assert read(INTEGER, "1.5") == 1.5


def test_endless_digits_are_refused_not_read() -> None:
    assert refusal(INTEGER, "9" * 5000) == "unreadable.integer"


@given(st.integers())
def test_every_integer_survives_being_typed(value: int) -> None:
    assert read(INTEGER, str(value)) == value
    assert read(NUMBER, str(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_survives_being_typed(value: float) -> None:
    found = read(NUMBER, repr(value))
    assert found == value
    assert isinstance(found, int | float)


@given(st.text())
def test_no_text_crashes_the_reading_of_any_kind(text: str) -> None:
    options = (Option("a", "A"), Option("b"))
    kinds: list[Field] = [
        INTEGER,
        NUMBER,
        BooleanField(name="b"),
        ChoiceField(name="c", options=options),
        ChoicesField(name="d", options=options),
    ]
    for one in kinds:
        with suppress(Unreadable):
            assert isinstance(parse(one, text, None), int | float | str | list)


@pytest.mark.parametrize("word", ["yes", "Y", " true ", "是", "是的", "对", "好", "ＹＥＳ"])
def test_yes_is_said_in_both_languages(word: str) -> None:
    assert read(BooleanField(name="b"), word) is True


@pytest.mark.parametrize("word", ["no", "N", "false", "否", "不", "不是"])
def test_no_is_said_in_both_languages(word: str) -> None:
    assert read(BooleanField(name="b"), word) is False


@pytest.mark.parametrize("word", ["1", "0", "maybe", "yesno", "nope", "on"])
def test_any_other_word_is_neither_yes_nor_no(word: str) -> None:
    assert refusal(BooleanField(name="b"), word) == "unreadable.boolean"


COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green"), Option("#00F", "Deep Blue"))


@pytest.mark.parametrize("text", ["1", "#F00", "Red", "red", " RED ", "１"])
def test_an_option_is_named_by_number_constant_or_title(text: str) -> None:
    assert Menu(COLOURS).find(text) == "#F00"


@pytest.mark.parametrize("text", ["0", "4", "Re", "Red Green", "-1", "#f0"])
def test_half_a_name_is_no_option(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Menu(COLOURS).find(text)
    assert caught.value.code == "unreadable.choice"


def test_a_name_of_two_options_is_ambiguous_and_the_number_is_not() -> None:
    menu = Menu((Option("a", "Same"), Option("b", "Same"), Option("c", "same")))
    for text in ("Same", "SAME"):
        with pytest.raises(Unreadable) as caught:
            menu.find(text)
        assert caught.value.code == "ambiguous"
    assert menu.find("same") == "c"
    assert [menu.find(menu.number(place)) for place in (1, 2, 3)] == ["a", "b", "c"]


def test_options_that_look_like_numbers_never_mean_another_option() -> None:
    menu = Menu((Option("2"), Option("1"), Option("#1")))
    assert menu.find("1") == "1"
    assert menu.find("2") == "2"
    assert menu.number(1) == "##1"
    assert [menu.find(menu.number(place)) for place in (1, 2, 3)] == ["2", "1", "#1"]


@given(st.lists(st.tuples(st.text(max_size=3), st.none() | st.text(max_size=3)), min_size=1))
def test_every_option_can_be_reached_by_its_number(pairs: list[tuple[str, str | None]]) -> None:
    menu = Menu(Option(const, title) for const, title in pairs)
    for place, (const, _) in enumerate(pairs, 1):
        assert menu.find(menu.number(place)) == const


@pytest.mark.parametrize("text", ["1,3", "Red, deep blue", "1，3", "#F00、3", "1,3,1,"])
def test_several_options_are_named_with_commas_between_them(text: str) -> None:
    assert Menu(COLOURS).find_all(text) == ["#F00", "#00F"]


def test_a_title_with_a_comma_can_be_named_whole() -> None:
    menu = Menu((Option("rome", "Rome, Italy"), Option("oslo", "Oslo")))
    assert menu.find_all("Rome, Italy") == ["rome"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("1,9", "unreadable.choices"), (",", "unreadable.choices"), ("a,x", "ambiguous")],
)
def test_one_bad_part_refuses_the_whole_list(text: str, code: str) -> None:
    menu = Menu((Option("1st", "x"), Option("2nd", "x"), Option("a")))
    with pytest.raises(Unreadable) as caught:
        menu.find_all(text)
    assert caught.value.code == code


def test_text_is_taken_as_it_is() -> None:
    assert read(TextField(name="t"), "  a b ") == "  a b "


def test_an_unknown_kind_is_never_answered() -> None:
    assert refusal(OtherField(name="o", raw={"type": "object"}), "{}") == "unsupported"

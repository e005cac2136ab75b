"""Text of others cannot act on a terminal, and its columns are counted right."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.text import inert, width, wrap

ANY = st.text(st.characters(codec=None))


def acts(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@given(ANY, st.booleans())
def test_nothing_that_acts_gets_through(text: str, multiline: bool) -> None:
    shown = inert(text, 10_000, multiline=multiline)
    assert [char for char in shown if acts(char) and not (multiline and char == "\n")] == []


@given(ANY, st.integers(1, 40))
def test_the_length_is_bounded_whatever_comes(text: str, limit: int) -> None:
    notice = len("… ( more characters)") + len(str(len(text)))
    assert len(inert(text, limit)) <= limit + notice


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]8;;http://e\x07x", "\\x1b]8;;http://e\\x07x"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb", "a\\rb"),
        ("a\x08b\x7f", "a\\x08b\\x7f"),
        ("safe\u202egnp.exe", "safe\\u202egnp.exe"),
        ("\u2066x\u2069\u200e\u200f\u061c", "\\u2066x\\u2069\\u200e\\u200f\\u061c"),
        ("pay\u200bpal\ufeff", "pay\\u200bpal\\ufeff"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("\ud800", "\\ud800"),
        ("\ue000", "\\ue000"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("a\ufe0e\U000e0101", "a\\ufe0e\\U000e0101"),
        ("a\u200db", "a\\u200db"),
        ("\u3164\u2800", "\\u3164\\u2800"),
        ("a\u00a0b", "a b"),
    ],
)
def test_what_acts_is_shown_as_an_escape(hostile: str, shown: str) -> None:
    assert inert(hostile, 1000) == shown


def test_line_breaks_stay_only_where_lines_are_allowed() -> None:
    assert inert("a\r\nb\nc\td", 100, multiline=True) == "a\nb\nc    d"
    assert inert("a\r\nb\nc\td", 100) == "a\\nb\\nc\\td"


def test_joined_emoji_fall_apart_without_a_trace_of_the_joiner() -> None:
    assert inert("👨\u200d👩\u200d👧 ❤\ufe0f ❤\ufe0f\u200d🔥", 100) == "👨👩👧 ❤ ❤🔥"


@pytest.mark.parametrize(
    "text", ["你好，世界", "naïve café", "Ωμέγα", "日本\u3000語", "한국어", "👍🏽"]
)
def test_ordinary_words_stay_as_they_are(text: str) -> None:
    assert inert(text, 100) == text


def test_a_flood_of_marks_is_bounded_and_a_lone_mark_touches_nothing_before_it() -> None:
    assert inert("a" + "\u0301" * 500, 1000) == "a" + "\u0301" * 4
    assert inert("\u0301x", 1000) == "\u25cc\u0301x"
    assert inert("\n\u0301", 1000, multiline=True) == "\n\u25cc\u0301"


def test_a_long_text_says_how_much_is_missing() -> None:
    assert inert("abcdefghij", 4) == "abcd… (6 more characters)"
    assert inert("abcdefghij", 9) == "abcdefgh… (2 more characters)"
    assert inert("abcdefghij", 10) == "abcdefghij"
    assert inert("abcdefghij", 4, cut="…（还有 {n} 个字符）") == "abcd…（还有 6 个字符）"


@pytest.mark.case("160-rich-markup-in-message")
@pytest.mark.case("161-html-in-message")
@pytest.mark.parametrize("text", ["[bold red]x[/]", "<img src=x onerror=alert(1)>", "**b** `c`"])
def test_markup_is_text(text: str) -> None:
    assert inert(text, 100) == text


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("你好", 4), ("e\u0301", 1), ("👍", 2), ("，", 2), ("ｱ", 1), ("", 0), ("한", 2)],
)
def test_columns_are_counted_as_terminals_do(text: str, columns: int) -> None:
    assert width(text) == columns


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.integers(2, 80))
def test_no_line_is_wider_than_the_terminal(text: str, columns: int) -> None:
    assert [line for line in wrap(text, columns) if width(line) > columns] == []


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.integers(2, 80))
def test_wrapping_loses_nothing_but_blanks(text: str, columns: int) -> None:
    assert "".join(wrap(text, columns)).replace(" ", "") == text.replace(" ", "")


def test_lines_break_at_blanks_and_between_wide_characters() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("这是一个句子，里面有标点。", 14) == ["这是一个句子，", "里面有标点。"]
    assert wrap("这是一个句子，里面有", 12) == ["这是一个句", "子，里面有"]
    assert wrap("一二三（四五）六", 8) == ["一二三", "（四五）", "六"]
    assert wrap("averylongword", 5) == ["avery", "longw", "ord"]
    assert wrap("a\n\nb", 5) == ["a", "", "b"]
    assert wrap("  kept  inside", 40) == ["  kept  inside"]

"""Patterns of the other side: searched as JSON Schema says, and never without end."""

from __future__ import annotations

import pytest

from elicitkit.core.patterns import PATTERN_MAX, STEPS_MAX, WEIGHT_MAX, compile_pattern

# Each of these takes a backtracking engine longer than anybody waits.
HOSTILE = [
    ("^(a+)+$", "a" * 40 + "!"),
    ("^(a|a)*$", "a" * 40 + "!"),
    ("^(a|aa)+$", "a" * 60 + "!"),
    ("^(a*)*$", "a" * 40 + "!"),
    ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 60),
    ("^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$", "a" * 60 + "!"),
    ("(.*)*x$", "a" * 5_000),
    ("^(?:a?){40}a{40}$", "a" * 39),
    ("^(\\w+\\s?)*$", "word " * 50 + "!"),
]


def search(pattern: str, text: str) -> bool:
    found = compile_pattern(pattern)
    assert found is not None
    return found(text)


@pytest.mark.requirement("A22")
@pytest.mark.parametrize(("pattern", "text"), HOSTILE)
def test_a_pattern_that_would_stop_a_backtracking_engine_is_answered(
    pattern: str, text: str
) -> None:
    assert not search(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^abc$", "abc", True),
        ("^abc$", "abc\n", False),
        ("", "", True),
        ("^[A-Z]{3}-\\d{4}$", "ABC-1234", True),
        ("^[A-Z]{3}-\\d{4}$", "ABC-123", False),
        ("^\\/a$", "/a", True),
        ("^\\(?\\d{3}\\)?$", "(123)", True),
        ("^\\p{L}+$", "Žofie", True),
        ("^.$", "😀", True),
        ("(?<year>\\d{4})", "in 2026", True),
        ("(?i)^abc$", "ABC", True),
        ("^([0-9a-f]{2}:){5}[0-9a-f]{2}$", "00:1b:44:11:3a:b7", True),
    ],
)
def test_a_pattern_is_searched_anywhere_in_the_text(
    pattern: str, text: str, expected: bool
) -> None:
    assert search(pattern, text) is expected


@pytest.mark.requirement("G24")
@pytest.mark.parametrize(
    "pattern",
    ["(?=a)", "(?<!a)b", "(a)\\1", "(", "[", "a{2,1}", "\\cA", "(?x)a", "a{1000}{1000}"],
)
def test_a_pattern_the_engine_does_not_know_is_a_hint_only(pattern: str) -> None:
    assert compile_pattern(pattern) is None


@pytest.mark.requirement("A22")
@pytest.mark.parametrize(
    "pattern",
    [
        "a" * (PATTERN_MAX + 1),
        f"a{{{WEIGHT_MAX}}}",
        f"a{{0,{WEIGHT_MAX}}}",
        f"a{{{WEIGHT_MAX},}}",
        f"a{{,{WEIGHT_MAX}}}",
        "(a{80}){80}",
        "(a{80})+{80}",
        "(a{80})?{80}",
        "a{80}{80}",
        "(?x)(a{80}) {80}",
        "(?ix)(a{80}) {80}",
        "(?i-x:a{80})",
        "a{" + "9" * 4_000 + "}",
        "\\w{1000}",
        f"\\d{{{WEIGHT_MAX // 2}}}",
    ],
)
def test_a_pattern_too_big_to_be_searched_in_bounded_time_is_a_hint_only(pattern: str) -> None:
    assert compile_pattern(pattern) is None


def test_a_pattern_up_to_the_bounds_is_checked() -> None:
    assert search("a" * PATTERN_MAX, "a" * PATTERN_MAX)
    assert search("^[ab]{1,2000}$", "ab" * 1000)


def test_what_only_looks_like_a_flag_or_a_count_after_an_escape_is_checked() -> None:
    assert search("^\\(?x$", "(x")
    assert search("^\\(\\?x$", "(?x")


def test_no_text_is_too_long_that_fits_into_the_counts() -> None:
    assert WEIGHT_MAX**2 < STEPS_MAX
    longest = WEIGHT_MAX - len("^.{1,4000}$") - 1
    assert search(f"^.{{1,{longest}}}$", "a" * longest)


@pytest.mark.requirement("A22")
def test_a_text_too_long_to_be_searched_does_not_match() -> None:
    assert search("a", "a" * STEPS_MAX)
    assert not search("a", "a" * (STEPS_MAX + 1))


def test_a_lone_surrogate_matches_nothing() -> None:
    assert not search("a", "a\ud800")


def test_a_pattern_is_compiled_once() -> None:
    assert compile_pattern("^once$") is compile_pattern("^once$")

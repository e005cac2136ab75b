"""Every typed line means one thing, and every literal text can be typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.terminal.commands import Answer, Do, Enter, Leave, Unknown, understand


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("Ada", Answer("Ada")),
        ("  Ada ", Answer("  Ada ")),
        ("-5", Answer("-5")),
        ("", Enter()),
        ("   ", Enter()),
        ("-", Leave()),
        (" - ", Leave()),
        ("--", Answer("-")),
        ("---", Answer("--")),
        ("-- x", Answer("-- x")),
        ("::", Answer(":")),
        ("::decline", Answer(":decline")),
        (":::x", Answer("::x")),
        (":decline", Do("decline")),
        (" :DECLINE ", Do("decline")),
        ("：取消", Do("cancel")),
        (":cancel", Do("cancel")),
        ("：back", Do("back")),
        (":)", Unknown(":)")),
        (":", Unknown(":")),
        ("decline", Answer("decline")),
    ],
)
def test_a_line_means_one_thing(line: str, meaning: object) -> None:
    assert understand(line) == meaning


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1))
def test_every_text_can_be_typed_by_doubling_its_first_sign(text: str) -> None:
    typed = text[0] + text if text[0] in ":：" or set(text) == {"-"} else text
    assert understand(typed) == Answer(text)

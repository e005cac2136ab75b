"""The program of the page about visits runs, and what it tells is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from elicitkit.asking.replay import HOLD, HOLD_WITH_PULSES

PAGE = Path(__file__).parents[2] / "docs" / "visiting.md"
TEXT = PAGE.read_text("utf-8")


def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(compile(program, str(PAGE), "exec"), {"__name__": "__main__"})
    assert "notes.txt" in capsys.readouterr().out


def test_the_numbers_of_the_page_are_the_defaults() -> None:
    told = f"for {HOLD:g} seconds, or {HOLD_WITH_PULSES / 60:g} minutes"
    assert told in TEXT

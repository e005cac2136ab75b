"""The page about URLs: its programs run, and it names every reason code."""

from __future__ import annotations

import re
from pathlib import Path

from elicitkit.core.urls import LEVELS

PAGE = (Path(__file__).parents[3] / "docs" / "urls.md").read_text("utf-8")


def test_the_programs_of_the_page_run() -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 2
    for program in programs:
        exec(compile(program, "urls.md", "exec"), {"__name__": "page"})


def test_the_page_names_every_code_under_its_level() -> None:
    listed = {
        level: set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", line))
        for level, line in re.findall(r"^\*\*(Refused|Warned of|Told)\*\*: (.*)$", PAGE, re.M)
    }
    for code, level in LEVELS.items():
        name = {"refuse": "Refused", "warn": "Warned of", "notice": "Told"}[level]
        assert code in listed[name], code

"""The programs of the page about answering run, and what it tells is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from elicitkit.answering import Limits, Pace
from elicitkit.conform import load
from elicitkit.mcp.rounds import RoundLimits

PAGE = Path(__file__).parents[2] / "docs" / "answering.md"
TEXT = PAGE.read_text("utf-8")
CONNECT, POLICY, OWN = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def run(program: str, name: str = "__main__") -> None:
    exec(compile(program, str(PAGE), "exec"), {"__name__": name})


def test_the_first_program_is_whole() -> None:
    run(CONNECT, "page")


def test_a_policy_ends_a_question_as_the_page_says() -> None:
    run(POLICY)


def test_both_ways_to_a_client_of_ones_own_answer(capsys: pytest.CaptureFixture[str]) -> None:
    run(OWN)
    assert (
        capsys.readouterr().out
        == "As you wish: nothing is booked, and nothing you wrote was kept.\n" * 2
    )


def test_the_numbers_of_the_page_are_the_defaults() -> None:
    limits, pace, rounds = Limits(), Pace(), RoundLimits()
    for told in (
        f"{limits.properties} fields, {limits.options:,} options",
        f"a URL of more than {limits.url // 1024} KiB",
        f"the pauses grow to {rounds.pauses[-1]} seconds",
        f"{limits.message // 1024} KiB of message or {limits.request // 1024} KiB in all",
        f"{pace.outstanding} questions may wait and {pace.per_minute} may come within a minute",
        f"{rounds.rounds}, and {rounds.idle / 60:g} minutes of rounds that ask nothing",
    ):
        assert told in TEXT


def test_every_divergence_that_the_page_names_is_in_the_manifest() -> None:
    rows = re.search(r"as divergences, at ([MG0-9, and]+)\.", TEXT)
    assert rows is not None
    named = re.findall(r"[MG]\d\d", rows[1])
    assert len(named) == 5
    assert [row for row in named if "callback" not in (load()[row].divergence or "")] == ["M32"]
    assert "elicitation_handler" in (load()["M32"].divergence or "")

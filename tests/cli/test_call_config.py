"""``elicitkit call`` keeps to the configuration of its user, and keeps an audit log."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from elicitkit.cli import main
from elicitkit.demo.tour import answers as demo_answers

GREET = ["--tool", "greet", "--name", "greeter"]
SERVER = ["--", sys.executable, "-m", "tests.mcp.asking_server"]
DEMO = ["--tool", "book_stay", "--name", "demo", "--", sys.executable, "-m", "elicitkit.demo"]
ANN = {"action": "accept", "content": {"name": "Ann"}}


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.fixture
def answers(tmp_path: Path) -> list[str]:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps([ANN]), "utf-8")
    return ["--answers", str(file)]


def lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize("allowed", ['surface = "none"', "modes = []"])
def test_a_server_that_may_ask_nothing_is_declared_nothing_and_it_says_so(
    allowed: str, config: Path, answers: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    config.write_text(f"[servers.greeter]\n{allowed}\n", "utf-8")
    # The tool asks all the same, so the call fails on this side.
    assert main(["call", *GREET, *answers, *SERVER]) == 3
    assert "your configuration allows it nothing" in capfd.readouterr().err


def test_a_configuration_of_another_server_changes_nothing(
    config: Path, answers: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[servers.other]\nmodes = []\n", "utf-8")
    assert main(["call", *GREET, *answers, *SERVER]) == 0
    assert capfd.readouterr().out == "Hello Ann\n"


def test_a_named_configuration_stands_in_for_the_usual_one(
    config: Path, tmp_path: Path, answers: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[servers.greeter]\nmodes = []\n", "utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text("", "utf-8")
    assert main(["call", *GREET, "--config", str(mine), *answers, *SERVER]) == 0
    assert capfd.readouterr().out == "Hello Ann\n"


@pytest.mark.requirement("G51")
def test_a_question_too_fast_is_cancelled_told_and_ends_with_exit_code_1(
    config: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[servers.demo.limits]\nper_minute = 1\n", "utf-8")
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(demo_answers("2026-07-28")), "utf-8")
    assert main(["call", "--json", "--answers", str(file), *DEMO]) == 1
    told = lines(capfd)
    assert [one.get("number") for one in told if one["event"] == "question"] == [1, 2]
    assert [(one["action"], one.get("reason")) for one in told if one["event"] == "outcome"] == [
        ("accept", None),
        ("cancel", "rate_limited"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is not there"),
        ("modes = 1", "modes is unknown"),
        ("[servers.greeter.limits]\nproperties = 65", "at most 64"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_wrong_use(
    text: str | None, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.toml"
    if text is not None:
        file.write_text(text, "utf-8")
    assert main(["call", *GREET, "--config", str(file), *SERVER]) == 2
    assert said in capfd.readouterr().err


def test_an_audit_log_keeps_what_was_asked_and_no_value(tmp_path: Path, answers: list[str]) -> None:
    file = tmp_path / "audit.jsonl"
    assert main(["call", *GREET, "--audit", str(file), *answers, *SERVER]) == 0
    (kept,) = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    told = {key: kept[key] for key in ("label", "claimed", "dialect", "fields", "outcome", "sent")}
    assert told == {
        "label": "greeter",
        "claimed": "asking",
        "dialect": "mcp-2026-07-28",
        "fields": ["name"],
        "outcome": "accept",
        "sent": ["name"],
    }
    assert kept["size"] > 50
    assert kept["state_size"] == len("state")
    assert "Ann" not in file.read_text("utf-8")


def test_an_audit_log_that_others_may_read_is_wrong_use(
    tmp_path: Path, answers: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "audit.jsonl"
    file.touch(0o644)
    assert main(["call", *GREET, "--audit", str(file), *answers, *SERVER]) == 2
    assert "is open to others" in capfd.readouterr().err

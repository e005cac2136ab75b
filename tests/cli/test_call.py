"""``elicitkit call`` against a real server that runs as a program."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from elicitkit.cli import main

pytestmark = pytest.mark.usefixtures("at_the_root")
SERVER = ["--", sys.executable, "-m", "tests.mcp.asking_server"]
ANN = {"action": "accept", "content": {"name": "Ann"}}
NOBODY = "nothing is declared"


def lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_every_question_outcome_and_result_is_one_json_line(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--tool", "greet", "--json", *answers(ANN), *SERVER]) == 0
    assert lines(capfd) == [
        {
            "event": "question",
            "number": 1,
            "mode": "form",
            "message": "What is your name?",
            "fields": [{"name": "name", "kind": "text", "required": True}],
        },
        {"event": "outcome", "action": "accept", "content": {"name": "Ann"}},
        {
            "event": "result",
            "is_error": False,
            "content": [{"type": "text", "text": "Hello Ann"}],
        },
    ]


def test_people_get_the_result_alone_on_the_standard_output(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--tool", "greet", *answers(ANN), *SERVER]) == 0
    captured = capfd.readouterr()
    assert captured.out == "Hello Ann\n"
    assert "question 1: What is your name? [name]" in captured.err
    assert "question 1: accept" in captured.err


def test_without_a_tool_the_tools_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["call", *SERVER]) == 0
    assert capfd.readouterr().out == "greet  Greets you.\nfail\n"


def test_without_a_tool_the_tools_are_listed_for_machines_too(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--json", *answers(), *SERVER]) == 0
    assert lines(capfd) == [
        {"event": "tool", "name": "greet", "description": "Greets you."},
        {"event": "tool", "name": "fail", "description": ""},
    ]


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_question_that_was_not_accepted_ends_with_exit_code_1(
    action: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    entry = {"action": action}
    assert main(["call", "--tool", "greet", "--json", *answers(entry), *SERVER]) == 1
    _, outcome, result = lines(capfd)
    assert outcome["action"] == action
    assert result["content"][0]["text"] == action


def test_a_question_too_many_is_cancelled_and_ends_with_exit_code_1(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--tool", "greet", "--json", *answers(), *SERVER]) == 1
    told = lines(capfd)
    assert told[1] == {"event": "outcome", "action": "cancel", "reason": "no_answer_left"}
    assert told[3] == {"event": "error", "message": "question 1 has no answer left"}


def test_an_answer_that_does_not_fit_is_cancelled_and_named(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = {"action": "accept", "content": {"name": 5}}
    assert main(["call", "--tool", "greet", *answers(wrong), *SERVER]) == 1
    assert "error: answer 1 does not fit the form: name: This must be text." in (
        capfd.readouterr().err
    )


def test_answers_that_nobody_asked_for_are_told(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--tool", "greet", *answers(ANN, ANN), *SERVER]) == 0
    assert "note: 1 of the answers were not asked for" in capfd.readouterr().err


def test_a_tool_that_reports_an_error_ends_with_exit_code_1_and_its_text_is_inert(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", "--tool", "fail", *answers(), *SERVER]) == 1
    captured = capfd.readouterr()
    assert captured.out == "no such luck \\x1b[31m\n"
    assert "error: the tool reports an error" in captured.err


def test_without_a_person_and_without_answers_nothing_is_declared_and_it_says_so(
    capfd: pytest.CaptureFixture[str],
) -> None:
    # The tool asks all the same, so the call fails on this side.
    assert main(["call", "--tool", "greet", *SERVER]) == 3
    assert NOBODY in capfd.readouterr().err


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (["--", "/no/such/program"], "/no/such/program: cannot start or reach it: No such file"),
        (["--", sys.executable, "-c", ""], "Connection closed"),
        (["--url", "http://me:secret@127.0.0.1:9/mcp?key=secret"], "error: 127.0.0.1:9: "),
        (["--tool", "die", *SERVER], "Connection closed"),
        (
            ["--timeout", "0.2", "--", sys.executable, "-c", "import sys; sys.stdin.read()"],
            "timed out",
        ),
    ],
)
def test_a_server_that_fails_ends_with_exit_code_3_and_one_sentence(
    server: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", *server]) == 3
    captured = capfd.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert "secret" not in captured.err + captured.out


def test_for_machines_a_failure_is_an_event(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "--json", "--name", "mine", "--", "/no/such/program"]) == 3
    assert lines(capfd) == [
        {
            "event": "error",
            "message": "mine: cannot start or reach it: No such file or directory",
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name one server: --url URL, or a command after --"),
        (["--url", "http://127.0.0.1:9/", "--", "x"], "name one server"),
        (["--timeout", "0", "--", "x"], "--timeout takes a number of seconds above 0"),
        (["--args", "{", "--", "x"], "--args is not JSON"),
        (["--args", "[]", "--", "x"], "--args takes a JSON object"),
        (["--answers", "/no/such/file", "--", "x"], "cannot read the answers file"),
        (
            ["--answers", "pyproject.toml", "--", "x"],
            "the answers file 'pyproject.toml' is not JSON",
        ),
    ],
)
def test_options_that_cannot_be_used_end_with_exit_code_2_and_the_way_out(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", *arguments]) == 2
    assert said in capfd.readouterr().err


@pytest.mark.parametrize("entries", [[{"action": "maybe"}], ["yes"]])
def test_an_answers_file_with_what_is_no_answer_is_wrong_use(
    entries: list[Any], answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["call", *answers(*entries), *SERVER]) == 2
    assert "the answers file: answer 1" in capfd.readouterr().err


def test_an_answers_file_that_is_no_list_is_wrong_use(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers.json"
    file.write_text("{}")
    assert main(["call", "--answers", str(file), *SERVER]) == 2
    assert "must hold a JSON list of answers" in capfd.readouterr().err


def test_ctrl_c_while_the_server_works_ends_with_exit_code_130_and_no_traceback() -> None:
    silent = "import sys; print(1, file=sys.stderr, flush=True); sys.stdin.read()"
    command = [sys.executable, "-m", "elicitkit", "call", "--", sys.executable, "-c", silent]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        said = ""
        while not said.endswith("1\n"):
            said += process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=30)
    assert (process.returncode, rest) == (130, "")


def test_a_person_at_a_terminal_answers_and_the_result_goes_to_the_machine() -> None:
    command = [sys.executable, "-m", "elicitkit", "call", "--tool", "greet", "--json", *SERVER]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=os.environ | {"TERM": "dumb", "LANG": "C"},
    ) as process:
        os.close(theirs)
        try:
            type_when(ours, b"\n> ", b"Ann\n")
            type_when(ours, b"\n> ", b"s\n")
            out, _ = process.communicate(timeout=30)
        finally:
            process.kill()
            os.close(ours)
    assert process.returncode == 0
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["event"] for event in events] == ["question", "outcome", "result"]
    assert events[1]["content"] == {"name": "Ann"}


def type_when(terminal: int, seen: bytes, typed: bytes) -> None:
    """Read the screen until ``seen`` is on it, then type."""
    screen = b""
    while seen not in screen:
        assert select.select([terminal], [], [], 30)[0], screen
        screen += os.read(terminal, 4096)
    os.write(terminal, typed)


def test_a_reader_that_goes_away_is_no_crash(answers: Any) -> None:
    command = [sys.executable, "-m", "elicitkit", "call", "--json", *answers(), *SERVER]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=30
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")

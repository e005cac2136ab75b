"""``elicitkit demo`` and ``python -m elicitkit.demo`` as programs, with and without a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib import resources

import pytest

from elicitkit.cli import main
from elicitkit.cli.demo import PROTOCOLS
from elicitkit.core.dialects import DIALECTS

SECONDS = 60
ELICITKIT = [sys.executable, "-m", "elicitkit"]
SERVER = [sys.executable, "-m", "elicitkit.demo"]


def run(argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


def test_without_a_terminal_it_says_where_its_answers_come_from_and_tells_the_whole_story() -> None:
    done = run([*ELICITKIT, "demo"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "no terminal here, so the answers come from a file: elicitkit/demo/answers.json" in (
        done.stdout
    )
    told = re.sub(r"http://127.0.0.1:\d+/house-rules\?visit=\w+\s+\w+", "PAGE", done.stdout)
    assert (
        "Question 4: Bikes, then. Which ones shall we keep for you?\n"
        "  Number of bikes: 1\n"
        "  Tallest rider, in metres: 1.65\n"
        "\n"
        "Question 5: Please read our house rules, and agree to them there.\n"
        "  PAGE\n"
        "  Opened, and its button pressed.\n"
        "\n"
        "Question 6: 3 nights from 2027-06-18, 431 euros in all. Book it?\n"
        "  yes\n"
        "\n"
        "The tool says:\n"
        "  Booked for Ada Lovelace"
    ) in told


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_with_json_every_line_is_an_event(protocol: str) -> None:
    done = run([*ELICITKIT, "demo", "--json", "--protocol", protocol])
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    modes = DIALECTS[f"mcp-{protocol}"].modes
    questions = 6 if "url" in modes else 5
    assert [one["event"] for one in events] == ["question", "outcome"] * questions + ["result"]
    assert {one["mode"] for one in events if one["event"] == "question"} == modes
    assert {one["action"] for one in events if one["event"] == "outcome"} == {"accept"}
    assert events[-1]["is_error"] is False


def test_every_revision_of_mcp_that_has_elicitation_can_be_picked() -> None:
    rows = {row.revision for row in DIALECTS.values() if row.protocol == "mcp"}
    assert set(PROTOCOLS) == rows
    assert PROTOCOLS[0] == max(rows)


def test_an_unknown_revision_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--protocol", "2024-11-05"]) == 2
    assert "2026-07-28" in capsys.readouterr().err


def test_its_help_loads_no_sdk_and_no_pydantic() -> None:
    program = (
        "import sys; from elicitkit.cli import main; main(['demo', '--help']);"
        "print(sorted({'mcp', 'pydantic', 'anyio'} & sys.modules.keys()))"
    )
    assert run([sys.executable, "-c", program]).stdout.splitlines()[-1] == "[]"


def test_any_client_can_start_the_server_as_the_demo_says_at_its_end() -> None:
    with resources.as_file(resources.files("elicitkit.demo").joinpath("answers.json")) as file:
        call = ["call", "--tool", "book_stay", "--answers", str(file), "--", *SERVER]
        done = run([*ELICITKIT, *call])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Booked for Ada Lovelace")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals in Python")
def test_at_a_terminal_the_person_is_asked_and_may_decline() -> None:
    shown = at_a_terminal([*ELICITKIT, "demo"], ":decline\n")
    assert "Welcome to Harbour House! Who is coming to stay?" in shown
    assert "As you wish: nothing is booked" in shown
    assert shown.endswith("[exit 0]")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals in Python")
def test_the_server_at_a_terminal_says_that_it_is_meant_for_a_client() -> None:
    shown = at_a_terminal(SERVER, "\x04", prompt="elicitkit call")
    assert "elicitkit demo" in shown
    assert shown.endswith("[exit 0]")


def at_a_terminal(argv: Sequence[str], typed: str, prompt: str = "\n> ") -> str:
    """Run a program at a pseudo-terminal, type once it shows the prompt, and give what it shows."""
    ours, its = os.openpty()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "ELICITKIT_PLAIN": "1"}
    with subprocess.Popen(argv, stdin=its, stdout=its, stderr=its, env=environment) as child:
        os.close(its)
        # Killing the child ends its output, and that is what bounds the reading.
        deadline = threading.Timer(SECONDS, child.kill)
        deadline.start()
        shown = _converse(ours, typed, prompt)
        deadline.cancel()
        deadline.join()
    os.close(ours)
    return f"{shown}[exit {child.returncode}]"


def _converse(terminal: int, typed: str, prompt: str) -> str:
    shown = ""
    answered = False
    while chunk := _read(terminal):
        shown += chunk
        if not answered and prompt in shown:
            os.write(terminal, typed.encode())
            answered = True
    return shown


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 65_536).decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""  # on Linux the end of the program reads as an error

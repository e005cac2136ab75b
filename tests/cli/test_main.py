"""The command as a whole: help, wrong use, and how it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from elicitkit.cli import COMMANDS, main

HEAVY = ("pydantic", "anyio", "mcp", "acp", "mcp_types", "fastmcp", "opentelemetry", "asyncio")


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_is_printed_and_nothing_heavy_is_loaded(arguments: list[str]) -> None:
    program = (
        "import sys; from elicitkit.cli import main; code = main(sys.argv[1:]); "
        f"print('LOADED', *(name for name in {HEAVY!r} if name in sys.modules)); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: elicitkit")
    assert done.stdout.splitlines()[-1] == "LOADED"


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "elicitkit", "--help"], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name a command"),
        (["bogus"], "invalid choice: 'bogus'"),
        (["--bogus"], "unrecognized arguments: --bogus"),
        (["call", "--bogus"], "unrecognized arguments: --bogus"),
        (["call", "--timeout", "soon"], "invalid float value"),
    ],
)
def test_wrong_use_is_said_in_words_with_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_command_that_takes_no_program_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--", "x"]) == 2
    assert "this command takes nothing after --" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (["agent", "--prompt", "x", "--", "x"], "agent-client-protocol", "acp"),
        (["call", "--tool", "x", "--", "x"], "mcp", "mcp"),
        (["demo"], "mcp", "mcp"),
    ],
)
def test_without_the_sdk_one_sentence_says_what_to_install(
    arguments: list[str], package: str, extra: str
) -> None:
    program = (
        "import sys\n"
        "import importlib.metadata as metadata\n"
        "real = metadata.version\n"
        "def version(name):\n"
        f"    if name == {package!r}:\n"
        "        raise metadata.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "metadata.version = version\n"
        "from elicitkit.cli import main\n"
        f"sys.exit(main({arguments!r}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 2
    assert done.stderr.strip() == (
        f"elicitkit {arguments[0]}: elicitkit.{extra} needs {package}, which is not installed: "
        f"pip install 'elicitkit[{extra}]'"
    )

"""``elicitkit agent`` against an agent that runs as a program."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from elicitkit.answering.opener import NoOpener
from elicitkit.cli import main
from elicitkit.cli.agent_report import JsonAgentReport, PlainAgentReport
from elicitkit.cli.prompting import BusyAnswerer, Silence
from elicitkit.cli.undisturbed import Undisturbed
from elicitkit.core import urls
from elicitkit.core.model import Accept, Decline
from elicitkit.core.open_page import OpenPage
from tests.answering.forms import NAME, ORIGIN
from tests.answering.forms import PAGE as PAGE_REQUEST
from tests.answering.surfaces import Screen
from tests.cli.test_call import type_when
from tests.mcp.url_desk import Visitor

pytestmark = pytest.mark.usefixtures("at_the_root")
PAGE = "https://x.example/connect"
ANN = {"action": "accept", "content": {"name": "Ann"}}
YES = {"action": "accept", "content": {"option": "yes"}}
VISIT = {"action": "accept", "url": PAGE}

versions = pytest.mark.parametrize("version", ["1", "2"])


def agent(prompt: str | None, *options: str, version: str = "1") -> list[str]:
    """The arguments that send a prompt to the agent of bare messages."""
    asked = [] if prompt is None else ["--prompt", prompt]
    program = [sys.executable, "-m", "tests.acp.asking_agent", version]
    return ["agent", "--protocol", version, *asked, *options, "--", *program]


def lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


@versions
def test_every_text_question_permission_outcome_and_the_end_is_one_json_line(
    version: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    script = answers(ANN, VISIT, YES)
    assert main(agent("name visit allow", "--json", *script, version=version)) == 0
    assert lines(capfd) == [
        {
            "event": "question",
            "number": 1,
            "mode": "form",
            "message": "What is your name?",
            "fields": [{"name": "name", "kind": "text", "required": True}],
        },
        {"event": "outcome", "action": "accept", "content": {"name": "Ann"}},
        {"event": "text", "text": "Hello Ann"},
        {"event": "question", "number": 2, "mode": "url", "message": "Sign in", "url": PAGE},
        {"event": "outcome", "action": "accept"},
        {"event": "text", "text": "accept"},
        {
            "event": "permission",
            "number": 3,
            "message": "Delete build/",
            "options": [
                {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
                {"optionId": "no", "name": "Not this time", "kind": "reject_once"},
            ],
        },
        {"event": "outcome", "action": "accept", "content": {"option": "yes"}},
        {"event": "text", "text": "yes"},
        {"event": "result", "stopReason": "end_turn"},
    ]


@versions
def test_people_get_the_text_alone_on_the_standard_output_and_it_is_inert(
    version: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    said = "say:a^[31mb~ say:c name message"
    assert main(agent(said, *answers(ANN), version=version)) == 0
    captured = capfd.readouterr()
    # A question does not begin in the middle of a line.
    assert captured.out == "a\\x1b[31mb c\nHello Annwhole\n"
    assert "question 1: What is your name? [name]" in captured.err
    assert "question 1: accept" in captured.err
    assert "the agent stopped" not in captured.err


@versions
@pytest.mark.parametrize(
    ("answer", "told"), [({"action": "decline"}, "no"), ({"action": "cancel"}, "cancelled")]
)
def test_a_permission_that_was_not_given_ends_with_exit_code_1(
    version: str, answer: Any, told: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(agent("allow", *answers(answer), version=version)) == 1
    assert capfd.readouterr().out == f"{told}\n"


def test_a_question_too_many_is_cancelled_and_ends_with_exit_code_1(
    answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(agent("name", "--json", *answers())) == 1
    told = lines(capfd)
    assert told[1] == {"event": "outcome", "action": "cancel", "reason": "no_answer_left"}
    assert told[2] == {"event": "text", "text": "Hello cancel"}
    assert told[-1] == {"event": "error", "message": "question 1 has no answer left"}


@versions
def test_an_agent_that_stops_for_another_reason_ends_with_exit_code_1(
    version: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = agent("say:x stop:re^fusal", *answers(ANN), version=version)
    assert main(arguments) == 1
    captured = capfd.readouterr()
    assert captured.out == "x\n"
    assert "note: the agent stopped: re^fusal" in captured.err
    assert "note: 1 of the answers were not asked for" in captured.err


def test_on_v2_an_agent_that_does_not_say_why_it_stopped_is_done(answers: Any) -> None:
    assert main(agent("stop:none", *answers(), version="2")) == 0


@pytest.mark.parametrize("typed", ["name\n", "\n name \n\n"])
def test_the_prompt_may_come_on_the_standard_input(
    typed: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-m", "elicitkit", *agent(None, *answers(ANN))]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (0, "Hello Ann\n")


def test_without_a_prompt_nothing_is_started(answers: Any) -> None:
    command = [sys.executable, "-m", "elicitkit", *agent(None, *answers())]
    done = subprocess.run(command, input=" \n", capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert "there is no prompt: pass --prompt TEXT" in done.stderr
    assert "declared" not in done.stderr


def test_without_a_person_and_without_answers_nothing_is_declared_and_it_says_so(
    capfd: pytest.CaptureFixture[str],
) -> None:
    # It asks all the same, and is refused; permission is given by nobody.
    assert main(agent("name allow")) == 1
    captured = capfd.readouterr()
    assert "nothing is declared, so the agent cannot ask: there is no terminal" in captured.err
    assert "declared: []" in captured.err
    assert captured.out == "Hello -32602cancelled\n"


def test_an_agent_that_may_ask_nothing_is_declared_nothing(
    config: Path, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[servers.mine]\nmodes = ['url']\n", "utf-8")
    assert main(agent("say:x", "--name", "mine", *answers(ANN))) == 0
    captured = capfd.readouterr()
    assert "your configuration allows it nothing" in captured.err
    assert "declared: []" in captured.err


def test_a_label_names_the_agent_and_the_audit_keeps_it(tmp_path: Path, answers: Any) -> None:
    file = tmp_path / "audit.jsonl"
    options = ["--label", "mine", "--audit", str(file), *answers(ANN)]
    assert main(agent("name", *options)) == 0
    (kept,) = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    told = {key: kept[key] for key in ("label", "claimed", "dialect", "outcome", "sent")}
    assert told == {
        "label": "mine",
        "claimed": "asking",
        "dialect": "acp-v1",
        "outcome": "accept",
        "sent": ["name"],
    }


SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]
OTHER_VERSION = [sys.executable, "-m", "tests.acp.asking_agent", "2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--", "/no/such/program"], "/no/such/program: cannot start or reach it: No such file"),
        (["--", sys.executable, "-c", ""], "onnection closed"),
        (["--timeout", "0.2", "--", *SILENT], "timed out: the agent said nothing for 0.2 seconds"),
        (["--", *OTHER_VERSION], "the agent does not speak version 1 of ACP"),
    ],
)
def test_an_agent_that_fails_ends_with_exit_code_3_and_one_sentence(
    arguments: list[str], said: str, answers: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["agent", "--prompt", "x", *answers(), *arguments]) == 3
    captured = capfd.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err


@versions
@pytest.mark.parametrize(
    ("prompt", "options", "said"),
    [
        ("say:x die", (), "onnection closed"),
        ("say:x hang", ("--timeout", "0.5"), "timed out"),
    ],
)
def test_an_agent_that_fails_in_its_turn_leaves_its_text_and_exit_code_3(
    version: str,
    prompt: str,
    options: tuple[str, ...],
    said: str,
    answers: Any,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(agent(prompt, *options, *answers(), version=version)) == 3
    captured = capfd.readouterr()
    assert captured.out == "x\n"
    assert said in captured.err


def test_an_agent_that_opens_no_session_has_failed(
    answers: Any, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    program = agent("x", "--json", *answers())
    monkeypatch.chdir("/")
    inherits = "import os, runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    code = inherits + "runpy.run_module('tests.acp.asking_agent', run_name='__main__')"
    root = str(Path(__file__).parents[2])
    command = [*program[: program.index("--") + 1], sys.executable, "-c", code, root]
    assert main(command) == 3
    (error,) = lines(capfd)
    assert "the agent opened no session" in error["message"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the agent: a command after --"),
        (["--timeout", "0", "--", "x"], "--timeout takes a number of seconds above 0"),
        (["--protocol", "3", "--", "x"], "invalid choice"),
        (["--answers", "/no/such/file", "--", "x"], "cannot read the answers file"),
        (["--config", "/no/such/file", "--", "x"], "is not there"),
    ],
)
def test_options_that_cannot_be_used_end_with_exit_code_2_and_the_way_out(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["agent", "--prompt", "x", *arguments]) == 2
    assert said in capfd.readouterr().err


def test_ctrl_c_while_the_agent_works_ends_with_exit_code_130_and_no_traceback(
    answers: Any,
) -> None:
    command = [sys.executable, "-m", "elicitkit", *agent("say:x~ hang", *answers())]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == "x"
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "elicitkit" not in rest


def test_a_person_at_a_terminal_prompts_and_answers_and_the_text_waits_for_them() -> None:
    command = [sys.executable, "-m", "elicitkit", *agent(None, "--name", "mine")]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "dumb"}
    ) as process:
        os.close(theirs)
        try:
            type_when(ours, b"What shall the agent do? ", b"say:first name allow\n")
            for typed in (b"Ann\n", b"s\n", b"1\n", b"s\n"):
                type_when(ours, b"\n> ", typed)
            assert process.wait(30) == 0
            seen = os.read(ours, 65_536).decode()
        finally:
            process.kill()
            os.close(ours)
    assert seen.replace("\r", "").endswith("yes\n")


@pytest.mark.parametrize("options", [("--json",), ()])
def test_a_reader_that_goes_away_is_no_crash(options: tuple[str, ...], answers: Any) -> None:
    command = [sys.executable, "-m", "elicitkit", *agent("say:x hang", *options, *answers())]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=30
        )
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert "elicitkit" not in done.stderr


@pytest.mark.anyio
async def test_the_agents_text_waits_while_a_person_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = PlainAgentReport()
    window = Visitor()
    surface = Undisturbed(window, report.holding)

    class Talkative(Screen):
        async def fill(self, *_: Any) -> Any:
            report.text("b\t")
            report.text("c")
            assert capsys.readouterr().out == "a\n"
            return Decline()

    report.text("a")
    quiet = Undisturbed(Talkative(), report.holding)
    assert await quiet.fill(NAME, ORIGIN) == Decline()
    assert capsys.readouterr().out == "b    c"
    assert (quiet.modes, quiet.opens, quiet.attended) == (frozenset({"form"}), True, True)
    findings = urls.inspect_url("https://x.example")
    consented = await surface.consent(PAGE_REQUEST, findings, ORIGIN)
    assert consented == Accept()
    window.say("finished")
    page = OpenPage(request=PAGE_REQUEST, findings=findings, origin=ORIGIN, opening="browser")
    assert await surface.wait(page) == "finished"
    assert window.log == ["consent", "wait"]


@pytest.mark.anyio
async def test_the_time_that_a_person_takes_is_not_the_agents() -> None:
    busy = True
    waited = anyio.Event()

    def is_busy() -> bool:
        if busy:
            waited.set()
        return busy

    async def wait() -> None:
        nonlocal busy
        async with Silence(0.05, is_busy).bounded(anyio.sleep_forever):
            await waited.wait()
            busy = False
            await anyio.sleep_forever()

    with pytest.raises(TimeoutError, match=r"said nothing for 0\.05 seconds"):
        await wait()


@pytest.mark.anyio
async def test_an_open_page_is_the_persons_time() -> None:
    answerer = BusyAnswerer(Visitor(), JsonAgentReport(), told=False, opener=NoOpener())
    assert not answerer.busy
    response = await answerer.answer(PAGE_REQUEST, ORIGIN)
    assert not answerer.busy
    visit = answerer.visit(response)
    assert visit is not None
    assert answerer.busy
    visit.end("completed")
    assert not answerer.busy
    assert answerer.visit(Decline()) is None

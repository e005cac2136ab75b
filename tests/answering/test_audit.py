"""The audit log says who asked what and when, holds no answer, and never breaks one.

Ours, but for the privacy that ACP demands: no page of either protocol speaks of a log.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from elicitkit.answering import Answerer, audit
from elicitkit.answering.audit import AuditLog, Endpoint, Entry
from elicitkit.core.errors import UsageError
from elicitkit.core.fields import ChoiceField, Option, TextField
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response, UrlRequest
from tests.answering.forms import NAME, ORIGIN, PAGE, form

if sys.platform != "win32":
    import fcntl
    import resource

DIALECT = "mcp-2025-11-25"
ENTRY = Entry(label="my server", dialect=DIALECT, mode="form", outcome="cancel")
KEY = b"0123456789abcdef"
CANARY = "canary-4711"
PAGES = Path(__file__).parents[2] / "docs"

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="links, modes, owners and locks of files are POSIX here"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_a_line_says_who_asked_what_and_when_and_how_it_ended(file: Path) -> None:
    log = AuditLog(file, clock=lambda: 1_800_000_000.5, key=KEY)
    log.record(
        Entry.about(
            form(TextField(name="name"), TextField(name="nick")),
            ORIGIN,
            Accept({"name": "Ada"}),
            dialect=DIALECT,
            seconds=2.71828,
            size=140,
            state_size=77,
            session_id="s-1",
            request_id=7,
        )
    )
    assert lines(file) == [
        {
            "v": 1,
            "at": "2027-01-15T08:00:00.500Z",
            "label": "my server",
            "claimed": "srv",
            "dialect": DIALECT,
            "mode": "form",
            "message": "Who are you?",
            "fields": ["name", "nick"],
            "endpoint": None,
            "outcome": "accept",
            "reason": None,
            "sent": ["name"],
            "seconds": 2.718,
            "size": 140,
            "state_size": 77,
            "elicitation": None,
            "session": "b3152e86cca3169e",
            "request": "9dff1cfe00223222",
            "lost": 0,
        }
    ]


@pytest.mark.parametrize(
    ("response", "outcome", "reason"),
    [
        (Accept({"name": "Ada"}), "accept", None),
        (Accept(None), "accept", None),
        (Decline(), "decline", None),
        (Cancel("timed_out"), "cancel", "timed_out"),
        (None, "refused", "not_declared"),
    ],
)
def test_every_ending_has_its_word(
    file: Path, response: Response | None, outcome: str, reason: str | None
) -> None:
    refusal = "not_declared" if response is None else None
    AuditLog(file).record(
        Entry.about(NAME, ORIGIN, response, dialect=DIALECT, seconds=1, reason=refusal)
    )
    (line,) = lines(file)
    assert (line["outcome"], line["reason"]) == (outcome, reason)


def test_a_url_question_leaves_scheme_host_and_port(file: Path) -> None:
    page = UrlRequest(
        message="Sign in", url=f"https://u:{CANARY}@x.example:8443/{CANARY}", elicitation_id=CANARY
    )
    where = Endpoint(scheme="https", host="x.example", port=8443)
    AuditLog(file).record(
        Entry.about(page, ORIGIN, Accept(), dialect=DIALECT, seconds=1, endpoint=where)
    )
    (line,) = lines(file)
    assert line["mode"] == "url"
    assert line["endpoint"] == {"scheme": "https", "host": "x.example", "port": 8443}
    assert re.fullmatch("[0-9a-f]{16}", str(line["elicitation"]))
    assert CANARY not in file.read_text("utf-8")


@pytest.mark.anyio
@pytest.mark.requirement("A02")
async def test_no_answer_is_ever_in_the_log(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    question = form(
        TextField(name="name"), ChoiceField(name="pick", options=(Option(f"{CANARY}-choice"),))
    )
    answers = {"name": CANARY, "pick": f"{CANARY}-choice"}
    answerer = Answerer.scripted([{"action": "accept", "content": answers}])
    response = await answerer.answer(question, ORIGIN)
    assert response == Accept(answers)
    AuditLog(file).record(Entry.about(question, ORIGIN, response, dialect=DIALECT, seconds=1))
    assert lines(file)[0]["sent"] == ["name", "pick"]
    assert CANARY not in json.dumps(lines(file)) + caplog.text


def test_a_key_of_the_content_that_nobody_asked_for_is_left_out(file: Path) -> None:
    AuditLog(file).record(
        Entry.about(NAME, ORIGIN, Accept({CANARY: "x"}), dialect=DIALECT, seconds=1)
    )
    assert lines(file)[0]["sent"] == []
    assert CANARY not in file.read_text("utf-8")


def test_a_reason_that_is_no_code_is_not_repeated(file: Path) -> None:
    AuditLog(file).record(replace(ENTRY, reason=f"I do not like {CANARY}"))
    assert lines(file)[0]["reason"] == "other"


def test_text_of_a_server_stays_one_inert_line_and_is_cut(file: Path) -> None:
    hostile = 'x"}\r\n{"v": 1}\x1b[2J\u202e\u2028\x85\ud800\u200b' + "y" * 100_000
    AuditLog(file).record(
        Entry.about(
            form(TextField(name=hostile), message=hostile),
            Origin(label="mine", claimed=hostile),
            None,
            dialect=DIALECT,
            seconds=1,
            endpoint=Endpoint(scheme=hostile, host=hostile),
        )
    )
    raw = file.read_bytes()
    assert raw.count(b"\n") == 1
    assert len(raw) < 1_500
    assert raw.decode().rstrip("\n").isprintable()
    (line,) = lines(file)
    assert str(line["message"]).startswith(
        'x"}\\n{"v": 1}\\x1b[2J\\u202e\\u2028\\x85\\ud800\\u200b'
    )


def test_a_flood_of_field_names_is_cut(file: Path) -> None:
    AuditLog(file).record(replace(ENTRY, fields=tuple(f"f{n}" for n in range(10_000))))
    fields = lines(file)[0]["fields"]
    assert isinstance(fields, list)
    assert fields[-2:] == ["f63", "… (9936 more)"]


def test_ids_are_hashes_that_only_their_key_relates(file: Path) -> None:
    ids = replace(ENTRY, elicitation_id="1", session_id="1", request_id="1")
    first, again = AuditLog(file, key=KEY), AuditLog(file, key=KEY)
    for log in (first, again, AuditLog(file), AuditLog(file)):
        log.record(ids)
    first.record(replace(ids, request_id=1))
    told = [(line["elicitation"], line["session"], line["request"]) for line in lines(file)]
    assert told[0] == told[1]
    assert len({*told}) == 4
    assert all(len({*hashes}) == 3 for hashes in told)
    assert told[4][2] != told[0][2]  # the id 1 is not the id "1"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"key": b"short"}, "at least 16 bytes"),
        ({"max_bytes": 0}, "at least 1"),
        ({"keep": 0}, "at least 1"),
    ],
)
def test_wrong_settings_are_refused(file: Path, options: dict[str, int], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        AuditLog(file, **options)  # type: ignore[arg-type]  # wrong on purpose
    assert not file.exists()


@posix
def test_nobody_else_may_read_the_file_or_the_old_ones(file: Path) -> None:
    before = os.umask(0)
    try:
        log = AuditLog(file, max_bytes=1)
        log.record(ENTRY)
        log.record(ENTRY)
    finally:
        os.umask(before)
    assert {one.name: mode(one) for one in file.parent.iterdir()} == {
        "audit.jsonl": 0o600,
        "audit.jsonl.1": 0o600,
    }


def make_link(file: Path) -> None:
    (file.parent / "victim").write_text("precious")
    (file.parent / "victim").chmod(0o600)
    file.symlink_to(file.parent / "victim")


def make_open_to_others(file: Path) -> None:
    file.touch()
    file.chmod(0o640)


@posix
@pytest.mark.parametrize(
    ("make", "told"),
    [
        (make_link, "is a symbolic link: name the file itself"),
        (lambda file: file.symlink_to("nowhere"), "is a symbolic link"),
        (os.mkdir, "cannot be opened: Is a directory"),
        (lambda file: os.mkfifo(file), "is not a regular file"),
        (make_open_to_others, "is open to others: chmod 600"),
        (lambda file: file.parent.rename(f"{file.parent}.moved"), "cannot be opened: No such file"),
    ],
    ids=["link", "dangling link", "folder", "pipe", "open to others", "no folder"],
)
def test_a_file_that_cannot_be_trusted_is_refused_at_once(
    file: Path, make: object, told: str
) -> None:
    assert callable(make)
    make(file)
    with pytest.raises(UsageError, match=told):
        AuditLog(file)
    victim = file.parent / "victim"
    assert not victim.exists() or victim.read_text() == "precious"


@posix
def test_a_file_of_somebody_else_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.raises(UsageError, match="belongs to somebody else"):
        AuditLog(file)


@posix
def test_a_link_put_in_place_of_the_file_is_not_followed_and_breaks_nothing(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = AuditLog(file)
    file.unlink()
    make_link(file)
    log.record(ENTRY)
    log.record(ENTRY)
    assert (file.parent / "victim").read_text() == "precious"
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "audit_failed" in caplog.text
    assert "is a symbolic link" in caplog.text
    file.unlink()
    log.record(ENTRY)
    log.record(ENTRY)
    assert [line["lost"] for line in lines(file)] == [2, 0]


def test_a_folder_that_went_away_does_not_break_an_answer(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = AuditLog(file)
    file.unlink()
    file.parent.rmdir()
    log.record(ENTRY)
    assert "No such file" in caplog.text


def test_a_write_error_does_not_break_an_answer(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(fd: int, data: bytes) -> int:
        raise OSError(5, "Input/output error")

    log = AuditLog(file)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", broken)
        log.record(ENTRY)
    log.record(ENTRY)
    assert [line["lost"] for line in lines(file)] == [1]
    assert "Input/output error" in caplog.text


@contextmanager
def no_room_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@posix
def test_half_a_line_on_a_full_disk_does_not_spoil_the_next_one(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = AuditLog(file)
    log.record(ENTRY)
    for later in (log, AuditLog(file)):  # the next process finds it as well
        with no_room_beyond(file.stat().st_size + 20):
            log.record(ENTRY)
        later.record(ENTRY)
    assert "No space left" in caplog.text
    written = file.read_text("utf-8").splitlines()
    assert [len(torn) for torn in written[1::2]] == [20, 20]
    assert [json.loads(whole)["lost"] for whole in written[::2]] == [0, 1, 0]


def test_full_files_move_on_and_the_oldest_goes(file: Path) -> None:
    log = AuditLog(file, max_bytes=1_000, keep=2)
    for number in range(20):
        log.record(replace(ENTRY, size=number))
    names = ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"]
    assert sorted(one.name for one in file.parent.iterdir()) == sorted(names)
    files = [file.with_name(name) for name in names]
    assert all(one.stat().st_size <= 1_000 for one in files)
    kept = [line["size"] for one in files for line in lines(one)]
    assert kept == list(range(20 - len(kept), 20))


@posix
def test_a_link_in_place_of_an_old_file_is_replaced_and_not_followed(file: Path) -> None:
    make_link(file.with_name("audit.jsonl.1"))
    log = AuditLog(file, max_bytes=1, keep=1)
    log.record(ENTRY)
    log.record(ENTRY)
    assert (file.parent / "victim").read_text() == "precious"
    assert not file.with_name("audit.jsonl.1").is_symlink()


@posix
def test_a_file_that_cannot_move_on_grows_and_loses_no_line(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.with_name("audit.jsonl.1").mkdir()
    log = AuditLog(file, max_bytes=1)
    for _ in range(3):
        log.record(ENTRY)
    assert [line["lost"] for line in lines(file)] == [0, 0, 0]
    assert len(caplog.records) == 1
    assert "Is a directory" in caplog.text


@posix
def test_a_file_that_another_process_is_rotating_is_left_to_it(file: Path) -> None:
    log = AuditLog(file, max_bytes=1)
    log.record(ENTRY)
    with file.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        log.record(ENTRY)
    assert len(lines(file)) == 2
    assert not file.with_name("audit.jsonl.1").exists()


@posix
@pytest.mark.parametrize("new_file", [True, False])
def test_a_file_that_another_process_has_just_rotated_is_not_rotated_again(
    file: Path,
    new_file: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = AuditLog(file, max_bytes=1)
    log.record(replace(ENTRY, size=1))
    lock = audit.fcntl.flock

    def rotated_in_between(fd: int, operation: int) -> None:
        file.rename(file.with_name("audit.jsonl.1"))
        if new_file:
            AuditLog(file)
        lock(fd, operation)

    monkeypatch.setattr(audit.fcntl, "flock", rotated_in_between)
    log.record(replace(ENTRY, size=2))
    assert [line["size"] for line in lines(file.with_name("audit.jsonl.1"))] == [1]
    assert [line["size"] for line in lines(file)] == [2]
    assert caplog.records == []


def test_files_move_on_without_locks_where_the_platform_has_none(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(audit, "fcntl", raising=False)
    monkeypatch.delattr(os, "geteuid", raising=False)
    log = AuditLog(file, max_bytes=1, keep=1)
    for number in range(3):
        log.record(replace(ENTRY, size=number))
    old, new = lines(file.with_name("audit.jsonl.1")), lines(file)
    assert [line["size"] for line in old + new] == [1, 2]


_WRITER = """
import sys
from elicitkit.answering.audit import AuditLog, Entry
log = AuditLog(sys.argv[1], max_bytes=20_000, keep=99)
for number in range(300):
    log.record(Entry(label=sys.argv[2], dialect="acp-v1", mode="form", outcome="cancel",
                     message="é" * 200, size=number))
    if number == 0:
        print("ready", flush=True)
        sys.stdin.readline()
"""


def _writer(file: Path, name: str) -> subprocess.Popen[str]:
    """A process that has written one line and waits to write the others."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(file), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    return writer


@posix
def test_two_processes_share_a_file_and_lose_no_line(file: Path) -> None:
    writers = [_writer(file, name) for name in "ab"]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        assert writer.communicate(timeout=60) == ("", "")
    files = list(file.parent.iterdir())
    assert len(files) > 5
    written = [(line["label"], line["size"]) for one in files for line in lines(one)]
    assert sorted(written) == [(name, number) for name in "ab" for number in range(300)]


def test_the_programs_of_the_page_run_and_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (PAGES / "audit.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(program, "docs/audit.md", "exec"), {"__name__": "page"})
    (said,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    printed = json.loads(capsys.readouterr().out)
    shown = json.loads(said)
    varies = ("at", "request")
    assert {**printed, **{key: shown[key] for key in varies}} == shown
    assert printed.keys() == shown.keys()


def test_the_page_explains_every_key_of_a_line(file: Path) -> None:
    page = (PAGES / "audit.md").read_text("utf-8")
    AuditLog(file).record(Entry.about(PAGE, ORIGIN, Cancel(), dialect=DIALECT, seconds=0))
    explained = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (.*?) \|", page, re.M))))
    assert lines(file)[0].keys() == explained

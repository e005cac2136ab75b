"""A browser is started by an argument list, or not at all: a page that opens elsewhere, or in
this terminal, would not be the person's own.

Spec-mandated: M56, A58, M85. Ours: when the person opens the page by hand.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from elicitkit.answering import opener
from elicitkit.answering.browsers import has_browser
from elicitkit.answering.opener import NoOpener, SystemOpener
from elicitkit.core.errors import UsageError
from elicitkit.core.urls import CheckedUrl, checked, inspect_url

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="the programs of these tests are scripts"),
]

RECORDS = """
import json, os, sys
null = os.stat(os.devnull).st_rdev
said = {
    "arguments": sys.argv[1:],
    "environ": dict(os.environ),
    "own_session": os.getsid(0) == os.getpid(),
    "streams": [os.fstat(stream).st_rdev == null for stream in range(3)],
}
with open(__file__ + ".said", "w") as file:
    json.dump(said, file)
"""
HANGS = """
import os, select
# Open for both, so that a read waits for whoever writes.
go_on = os.open(__file__ + ".go_on", os.O_RDWR)
with open(__file__ + ".pipe", "w") as pipe:
    pipe.write(str(os.getpid()))
if select.select([go_on], [], [], 30)[0]:
    open(__file__ + ".said", "w").close()
"""


class Programs:
    """A folder that is all there is on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ = {"PATH": str(folder), "DISPLAY": ":0", "HOME": str(folder), "X": "kept"}
        self.environ["XDG_DATA_DIRS"] = str(folder)
        self.add("firefox")

    def add(self, name: str, code: str = "") -> Path:
        program = self.folder / name
        program.write_text(f"#!{sys.executable} -IS\n{code}", "utf-8")
        program.chmod(0o755)
        return program

    def opener(self, **environ: str | None) -> SystemOpener:
        """On a Linux desktop with these variables; None takes one away."""
        changed = {**self.environ, **environ}
        kept = {name: value for name, value in changed.items() if value is not None}
        return SystemOpener(environ=kept, platform="linux")


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)


def url(text: str = "https://example.com/e/8fK2mQ") -> CheckedUrl:
    return checked(inspect_url(text))


def said(program: Path) -> Any:
    return json.loads(Path(f"{program}.said").read_text("utf-8"))


@contextmanager
def open_terminal() -> Iterator[None]:
    """Something to read from where this process reads, in place of what the tests have there."""
    kept, (reads, writes) = os.dup(0), os.pipe()
    os.dup2(reads, 0)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        for stream in (kept, reads, writes):
            os.close(stream)


def was_run(program: Path) -> bool:
    return Path(f"{program}.said").exists()


@pytest.mark.requirement("M56", "A58", "M85")
async def test_the_url_is_the_one_argument_of_another_program(programs: Programs) -> None:
    program = programs.add("xdg-open", RECORDS)
    system = programs.opener(BROWSER="evil %s")
    assert system.opening == "browser"
    assert await system.open(url()) is True
    told = said(program)
    assert told["arguments"] == ["https://example.com/e/8fK2mQ"]
    assert told["environ"]["X"] == "kept"
    assert "BROWSER" not in told["environ"]


@pytest.mark.requirement("M56", "A58")
async def test_what_opens_the_page_has_no_stream_and_no_session_of_this_terminal(
    programs: Programs,
) -> None:
    program = programs.add("xdg-open", RECORDS)
    with open_terminal():
        await programs.opener().open(url())
    assert (said(program)["own_session"], said(program)["streams"]) == (True, [True] * 3)


@pytest.mark.requirement("M85")
async def test_what_a_shell_would_obey_arrives_as_it_is(programs: Programs) -> None:
    program = programs.add("xdg-open", RECORDS)
    hostile = url(
        "https://example.com/;$(touch$IFS'pwned')&`id`|id?a=$HOME&b=%PATH%&c=*\"<>#~!{1,2}"
    )
    await programs.opener().open(hostile)
    assert said(program)["arguments"] == [
        "https://example.com/;$(touch$IFS%27pwned%27)&%60id%60%7Cid"
        "?a=$HOME&b=%PATH%&c=*%22%3C%3E#~!%7B1,2%7D"
    ]


@pytest.mark.parametrize(("code", "opened"), [(0, True), (1, False), (3, False), (127, False)])
async def test_a_page_is_open_only_if_the_program_says_so(
    programs: Programs, code: int, opened: bool
) -> None:
    programs.add("xdg-open", f"raise SystemExit({code})")
    assert await programs.opener().open(url()) is opened


@pytest.mark.parametrize(
    "environ",
    [
        {"DISPLAY": None},
        {"DISPLAY": ""},
        {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"},
        {"SSH_TTY": "/dev/pts/1"},
        {"CI": "true"},
        {"PATH": ""},
    ],
)
async def test_where_no_browser_is_before_the_person_nothing_is_started(
    programs: Programs, environ: dict[str, str | None]
) -> None:
    program = programs.add("xdg-open", RECORDS)
    system = programs.opener(**environ)
    assert system.opening == "by_hand"
    assert await system.open(url()) is False
    assert not was_run(program)


async def test_a_missing_program_is_the_persons_hand(programs: Programs) -> None:
    assert programs.opener().opening == "by_hand"
    assert await programs.opener().open(url()) is False


async def test_a_program_of_the_working_folder_is_not_trusted(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.add("xdg-open", RECORDS)
    monkeypatch.chdir(programs.folder)
    assert programs.opener(PATH=".").opening == "by_hand"


def test_wayland_is_a_display_too(programs: Programs) -> None:
    programs.add("xdg-open")
    assert programs.opener(DISPLAY=None, WAYLAND_DISPLAY="wayland-0").opening == "browser"


@pytest.mark.requirement("M56", "A58")
@pytest.mark.parametrize("name", ["lynx", "w3m", "links", "elinks", "www-browser"])
async def test_a_browser_of_the_terminal_is_none(programs: Programs, name: str) -> None:
    program = programs.add("xdg-open", RECORDS)
    programs.folder.joinpath("firefox").rename(programs.folder / name)
    assert programs.opener().opening == "by_hand"
    assert await programs.opener().open(url()) is False
    assert not was_run(program)


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ({"a.desktop": "[Desktop Entry]\nExec=a %u\n"}, True),
        ({"a.desktop": "[Desktop Entry]\nTerminal=false\nExec=a %u\n"}, True),
        ({"a.desktop": "[Desktop Entry]\nTerminal=true\nExec=w3m %u\n"}, False),
        ({"a.desktop": "Terminal=true\n", "b.desktop": "Exec=b\n"}, True),
        ({}, False),
    ],
)
@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME"])
def test_a_desktop_entry_for_https_is_a_browser_if_it_has_a_window(
    tmp_path: Path, entries: dict[str, str], found: bool, variable: str
) -> None:
    folder = tmp_path / (".local/share" if variable == "HOME" else "") / "applications"
    folder.mkdir(parents=True)
    for name, text in entries.items():
        folder.joinpath(name).write_text(text, "utf-8")
    listed = "".join(f"{name};" for name in entries) or "gone.desktop;"
    folder.joinpath("mimeinfo.cache").write_text(
        f"[MIME Cache]\ntext/html=x.desktop;\nx-scheme-handler/https={listed}\n", "utf-8"
    )
    nowhere = str(tmp_path / "nowhere")
    environ = {"PATH": nowhere, "XDG_DATA_DIRS": nowhere, "HOME": nowhere, variable: str(tmp_path)}
    assert has_browser(environ) is found


class Hanging:
    """A program that hangs until it is told to go on."""

    def __init__(self, programs: Programs) -> None:
        self.program = programs.add("xdg-open", HANGS)
        self._pipe, self._go_on = (Path(f"{self.program}.{name}") for name in ("pipe", "go_on"))
        os.mkfifo(self._pipe)
        os.mkfifo(self._go_on)

    async def started(self) -> int:
        """Wait for its number."""
        return int(await anyio.to_thread.run_sync(self._pipe.read_text))

    def went_on(self, pid: int) -> bool:
        """Whether it was alive until now; nothing of it stays behind."""
        # Open for both, so that nothing waits here if there is no reader any more.
        with open(self._go_on, "r+b", buffering=0) as pipe:
            pipe.write(b"go on")
            for thread in threading.enumerate():
                if thread.name == "elicitkit-opener":
                    thread.join(10)
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        return was_run(self.program)


async def test_a_program_that_hangs_has_opened_nothing_and_is_left_alone(
    programs: Programs,
) -> None:
    """Ours: without a desktop it may be the browser itself, with the page in it."""
    hanging = Hanging(programs)
    system = SystemOpener(environ=programs.environ, platform="linux", limit=0.2)
    pids: list[int] = []

    async def read() -> None:
        pids.append(await hanging.started())

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            assert await system.open(url()) is False
    assert hanging.went_on(pids[0])


async def test_a_question_that_is_withdrawn_meanwhile_ends_the_wait_alone(
    programs: Programs,
) -> None:
    hanging = Hanging(programs)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(programs.opener().open, url())
            pid = await hanging.started()
            tasks.cancel_scope.cancel()
    assert hanging.went_on(pid)


async def test_what_cannot_be_started_opens_nothing(programs: Programs) -> None:
    programs.add("xdg-open").write_text("#!/nowhere/python\n", "utf-8")
    assert await programs.opener().open(url()) is False


@pytest.mark.requirement("M85")
@pytest.mark.parametrize("variable", ["WSL_DISTRO_NAME", "WSL_INTEROP"])
async def test_under_windows_linux_goes_through_windows_and_no_shell(
    programs: Programs, variable: str
) -> None:
    program = programs.add("rundll32.exe", RECORDS)
    system = programs.opener(DISPLAY=None, **{variable: "Debian"})
    assert system.opening == "browser"
    assert await system.open(url()) is True
    assert said(program)["arguments"] == ["url.dll,FileProtocolHandler", str(url())]


def test_under_windows_linux_without_windows_programs_is_linux(programs: Programs) -> None:
    programs.add("xdg-open")
    assert programs.opener(WSL_INTEROP="/run/1").opening == "browser"
    assert programs.opener(WSL_INTEROP="/run/1", DISPLAY=None).opening == "by_hand"


@pytest.mark.requirement("M85")
async def test_macos_opens_by_its_own_program(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs.add("open", RECORDS)
    assert opener._MAC_OPEN == "/usr/bin/open"
    monkeypatch.setattr(opener, "_MAC_OPEN", str(program))
    assert SystemOpener(environ={"SSH_TTY": "x"}, platform="darwin").opening == "by_hand"
    system = SystemOpener(environ={}, platform="darwin")
    assert system.opening == "browser"
    assert await system.open(url()) is True
    assert said(program)["arguments"] == [str(url())]


@pytest.mark.requirement("M85")
async def test_windows_opens_by_the_shell_api_and_no_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(os, "startfile", opened.append, raising=False)
    system = SystemOpener(environ={}, platform="win32")
    assert system.opening == "browser"
    assert await system.open(url()) is True
    remote = SystemOpener(environ={"SSH_CONNECTION": "x"}, platform="win32")
    assert remote.opening == "by_hand"
    assert await remote.open(url()) is False
    assert opened == [str(url())]


async def test_windows_that_cannot_open_it_has_opened_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: str) -> None:
        raise OSError("no program is associated with https")

    system = SystemOpener(environ={}, platform="win32")
    monkeypatch.delattr(os, "startfile", raising=False)
    assert await system.open(url()) is False
    monkeypatch.setattr(os, "startfile", fails, raising=False)
    assert await system.open(url()) is False


@pytest.mark.requirement("M84", "M85")
@pytest.mark.parametrize("make", [NoOpener, partial(SystemOpener, environ={}, platform="win32")])
async def test_an_opener_takes_no_text(
    make: Callable[[], NoOpener | SystemOpener], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(os, "startfile", opened.append, raising=False)
    text: Any = "https://example.com/secret"
    with pytest.raises(UsageError, match="no text") as refused:
        await make().open(text)
    assert "secret" not in str(refused.value)
    assert opened == []


async def test_nothing_is_opened_by_who_opens_nothing() -> None:
    assert NoOpener().opening == "by_hand"
    assert await NoOpener().open(url()) is False


def test_by_default_the_variables_and_the_platform_are_those_of_the_process(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.add("xdg-open")
    programs.add("rundll32.exe")
    for name in ("SSH_CONNECTION", "SSH_TTY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in programs.environ.items():
        monkeypatch.setenv(name, value)
    assert SystemOpener().opening == "browser"
    monkeypatch.setenv("CI", "1")
    assert SystemOpener().opening == "by_hand"

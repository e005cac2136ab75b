"""A configuration only takes away, and says what is wrong with it before a server is met.

Ours throughout: the protocols leave it to a client how its owner narrows it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.answering.config import Bounds, Config, ServerConfig, config_path, load
from elicitkit.answering.limits import Limits
from elicitkit.answering.pace import Pace
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Capability

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
FULL = """
[defaults]
surface = "full"
[servers.everything]
label = "Everything demo"
modes = ["form"]
surface = "plain"
[servers.everything.limits]
outstanding = 8
per_minute = 30
properties = 16
options = 100
message = 4096
request = 65536
time = 600
[servers."mcp.example.com"]
"""
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="the modes of files and named pipes are POSIX"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def read(file: Path, text: str) -> Config:
    file.write_text(text, "utf-8")
    return load(file)


def test_a_whole_file_is_read(file: Path) -> None:
    assert read(file, FULL) == Config(
        surface="full",
        servers={
            "everything": ServerConfig(
                label="Everything demo",
                modes=frozenset({"form"}),
                surface="plain",
                bounds=Bounds(
                    outstanding=8,
                    per_minute=30,
                    time=600,
                    properties=16,
                    options=100,
                    message=4096,
                    request=65536,
                ),
            ),
            "mcp.example.com": ServerConfig(label="mcp.example.com", surface="full"),
        },
        source=file,
    )


def test_an_empty_file_says_nothing(file: Path) -> None:
    assert read(file, "") == Config(source=file)


def test_a_named_file_that_is_missing_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a typo must not drop every restriction in silence."""
    with pytest.raises(UsageError, match="is not there"):
        load(file)
    monkeypatch.setenv("ELICITKIT_CONFIG", str(file))
    with pytest.raises(UsageError, match="is not there"):
        load()


def test_a_server_that_is_not_named_gets_the_defaults_and_its_own_name(file: Path) -> None:
    config = read(file, '[defaults]\nsurface = "none"')
    assert config.for_server("other") == ServerConfig(label="other", surface="none")
    assert Config().for_server("other") == ServerConfig(label="other")


def test_a_server_that_is_named_gets_what_the_file_says(file: Path) -> None:
    config = read(file, FULL)
    assert config.for_server("everything").label == "Everything demo"
    assert config.for_server("Everything").label == "Everything"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("", {"form", "url"}),
        ('modes = ["form"]', {"form"}),
        ('modes = ["url", "form"]', {"form", "url"}),
        ("modes = []", set[str]()),
    ],
)
def test_modes_are_what_is_left_of_a_capability(file: Path, written: str, left: set[str]) -> None:
    server = read(file, f"[servers.a]\n{written}").for_server("a")
    both = Capability(frozenset({"form", "url"}))
    assert both.only(server.modes).modes == left
    assert Capability(frozenset({"form"})).only(server.modes).modes == left & {"form"}


def test_what_the_file_does_not_say_leaves_the_program_alone() -> None:
    server = Config().for_server("a")
    limits = Limits(properties=500, options=9_999, message=1, request=2)
    pace = Pace(outstanding=500, per_minute=1, time=5)
    assert server.narrowed(limits) == limits
    assert server.paced(pace) == pace
    assert server.paced(Pace()) == Pace()


_COUNT = st.integers(1, 1_000)
_BOUND = st.none() | _COUNT
_SECONDS = st.none() | st.floats(0.1, 1e6)


@given(
    limits=st.builds(Limits, properties=_COUNT, options=_COUNT, message=_COUNT, request=_COUNT),
    pace=st.builds(Pace, outstanding=_COUNT, per_minute=_COUNT, time=_SECONDS),
    bounds=st.builds(
        Bounds,
        outstanding=_BOUND,
        per_minute=_BOUND,
        time=_SECONDS,
        properties=_BOUND,
        options=_BOUND,
        message=_BOUND,
        request=_BOUND,
    ),
)
def test_each_number_is_the_lower_of_the_two(limits: Limits, pace: Pace, bounds: Bounds) -> None:
    server = ServerConfig(label="a", bounds=bounds)
    for before, after in ((limits, server.narrowed(limits)), (pace, server.paced(pace))):
        for name in type(before).__slots__:
            # Of what the file cannot set, nothing changes.
            both = (getattr(before, name), getattr(bounds, name, None))
            assert getattr(after, name) == min((n for n in both if n is not None), default=None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[server.a]", ": server is unknown: use servers"),
        ("zzz = 1", ": zzz is unknown: use defaults or servers"),
        ("defaults = 1", ": defaults must be a table, not 1"),
        ("servers = []", ": servers must be a table, not a list"),
        ('[defaults]\nlabel = "x"', ": defaults.label is unknown: use surface"),
        ('[defaults]\nsurface = "web"', ": defaults.surface must not be 'web': use auto or plain"),
        ("[servers]\na = 1", ": servers.a must be a table, not 1"),
        ("[servers.a]\nmode = []", ": servers.a.mode is unknown: use modes"),
        (
            "[servers.mcp.example.com]",
            ": servers.mcp.example is unknown: a server's name that has a dot goes in quotes",
        ),
        ("[servers.'b c']\nlimit = 1", ': servers."b c".limit is unknown: use limits'),
        ("[servers.a]\nlabel = 1", ": servers.a.label must be one line of text, not 1"),
        ("[servers.a]\nlabel = ' '", ": servers.a.label must be one line of text, not ' '"),
        (
            '[servers.a]\nlabel = "a\\u001b[2J"',
            r": servers.a.label must be one line of text, not 'a\x1b[2J'",
        ),
        ("[servers.a]\nsurface = true", ": servers.a.surface must not be True: use auto"),
        ('[servers.a]\nmodes = "form"', ": servers.a.modes must be a list, not 'form'"),
        ('[servers.a]\nmodes = ["voice"]', ".modes must not hold 'voice': use form or url"),
        ("[servers.a]\nmodes = [[]]", ".modes must not hold a list: use form or url"),
        ("[servers.a]\nlimits = 3", ": servers.a.limits must be a table, not 3"),
        ("[servers.a.limits]\npropertys = 3", ".limits.propertys is unknown: use properties"),
        ("[servers.a.limits]\noptions = 0", "options must be a whole number above 0, not 0"),
        ("[servers.a.limits]\noptions = -1", "options must be a whole number above 0, not -1"),
        ("[servers.a.limits]\noptions = 1.0", "options must be a whole number above 0, not 1.0"),
        ("[servers.a.limits]\noptions = true", "options must be a whole number above 0, not True"),
        ("[servers.a.limits]\ntime = true", ".time must be a number of seconds, not True"),
        ("[servers.a.limits]\ntime = '9'", ".time must be a number of seconds, not '9'"),
        ("[servers.a.limits]\ntime = 0", ".time must be above 0, not 0; without the line there is"),
        ("[servers.a.limits]\ntime = inf", ".time must be above 0, not inf"),
        ("[servers.a.limits]\ntime = nan", ".time must be above 0, not nan"),
        ("surface =", " is not TOML: "),
        ("a = 1\na = 2", " is not TOML: "),
        (f"a = {'9' * 5_000}", " is not TOML: "),
    ],
)
def test_what_a_file_may_not_say_is_refused_by_file_and_key(
    file: Path, text: str, told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read(file, text)
    assert str(caught.value).startswith(f"the configuration {str(file)!r}")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("key", "most"),
    [
        ("outstanding", 64),
        ("per_minute", 60),
        ("properties", 64),
        ("options", 1_000),
        ("message", 16_384),
        ("request", 262_144),
    ],
)
def test_a_limit_is_never_raised(file: Path, key: str, most: int) -> None:
    at_most = read(file, f"[servers.a.limits]\n{key} = {most}").for_server("a").bounds
    assert getattr(at_most, key) == most
    told = f"limits.{key} must not be {most + 1}: a file only lowers a limit, at most {most}"
    with pytest.raises(UsageError, match=re.escape(told)):
        read(file, f"[servers.a.limits]\n{key} = {most + 1}")


def test_a_file_with_the_mark_of_a_windows_editor_is_read(file: Path) -> None:
    assert read(file, '\ufeff[defaults]\r\nsurface = "plain"\r\n').surface == "plain"


def test_a_file_that_is_not_utf8_is_refused(file: Path) -> None:
    file.write_bytes('[servers.a]\nlabel = "Café"'.encode("latin-1"))
    with pytest.raises(UsageError, match="save it as UTF-8"):
        load(file)


@posix
def test_a_file_that_everyone_may_change_is_refused(file: Path) -> None:
    file.touch()
    file.chmod(0o666)
    with pytest.raises(UsageError, match="can be changed by everyone: chmod o-w"):
        load(file)
    file.chmod(0o664)
    assert load(file).source == file


@posix
def test_a_link_is_judged_by_the_file_it_leads_to(file: Path) -> None:
    real = file.with_name("dotfiles.toml")
    real.touch()
    file.symlink_to(real)
    assert load(file).source == file
    real.chmod(0o602)
    with pytest.raises(UsageError, match="can be changed by everyone"):
        load(file)


def test_permissions_are_not_judged_where_they_mean_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.touch()
    file.chmod(0o666)
    monkeypatch.setattr(sys, "platform", "win32")
    assert load(file).source == file


@posix
def test_a_named_pipe_is_refused_without_waiting_for_it(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(UsageError, match="is not a regular file"):
        load(file)


def test_a_file_that_cannot_be_read_is_refused_and_not_taken_for_empty(file: Path) -> None:
    file.mkdir()
    with pytest.raises(UsageError, match="cannot be read: "):
        load(file)


def test_the_variable_names_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('[defaults]\nsurface = "plain"')
    monkeypatch.setenv("ELICITKIT_CONFIG", str(file))
    assert load() == Config(surface="plain", source=file)


def test_without_the_variable_the_file_of_this_platform_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ELICITKIT_CONFIG", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load() == Config()
    (tmp_path / "elicitkit").mkdir()
    assert read(tmp_path / "elicitkit" / "config.toml", FULL) == load()


@pytest.mark.parametrize(
    ("platform", "environ", "place"),
    [
        ("linux", {"XDG_CONFIG_HOME": "{root}/x"}, "x/elicitkit/config.toml"),
        ("linux", {}, "home/.config/elicitkit/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": ""}, "home/.config/elicitkit/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": "x"}, "home/.config/elicitkit/config.toml"),
        ("linux", {"APPDATA": "{root}/x"}, "home/.config/elicitkit/config.toml"),
        ("freebsd14", {}, "home/.config/elicitkit/config.toml"),
        (
            "darwin",
            {"XDG_CONFIG_HOME": "{root}/x"},
            "home/Library/Application Support/elicitkit/config.toml",
        ),
        ("win32", {"APPDATA": "{root}/x"}, "x/elicitkit/config.toml"),
        ("win32", {}, "home/AppData/Roaming/elicitkit/config.toml"),
        ("darwin", {"ELICITKIT_CONFIG": "{root}/mine.toml"}, "mine.toml"),
        ("win32", {"ELICITKIT_CONFIG": "{root}/mine.toml", "APPDATA": "x"}, "mine.toml"),
        ("linux", {"ELICITKIT_CONFIG": ""}, "home/.config/elicitkit/config.toml"),
    ],
)
def test_each_platform_has_its_place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    environ: dict[str, str],
    place: str,
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    told = {key: value.format(root=tmp_path) for key, value in environ.items()}
    assert config_path(told, platform) == tmp_path / place


def test_without_a_home_there_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    for variable in ("ELICITKIT_CONFIG", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(variable, raising=False)
    assert config_path() is None
    assert load() == Config()


def test_the_file_of_the_page_is_read_and_the_program_beside_it_runs(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text("utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (said,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    file.write_text(text, "utf-8")
    monkeypatch.setenv("ELICITKIT_CONFIG", str(file))
    exec(compile(program, str(PAGE), "exec"), {"__name__": "page"})
    assert capsys.readouterr().out == said


def test_the_page_tells_every_limit_with_its_highest_value(file: Path) -> None:
    page = PAGE.read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([\d,]+|none) \|$", page, re.M))
    assert rows.keys() == set(Bounds.__slots__)
    for key, most in rows.items():
        if most != "none":
            number = int(most.replace(",", ""))
            read(file, f"[servers.a.limits]\n{key} = {number}")
            with pytest.raises(UsageError, match="at most"):
                read(file, f"[servers.a.limits]\n{key} = {number + 1}")

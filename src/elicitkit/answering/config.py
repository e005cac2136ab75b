"""What a person allows each server, read from a TOML file of their own.

The program decides what its client can do; this file lets the person who runs it take
some of that away, server by server, and choose names and surfaces. It only narrows: modes
can be taken away and limits lowered, and a file that tries to raise a limit is refused,
so that no server gains anything by a changed file. Nothing here answers a question.

Not here: what the limits mean (``limits.py``, ``pace.py``), and the surfaces themselves,
which are only named.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, NoReturn, TypeAlias, TypeVar, cast

from elicitkit.answering.limits import Limits
from elicitkit.answering.pace import Pace
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Mode

SurfaceName: TypeAlias = Literal["auto", "plain", "full", "none"]

_SURFACES: Final[tuple[SurfaceName, ...]] = ("auto", "plain", "full", "none")
_MODES: Final[tuple[Mode, ...]] = ("form", "url")
_ALL_MODES: Final[frozenset[Mode]] = frozenset(_MODES)
_HOME_FOLDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "win32": ("AppData", "Roaming"),
    "darwin": ("Library", "Application Support"),
}
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_NumberT = TypeVar("_NumberT", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a file sets at most; None leaves the program's own value."""

    outstanding: int | None = None
    per_minute: int | None = None
    time: float | None = None
    properties: int | None = None
    options: int | None = None
    message: int | None = None
    request: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """What holds for one server."""

    label: str
    """What the person is shown as the one who asks (G12)."""
    modes: frozenset[Mode] = _ALL_MODES
    """For ``Capability.only``: what is not here is taken away."""
    surface: SurfaceName = "auto"
    """``none`` is nobody to ask; what the others mean is up to the terminal."""
    bounds: Bounds = field(default_factory=Bounds)

    def narrowed(self, limits: Limits) -> Limits:
        """The program's limits, each lowered to what the file sets."""
        return replace(
            limits,
            properties=_least(limits.properties, self.bounds.properties),
            options=_least(limits.options, self.bounds.options),
            message=_least(limits.message, self.bounds.message),
            request=_least(limits.request, self.bounds.request),
        )

    def paced(self, pace: Pace) -> Pace:
        """The program's pace, each number lowered to what the file sets."""
        time = self.bounds.time if pace.time is None else _least(pace.time, self.bounds.time)
        return replace(
            pace,
            outstanding=_least(pace.outstanding, self.bounds.outstanding),
            per_minute=_least(pace.per_minute, self.bounds.per_minute),
            time=time,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A whole file."""

    surface: SurfaceName = "auto"
    """For servers that the file does not name."""
    servers: Mapping[str, ServerConfig] = field(default_factory=dict[str, ServerConfig])
    """By the name the person gives; the defaults are already in them."""
    source: Path | None = None
    """The file that was read; None where there is none."""

    def for_server(self, name: str) -> ServerConfig:
        """What holds for the server that the person calls ``name``."""
        return self.servers.get(name) or ServerConfig(label=name, surface=self.surface)


def config_path(
    environ: Mapping[str, str] | None = None, platform: str | None = None
) -> Path | None:
    """Where the file is looked for: ``ELICITKIT_CONFIG``, else the platform's own place.

    Args:
        environ: Default: the variables of this process.
        platform: As ``sys.platform``, which is the default.

    Returns:
        None where there is no such place, since nobody's home is known.
    """
    environ = os.environ if environ is None else environ
    if named := environ.get("ELICITKIT_CONFIG"):
        return Path(named)
    folder = _folder(environ, sys.platform if platform is None else platform)
    return None if folder is None else folder / "elicitkit" / "config.toml"


def _folder(environ: Mapping[str, str], platform: str) -> Path | None:
    variable = {"win32": "APPDATA", "darwin": None}.get(platform, "XDG_CONFIG_HOME")
    told = environ.get(variable, "") if variable else ""
    # The XDG specification: a relative path is to be ignored. It would depend on the
    # working folder, and so would what a server may do.
    if told and (platform == "win32" or Path(told).is_absolute()):
        return Path(told)
    try:
        return Path.home().joinpath(*_HOME_FOLDERS.get(platform, (".config",)))
    except RuntimeError:
        return None


def load(path: Path | None = None) -> Config:
    """Read the file; where nobody named one, there need not be any.

    Args:
        path: Default: ``config_path()``.

    Raises:
        UsageError: A named file is missing, it cannot be read, everyone may write it, or it
            says what it may not; the message names the file, the key and the way out.
    """
    named = path is not None or bool(os.environ.get("ELICITKIT_CONFIG"))
    path = config_path() if path is None else path
    raw = None if path is None else _read(path)
    if path is None or raw is None:
        if named and path is not None:
            # What it would have forbidden must not be allowed by a typo.
            _refuse(path, "is not there: create it, or name the right file")
        return Config()
    try:
        values = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        _refuse(path, "is not UTF-8, which TOML must be: save it as UTF-8")
    except ValueError as error:
        _refuse(path, f"is not TOML: {error}")
    return _config(_Table(path, (), values))


def _read(path: Path) -> bytes | None:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            # What is opened is what is checked and read, whatever the name means by then.
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                _refuse(path, "is not a regular file: put the settings in one")
            # Windows keeps its permissions elsewhere, and shows every file as writable.
            if sys.platform != "win32" and status.st_mode & stat.S_IWOTH:
                _refuse(path, f"can be changed by everyone: chmod o-w {str(path)!r}")
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, f"cannot be read: {error.strerror}")


def _without_waiting(path: str, flags: int) -> int:
    """For ``open``: a named pipe would otherwise wait for somebody to write to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _config(root: _Table) -> Config:
    root.only("defaults", "servers")
    defaults = root.table("defaults")
    defaults.only("surface")
    surface = defaults.surface() or "auto"
    servers = root.table("servers")
    return Config(
        surface=surface,
        servers={name: _server(servers.table(name), name, surface) for name in servers},
        source=root.file,
    )


def _server(table: _Table, name: str, surface: SurfaceName) -> ServerConfig:
    table.only("label", "modes", "surface", "limits")
    return ServerConfig(
        label=table.line("label") or name,
        modes=table.modes(),
        surface=table.surface() or surface,
        bounds=_bounds(table.table("limits")),
    )


def _bounds(table: _Table) -> Bounds:
    most, pace = Limits(), Pace()
    table.only(*Bounds.__slots__)
    return Bounds(
        outstanding=table.count("outstanding", pace.outstanding),
        per_minute=table.count("per_minute", pace.per_minute),
        time=table.seconds("time"),
        properties=table.count("properties", most.properties),
        options=table.count("options", most.options),
        message=table.count("message", most.message),
        request=table.count("request", most.request),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of the file, which knows its place for the sake of error messages."""

    file: Path
    place: tuple[str, ...]
    values: Mapping[str, object]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def only(self, *known: str) -> None:
        for key, value in self.values.items():
            if key in known:
                continue
            if len(self.place) == 2 and isinstance(value, dict):
                self.refuse(key, "is unknown: a server's name that has a dot goes in quotes")
            close = get_close_matches(key, known, 1)
            self.refuse(key, f"is unknown: {_use(close or known)}")

    def table(self, key: str) -> _Table:
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, f"must be a table, not {_kind(value)}")
        # TOML keys are strings.
        return _Table(self.file, (*self.place, key), cast("dict[str, object]", value))

    def line(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.refuse(key, f"must be one line of text, not {_kind(value)}")
        return value

    def surface(self) -> SurfaceName | None:
        value = self.values.get("surface")
        for name in _SURFACES:
            if value == name:
                return name
        if value is not None:
            self.refuse("surface", f"must not be {_kind(value)}: {_use(_SURFACES)}")
        return None

    def modes(self) -> frozenset[Mode]:
        value = self.values.get("modes", list(_MODES))
        if not isinstance(value, list):
            self.refuse("modes", f"must be a list, not {_kind(value)}")
        listed = cast("list[object]", value)  # what TOML gives
        for one in listed:
            if one not in _MODES:
                self.refuse("modes", f"must not hold {_kind(one)}: {_use(_MODES)}")
        return frozenset(mode for mode in _MODES if mode in listed)

    def count(self, key: str, most: int) -> int | None:
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self.refuse(key, f"must be a whole number above 0, not {_kind(value)}")
        if value > most:
            self.refuse(key, f"must not be {value}: a file only lowers a limit, at most {most}")
        return value

    def seconds(self, key: str) -> float | None:
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.refuse(key, f"must be a number of seconds, not {_kind(value)}")
        if not 0 < value < math.inf:
            self.refuse(key, f"must be above 0, not {value}; without the line there is no limit")
        return value

    def refuse(self, key: str, what: str) -> NoReturn:
        names = (*self.place, key)
        dotted = ".".join(one if _BARE_KEY.fullmatch(one) else json.dumps(one) for one in names)
        raise UsageError(f"the configuration {str(self.file)!r}: {dotted} {what}")


def _refuse(file: Path, what: str) -> NoReturn:
    raise UsageError(f"the configuration {str(file)!r} {what}")


def _use(names: Iterable[str]) -> str:
    return f"use {' or '.join(names)}"


def _kind(value: object) -> str:
    """A value of the file as an error tells it: shown where short, else by its type."""
    return repr(value) if isinstance(value, str | int | float) else f"a {type(value).__name__}"


def _least(given: _NumberT, bound: _NumberT | None) -> _NumberT:
    return given if bound is None else min(given, bound)

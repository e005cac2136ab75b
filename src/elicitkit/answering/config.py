"""What a person allows each server, read from a TOML file of their own.

The program decides what its client can do; this file lets the person who runs it take
some of that away, server by server, and choose names and surfaces. It only narrows: modes
can be taken away and limits lowered, and a file that tries to raise a limit is refused,
so that no server gains anything by a changed file. Nothing here answers a question.

Not here: what the limits mean (``limits.py``, ``pace.py``), the hosts that a URL may lead
to (``hosts.py``), how a table is read (``tables.py``), and the surfaces themselves, which
are only named.
"""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

from elicitkit.answering.hosts import HostRules, host_rules
from elicitkit.answering.limits import Limits
from elicitkit.answering.pace import Pace
from elicitkit.answering.tables import Table, kind, refuse, use
from elicitkit.core.model import Mode

SurfaceName: TypeAlias = Literal["auto", "plain", "full", "none"]

_SURFACES: Final[tuple[SurfaceName, ...]] = ("auto", "plain", "full", "none")
_MODES: Final[tuple[Mode, ...]] = ("form", "url")
_ALL_MODES: Final[frozenset[Mode]] = frozenset(_MODES)
_HOME_FOLDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "win32": ("AppData", "Roaming"),
    "darwin": ("Library", "Application Support"),
}
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
    urls: HostRules = field(default_factory=HostRules)
    """Where the URLs that it sends may lead."""

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
            refuse(path, "is not there: create it, or name the right file")
        return Config()
    try:
        values = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        refuse(path, "is not UTF-8, which TOML must be: save it as UTF-8")
    except ValueError as error:
        refuse(path, f"is not TOML: {error}")
    return _config(Table(path, (), values))


def _read(path: Path) -> bytes | None:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            # What is opened is what is checked and read, whatever the name means by then.
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                refuse(path, "is not a regular file: put the settings in one")
            # Windows keeps its permissions elsewhere, and shows every file as writable.
            if sys.platform != "win32" and status.st_mode & stat.S_IWOTH:
                refuse(path, f"can be changed by everyone: chmod o-w {str(path)!r}")
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        refuse(path, f"cannot be read: {error.strerror}")


def _without_waiting(path: str, flags: int) -> int:
    """For ``open``: a named pipe would otherwise wait for somebody to write to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _config(root: Table) -> Config:
    root.only("defaults", "servers")
    defaults = root.table("defaults")
    defaults.only("surface")
    surface = _surface(defaults) or "auto"
    servers = root.table("servers")
    return Config(
        surface=surface,
        servers={name: _server(servers.table(name), name, surface) for name in servers},
        source=root.file,
    )


def _server(table: Table, name: str, surface: SurfaceName) -> ServerConfig:
    table.only("label", "modes", "surface", "limits", "urls")
    return ServerConfig(
        label=table.line("label") or name,
        modes=_modes(table),
        surface=_surface(table) or surface,
        bounds=_bounds(table.table("limits")),
        urls=host_rules(table.table("urls")),
    )


def _bounds(table: Table) -> Bounds:
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


def _surface(table: Table) -> SurfaceName | None:
    value = table.values.get("surface")
    for name in _SURFACES:
        if value == name:
            return name
    if value is not None:
        table.refuse("surface", f"must not be {kind(value)}: {use(_SURFACES)}")
    return None


def _modes(table: Table) -> frozenset[Mode]:
    listed = table.listed("modes")
    if listed is None:
        return _ALL_MODES
    for one in listed:
        if one not in _MODES:
            table.refuse("modes", f"must not hold {kind(one)}: {use(_MODES)}")
    return frozenset(mode for mode in _MODES if mode in listed)


def _least(given: _NumberT, bound: _NumberT | None) -> _NumberT:
    return given if bound is None else min(given, bound)

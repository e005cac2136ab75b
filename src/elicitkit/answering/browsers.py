"""Whether this desktop has a browser of its own, by what ``xdg-open`` goes by.

Without one ``xdg-open`` falls back to links, elinks, lynx or w3m. These would fetch the page
where nobody sees it, and in a terminal whoever owns that could read the page (M56). So there
must be a program that is known to be a browser with a window, or a desktop entry for https
that does not ask for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from os import defpath
from pathlib import Path
from shutil import which
from typing import Final

_PROGRAMS: Final = (
    "x-www-browser",
    "firefox",
    "iceweasel",
    "seamonkey",
    "mozilla",
    "epiphany",
    "konqueror",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
"""What xdg-open tries by itself, less the browsers of the terminal."""
_HANDLER: Final = re.compile(r"^x-scheme-handler/https=(.*)$", re.MULTILINE)
_TERMINAL: Final = re.compile(r"^Terminal=true\s*$", re.MULTILINE)
_DATA_FOLDERS: Final = "/usr/local/share:/usr/share"


def has_browser(environ: Mapping[str, str]) -> bool:
    """Whether a browser with a window is installed."""
    path = environ.get("PATH", defpath)
    return any(which(name, path=path) for name in _PROGRAMS) or any(_entries(environ))


def _entries(environ: Mapping[str, str]) -> Iterator[bool]:
    """For each desktop entry that is registered for https, whether it has a window."""
    for folder in _folders(environ):
        for handlers in _HANDLER.findall(_read(folder / "mimeinfo.cache")):
            for name in filter(None, handlers.split(";")):
                entry = _read(folder / name)
                yield bool(entry) and not _TERMINAL.search(entry)


def _folders(environ: Mapping[str, str]) -> Iterator[Path]:
    """Where desktop entries are, by the XDG Base Directory specification."""
    home = environ.get("XDG_DATA_HOME") or str(Path(environ.get("HOME", "/"), ".local/share"))
    shared = environ.get("XDG_DATA_DIRS") or _DATA_FOLDERS
    for folder in (home, *shared.split(":")):
        yield Path(folder, "applications")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""``Opener``: how a page that a person agreed to comes to stand in their own browser.

The browser is another program, which neither this process nor a model can look into (M56).
It is started by an argument list and never by a shell (M85). Where a browser would open on
another screen, or in this very terminal, nothing is opened: the person copies the address.

Python's own module for this is not used: it obeys ``BROWSER``, which names any program, and
runs text browsers. Whether there is a browser at all is ``browsers.py``; what may be opened
is ``elicitkit.core.urls.checked``. The ways of macOS and Windows have not been tried there.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Final, Protocol

import anyio
import anyio.to_thread

from elicitkit.answering.browsers import has_browser
from elicitkit.core.errors import UsageError
from elicitkit.core.open_page import Opening
from elicitkit.core.urls import CheckedUrl
from elicitkit.observe import event

_LIMIT: Final = 5.0
_STEP: Final = 0.02
_MAC_OPEN: Final = "/usr/bin/open"
_ELSEWHERE: Final = ("SSH_CONNECTION", "SSH_TTY", "CI")
"""With any of these the screen here is not before the person, or there is no person."""
_WSL: Final = ("WSL_DISTRO_NAME", "WSL_INTEROP")
_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


class Opener(Protocol):
    """Opens a page that a person agreed to."""

    @property
    def opening(self) -> Opening:
        """``browser`` or ``by_hand``: what would become of a page here and now."""
        ...

    async def open(self, url: CheckedUrl) -> bool:
        """Open a page; whether a start was reported. What fails is no exception."""
        ...


async def opened_by(opener: Opener, url: CheckedUrl) -> bool:
    """Open a page; an opener that raises has not opened it."""
    try:
        return await opener.open(url)
    except Exception as error:  # whatever an opener of the host raises, the page is not open
        # The type alone: the text of an error may hold the URL.
        event("opener_failed", level=logging.ERROR, error=type(error).__name__)
        return False


class NoOpener:
    """Opens nothing: the person copies the address."""

    @property
    def opening(self) -> Opening:
        """Always by hand."""
        return "by_hand"

    async def open(self, url: CheckedUrl) -> bool:
        """Open nothing.

        Raises:
            UsageError: It is no ``CheckedUrl``.
        """
        _only_checked(url)
        return False


class SystemOpener:
    """Opens in the browser of this desktop, by the means of its system.

    Args:
        environ: Default: the variables of this process.
        platform: As ``sys.platform``, which is the default.
        limit: Seconds within which a start must be reported.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str] | None = None,
        platform: str | None = None,
        limit: float = _LIMIT,
    ) -> None:
        self._environ = os.environ if environ is None else environ
        self._platform = sys.platform if platform is None else platform
        self._limit = limit

    @property
    def opening(self) -> Opening:
        """``browser`` where one can be started before the eyes of the person."""
        if self._platform == "win32":
            return "by_hand" if self._is_elsewhere() else "browser"
        return "by_hand" if self._command() is None else "browser"

    async def open(self, url: CheckedUrl) -> bool:
        """Start the browser; whether its start was reported.

        Raises:
            UsageError: It is no ``CheckedUrl``.
        """
        _only_checked(url)
        # Whatever goes wrong, the page is not open. What went wrong may name the URL.
        with suppress(Exception):
            if self._platform == "win32":
                return self.opening == "browser" and await _start_file(str(url))
            command = self._command()
            return command is not None and await self._run([*command, str(url)])
        return False

    def _is_elsewhere(self) -> bool:
        return any(self._environ.get(name) for name in _ELSEWHERE)

    def _command(self) -> Sequence[str] | None:
        """What opens the URL that comes after it; None where nothing does."""
        if self._is_elsewhere():
            return None
        if self._platform == "darwin":
            return [_MAC_OPEN]
        if any(self._environ.get(name) for name in _WSL) and (runner := self._find("rundll32.exe")):
            return [runner, "url.dll,FileProtocolHandler"]
        if not any(self._environ.get(name) for name in _DISPLAYS):
            return None
        opener = self._find("xdg-open")
        # Without a browser of the desktop, xdg-open runs one of the terminal.
        return [opener] if opener and has_browser(self._environ) else None

    def _find(self, program: str) -> str | None:
        found = which(program, path=self._environ.get("PATH", os.defpath))
        # A relative entry of PATH is whatever lies in the working folder.
        return found if found and Path(found).is_absolute() else None

    async def _run(self, command: Sequence[str]) -> bool:
        process = _start(command, self._environ)
        # The thread collects the process whenever it ends, also after this call was cancelled.
        # A handle of the event loop would kill it when the loop is closed. Nothing is killed
        # here: xdg-open without a desktop runs the browser as a part of itself, and what still
        # runs after the limit may be what the person is reading.
        waiting = Thread(target=process.wait, name="elicitkit-opener", daemon=True)
        waiting.start()
        with anyio.move_on_after(self._limit):
            while waiting.is_alive():  # noqa: ASYNC110 - see above: no event of the loop's own
                await anyio.sleep(_STEP)
        return process.returncode == 0


def _start(command: Sequence[str], environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a program that has nothing of this terminal: no stream, and no session."""
    return subprocess.Popen(  # noqa: S603 - an argument list, of a URL that was checked
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={name: value for name, value in environ.items() if name != "BROWSER"},
    )


async def _start_file(url: str) -> bool:
    # ShellExecute, which is there on Windows alone.
    start: Callable[[str], None] | None = getattr(os, "startfile", None)
    if start is None:
        return False
    await anyio.to_thread.run_sync(start, url, abandon_on_cancel=True)
    return True


def _only_checked(url: CheckedUrl) -> None:
    if not isinstance(url, CheckedUrl):
        raise UsageError("an opener takes what checked(findings) made, and no text")

"""Lines from a person: read without blocking the event loop, and given up at once.

A terminal stays in its canonical mode, so editing and echo are its own. Its descriptor is
polled, and only a ready one is read. What cannot be polled (a regular file, any stream on
Windows) is read by a thread (``threads.py``).

Two notes for the person's side: the line discipline of Linux holds 4,095 bytes a line, and
Ctrl-C makes it forget the line in progress.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from typing import Literal, TextIO, TypeAlias

import anyio

from elicitkit.terminal.threads import ThreadRead

if sys.platform != "win32":
    import select
    import termios

_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end."""

    text: str


@dataclass(frozen=True, slots=True)
class Garbled:
    """A line that is not text in the encoding of the terminal."""

    encoding: str


@dataclass(frozen=True, slots=True)
class Ended:
    """No line will come any more."""

    reason: Literal["eof", "hangup"]


Read: TypeAlias = Line | Garbled | Ended


def descriptor(stream: TextIO) -> int | None:
    """The file descriptor behind a stream, or None where there is none."""
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None


def is_terminal(stream: TextIO) -> bool:
    """Whether a person may sit behind this stream; a closed or missing one is no terminal."""
    try:
        return stream.isatty()
    except (ValueError, AttributeError):
        return False


class Lines:
    """The lines of one input stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._fd = descriptor(stream)
        self._terminal = is_terminal(stream)
        self._rest = b""
        self._thread = None if self._can_poll() else ThreadRead(self._read)

    def _can_poll(self) -> bool:
        if self._fd is None or sys.platform == "win32":
            return False
        mode = os.fstat(self._fd).st_mode
        return self._terminal or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)

    @property
    def reprints(self) -> bool:
        """Whether Ctrl-R shows the line in progress again."""
        return self._terminal and self._thread is None

    async def line(self) -> Read:
        """The next line, or the end."""
        while b"\n" not in self._rest:
            try:
                chunk = await self._chunk()
            except OSError:
                return Ended("hangup")
            if not chunk:
                return self._end()
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return self._decoded(line)

    def _end(self) -> Read:
        if self._rest and not self._terminal:
            line, self._rest = self._rest, b""
            return self._decoded(line)
        # A terminal that was hung up reads as ended, but it is no terminal any more.
        return Ended("hangup" if self._terminal and not is_terminal(self._stream) else "eof")

    def _decoded(self, line: bytes) -> Read:
        encoding = self._stream.encoding or "utf-8"
        try:
            return Line(line.removesuffix(b"\r").decode(encoding))
        except UnicodeDecodeError:
            return Garbled(encoding)

    def discard(self) -> bool:
        """Forget what a terminal has got so far: it was typed for no prompt, or for another.

        Returns:
            Whether there was anything.
        """
        if self._thread is not None and self._thread.discard():
            return True
        if not self._terminal or self._fd is None or sys.platform == "win32":
            return False
        early = bool(self._rest) or self._ready(self._fd)
        self._rest = b""
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)
        except termios.error:
            return False
        return early

    def _ready(self, fd: int) -> bool:
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        return bool(poll.poll(0))

    async def _chunk(self) -> bytes:
        if self._thread is not None:
            return await self._thread.chunk()
        fd = self._stream.fileno()
        while True:
            await anyio.wait_readable(fd)
            # Ctrl-C may have emptied the queue since: reading it now would block the loop.
            if self._ready(fd):
                return os.read(fd, _CHUNK)

    def _read(self) -> bytes:
        if self._fd is None or sys.platform == "win32":
            return self._stream.readline().encode(self._stream.encoding or "utf-8")
        return os.read(self._fd, _CHUNK)

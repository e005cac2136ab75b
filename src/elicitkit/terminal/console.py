"""A terminal as plain lines: what is written, and what comes back at a prompt.

Nothing but printable text and line ends is ever written: no escape sequence, no redraw
(UX24). Lines are wrapped to the columns of the terminal, by the width of each character.
Writing happens in a thread, since a terminal that a person has paused takes nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NoReturn, TextIO, TypeAlias

import anyio
import anyio.to_thread

from elicitkit.terminal.fold import fold
from elicitkit.terminal.lines import Ended, Lines, Read, descriptor

MIN_COLUMNS = 40
PROMPT = "> "


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Due:
    """The time has come to say something before anything was typed to its end."""


Heard: TypeAlias = Read | Interrupted | Due
_Signals: TypeAlias = AsyncIterator[signal.Signals]


class HungUp(Exception):
    """The terminal takes no more text."""


class Console:
    """One terminal: say something, listen at a prompt."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self.lines = Lines(stdin)
        self.written = 0
        """Lines written so far."""
        self._stdout = stdout
        self._signals: _Signals | None = None

    @property
    def size(self) -> os.terminal_size:
        """Columns, at least 40, and rows, as they are now."""
        fd = descriptor(self._stdout)
        try:
            size = os.get_terminal_size(fd) if fd is not None else os.terminal_size((80, 24))
        except OSError:
            size = os.terminal_size((80, 24))
        return os.terminal_size((max(size.columns or 80, MIN_COLUMNS), size.lines or 24))

    def fold(self, text: str) -> list[str]:
        """The lines that ``text`` takes on this terminal."""
        return fold(text, self.size.columns)

    async def say(self, *texts: str) -> None:
        """Write each text on lines of its own, folded.

        Raises:
            HungUp: The terminal is gone.
        """
        await self.put([line for text in texts for line in self.fold(text)])

    async def put(self, lines: Sequence[str]) -> None:
        """Write lines that are folded already.

        Raises:
            HungUp: The terminal is gone.
        """
        await self.write("".join(f"{line}\n" for line in lines))
        self.written += len(lines)

    async def write(self, text: str) -> None:
        """Write text as it is.

        Raises:
            HungUp: The terminal is gone.
        """
        try:
            await anyio.to_thread.run_sync(self._write, text, abandon_on_cancel=True)
        except (OSError, ValueError):
            raise HungUp from None

    def _write(self, text: str) -> None:
        encoding = self._stdout.encoding or "utf-8"
        # An ASCII terminal gets escapes that it can print, not an exception.
        self._stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self._stdout.flush()

    async def listen(self, due: float | None = None) -> Heard:
        """Show the prompt and wait for a line, an end, Ctrl-C, or for ``due`` seconds."""
        await self.write(PROMPT)
        heard: list[Heard] = []
        async with anyio.create_task_group() as group:

            async def first(source: Callable[[], Awaitable[Heard]]) -> None:
                heard.append(await source())
                group.cancel_scope.cancel()

            group.start_soon(first, self.lines.line)
            group.start_soon(first, self.struck)
            if due is not None:
                group.start_soon(first, partial(_after, due))
        self.written += 1
        # A line and a Ctrl-C at once: the person changed their mind.
        return min(heard, key=_rank)

    async def struck(self) -> Interrupted | Ended:
        """Wait for Ctrl-C or the hangup as a signal; without end where none can be taken."""
        signals = self._signals
        if signals is None:
            return await _never()
        number = await anext(signals)
        return Interrupted() if number == signal.SIGINT else Ended("hangup")

    @contextmanager
    def attended(self) -> Generator[None]:
        """Take Ctrl-C and the hangup as answers to the question while it is open."""
        with _receiver() as self._signals:
            try:
                yield
            finally:
                self._signals = None


async def _never() -> NoReturn:
    await anyio.sleep_forever()
    raise AssertionError


async def _after(seconds: float) -> Due:
    await anyio.sleep(seconds)
    return Due()


def _rank(heard: Heard) -> int:
    return 0 if isinstance(heard, Interrupted) else 2 if isinstance(heard, Due) else 1


@contextmanager
def _receiver() -> Generator[_Signals | None]:
    wanted = _free_signals()
    if not wanted:
        yield None
        return
    before = {number: signal.getsignal(number) for number in wanted}
    try:
        with anyio.open_signal_receiver(*wanted) as signals:
            yield signals
    finally:
        # asyncio resets to the default, and so would drop what its own runner had set.
        for number, handler in before.items():
            signal.signal(number, handler)


def _free_signals() -> list[signal.Signals]:
    """The signals that can be taken here: only the main thread can, and none from a host."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return []
    return [one for one in (signal.SIGINT, signal.SIGHUP) if _is_free(signal.getsignal(one))]


def _is_free(handler: object) -> bool:
    if handler is None or handler == signal.SIG_IGN:
        return False
    # The mark of a handler that the host gave to its asyncio loop, which could not be put back.
    return getattr(handler, "__module__", None) != "asyncio.unix_events"

"""A person at a pseudo-terminal: sees what a terminal shows, types line by line."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import anyio

from elicitkit.core.fields import Field, RequestedSchema
from elicitkit.core.model import FormRequest, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.terminal import Terminal

EVERYTHING = Origin(label="everything")
EOF = "\x04"


def form(*fields: Field, message: str = "Please tell us.") -> FormRequest:
    return FormRequest(message=message, schema=RequestedSchema(fields=fields))


class Person:
    """Both ends of one pseudo-terminal."""

    def __init__(self, columns: int, rows: int, encoding: str) -> None:
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.stdin: TextIO = os.fdopen(os.dup(self.slave), "r", encoding=encoding)
        self.stdout: TextIO = os.fdopen(os.dup(self.slave), "w", encoding=encoding)
        self.raw = b""
        self._answered_at = 0

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def seen(self) -> str:
        """All that the terminal has shown, echo of the typed lines included."""
        return self.raw.decode(errors="replace").replace("\r\n", "\n")

    async def prompted(self) -> None:
        """Wait until a prompt stands there that nothing was typed at."""
        with anyio.fail_after(5):
            while not self._fresh().endswith("> "):
                await self.look()

    def _fresh(self) -> str:
        return self.raw[self._answered_at :].decode(errors="replace")

    async def look(self) -> None:
        await anyio.wait_readable(self.master)
        self.raw += os.read(self.master, 65_536)

    async def see(self, text: str) -> None:
        with anyio.fail_after(5):
            while text not in self.seen:
                await self.look()

    def type(self, keys: str | bytes) -> None:
        self._answered_at = len(self.raw)
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def catch_up(self) -> None:
        """Take in what was written before the question ended."""
        os.set_blocking(self.master, False)
        while True:
            try:
                self.raw += os.read(self.master, 65_536)
            except BlockingIOError:
                break
        os.set_blocking(self.master, True)

    def hang_up(self) -> None:
        os.close(self.master)
        self.master = -1

    def close(self) -> None:
        self.stdin.close()
        try:
            self.stdout.close()
        except OSError:
            # Text that never got out, after a hangup.
            assert self.master == -1
        os.close(self.slave)
        if self.master >= 0:
            os.close(self.master)


@contextmanager
def seated(columns: int = 80, rows: int = 100, encoding: str = "utf-8") -> Iterator[Person]:
    person = Person(columns, rows, encoding)
    try:
        yield person
    finally:
        person.close()


class Talk:
    """What came of one question."""

    def __init__(self, response: Response, seen: str, prompts: int) -> None:
        self.response = response
        self.seen = seen
        self.prompts = prompts


async def talk(
    request: FormRequest,
    *lines: str | bytes | Callable[[Person], None],
    lang: str = "en",
    columns: int = 80,
    rows: int = 100,
    origin: Origin = EVERYTHING,
    turn: Turn | None = None,
) -> Talk:
    """Put a question and type one of ``lines`` at each prompt, a callable acting instead."""
    with seated(columns, rows) as person:
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang=lang, renderer="plain")
        responses: list[Response] = []
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:

                async def fill() -> None:
                    responses.append(await terminal.fill(request, origin, turn))
                    group.cancel_scope.cancel()

                group.start_soon(fill)
                await _act(person, lines)
        person.catch_up() if person.master >= 0 else None
        (response,) = responses
        return Talk(response, person.seen, person.seen.count("\n> "))


async def _act(person: Person, lines: Sequence[str | bytes | Callable[[Person], None]]) -> None:
    for line in lines:
        await person.prompted()
        if callable(line):
            line(person)
        elif line in (EOF, b"\x04"):
            person.type(line)
        else:
            person.type(line + b"\n" if isinstance(line, bytes) else line + "\n")
    if person.master < 0:
        await anyio.sleep_forever()
    while True:
        await person.look()
        fresh = person.seen
        assert not fresh.endswith("\n> "), f"one prompt more than lines:\n{fresh}"

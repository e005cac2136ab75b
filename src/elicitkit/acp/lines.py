"""One JSON value a line: the framing of ACP over stdio, with bounds.

The SDK's own framing skips a line that is no JSON without a word, so its sender waits for
ever; it gathers a line of any length in memory; and once a write has failed, later ones never
come back. Here a broken line is told to the reader of the stream, which answers it, and
reading goes on after it.

Lines are for ``ElicitationTransport`` only: what they receive may be any JSON value.

Spec: ACP transports, stdio; JSON-RPC 2.0 section 5.1 (-32700).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

from acp.stdio import stdio_streams
from acp.transports import spawn_stdio_transport

from elicitkit.acp.messages import PARSE_ERROR, BadMessage

MAX_BYTES: Final = 32 * 1024 * 1024
"""Of one line. The TypeScript SDK takes as much, and a prompt may carry images."""

_CHUNK: Final = 64 * 1024


class Lines:
    """A pair of byte streams of asyncio, as one stream of JSON values.

    The byte streams stay the caller's: closing the lines closes neither.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._searched = 0
        self._drain: asyncio.Task[None] | None = None
        self._closed = False

    async def send(self, message: Mapping[str, Any]) -> None:
        """Write one message.

        Raises:
            TypeError, ValueError, RecursionError: JSON cannot say it; nothing was written.
            ConnectionError: Nobody reads it.
        """
        line = json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        if self._closed:
            raise ConnectionError("the connection is closed")
        # Written whole before anything is awaited: a sender that is cancelled leaves no half line.
        self._writer.write(line)
        await self._drained()

    async def receive(self) -> object:
        """The next value, ``None`` at the end of the stream.

        Raises:
            BadMessage: The line is no JSON, or too long. The next one can be received.
        """
        while True:
            line = await self._line()
            if line is None:
                return None
            if line.strip():
                return _parse(line)

    async def close(self) -> None:
        """Let go of the streams; whoever still waits for a write gets a ConnectionError."""
        self._closed = True
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.wait({self._drain})

    async def _drained(self) -> None:
        """Wait until the pipe takes more.

        One task drains for all: a sender that is cancelled must not cancel what the others
        wait for. And ``close`` can end it, because the stdout of the SDK tells nobody that its
        reader is gone.
        """
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._writer.drain())
            self._drain.add_done_callback(_looked_at)
        drain = self._drain
        await asyncio.wait({drain})
        if drain.cancelled():
            raise ConnectionError("the connection is closed")
        drain.result()

    async def _line(self) -> bytes | None:
        """The next line; what follows the last newline is one, too."""
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            if len(self._buffer) > self._max_bytes:
                await self._skip_line()
                raise BadMessage(f"a message may have {self._max_bytes} bytes")
            self._searched = len(self._buffer)
            if not await self._more():
                return self._take(len(self._buffer)) if self._buffer else None
        if end > self._max_bytes:
            self._take(end + 1)
            raise BadMessage(f"a message may have {self._max_bytes} bytes")
        return self._take(end + 1)

    async def _skip_line(self) -> None:
        """Throw away the rest of a line that is too long, without keeping it."""
        self._buffer.clear()
        while (end := self._buffer.find(b"\n")) < 0:
            self._buffer.clear()
            if not await self._more():
                break
        self._take(end + 1)

    async def _more(self) -> bool:
        try:
            chunk = await self._reader.read(_CHUNK)
        except ConnectionError:
            return False  # a peer that is gone without a word has ended the stream, too
        self._buffer += chunk
        return bool(chunk)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._searched = 0
        return taken


async def own_stdio(*, max_bytes: int = MAX_BYTES) -> Lines:
    """The stdin and stdout of this process: how an agent meets its client."""
    reader, writer = await stdio_streams()
    return Lines(reader, writer, max_bytes=max_bytes)


@asynccontextmanager
async def spawned(
    command: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    max_bytes: int = MAX_BYTES,
) -> AsyncGenerator[tuple[Lines, asyncio.subprocess.Process]]:
    """The stdin and stdout of a program that runs for the length of the block.

    Its stderr is this process's own. At the end its stdin is closed; a program that does not
    end by that is terminated.

    Args:
        command: What to run.
        args: Its arguments.
        env: Variables beside the few that every program inherits.
        cwd: Where it runs.
        max_bytes: Of one line.
    """
    async with spawn_stdio_transport(command, *args, env=env, cwd=cwd, stderr=None) as streams:
        reader, writer, process = streams
        yield Lines(reader, writer, max_bytes=max_bytes), process


def _looked_at(drain: asyncio.Task[None]) -> None:
    """Take the error of a task whose senders may all be cancelled, so that it is not logged."""
    if not drain.cancelled():
        drain.exception()


def _parse(line: bytes) -> object:
    try:
        value: object = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        # Neither the text nor its place: the line may hold anything.
        raise BadMessage("Parse error", code=PARSE_ERROR) from None
    if value is None:
        raise BadMessage("a message must be an object")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")

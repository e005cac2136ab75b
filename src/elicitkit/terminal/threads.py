"""One blocking read at a time, in a thread, for what no event loop can poll.

A read cannot be taken back, so it may outlive the wait for it; the next wait adopts it and
no line is swallowed. The thread is a daemon, so a read that never ends holds up no exit,
and it wakes the loop through a socket, which every event loop can poll.
"""

from __future__ import annotations

import socket
import threading
import weakref
from collections.abc import Callable

import anyio


class ThreadRead:
    """Reads by ``read`` in a thread, one at a time and only when asked for."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._reading = False
        self._got: bytes | Exception | None = None
        self._near, self._far = socket.socketpair()
        weakref.finalize(self, _close, self._near, self._far)

    async def chunk(self) -> bytes:
        """The next bytes; none at the end.

        Raises:
            OSError: They could not be read.
        """
        if not self._reading:
            self._reading = True
            threading.Thread(target=self._run, daemon=True).start()
        await anyio.wait_readable(self._near)
        got = self._take()
        if isinstance(got, Exception):
            raise OSError(str(got)) from got
        return got

    def discard(self) -> bool:
        """Forget a read that nobody waited for; False where there is none that is done."""
        if self._got is None:
            return False
        self._take()
        return True

    def _take(self) -> bytes | Exception:
        self._near.recv(1)
        got, self._got, self._reading = self._got, None, False
        return b"" if got is None else got

    def _run(self) -> None:
        try:
            self._got = self._read()
        except Exception as error:  # whatever a stream of the host raises, the wait must end
            self._got = error
        self._far.send(b"!")


def _close(*ends: socket.socket) -> None:
    for end in ends:
        end.close()

"""What questions belong to, and with what they end: one piece of an agent's work.

A piece of work is a request of the client or, on ACP v2, what a prompt has set going after
its request was answered. It says which scope its questions have, exactly one (A14), and when
it is over they are taken back: at the end of the request (M89), when the client cancels or
closes the session (G14, A66), or with the connection (G15). Whose work it is, and what the
client said of itself, is ``line.py``.

Spec: ACP client/elicitation "Creating an elicitation"; rulings G14, G15.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final, Literal, TypeAlias

import anyio

from elicitkit.acp.messages import RequestId
from elicitkit.core.model import RequestScope, Scope, SessionScope

Ending: TypeAlias = Literal[
    "request_ended", "work_ended", "session_cancelled", "session_closed", "disconnected"
]
"""Why work is over: the reason of ``Cancelled`` for what was still asked in it."""

BY_CLIENT: Final[frozenset[Ending]] = frozenset({"session_cancelled", "session_closed"})
"""The endings that a client wants, by which a prompt stops as ``cancelled``."""

_tool: ContextVar[str | None] = ContextVar("elicitkit_acp_tool_call", default=None)


@contextmanager
def tool_call(tool_call_id: str) -> Generator[None]:
    """Say that what is asked in the block belongs to a tool call of the session.

    >>> with tool_call("call-1"):
    ...     await ask.confirm("Run the tests?")
    """
    token = _tool.set(tool_call_id)
    try:
        yield
    finally:
        _tool.reset(token)


class Work:
    """One piece of work.

    Args:
        session_id: The session it is part of; None for what is outside of one.
        request_id: The request that it serves, if it has an id.
    """

    __slots__ = ("_waits", "asked", "over", "questions", "request_id", "session_id")

    def __init__(self, *, session_id: str | None = None, request_id: RequestId | None = None):
        self.session_id = session_id
        self.request_id = request_id
        self.over: Ending | None = None
        self.questions = 0
        """How many wait for their answer."""
        self.asked = False
        """Whether there was any."""
        self._waits: dict[anyio.CancelScope, anyio.Event] = {}

    @property
    def nameless(self) -> bool:
        """Whether there is nothing that a question could name as its scope (G20)."""
        return self.session_id is None and self.request_id is None

    def scope(self) -> Scope:
        """The scope of a question that is put now."""
        if self.session_id is not None:
            return SessionScope(session_id=self.session_id, tool_call_id=_tool.get())
        return RequestScope(request_id=self.request_id)

    def end(self, reason: Ending) -> None:
        """Nothing may be asked in it any more, and what is asked is taken back; once."""
        if self.over is None:
            self.over = reason
            for wait in self._waits:
                wait.cancel()

    async def quiet(self) -> None:
        """Wait until everything that ``end`` took back is gone, and the client was told."""
        for gone in list(self._waits.values()):
            await gone.wait()
        if self.asked:
            # The transport tells the client by a task, which has been started by now.
            await asyncio.sleep(0)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Wait for a person in the block; the end of the work cuts it short."""
        with anyio.CancelScope() as wait:
            self._waits[wait] = gone = anyio.Event()
            try:
                yield
            finally:
                del self._waits[wait]
                gone.set()

    @asynccontextmanager
    async def asking(self) -> AsyncGenerator[None]:
        """Have a question open in the block."""
        self.questions += 1
        self.asked = True
        try:
            await self.report()
            yield
        finally:
            self.questions -= 1
            await self.report()

    async def report(self) -> None:
        """Tell the client what the work is waiting for, where a version has a way to."""

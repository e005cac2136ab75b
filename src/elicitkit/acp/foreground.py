"""The foreground work of one session of ACP v2, and what its client is told of it.

Each prompt sets work going. While all of it that goes on waits for a person, the session
``requires_action``; it is ``running`` again as soon as some can go on, and ``idle`` when the
last has ended (A65). Questions outside the session, and what happens on a page after
consent, change nothing.

Spec: ACP v2 prompt-lifecycle "Session States", "Cancellation".
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias, cast

from acp import RequestError

from elicitkit.acp.inbound import tell_failure
from elicitkit.acp.line import Line, enter_work
from elicitkit.acp.messages import INTERNAL_ERROR, Message
from elicitkit.acp.tasks import Tasks
from elicitkit.acp.work import BY_CLIENT, Ending, Work

State: TypeAlias = Literal["idle", "running", "requires_action"]

PROMPT: Final = "session/prompt"
UPDATE: Final = "session/update"

_CANCELLED: Final[Message] = {"stopReason": "cancelled"}


class PromptWork(Work):
    """The work that one prompt has set going; the client can stop it, and its handler with it."""

    __slots__ = ("_foreground", "_task")

    def __init__(self, session_id: str, foreground: Foreground) -> None:
        super().__init__(session_id=session_id)
        self._foreground = foreground
        self._task: asyncio.Task[Any] | None = None
        """What runs its handler, while it does."""

    def end(self, reason: Ending) -> None:
        first = self.over is None
        super().end(reason)
        if first and reason in BY_CLIENT and self._task is not None:
            self._task.cancel()

    async def report(self) -> None:
        await self._foreground.report()

    async def run(self, handler: Callable[[], Awaitable[Any]]) -> Message:
        """Run its handler and say why it stopped."""
        if self.over is not None:
            return _CANCELLED  # before it could begin
        self._task = asyncio.current_task()
        try:
            return {"stopReason": await handler() or "end_turn"}
        except RequestError as error:
            return {"stopReason": "error", "error": error.to_error_obj()}
        except Exception as error:
            # Its text may hold content, so nobody but its author sees it.
            tell_failure(error, PROMPT)
            failed = {"code": INTERNAL_ERROR, "message": "Internal error"}
            return {"stopReason": "error", "error": failed}
        finally:
            self._task = None


class Foreground:
    """That of one session."""

    def __init__(self, session_id: str, line: Line, tasks: Tasks) -> None:
        self._session_id = session_id
        self._line = line
        self._tasks = tasks
        self._works: dict[PromptWork, asyncio.Event] = {}
        self._told: State = "idle"
        self._telling: asyncio.Task[None] | None = None
        """Sends what was told last."""

    @property
    def busy(self) -> bool:
        """Whether there is work that has not ended."""
        return bool(self._works)

    def echo(self, message_id: str, prompt: object) -> None:
        """Tell the client that its message was taken, and as what it is known."""
        content = cast("list[object]", prompt) if isinstance(prompt, list) else []
        self._update({"sessionUpdate": "user_message", "messageId": message_id, "content": content})

    async def start(self, handler: Callable[[], Awaitable[Any]]) -> None:
        """Set the work of a prompt going."""
        work = PromptWork(self._session_id, self)
        self._works[work] = asyncio.Event()
        self._line.begin(work)
        await self.report()
        # From a task of its own, and last: the answer to the prompt goes out before it runs.
        self._tasks.start(self._run(work, handler))

    async def stopped(self) -> None:
        """Wait until all work there is has ended, and the client was told."""
        for ended in list(self._works.values()):
            await ended.wait()

    async def report(self) -> None:
        """Tell the client the state if it has changed, other than by the end of work."""
        going = [work for work in self._works if work.over is None]
        if going:
            blocked = all(work.questions for work in going)
            await self._tell("requires_action" if blocked else "running")

    async def _run(self, work: PromptWork, handler: Callable[[], Awaitable[Any]]) -> None:
        enter_work(work)
        stop = _CANCELLED
        try:
            stop = await work.run(handler)
        finally:
            if work.over is not None:
                stop = _CANCELLED  # whatever its handler made of that
            await self._line.finish(work, "work_ended")
            ended = self._works.pop(work)
            await (self.report() if self._works else self._tell("idle", stop))
            ended.set()

    async def _tell(self, state: State, more: Message | None = None) -> None:
        if state != self._told:
            self._told = state
            self._update({"sessionUpdate": "state_update", "state": state, **(more or {})})
        if self._telling is not None:
            await asyncio.wait({self._telling})

    def _update(self, update: Message) -> None:
        # By a task: the end of work that is cancelled must be told, too, and in its order.
        params = {"sessionId": self._session_id, "update": update}
        self._telling = self._tasks.start(self._notify(params))

    async def _notify(self, params: Message) -> None:
        with suppress(ConnectionError):
            await self._line.transport.notify(UPDATE, params)

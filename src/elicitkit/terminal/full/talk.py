"""One question in the full renderer, from the first screen to what is left in its place.

While the screen is up, Ctrl-C and a hangup that arrive as signals, the time limit and a
withdrawal are watched beside it; each ends in the desk like a key. prompt_toolkit needs to
put the terminal back into its mode in peace, so it is asked to leave and never torn down.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TextIO

import anyio
import anyio.lowlevel
from prompt_toolkit.input import create_input

from elicitkit.core.model import Cancel, Response
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.console import Console, HungUp, Interrupted
from elicitkit.terminal.conversation import end_of
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.show import Show
from elicitkit.terminal.full.streams import screen, when_lost
from elicitkit.terminal.limit import Limit
from elicitkit.terminal.lines import is_terminal

_TRACE_LINES = 3
"""How much of a message stays on the terminal once it is answered."""


class FullTalk:
    """One form, one person, one decision."""

    def __init__(
        self, asked: Asked, console: Console, texts: Catalog, stdin: TextIO, stdout: TextIO
    ) -> None:
        self._asked = asked
        self._console = console
        self._texts = texts
        self._stdin = stdin
        self._limit = Limit(asked.turn, texts)
        self._desk = Desk(asked, self._limit, texts)
        self._stdout = stdout
        self._fault: Exception | None = None

    async def run(self) -> Response:
        """Show the question until there is a decision.

        Raises:
            HungUp: The terminal takes no more text.
        """
        unsupported = self._asked.unsupported()
        if unsupported is not None:
            await self._trace()
            await self._console.say(unsupported)
            return await self._end(Cancel("unsupported_schema"))
        response = await self._shown()
        with suppress(HungUp):  # the decision stands, even if its trace reaches nobody
            await self._trace()
        return await self._end(response)

    async def withdrawn(self) -> None:
        """Say that the question is gone, and that whatever was typed did not arrive."""
        await self._trace()
        await self._console.say(self._asked.closing(timed_out=self._limit.over))

    async def _trace(self) -> None:
        """Who asked, and the beginning of what, so that the terminal tells it afterwards."""
        await self._console.say("", *self._asked.head())
        lines = self._console.fold(self._asked.message())
        await self._console.put(lines[:_TRACE_LINES])
        if len(lines) > _TRACE_LINES:
            await self._console.put(["  …"])

    async def _end(self, response: Response) -> Response:
        with suppress(HungUp):
            await self._console.say(self._texts.t(end_of(response), who=self._asked.who))
        return response

    async def _shown(self) -> Response:
        if self._console.lines.discard():
            self._desk.tell(self._texts.t("slip.early"))
        output = screen(self._stdout)
        show = Show(self._desk, self._texts, create_input(self._stdin), output)
        when_lost(output, show.lost)
        response: Response | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch_signals, show)
            group.start_soon(self._watch_time, show)
            group.start_soon(_leave_when_cancelled, show)
            with anyio.CancelScope(shield=True):
                response = await self._until_left(show)
            group.cancel_scope.cancel()
        if self._fault is not None:
            raise self._fault
        if response is None:
            await anyio.lowlevel.checkpoint()
        return response or Cancel("dismissed")

    async def _until_left(self, show: Show) -> Response | None:
        try:
            return await show.run()
        except EOFError:
            return Cancel("eof" if is_terminal(self._stdin) else "hangup")
        except Exception as error:  # raised bare once the watchers have ended
            self._fault = error
            return None

    async def _watch_signals(self, show: Show) -> None:
        while True:
            match await self._console.struck():
                case Interrupted():
                    show.guarded(self._desk.interrupt)
                case _:
                    show.guarded(lambda: self._desk.end("hangup"))
            show.app.invalidate()

    async def _watch_time(self, show: Show) -> None:
        """Warn when little time is left, and keep the shown rest true."""
        while True:
            due, changes = self._limit.due(), self._limit.changes()
            if changes is None:
                return
            await anyio.sleep(changes if due is None else min(due, changes))
            if self._limit.due() == 0:
                show.guarded(self._desk.warn)
            show.app.invalidate()


async def _leave_when_cancelled(show: Show) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        show.leave()

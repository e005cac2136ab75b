"""A desk on the screen of one terminal, until there is a decision.

While the screen is up, Ctrl-C and a hangup that arrive as signals, the time limit and a
withdrawal are watched beside it; each ends in the desk like a key. prompt_toolkit needs to
put the terminal back into its mode in peace, so it is asked to leave and never torn down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TextIO

import anyio
import anyio.lowlevel
from prompt_toolkit.input import create_input

from elicitkit.i18n import Catalog
from elicitkit.terminal.console import Console, Interrupted
from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.paint import Painter
from elicitkit.terminal.full.show import Show
from elicitkit.terminal.full.streams import screen, when_lost
from elicitkit.terminal.lines import is_terminal


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person sits, and which language they read."""

    console: Console
    texts: Catalog
    stdin: TextIO
    stdout: TextIO


class Stage:
    """One desk before one person."""

    def __init__(self, desk: Desk, painter: Painter, place: Place) -> None:
        self._desk = desk
        self._painter = painter
        self._place = place
        self._fault: Exception | None = None

    async def play(self) -> None:
        """Show the desk until it is over."""
        if self._place.console.lines.discard():
            self._desk.tell(self._place.texts.t("slip.early"))
        output = screen(self._place.stdout)
        show = Show(self._desk, self._painter, create_input(self._place.stdin), output)
        when_lost(output, show.lost)
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch_signals, show)
            group.start_soon(self._watch_time, show)
            group.start_soon(_leave_when_cancelled, show)
            with anyio.CancelScope(shield=True):
                await self._until_left(show)
            group.cancel_scope.cancel()
        if self._fault is not None:
            raise self._fault
        if not self._desk.over:
            await anyio.lowlevel.checkpoint()

    async def _until_left(self, show: Show) -> None:
        try:
            await show.run()
        except EOFError:
            self._desk.end("eof" if is_terminal(self._place.stdin) else "hangup")
        except Exception as error:  # raised bare once the watchers have ended
            self._fault = error

    async def _watch_signals(self, show: Show) -> None:
        while True:
            match await self._place.console.struck():
                case Interrupted():
                    show.guarded(self._desk.interrupt)
                case _:
                    show.guarded(lambda: self._desk.end("hangup"))
            show.app.invalidate()

    async def _watch_time(self, show: Show) -> None:
        """Warn when little time is left, and keep the shown rest true."""
        while True:
            due, changes = self._desk.limit.due(), self._desk.limit.changes()
            if changes is None:
                return
            await anyio.sleep(changes if due is None else min(due, changes))
            if self._desk.limit.due() == 0:
                show.guarded(self._desk.warn)
            show.app.invalidate()


async def _leave_when_cancelled(show: Show) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        show.leave()

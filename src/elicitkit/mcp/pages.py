"""The pages that a person has open by one connection, from consent to the end of the wait.

A url question is answered at consent (G46), so nobody who sent it waits for its page. It is
kept here: its wait is shown, the server's notice of completion ends it, no time limit of the
connection runs while it is open (G52), and a person who gives no sign for too long is taken
to be gone. What else ends a page, and what follows from it, is for those who opened it: the
live questions of ``elicitkit.mcp.exchange``, or one call by ``elicitkit.mcp.consents``.

Spec: MCP 2025-11-25 client/elicitation, completion notifications.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from elicitkit.answering import Answerer
from elicitkit.answering.notices import Notices
from elicitkit.answering.visit import Visit
from elicitkit.core.errors import NotAccepted
from elicitkit.core.model import Response
from elicitkit.core.outcome import Cancelled
from elicitkit.mcp.calls import Call, Calls
from elicitkit.observe import event

Gone = Callable[[Visit], None]
"""Told when the person has given up a page, or gives no sign of being there any more."""


class Pages:
    """All open pages of one connection."""

    def __init__(self, answerer: Answerer, calls: Calls, *, unattended: float) -> None:
        self._answerer = answerer
        self._calls = calls
        self.unattended = unattended
        self._open: dict[Visit, set[str]] = {}
        """Each page with its elicitation ids."""
        self._notices = Notices()
        self._tasks: TaskGroup

    @asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Pages may be opened in the block; what is open at its end is over."""
        failure: Exception | None = None
        try:
            async with anyio.create_task_group() as self._tasks:
                try:
                    yield
                except Exception as error:
                    # The task group would wrap it.
                    failure = error
                    self._tasks.cancel_scope.cancel()
                finally:
                    for visit in self._open:
                        visit.end("disconnected")
        finally:
            # Whoever is cancelled while the pages go has failed before.
            if failure is not None:
                raise failure

    def completed(self, elicitation_id: str) -> None:
        """The server says that an interaction is over, perhaps before its consent (G33).

        Ids that are not known, or whose page is over, change nothing (M24).
        """
        found = [visit for visit, ids in self._open.items() if elicitation_id in ids]
        for visit in found:
            visit.end("completed")
        if not found:
            self._notices.came(elicitation_id)

    def live(self, response: Response, call: Call | None) -> None:
        """Keep the page of a live question, if its answer opened one, until its call ends."""
        visit = self._answerer.visit(response)
        if visit is None:
            return

        def gone(visit: Visit) -> None:
            if visit.state == "given_up":
                question = visit.page.request.message
                given_up = NotAccepted(Cancelled("given_up"), question=question, mode="url")
                self._calls.fail(call, given_up)

        def end(ended: Call) -> None:
            visit.end("disconnected" if ended.lost else "result")

        owned = ExitStack()
        owned.enter_context(self._calls.attached(call, end))
        self._start(visit, gone, owned)
        self._tasks.start_soon(self._not_yet, visit, gone)

    def opened(self, response: Response, gone: Gone) -> Visit | None:
        """Keep the page that an answer opened, if it did; whoever asked ends it."""
        visit = self._answerer.visit(response)
        if visit is not None:
            self._start(visit, gone, ExitStack())
        return visit

    def ask_again(self, visit: Visit, gone: Gone) -> None:
        """Go on waiting for a page that the person has finished and the server has not."""
        if visit.state == "finished":
            visit.ask_again()
            self._tasks.start_soon(self._mind, visit, gone)

    def known_as(self, visit: Visit, elicitation_id: str | None) -> None:
        """A page is completed by the notice of this id, too, and may be already."""
        if elicitation_id is not None and visit in self._open:
            self._open[visit].add(elicitation_id)
            if self._notices.take(elicitation_id):
                visit.end("completed")

    def _start(self, visit: Visit, gone: Gone, owned: ExitStack) -> None:
        self._open[visit] = set()
        self.known_as(visit, visit.page.request.elicitation_id)
        self._tasks.start_soon(self._watch, visit, owned)
        self._tasks.start_soon(self._mind, visit, gone)

    async def _watch(self, visit: Visit, owned: ExitStack) -> None:
        """Show the wait; what fails in it costs neither the page nor the connection."""
        with owned:
            while True:
                try:
                    await visit.watch()
                    break
                except Exception as error:
                    event("surface_failed", level=logging.ERROR, error=type(error).__name__)
        del self._open[visit]

    async def _not_yet(self, visit: Visit, gone: Gone) -> None:
        """Show the wait again to a person who has finished, if the call does not go on."""
        while await visit.too_early():
            self.ask_again(visit, gone)

    async def _mind(self, visit: Visit, gone: Gone) -> None:
        """See to the time limits until the wait is over, or as good as over."""
        with self._calls.holding():
            while visit.state == "open":
                left = self.unattended - visit.idle()
                if left <= 0:
                    visit.end("idle")
                with anyio.move_on_after(left):
                    await visit.over()
        if visit.state == "given_up" or visit.page.ending == "idle":
            gone(visit)

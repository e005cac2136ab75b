"""A page that a person agreed to open, from consent to the end of the wait.

The answer to a url question leaves at consent (G46); this is what comes after it. The wait
is shown whenever no question is (M26), and only its end is told to the carrier that owns
it: what a call does next (go on, be sent again, be given up) differs by revision and is the
carrier's. Nothing here answers a question.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

import anyio

from elicitkit.answering.opener import Opener, opened_by
from elicitkit.answering.queue import Queue
from elicitkit.core.lifecycle import PAGE_TABLE, PageEvent, PageState, after
from elicitkit.core.model import Accept
from elicitkit.core.open_page import Ending, OpenPage, Way
from elicitkit.core.ports import Surface
from elicitkit.core.urls import CheckedUrl
from elicitkit.observe import event

_NOT_YET: Final = 15.0
"""Seconds that the asking side may take once the person says that they have finished."""

_EVENT_OF: Final[dict[Ending, PageEvent]] = {
    "completed": "complete",
    "finished": "finish",
    "given_up": "give_up",
}
"""Whatever else ends a wait is just its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consented(Accept):
    """A person's consent, with the page that they have open now."""

    page: OpenPage
    url: CheckedUrl


class Visit:
    """One open page. Whoever owns it runs ``watch`` and reads ``over``.

    Attributes:
        page: What a surface sees of it.
    """

    def __init__(
        self, consented: Consented, *, surface: Surface, opener: Opener, queue: Queue
    ) -> None:
        self.page = consented.page
        self._url = consented.url
        self._surface = surface
        self._opener = opener
        self._queue = queue
        self._state: PageState = "open"
        self._showing: anyio.CancelScope | None = None
        self._unseen = False
        """The surface has failed to show the wait."""
        self._told = False
        self._signed_at = anyio.current_time()
        self._news = anyio.Event()

    @property
    def state(self) -> PageState:
        """Where it stands in ``core.lifecycle.PAGE_TABLE``."""
        return self._state

    @property
    def attended(self) -> bool:
        """Whether a person is there to whom the wait can be shown."""
        return self._surface.attended and not self._unseen

    async def watch(self) -> None:
        """Show the wait until it is over; the person may open the page again meanwhile."""
        while PAGE_TABLE[self._state]:
            if self._state == "finished" or self._unseen:
                await self._news.wait()
                continue
            way = await self._way()
            if way == "again":
                await self._open_again()
            elif way is not None:
                self.end("given_up" if way == "give_up" else way)
        if not self._told and not self._unseen:
            await self._way()

    async def over(self) -> Ending:
        """Wait until it is over, or until the person says that they have finished."""
        while self._state == "open":
            await self._news.wait()
        return self.page.ending or "finished"

    async def too_early(self) -> bool:
        """Wait until the person has finished and nothing came of it, or until it is over.

        Returns:
            Whether nothing did, so that a person who is there should be asked again.
        """
        await self.over()
        if self._state != "finished" or not self.attended:
            return False
        with anyio.move_on_after(_NOT_YET):
            await self._news.wait()
        return self._state == "finished"

    def end(self, ending: Ending) -> bool:
        """End the wait, if it has not ended: an outcome stands (M24).

        Returns:
            Whether this ended it.
        """
        step = _EVENT_OF.get(ending, "end")
        if step not in PAGE_TABLE[self._state]:
            return False
        # Whoever has finished is through with the page, and needs no more than a completion.
        self._told = self._state == "finished" and ending != "completed"
        self._on(step)
        if ending != "finished":
            self.page.ending = ending
        return True

    def ask_again(self) -> None:
        """The server still waits after the person has finished: so does their screen."""
        if "ask_again" in PAGE_TABLE[self._state]:
            self.page.pending = True
            self._on("ask_again")

    def idle(self) -> float:
        """Seconds since the person's last sign; none while the wait is on their screen (G04)."""
        if self._showing is not None and self.attended:
            return 0.0
        return anyio.current_time() - self._signed_at

    def _on(self, step: PageEvent) -> None:
        self._state = after(PAGE_TABLE, self._state, step)
        self._news.set()
        self._news = anyio.Event()
        if self._showing is not None:
            self._showing.cancel()

    async def _open_again(self) -> None:
        if self._surface.opens and self._opener.opening == "browser":
            opened = await opened_by(self._opener, self._url)
            self.page.opening = "browser" if opened else "failed"

    async def _way(self) -> Way | None:
        """What the person says, or None once the wait is over or cannot be shown."""
        try:
            with anyio.CancelScope() as ended:
                return await self._queue.while_idle(lambda: self._shown(ended))
        except Exception as error:  # whatever a surface raises, nobody gave up
            event("surface_failed", level=logging.ERROR, error=type(error).__name__)
            self._unseen = True
        return None

    async def _shown(self, ended: anyio.CancelScope) -> Way:
        self._showing = ended
        self._told = self.page.ending is not None
        try:
            return await self._surface.wait(self.page)
        finally:
            self._showing = None
            if self.attended:
                self._signed_at = anyio.current_time()

"""One question or wait in the full renderer, from the first screen to what is left of it.

The screen itself is ``stage.py``; here is which desk and painter it gets, and what the
terminal tells afterwards, since the screen is taken away.
"""

from __future__ import annotations

from contextlib import suppress

from elicitkit.core.model import Cancel, Response
from elicitkit.core.open_page import Way
from elicitkit.terminal.asked import Asked, AskedForm
from elicitkit.terminal.asked_url import AskedPage, AskedUrl
from elicitkit.terminal.console import HungUp
from elicitkit.terminal.full.consent import ConsentDesk
from elicitkit.terminal.full.form import FormDesk
from elicitkit.terminal.full.paint import Painter
from elicitkit.terminal.full.paint_form import FormPainter
from elicitkit.terminal.full.paint_url import UrlPainter
from elicitkit.terminal.full.question import Question
from elicitkit.terminal.full.stage import Place, Stage
from elicitkit.terminal.full.waiting import WaitDesk
from elicitkit.terminal.limit import Limit

__all__ = ["FullTalk", "FullWait", "Place", "consent", "form", "wait"]

_TRACE_LINES = 3
"""How much of a message stays on the terminal once it is answered."""


def form(asked: AskedForm, place: Place) -> FullTalk:
    """A form."""
    desk = FormDesk(asked, Limit(asked.turn, place.texts), place.texts)
    return FullTalk(asked, desk, FormPainter(desk, place.texts), place)


def consent(asked: AskedUrl, place: Place) -> FullTalk:
    """A question whether to open a URL."""
    desk = ConsentDesk(asked, Limit(asked.turn, place.texts), place.texts)
    return FullTalk(asked, desk, UrlPainter(desk, asked, place.texts), place)


def wait(asked: AskedPage, place: Place) -> FullWait:
    """A page that is open."""
    desk = WaitDesk(asked, place.texts)
    return FullWait(desk, Stage(desk, UrlPainter(desk, asked, place.texts), place))


class FullTalk:
    """One question, one person, one decision."""

    def __init__(self, asked: Asked, desk: Question, painter: Painter, place: Place) -> None:
        self._asked = asked
        self._desk = desk
        self._console = place.console
        self._stage = Stage(desk, painter, place)

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
        await self._stage.play()
        response = self._desk.response or Cancel("dismissed")
        with suppress(HungUp):  # the decision stands, even if its trace reaches nobody
            await self._trace()
        return await self._end(response)

    async def withdrawn(self) -> None:
        """Say that the question is gone, and that whatever was typed did not arrive."""
        await self._trace()
        await self._console.say(self._asked.closing(timed_out=self._desk.limit.over))

    async def _trace(self) -> None:
        """Who asked, and the beginning of what, so that the terminal tells it afterwards."""
        await self._console.say("", *self._asked.head())
        lines = self._console.fold(self._asked.message())
        await self._console.put(lines[:_TRACE_LINES])
        if len(lines) > _TRACE_LINES:
            await self._console.put(["  …"])
        await self._console.say(*self._asked.traced())

    async def _end(self, response: Response) -> Response:
        with suppress(HungUp):
            await self._console.say(self._asked.end(response))
        return response


class FullWait:
    """One open page, until the person says something."""

    def __init__(self, desk: WaitDesk, stage: Stage) -> None:
        self._desk = desk
        self._stage = stage

    async def run(self) -> Way:
        """Show the page until the person says something."""
        await self._stage.play()
        return self._desk.way or "give_up"

    async def withdrawn(self) -> None:
        """The screen is taken away, and nothing is left to say."""

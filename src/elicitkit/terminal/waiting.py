"""Waiting for a page that is open elsewhere, as lines.

Nothing here sees the page, so a person can say at every time that they have finished, that
it is to be opened again, or that they give up (M26). Where the wait is ended from outside,
because a question comes or the server is done, nothing is said: whoever ends it knows more.
"""

from __future__ import annotations

from elicitkit.core.model import Decline
from elicitkit.core.open_page import Way
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked_url import WAYS, AskedPage
from elicitkit.terminal.commands import Answer, Typed, Unknown, fold
from elicitkit.terminal.console import Console
from elicitkit.terminal.limit import Limit
from elicitkit.terminal.prompt import Decided, Prompt


class Waiting:
    """One open page, until the person says something."""

    def __init__(self, asked: AskedPage, console: Console, texts: Catalog) -> None:
        self._asked = asked
        self._console = console
        self._prompt = Prompt(asked, Limit(None, texts), console, texts)

    async def run(self) -> Way:
        """Wait for what the person says.

        Raises:
            HungUp: The terminal takes no more text.
        """
        await self._begin()
        while True:
            typed = await self._typed()
            if typed is None:
                return "give_up"
            if isinstance(typed, Answer) and fold(typed.text) in WAYS:
                return WAYS[fold(typed.text)]
            await self._explain(typed)

    async def withdrawn(self) -> None:
        """Leave the prompt, and say nothing of what comes instead."""
        await self._console.say("")

    async def _begin(self) -> None:
        if self._asked.opening == "browser":
            await self._prompt.reminder()
            await self._console.say(self._asked.what(), *self._asked.address.labelled())
        else:
            await self._prompt.question()
        await self._console.say(*self._asked.lead(), "", self._asked.act())

    async def _typed(self) -> Typed | None:
        """What was typed; None where the person or their terminal gave up."""
        while True:
            try:
                return await self._prompt.typed()
            except Decided as decided:
                # There is nothing left to decline: that was done at consent.
                if not isinstance(decided.response, Decline):
                    return None
                await self._console.say(*self._asked.slip(""))

    async def _explain(self, typed: Typed) -> None:
        if isinstance(typed, Unknown):
            await self._prompt.unknown(typed.word)
            return
        lines = self._asked.slip("")
        await self._prompt.keep_in_sight(lines)
        await self._console.say(*lines)

"""One question on its way to a decision, as lines: how each such talk begins and ends.

What lies between is a form (``conversation.py``) or a URL (``consent.py``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress

from elicitkit.core.model import Response
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.console import Console, HungUp
from elicitkit.terminal.limit import Limit
from elicitkit.terminal.prompt import Decided, Prompt


class Talk(ABC):
    """One question, one person, one decision."""

    def __init__(self, asked: Asked, console: Console, texts: Catalog) -> None:
        self._asked = asked
        self._console = console
        self._t = texts.t
        self._limit = Limit(asked.turn, texts)
        self._prompt = Prompt(asked, self._limit, console, texts)

    async def run(self) -> Response:
        """Talk until there is a decision.

        Raises:
            HungUp: The terminal takes no more text.
        """
        try:
            response = await self._talk()
        except Decided as decided:
            response = decided.response
        with suppress(HungUp):  # the decision stands, even if its echo reaches nobody
            await self._console.say(self._asked.end(response))
        return response

    async def withdrawn(self) -> None:
        """Say that the question is gone, and that whatever was typed did not arrive."""
        await self._console.say("", self._asked.closing(timed_out=self._limit.over))

    @abstractmethod
    async def _talk(self) -> Response:
        """Put the question and take its answer.

        Raises:
            Decided: The person decided by a command, or the terminal ended.
        """

"""Whether to open a URL, asked line by line.

Enter alone opens nothing, and neither does a yes: the person types ``open``, or the domain
where the findings warn, and nothing at all opens what they refuse (UX17). What counts as
consent is ``asked_url.py``. Nothing is opened here.
"""

from __future__ import annotations

from elicitkit.core.model import Accept, Decline, Response
from elicitkit.core.typed import NO
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked_url import AskedUrl
from elicitkit.terminal.commands import Answer, Do, Typed, Unknown, fold
from elicitkit.terminal.console import Console
from elicitkit.terminal.talk import Talk


class Consent(Talk):
    """One URL, one person, one decision."""

    def __init__(self, asked: AskedUrl, console: Console, texts: Catalog) -> None:
        super().__init__(asked, console, texts)
        self._url = asked

    async def _talk(self) -> Response:
        await self._prompt.question()
        await self._prompt.time_left()
        await self._console.say("", *self._url.lead(), self._url.act(), self._url.ways())
        while True:
            match await self._prompt.typed():
                case Answer(text) if self._url.agreed(text):
                    return Accept()
                case Answer(text) if fold(text) in NO:
                    return Decline()
                case typed:
                    await self._explain(typed)

    async def _explain(self, typed: Typed) -> None:
        match typed:
            case Do(command):
                await self._prompt.not_here(command)
            case Unknown(word):
                await self._prompt.unknown(word)
            case _:
                lines = self._url.slip(typed.text if isinstance(typed, Answer) else "")
                await self._prompt.keep_in_sight(lines)
                await self._console.say(*lines, self._url.ways())

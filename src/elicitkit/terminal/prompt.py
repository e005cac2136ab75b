"""The prompt itself: the question kept in sight, and what works wherever one can type.

At every prompt a person can decline, cancel, ask for help, read the question again, start
the time limit anew and mute the server; the end of the input and a second Ctrl-C cancel
(UX03 to UX05, UX20, UX21). What was typed before a prompt stood there is thrown away with
a notice, so that a pasted second line, or an answer to a withdrawn question, never answers
the next one (UX25).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from elicitkit.core.model import Cancel, Decline, Response
from elicitkit.core.typed import YES
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import LABEL, Asked
from elicitkit.terminal.commands import Answer, Command, Do, Typed, fold, understand
from elicitkit.terminal.console import Console, Due, Interrupted
from elicitkit.terminal.limit import Limit
from elicitkit.terminal.lines import Ended, Garbled, Line

_REMINDER: Final = 4
"""The lines of a message that is put again."""
_DETAILS: Final = 300
"""The lines of a block that is never paged: a URL that can be opened, on 40 columns."""


class Decided(Exception):
    """The person, or the end of the terminal, has ended the talk."""

    def __init__(self, response: Response) -> None:
        self.response = response


class Prompt:
    """The question, and the next line that answers something in it."""

    def __init__(self, asked: Asked, limit: Limit, console: Console, texts: Catalog) -> None:
        self._asked = asked
        self._limit = limit
        self._console = console
        self._texts = texts
        self._t = texts.t
        self._unread: list[str] = []
        self._asked_at = 0

    async def question(self) -> None:
        """Who asks, for what, the beginning of the message, and what belongs to it."""
        blocks = [
            [line for text in block for line in self._console.fold(text)]
            for block in self._asked.details()
        ]
        # A first page leaves room for who asks, one field or the details, and the prompt.
        taken = 12 + sum(map(len, blocks))
        await self._introduce(max(self._console.size.lines - taken, _REMINDER))
        for lines in blocks:
            await self._page(lines, _DETAILS)

    async def reminder(self) -> None:
        """Who asks, for what, and the first lines of the message."""
        await self._introduce(_REMINDER)

    async def _introduce(self, most: int) -> None:
        self._asked_at = self._console.written
        self._unread = []
        await self._console.say("", *self._asked.head())
        await self._page(self._console.fold(self._asked.message()), most)

    async def time_left(self) -> None:
        """The time limit, where there is one."""
        told = self._limit.told()
        if told is not None:
            await self._console.say(told, self._t("limit.extend"))

    async def keep_in_sight(self, coming: Sequence[str]) -> None:
        """Put the question again if ``coming`` would push it off the screen (UX02)."""
        lines = sum(len(self._console.fold(text)) for text in coming)
        used = self._console.written - self._asked_at
        if used + lines >= self._console.size.lines:
            await self.reminder()

    async def _page(self, lines: Sequence[str], most: int) -> None:
        """At most that many lines and one more; the rest waits for ``:more``."""
        # With its notice, a page that leaves one line would be no shorter.
        now = len(lines) if len(lines) <= most + 1 else most
        self._unread += lines[now:]
        await self._console.put(lines[:now])
        if lines[now:]:
            await self._console.say(self._t("command.more", count=len(self._unread)))

    async def typed(self) -> Typed:
        """The next line that is not one of the commands that work everywhere.

        Raises:
            Decided: The person declined, cancelled or muted, or the terminal ended.
        """
        while True:
            typed = understand(await self._line())
            match typed:
                case Do("decline"):
                    raise Decided(Decline())
                case Do("cancel"):
                    raise Decided(Cancel("dismissed"))
                case Do("help"):
                    await self._help()
                case Do("message"):
                    await self.question()
                case Do("more"):
                    await self._more()
                case Do("extend"):
                    await self._extend()
                case Do("mute"):
                    await self._mute()
                case _:
                    return typed

    async def _help(self) -> None:
        await self._console.say(self._asked.help())
        if self._limit.left is not None:
            await self._console.say(self._t("command.help_extend"))
        if self._asked.turn is not None:
            await self._console.say(self._t("command.help_mute"))

    async def _more(self) -> None:
        unread, self._unread = self._unread, []
        if unread:
            await self._page(unread, self._console.size.lines - 3)
        else:
            await self._console.say(self._t("command.nothing_more"))

    async def _extend(self) -> None:
        if self._limit.extend():
            await self._console.say(self._t("limit.extended"), self._limit.told() or "")
        else:
            await self._console.say(self._t("limit.none"))

    async def _mute(self) -> None:
        """Only a yes of its own mutes, so that a slip of the fingers never does."""
        turn = self._asked.turn
        if turn is None:
            await self.not_here("mute")
            return
        await self._console.say(self._t("mute.ask", who=self._asked.who), self._t("mute.how"))
        match await self.typed():
            case Answer(text) if fold(text) in YES:
                turn.mute()
                raise Decided(Cancel("muted"))
            case _:
                await self._console.say(self._t("mute.kept", who=self._asked.who))

    async def unknown(self, word: str) -> None:
        """Say that there is no such command."""
        shown = self._texts.inert(word, LABEL)
        await self._console.say(self._t("command.unknown", word=shown))

    async def not_here(self, command: Command) -> None:
        """Say that a command has no meaning at this prompt."""
        await self._console.say(self._t("command.not_here", word=f":{command}"))

    async def _line(self) -> str:
        interrupted = False
        early = True
        while True:
            # What was typed before a warning is the line in progress, not an early one.
            if early and self._console.lines.discard():
                await self._console.say(self._t("slip.early"))
            early = True
            match await self._console.listen(self._limit.due()):
                case Line(text) if not holds_controls(text):
                    return text
                case Line():
                    await self._console.say(self._t("slip.controls"))
                case Garbled(encoding):
                    await self._console.say(self._t("slip.encoding", encoding=encoding))
                case Interrupted():
                    await self._interrupt(interrupted)
                    interrupted = True
                case Due():
                    await self._warn()
                    early = False
                case Ended(reason):
                    await self._console.say("")
                    raise Decided(Cancel(reason))

    async def _warn(self) -> None:
        self._limit.warned()
        await self._console.say("", self._limit.told() or "", self._t("limit.extend"))
        if self._console.lines.reprints:
            await self._console.say(self._t("limit.kept"))

    async def _interrupt(self, again: bool) -> None:
        await self._console.say("")
        if again:
            raise Decided(Cancel("interrupted"))
        await self._console.say(self._asked.interrupted())


def holds_controls(text: str) -> bool:
    """Whether a typed text holds keys that are no text, such as arrows."""
    return any(char != "\t" and unicodedata.category(char) == "Cc" for char in text)

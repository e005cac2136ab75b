"""``Terminal``: a terminal as a surface, one question at a time.

It declares a mode only while a person can sit behind it (M10): no terminal means that a
question ends as cancel with the reason ``no_person``. Questions take turns in the order in
which they came, so two never mix; an answering side that queues by itself and one that
does not are both right. Use one ``Terminal`` for one terminal.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Protocol, TextIO

import anyio

from elicitkit.core.form import Form
from elicitkit.core.model import Cancel, FormRequest, Mode, Origin, Response, UrlRequest
from elicitkit.core.ports import Turn
from elicitkit.i18n import Catalog, catalog, language_from
from elicitkit.terminal import full
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.choice import Renderer, can_be_full, check_renderer
from elicitkit.terminal.console import Console, HungUp
from elicitkit.terminal.conversation import Conversation
from elicitkit.terminal.lines import is_terminal

_GOODBYE_SECONDS = 1
"""How long a paused terminal may hold up the end of a withdrawn question."""


class _Talk(Protocol):
    """One question on its way to a decision, in one renderer."""

    async def run(self) -> Response: ...

    async def withdrawn(self) -> None: ...


class Terminal:
    """A person at a terminal.

    Args:
        stdin: Where lines come from; the standard input by default.
        stdout: Where text goes; the standard output by default.
        lang: A locale or language tag, or a catalog; by default what the environment says.
        interactive: Whether a person is there. By default that is so when both streams are
            terminals; True is for a person behind pipes, such as in an editor's shell.
        renderer: ``plain`` asks line by line and writes no escape sequence, for screen
            readers and pipes; ``full`` lets a person move among the fields, with the extra
            ``elicitkit[tui]``; ``auto`` is ``full`` where it is installed and can work. A
            person who sets ``ELICITKIT_PLAIN=1`` or ``TERM=dumb`` always gets plain lines,
            and so does a terminal that can be no other, and the trio event loop.

    Raises:
        UsageError: ``full`` was asked for and its extra is not installed.
    """

    def __init__(
        self,
        *,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        lang: str | Catalog | None = None,
        interactive: bool | None = None,
        renderer: Renderer = "auto",
    ) -> None:
        check_renderer(renderer)
        self._stdin = stdin or sys.stdin
        self._stdout = stdout or sys.stdout
        self._texts = lang if isinstance(lang, Catalog) else catalog(lang or _environment())
        self._interactive = interactive
        self._renderer: Renderer = renderer
        self._console: Console | None = None
        self._turns: deque[anyio.Event] = deque()

    @property
    def modes(self) -> frozenset[Mode]:
        """Form mode while a person can be there, else nothing."""
        attended = self._interactive
        if attended is None:
            attended = is_terminal(self._stdin) and is_terminal(self._stdout)
        return frozenset({"form"}) if attended else frozenset()

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        """Put the form to the person and wait for their decision.

        Cancelling this call takes the question off the terminal at once, and tells the person
        that their answer was not delivered.

        Args:
            form: What is asked.
            origin: Who asks.
            turn: The place of the question in a longer line, its time limit, and the mute.
        """
        if not self.modes:
            return Cancel("no_person")
        async with self._turn():
            return await self._put(Form(form), origin, turn)

    async def consent(self, request: UrlRequest, findings: object, origin: Origin) -> Response:
        """Url mode is not declared here, so nobody was asked."""
        return Cancel("unsupported_mode")

    def completed(self, elicitation_id: str) -> None:
        """Nothing waits here for the end of a url elicitation."""

    async def _put(self, form: Form, origin: Origin, turn: Turn | None) -> Response:
        if self._console is None:
            self._console = Console(self._stdin, self._stdout)
        asked = Asked(form, origin, self._texts, turn, lambda: len(self._turns))
        talk = self._talk(asked, self._console)
        try:
            with self._console.attended():
                return await talk.run()
        except HungUp:
            return Cancel("hangup")
        except anyio.get_cancelled_exc_class():
            await self._withdraw(self._console, talk)
            raise

    def _talk(self, asked: Asked, console: Console) -> _Talk:
        if can_be_full(self._renderer, self._stdin, self._stdout, os.environ):
            return full.begin(asked, console, self._texts, self._stdin, self._stdout)
        return Conversation(asked, console, self._texts)

    async def _withdraw(self, console: Console, talk: _Talk) -> None:
        console.lines.discard()
        with anyio.move_on_after(_GOODBYE_SECONDS, shield=True), suppress(HungUp):
            await talk.withdrawn()

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        turn = anyio.Event()
        self._turns.append(turn)
        try:
            if self._turns[0] is not turn:
                await turn.wait()
            yield
        finally:
            # A question may also be withdrawn before its turn came.
            first = self._turns[0] is turn
            self._turns.remove(turn)
            if first and self._turns:
                self._turns[0].set()


def _environment() -> str | None:
    return language_from(os.environ)

"""``Terminal``: a terminal as a surface, one question at a time.

It declares its modes only while a person can sit behind it (M10): no terminal means that a
question ends as cancel with the reason ``no_person``. Questions and waits take turns in the
order in which they came, so two never mix; an answering side that queues by itself and one
that does not are both right. Use one ``Terminal`` for one terminal.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol, TextIO, TypeVar

import anyio

from elicitkit.core.form import Form
from elicitkit.core.model import Cancel, FormRequest, Mode, Origin, Response, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.ports import Turn
from elicitkit.core.urls.findings import Findings
from elicitkit.i18n import Catalog, catalog, language_from
from elicitkit.terminal import full
from elicitkit.terminal.asked import AskedForm
from elicitkit.terminal.asked_url import AskedPage, AskedUrl
from elicitkit.terminal.choice import Renderer, can_be_full, check_renderer
from elicitkit.terminal.consent import Consent
from elicitkit.terminal.console import Console, HungUp
from elicitkit.terminal.conversation import Conversation
from elicitkit.terminal.lines import is_terminal
from elicitkit.terminal.waiting import Waiting

_T = TypeVar("_T", covariant=True)
_R = TypeVar("_R")
_MODES: Final[frozenset[Mode]] = frozenset({"form", "url"})
_GOODBYE_SECONDS = 1
"""How long a paused terminal may hold up the end of a withdrawn question."""


class _Talk(Protocol[_T]):
    """One question on its way to a decision, or one wait, in one renderer."""

    async def run(self) -> _T: ...

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
        self._questions = 0

    @property
    def modes(self) -> frozenset[Mode]:
        """Both modes while a person can be there, else nothing."""
        attended = self._interactive
        if attended is None:
            attended = is_terminal(self._stdin) and is_terminal(self._stdout)
        return _MODES if attended else frozenset()

    @property
    def opens(self) -> bool:
        """A browser may be started here; whether one can be is the opener's to know."""
        return True

    @property
    def attended(self) -> bool:
        """While a person can be there."""
        return bool(self.modes)

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        """Put the form to the person and wait for their decision.

        Cancelling this call takes the question off the terminal at once, and tells the person
        that their answer was not delivered.

        Args:
            form: What is asked.
            origin: Who asks.
            turn: The place of the question in a longer line, its time limit, and the mute.
        """

        def talk() -> _Talk[Response]:
            asked = AskedForm(Form(form), origin, self._texts, turn, self._waiting)
            if self._full:
                return full.begin_form(asked, self._at, self._texts, self._stdin, self._stdout)
            return Conversation(asked, self._at, self._texts)

        return await self._ask(talk)

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        """Show the whole URL with what is found about it, and ask whether to open it.

        Nothing is opened, and nothing preselected. A warning takes the domain typed; what the
        findings refuse is never accepted.

        Args:
            request: The message and the URL.
            findings: What the URL really is.
            origin: Who asks.
            turn: As for ``fill``.
            opening: How the page will be opened after an accept.
        """

        def talk() -> _Talk[Response]:
            asked = AskedUrl(
                request, findings, origin, self._texts, turn, self._waiting, opening=opening
            )
            if self._full:
                return full.begin_consent(asked, self._at, self._texts, self._stdin, self._stdout)
            return Consent(asked, self._at, self._texts)

        return await self._ask(talk)

    async def wait(self, page: OpenPage) -> Way:
        """Show that a page is open until the person says something, or tell why that is over.

        A cancelled wait leaves the terminal without another word.

        Args:
            page: The page, and how it stands with it.
        """
        asked = AskedPage(page, self._texts)
        if page.ending is not None:
            if self.modes:
                async with self._turn():
                    await self._say(asked.ended(page.ending))
            return "finished"
        if not self.modes:
            await anyio.sleep_forever()
        async with self._turn():
            way = await self._wait(asked)
            if way == "finished":
                await self._say(asked.ended(way))
            return way

    async def _wait(self, asked: AskedPage) -> Way:
        if self._full:
            talk = full.begin_wait(asked, self._at, self._texts, self._stdin, self._stdout)
            return await self._run(talk, "give_up")
        return await self._run(Waiting(asked, self._at, self._texts), "give_up")

    async def _say(self, text: str) -> None:
        with suppress(HungUp):
            await self._at.say("", text)

    @property
    def _at(self) -> Console:
        if self._console is None:
            self._console = Console(self._stdin, self._stdout)
        return self._console

    @property
    def _full(self) -> bool:
        return can_be_full(self._renderer, self._stdin, self._stdout, os.environ)

    def _waiting(self) -> int:
        return self._questions

    async def _ask(self, talk: Callable[[], _Talk[Response]]) -> Response:
        """Put a question once its turn has come; before, it is not even looked at."""
        if not self.modes:
            return Cancel("no_person")
        self._questions += 1
        try:
            async with self._turn():
                return await self._run(talk(), Cancel("hangup"))
        finally:
            self._questions -= 1

    async def _run(self, talk: _Talk[_R], gone: _R) -> _R:
        try:
            with self._at.attended():
                return await talk.run()
        except HungUp:
            return gone
        except anyio.get_cancelled_exc_class():
            await self._withdraw(self._at, talk)
            raise

    async def _withdraw(self, console: Console, talk: _Talk[object]) -> None:
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

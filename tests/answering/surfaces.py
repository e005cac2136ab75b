"""Surfaces whose person is the test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from elicitkit.core.model import Accept, FormRequest, Mode, Origin, Request, Response, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.ports import Turn
from elicitkit.core.urls import CheckedUrl, Findings


class Shown:
    """One question on the screen."""

    def __init__(self, form: FormRequest, origin: Origin, turn: Turn) -> None:
        self.form = form
        self.origin = origin
        self.turn = turn
        self.decided = anyio.Event()
        self.response: Response = Accept({})

    def decide(self, response: Response) -> None:
        self.response = response
        self.decided.set()


class FormsOnly:
    """The half of a surface that a test about forms does not want to be reached."""

    opens = True
    attended = True

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        raise AssertionError("url mode is not served")

    async def wait(self, page: OpenPage) -> Way:
        raise AssertionError("url mode is not served")


class Screen(FormsOnly):
    """Shows one question at a time and keeps all that were shown.

    Args:
        person: Decides at once what is shown; without one, the test decides.
    """

    modes: frozenset[Mode] = frozenset({"form"})

    def __init__(self, person: Callable[[Shown], Awaitable[Response]] | None = None) -> None:
        self.shown: list[Shown] = []
        self.open: Shown | None = None
        self._person = person

    @property
    def messages(self) -> list[str]:
        return [one.form.message for one in self.shown]

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        assert self.open is None, "two questions at once"
        assert turn is not None
        self.open = one = Shown(form, origin, turn)
        self.shown.append(one)
        try:
            if self._person is not None:
                return await self._person(one)
            await one.decided.wait()
            return one.response
        finally:
            self.open = None


class Window:
    """Shows URLs and open pages; the test is the person.

    Attributes:
        log: What happened, in order: ``consent``, ``open``, ``wait``, ``left``, ``told``.
        consents: What was to be consented to, with how it was going to be opened.
        responses: What the person answers, in order; the last one stays.
        ways: What the person says while a page is open.
        pages: Each page that was shown.
    """

    modes: frozenset[Mode] = frozenset({"form", "url"})
    opens = True
    attended = True

    def __init__(self, *responses: Response) -> None:
        self.log: list[str] = []
        self.consents: list[tuple[Request, Findings, Opening]] = []
        self.responses = list(responses) or [Accept()]
        self.pages: list[OpenPage] = []
        self.said = anyio.Event()
        self.way: Way = "finished"

    def say(self, way: Way) -> None:
        self.way = way
        self.said.set()

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.log.append(f"fill {form.message}")
        await anyio.lowlevel.checkpoint()
        return Accept({})

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        self.log.append("consent")
        self.consents.append((request, findings, opening))
        await anyio.lowlevel.checkpoint()
        return self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]

    async def wait(self, page: OpenPage) -> Way:
        if page.ending is not None:
            self.log.append(f"told {page.ending}")
            return "finished"
        self.log.append("pending" if page.pending else "wait")
        self.pages.append(page)
        try:
            await self.said.wait()
        except BaseException:
            self.log.append("left")
            raise
        self.said = anyio.Event()
        return self.way


class Browser:
    """An opener that keeps what it was to open, in the log of a window."""

    opening: Opening = "browser"

    def __init__(self, window: Window, *, works: bool = True) -> None:
        self._window = window
        self.works = works
        self.opened: list[str] = []

    async def open(self, url: CheckedUrl) -> bool:
        await anyio.lowlevel.checkpoint()
        self._window.log.append("open")
        self.opened.append(str(url))
        return self.works

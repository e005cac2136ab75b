"""A person before a URL, or before a page that is open: what they mean to do, in both renderers."""

from __future__ import annotations

import os
import signal
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from elicitkit.core.model import Origin, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage
from elicitkit.core.ports import Turn
from elicitkit.core.urls import Findings, inspect_url
from tests.terminal.hands import (
    ENTER,
    ESC,
    FullHand,
    PlainHand,
    RendererName,
    before,
)
from tests.terminal.person import EVERYTHING

MESSAGE = "Please sign in."


class PlainUrlHand(PlainHand):
    """Types lines at the consent prompt."""

    async def start(self) -> None:
        await self._prompted()

    async def open(self) -> None:
        self.type("open\n")

    async def name(self, domain: str) -> None:
        """Type the domain."""
        self.type(f"{domain}\n")

    async def misname(self, text: str) -> None:
        await self.line(text)

    async def interrupt(self) -> None:
        self.type("")
        os.kill(os.getpid(), signal.SIGINT)

    async def again(self) -> None:
        self.type("again\n")

    async def finished(self) -> None:
        self.type("finished\n")

    async def give_up(self) -> None:
        self.type("give up\n")


class FullUrlHand(FullHand):
    """Moves among the rows."""

    MENU = "consent.menu"

    async def start(self) -> None:
        await self.seat.see(self.t("consent.do.decline"))

    def entry(self, do: str) -> str:
        return self.t("consent.do.decline") if do == "decline" else super().entry(do)

    async def open(self) -> None:
        self.type("o")
        await self.seat.until(lambda: "\n> " in self.seat.display, "a mark")
        self.type(ENTER)

    async def name(self, domain: str) -> None:
        await self.open()
        await self.seat.see(self.t("consent.keys.typing"))
        self.type(domain + ENTER)

    async def misname(self, text: str) -> None:
        await self.name(text)
        await self.seat.see(self.t("consent.another" if text else "consent.nothing"))
        self.type(ESC)
        await self.seat.gone(self.t("consent.keys.typing"))

    async def enter(self) -> None:
        self.type(ENTER)
        await self.seat.until(
            lambda: (
                self.seat.saw(self.t("consent.unmarked"))
                or self.seat.saw(self.t("consent.act.never"))
                or self.seat.saw(self.t("wait.unmarked"))
            ),
            "nothing",
        )

    async def interrupt(self) -> None:
        self.type("\x03")

    async def again(self) -> None:
        await self._way("a", "again")

    async def finished(self) -> None:
        await self._way("f", "finished")

    async def give_up(self) -> None:
        await self._way("g", "give_up")

    async def _way(self, key: str, way: str) -> None:
        self.type(key)
        await self.seat.until(lambda: "\n> " in self.seat.display, way)
        self.type(ENTER)


class FullWaitHand(FullUrlHand):
    """Before a page that is open."""

    async def start(self) -> None:
        await self.seat.see(self.t("wait.do.give_up"))


UrlHand: TypeAlias = PlainUrlHand | FullUrlHand


def consenting(
    renderer: RendererName,
    url: str | Findings,
    *,
    message: str = MESSAGE,
    origin: Origin = EVERYTHING,
    turn: Turn | None = None,
    opening: Opening = "browser",
    lang: str = "en",
    columns: int = 110,
    rows: int = 60,
) -> AbstractAsyncContextManager[UrlHand]:
    """A URL that is asked about, and a hand before it."""
    findings = url if isinstance(url, Findings) else inspect_url(url)
    request = UrlRequest(message=message, url=url if isinstance(url, str) else "")
    return before(
        renderer,
        PlainUrlHand if renderer == "plain" else FullUrlHand,
        lambda terminal: terminal.consent(request, findings, origin, turn, opening=opening),
        lang=lang,
        columns=columns,
        rows=rows,
    )


def page(url: str, *, opening: Opening = "browser", pending: bool = False) -> OpenPage:
    """A page that was consented to."""
    return OpenPage(
        request=UrlRequest(message=MESSAGE, url=url),
        findings=inspect_url(url),
        origin=EVERYTHING,
        opening=opening,
        pending=pending,
    )


def waiting(
    renderer: RendererName,
    one: OpenPage,
    *,
    lang: str = "en",
    columns: int = 110,
    rows: int = 60,
) -> AbstractAsyncContextManager[UrlHand]:
    """A page that is open, and a hand before its wait."""
    return before(
        renderer,
        PlainUrlHand if renderer == "plain" else FullWaitHand,
        lambda terminal: terminal.wait(one),
        lang=lang,
        columns=columns,
        rows=rows,
    )

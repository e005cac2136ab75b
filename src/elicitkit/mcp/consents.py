"""What the person said to each URL of one call, and the pages that they have open by it.

A call may be sent many times before it has its result: in the rounds of MCP 2026-07-28, and
on 2025-11-25 after an error that lists pages. However often the server repeats a URL
meanwhile, it is shown and opened once (G04, G35); after that the consent is remembered, and
the wait goes on. When a call is sent again is up to ``elicitkit.mcp.rounds`` and
``elicitkit.mcp.required``.

Spec: MCP client/elicitation of 2025-11-25 and 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar, cast

import anyio
from mcp import MCPError

from elicitkit.answering.visit import Consented, Visit
from elicitkit.core.errors import LimitExceeded, NotAccepted
from elicitkit.core.model import Accept, Cancel, Response, UrlRequest
from elicitkit.core.open_page import Ending
from elicitkit.core.outcome import Cancelled
from elicitkit.mcp.calls import is_closed
from elicitkit.mcp.incoming import Asked
from elicitkit.mcp.pages import Pages

T = TypeVar("T")
Ask = Callable[[Asked], Awaitable[Response]]


@dataclass(slots=True)
class _Said:
    """What the person said to one URL."""

    response: Response
    visit: Visit | None
    counted: bool = False
    """The call was sent since the page was completed."""


class Consents:
    """The URLs of one call.

    Args:
        ask: Puts one question to the person.
        pages: Keeps the pages that are opened.
    """

    def __init__(self, ask: Ask, pages: Pages) -> None:
        self._ask = ask
        self._pages = pages
        self._said: dict[str, _Said] = {}
        self._doing: anyio.CancelScope | None = None

    def __contains__(self, url: str) -> bool:
        """Whether the person was asked about it, in this call."""
        return url in self._said

    def waits_for(self, url: str) -> bool:
        """Whether the person consented to it and has not given it up."""
        said = self._said.get(url)
        return said is not None and said.visit is not None and said.visit.state != "given_up"

    @property
    def open(self) -> list[Visit]:
        """The pages whose wait goes on."""
        return [visit for visit in self._visits() if visit.state == "open"]

    async def ask(self, asked: Asked, request: UrlRequest) -> None:
        """Ask about a URL that is new in this call; of any other, wait for the page again."""
        said = self._said.get(request.url)
        if said is None:
            response = await self._ask(asked)
            visit = self._pages.opened(response, self._gone)
            self._said[request.url] = _Said(response, visit)
        elif said.visit is not None:
            said.visit = self._waiting_again(said, said.visit)
            self._pages.known_as(said.visit, request.elicitation_id)

    def sending(self) -> None:
        """The call is sent, again or for the first time: so far completions have counted."""
        for said in self._said.values():
            said.counted = said.visit is not None and said.visit.state == "completed"

    def answer(self, url: str) -> Response:
        """The answer to send now; a "no" is sent once, and after that a cancel."""
        said = self._said[url]
        if said.visit is not None and said.visit.state == "given_up":
            said.response, said.visit = Cancel("given_up"), None
        answer = said.response
        if not isinstance(answer, Accept):
            said.response = Cancel("repeated_url")
        return answer

    async def pause(self, seconds: float) -> None:
        """Wait; no longer than until the person or the server says something of a page."""
        with anyio.move_on_after(seconds):
            async with anyio.create_task_group() as tasks:

                async def until_over(visit: Visit) -> None:
                    await visit.over()
                    tasks.cancel_scope.cancel()

                for visit in self.open:
                    tasks.start_soon(until_over, visit)
                await anyio.sleep_forever()

    async def all_done(self) -> None:
        """Wait until the last of the pages is completed or finished.

        Raises:
            NotAccepted: As ``unless_gone``.
            LimitExceeded: As ``unless_gone``.
        """
        await self.unless_gone(self._all_over)
        # Who gives up the last page ends the wait as well as the scope.
        loss = self._loss()
        if loss is not None:
            raise loss

    async def unless_gone(self, do: Callable[[], Awaitable[T]]) -> T:
        """Do something that a page which the person leaves for good ends.

        Raises:
            NotAccepted: They have given up.
            LimitExceeded: They gave no sign for too long.
        """
        loss = self._loss()
        if loss is None:
            with anyio.CancelScope() as self._doing:
                try:
                    return await do()
                finally:
                    self._doing = None
            loss = self._loss()
        raise cast("Exception", loss)  # nothing else cancels the scope

    @contextmanager
    def of_call(self) -> Generator[None]:
        """The call, from its first sending to its end."""
        ending: Ending = "result"
        try:
            yield
        except MCPError as error:
            ending = "disconnected" if is_closed(error) else "result"
            raise
        finally:
            for visit in self._visits():
                visit.end(ending)

    async def _all_over(self) -> None:
        for visit in self._visits():
            await visit.over()

    def _visits(self) -> list[Visit]:
        return [said.visit for said in self._said.values() if said.visit is not None]

    def _waiting_again(self, said: _Said, visit: Visit) -> Visit:
        self._pages.ask_again(visit, self._gone)
        if visit.state != "completed" or not said.counted:
            return visit
        # The server told that it was completed, and does not hold to it.
        response = cast("Consented", said.response)  # nothing else opens a page
        page = replace(response.page, pending=True, ending=None)
        return cast("Visit", self._pages.opened(replace(response, page=page), self._gone))

    def _gone(self, visit: Visit) -> None:
        # What was answered with a cancel by now is no loss.
        if self._doing is not None and self._loss() is not None:
            self._doing.cancel()

    def _loss(self) -> Exception | None:
        for visit in self._visits():
            if visit.state == "given_up":
                question = visit.page.request.message
                return NotAccepted(Cancelled("given_up"), question=question, mode="url")
            if visit.page.ending == "idle":
                label, limit = visit.page.origin.label, self._pages.unattended
                return LimitExceeded(
                    f"nobody gave a sign for {limit:g} seconds while a page of {label!r} was "
                    "open; make the call again to go on, or raise max_unattended"
                )
        return None

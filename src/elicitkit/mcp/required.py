"""Calls that end in an error because pages have to be visited first: MCP 2025-11-25.

The pages are asked for one after the other, and once the person is done with all of them the
same call is sent again, under a new id. Where that does not help, or the person says no, the
error goes to whoever called (G34, G35); nothing goes round in circles.

Spec: MCP 2025-11-25 client/elicitation, URL elicitation required.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, cast

from mcp import MCPError

from elicitkit.core.errors import LimitExceeded, NotAccepted
from elicitkit.core.model import Cancel, Decline, UrlRequest
from elicitkit.core.outcome import Cancelled, Declined
from elicitkit.mcp.consents import Consents
from elicitkit.mcp.incoming import Asked

_SETS: Final = 3
"""Lists of pages in one call that hold a new one."""

Listed = Callable[[MCPError], Sequence[Asked]]
"""The pages that an error lists; none, if it is any other or must not be shown."""


async def sent_after_visits(
    send: Callable[[], Awaitable[dict[str, Any]]], listed: Listed, consents: Consents
) -> dict[str, Any]:
    """Send a call until it has a result, and have done what has to be done first.

    Raises:
        MCPError: The server's error: the person did not consent or gave up, which is its
            cause then, or nothing that they can do is left.
    """
    required = _Required(consents)
    with consents.of_call():
        while True:
            consents.sending()
            try:
                return await send()
            except MCPError as error:
                pages = listed(error)
                if not required.helps(pages):
                    raise
                await required.visit(pages, error)


class _Required:
    """The pages of one call that a person can do something about."""

    def __init__(self, consents: Consents) -> None:
        self._consents = consents
        self._sets = 0
        self._again: set[str] = set()
        """URLs that came back after they were done, each of which may do so once."""

    def helps(self, pages: Sequence[Asked]) -> bool:
        """Whether to go on: there is a new page, or one to finish that was not done after all."""
        urls = [_url(asked).url for asked in pages]
        if not self._again.isdisjoint(urls):
            return False
        back = {url for url in urls if url in self._consents}
        self._again |= back
        if not back.issuperset(urls):
            self._sets += 1
        return bool(urls) and self._sets <= _SETS

    async def visit(self, pages: Sequence[Asked], error: MCPError) -> None:
        """Have the person visit every page, and wait until they are done.

        Raises:
            MCPError: The error, if they are not.
        """
        for asked in pages:
            request = _url(asked)
            await self._consents.ask(asked, request)
            match self._consents.answer(request.url):
                case Decline():
                    raise error from _refusal(request, Declined())
                case Cancel(reason):
                    raise error from _refusal(request, Cancelled(reason))
                case _:
                    pass
        try:
            await self._consents.all_done()
        except (NotAccepted, LimitExceeded) as gone:
            raise error from gone


def _url(asked: Asked) -> UrlRequest:
    return cast("UrlRequest", asked.request)  # an error lists no others


def _refusal(request: UrlRequest, outcome: Declined | Cancelled) -> NotAccepted:
    return NotAccepted(outcome, question=request.message, mode="url")

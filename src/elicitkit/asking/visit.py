"""A page that a person is asked to visit, and the handle of whoever sent them there.

``Page`` is what an author writes, ``Visit`` what they get at consent. Consent is not
completion: what happens on the page is seen by nobody here, so whoever serves it says when
it is over. How a visit is put is ``visiting.py``.

Spec: MCP client/elicitation "URL Mode"; rulings G02, G04, G32, G33.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from elicitkit.asking.call import Call
from elicitkit.asking.interaction import Interaction
from elicitkit.asking.signal import Signal
from elicitkit.core.errors import NotAccepted
from elicitkit.core.model import Accept, Cancel, Decline, UrlRequest
from elicitkit.core.outcome import Cancelled, Declined

Url: TypeAlias = str | Callable[[str], str]
"""A URL, or what makes it from the elicitation id."""

_DIGEST_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class Page:
    """One page of ``ask.require``; its arguments are those of ``ask.visit``."""

    message: str
    """Why the person should go there."""
    url: Url = field(repr=False)
    elicitation_id: str | None = field(default=None, kw_only=True, repr=False)
    key: str | None = field(default=None, kw_only=True)

    def digest(self) -> str:
        """Names the question by what it asks, the same in every round."""
        # What a callable gives may hold a handle that is another one in every round.
        url = "" if callable(self.url) else self.url
        told = f"url\0{self.message}\0{url}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(told).hexdigest()[:_DIGEST_LENGTH]


class Visit:
    """A page that a person agreed to open. They have not been there yet."""

    __slots__ = ("_call", "_interaction", "_key", "_message")

    def __init__(self, call: Call, key: str, message: str, interaction: Interaction) -> None:
        self._call = call
        self._key = key
        self._message = message
        self._interaction = interaction

    def __repr__(self) -> str:
        return f"<Visit of {self._interaction.host!r}>"

    @property
    def url(self) -> str:
        """The page, as it was sent."""
        return self._interaction.url

    @property
    def elicitation_id(self) -> str:
        """Names this visit: at random, the same however often the call is repeated."""
        return self._interaction.elicitation_id

    async def complete(self) -> bool:
        """Say that the interaction is over: ``wait`` returns and the client is told, once.

        It may come before the person's consent does, and after the call has ended. Whoever
        holds only the elicitation id uses ``Asks.complete``.

        Returns:
            Whether this call completed it.
        """
        return await self._interaction.complete()

    async def wait(self, timeout: float | None = None) -> None:
        """Wait until the interaction is completed, in this process.

        Args:
            timeout: Seconds from the first wait; None waits for as long as the client does.

        Raises:
            NotAccepted: The time is over, or the person gave up.
        """
        call = self._call
        call.require_open()
        call.awaits(self._message)
        try:
            response = await call.delivery.hold(
                self._key, self._request(), self._interaction.finished.wait, timeout=timeout
            )
        except Signal:
            await call.settle()
            raise
        finally:
            call.awaits_no_more(self._message)
        match response:
            case Accept():
                return
            case Cancel(reason):
                outcome = Cancelled(reason)
            case Decline():
                outcome = Declined()
            case _ as unreachable:
                assert_never(unreachable)
        if outcome != Cancelled("timed_out"):
            self._interaction.end()
        raise NotAccepted(outcome, question=self._message, mode="url")

    def _request(self) -> UrlRequest:
        return UrlRequest(message=self._message, url=self.url, elicitation_id=self.elicitation_id)

"""A page that a person agreed to open, for as long as its end is awaited.

A url elicitation is answered at consent (G46); what happens on the page is seen by nobody
here. What is left is a wait, which a surface shows and a person can leave at any time
(M26): with the news that the server is done, by saying that they are, or by giving up.
Values only; who keeps them is ``elicitkit.answering.visit``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from elicitkit.core.model import Origin, UrlRequest
from elicitkit.core.urls.findings import Findings

Opening: TypeAlias = Literal["browser", "by_hand", "failed"]
"""How the page is opened: in a browser that this side starts, by the person, who copies the
address, or by the person because the browser could not be started."""

Way: TypeAlias = Literal["again", "finished", "give_up"]
"""What a person says while a page is open: open it again, I have finished, or I give up."""

Ending: TypeAlias = Literal["completed", "finished", "given_up", "result", "disconnected", "idle"]
"""Why the wait is over: the server told that the interaction is completed, the person said
that they have finished or that they give up, the call came to its result without either,
the connection ended, or nobody gave a sign for too long."""


@dataclass(slots=True, kw_only=True, eq=False)
class OpenPage:
    """One consented page, as a surface sees it."""

    request: UrlRequest
    findings: Findings
    origin: Origin
    opening: Opening
    """How it was opened last."""
    pending: bool = False
    """The server was asked again since, and still waits for the person."""
    ending: Ending | None = None
    """Set when the wait is over; a surface says so and shows nothing more."""

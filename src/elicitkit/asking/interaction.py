"""What a person does on a page: one interaction for each url elicitation.

It lives from the first request until it is completed, refused or forgotten, longer than
the round or the call that asked, so that whoever serves the page can end it with nothing
but the elicitation id in hand. Where all of them are kept is ``outstanding.py``; what an
author holds of one is ``visit.py``.

Spec: MCP client/elicitation "Completion Notifications"; rulings G15, G32, G33.
"""

from __future__ import annotations

from collections.abc import Callable

import anyio

from elicitkit.core.lifecycle import PAGE_TABLE, PageEvent, PageState, after
from elicitkit.core.model import Completion
from elicitkit.core.ports import Delivery


class Interaction:
    """One interaction, shared by every visit and every run of a handler that is about it.

    Args:
        elicitation_id: Names it.
        url: The page, as it went out.
        host: The host of the page, which may be shown and logged.
        delivery: Tells the client that it is completed; None where a revision has no completion.
    """

    __slots__ = (
        "_state",
        "_telling",
        "consented",
        "delivery",
        "elicitation_id",
        "finished",
        "forget",
        "host",
        "url",
    )

    def __init__(
        self, *, elicitation_id: str, url: str, host: str, delivery: Delivery | None
    ) -> None:
        self.elicitation_id = elicitation_id
        self.url = url
        self.host = host
        self.delivery = delivery
        self.consented = False
        self.finished = anyio.Event()
        self.forget: Callable[[], object] = lambda: None
        """Called when there is no more to come."""
        self._state: PageState = "open"
        self._telling = False

    @property
    def completed(self) -> bool:
        """Whether whoever serves the page said that it is over."""
        return self._state == "completed"

    async def complete(self) -> bool:
        """Say that it is over: wake who waits, and tell the client (M22, M23).

        Returns:
            Whether this call did so; false after a refusal, for a client that is gone, and the
            second time (G33).
        """
        if self._telling or "complete" not in PAGE_TABLE[self._state]:
            return False
        self._telling = told = True
        try:
            if self.delivery is not None:
                completion = Completion(elicitation_id=self.elicitation_id)
                told = await self.delivery.complete(completion)
        finally:
            # Cut short, nobody knows whether it was told, and it may be told once only.
            self._telling = False
            if told:
                self._on("complete")
                self.finished.set()
        return told

    def withdraw(self) -> None:
        """The question about it was not accepted; another one about it may have been."""
        if not self.consented:
            self.end()

    def end(self) -> None:
        """There is nothing left to complete."""
        self._on("end")

    def _on(self, step: PageEvent) -> None:
        if step in PAGE_TABLE[self._state]:
            self._state = after(PAGE_TABLE, self._state, step)
        self.forget()

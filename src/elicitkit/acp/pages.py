"""The pages that a person has open by one connection, from consent to the end of the wait.

A url question is answered at consent (A37, G46), so nobody who sent it waits for its page. It
is kept here: its wait is shown, and ended by the agent's notice of completion, by the person,
with the turn or request that it belongs to, or with the connection. No notice need ever come
(A49), and one that is unknown or comes again changes nothing (A47).

Spec: ACP v1 and v2 elicitation, url completion.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Final

from elicitkit.acp.owners import Owner
from elicitkit.acp.tasks import Tasks
from elicitkit.answering import Answerer
from elicitkit.answering.notices import Notices
from elicitkit.answering.visit import Visit
from elicitkit.core.model import Response

_GOODBYE_SECONDS: Final = 1.0
"""For telling the person why their waits are over, when the connection ends."""

GiveUp = Callable[[Owner], Awaitable[None]]
"""Told when the person has given up a page that belongs to this."""


class Pages:
    """All open pages of one connection."""

    def __init__(self, answerer: Answerer, give_up: GiveUp) -> None:
        self._answerer = answerer
        self._give_up = give_up
        self._open: dict[Visit, str | None] = {}
        """Each page with its elicitation id."""
        self._watching = Tasks()
        self._heeding = Tasks()
        self._notices = Notices()

    def keep(self, response: Response, owner: Owner) -> None:
        """Keep the page that an answer opened, if it did."""
        visit = self._answerer.visit(response)
        if visit is None:
            return
        owned = ExitStack()
        owned.enter_context(owner.attached(lambda: visit.end("result")))
        id_ = visit.page.request.elicitation_id
        self._open[visit] = id_
        if id_ is not None and self._notices.take(id_):
            visit.end("completed")
        self._watching.start(self._watch(visit, owned))
        # The person's word does not wait until the next page has left their screen.
        self._heeding.start(self._heed(visit, owner))

    def completed(self, elicitation_id: str) -> None:
        """The agent says that an interaction is over, perhaps before its consent (G33)."""
        found = [visit for visit, id_ in self._open.items() if id_ == elicitation_id]
        for visit in found:
            visit.end("completed")
        if not found:
            self._notices.came(elicitation_id)

    def end(self) -> None:
        """The connection has ended."""
        for visit in self._open:
            visit.end("disconnected")

    async def close(self) -> None:
        """End all pages, and wait until the person was told, or could not be."""
        self.end()
        await self._heeding.close()
        await self._watching.settle(_GOODBYE_SECONDS)
        await self._watching.close()

    async def _watch(self, visit: Visit, owned: ExitStack) -> None:
        with owned:
            await visit.watch()
        del self._open[visit]

    async def _heed(self, visit: Visit, owner: Owner) -> None:
        """Act on what the person says, and ask those again who have finished too early."""
        while await visit.too_early():
            visit.ask_again()
        if visit.state == "given_up":
            await self._give_up(owner)

"""Visits of an agent's clients, one set of them for each connection.

An elicitation id names a visit on its connection only (A43): two clients that are told the
same id never hear of each other's (A46). Everything of a connection is forgotten when it
ends (G15).
"""

from __future__ import annotations

from dataclasses import dataclass

from elicitkit.acp.line import Line
from elicitkit.asking.interaction import Interaction
from elicitkit.asking.outstanding import Book, Outstanding
from elicitkit.core.errors import UsageError


class Visits:
    """Those of one ``Asks``."""

    def __init__(self) -> None:
        self._of: dict[Line, Outstanding] = {}

    def book(self, line: Line, principal: str | None) -> Book:
        """What a handler on a connection sees and adds."""
        outstanding = self._of.get(line)
        if outstanding is None:
            outstanding = self._of[line] = Outstanding()
            line.at_end(lambda: self._gone(line))
        return _Book(outstanding=outstanding, owner=line, principal=principal)

    async def complete(self, elicitation_id: str) -> bool:
        """Complete the visit with this id, if it is outstanding.

        Raises:
            UsageError: It is on several connections, which only an id of the author's can be.
        """
        holders = [one for one in self._of.values() if elicitation_id in one]
        if len(holders) > 1:
            raise UsageError(
                "this elicitation_id is outstanding on several connections: complete it by its "
                "Visit, or give each visit an id of its own"
            )
        return bool(holders) and await holders[0].complete(elicitation_id)

    def _gone(self, line: Line) -> None:
        self._of.pop(line).drop(line)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Book(Book):
    """A book in which no id stands twice: no call of ACP is made again (A43)."""

    def claim(self, elicitation_id: str) -> Interaction | None:
        return None  # every visit is a new one

    def enter(self, interaction: Interaction) -> None:
        if interaction.elicitation_id in self.outstanding:
            raise UsageError(
                "this elicitation_id is outstanding on this connection: give each visit an id of "
                "its own, or none, and it gets a random one"
            )
        Book.enter(self, interaction)

"""Interactions that are not over, by elicitation id, each with the client that owns it.

For the carriers: one ``Outstanding`` beside each ``Asks``, one ``Book`` for each call. An
id is nobody else's for as long as it is outstanding (M21, A43), and what is completed under
it reaches its owner only (M43). Nothing here is stored: interactions die with their
connection (G15), or by age where there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from elicitkit.asking.interaction import Interaction
from elicitkit.core.errors import UsageError

DAY: Final = 86_400.0
PER_OWNER: Final = 1000
"""How many one owner may have; beyond it the oldest can no longer be found by its id."""
AGING: Final = 50_000
"""How many there may be without a connection that they die with."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Entry:
    interaction: Interaction
    book: Book
    kept: bool
    """It stays when it is completed: the call will come again and find it so."""


class Outstanding:
    """All that are not over."""

    def __init__(self) -> None:
        self._by_id: dict[str, _Entry] = {}
        self._owned: dict[Hashable, dict[str, _Entry]] = {}
        self._aging: deque[tuple[float, _Entry]] = deque()

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, elicitation_id: str) -> bool:
        return elicitation_id in self._by_id

    async def complete(self, elicitation_id: str) -> bool:
        """Complete the interaction with this id, if it is outstanding here."""
        entry = self._by_id.get(elicitation_id)
        return entry is not None and await entry.interaction.complete()

    def drop(self, owner: Hashable) -> None:
        """Forget everything of an owner that is gone."""
        for entry in list(self._owned.get(owner, {}).values()):
            entry.interaction.end()
            self.remove(entry)

    def find(self, elicitation_id: str) -> _Entry | None:
        return self._by_id.get(elicitation_id)

    def add(self, entry: _Entry) -> None:
        elicitation_id, book = entry.interaction.elicitation_id, entry.book
        self._purge(book.now)
        self._by_id[elicitation_id] = entry
        owned = self._owned.setdefault(book.owner, {})
        owned[elicitation_id] = entry
        if len(owned) > PER_OWNER:
            self.remove(next(iter(owned.values())))
        if book.fades:
            self._aging.append((book.now + DAY, entry))

    def remove(self, entry: _Entry) -> None:
        elicitation_id, owner = entry.interaction.elicitation_id, entry.book.owner
        if self._by_id.get(elicitation_id) is not entry:
            return
        del self._by_id[elicitation_id]
        owned = self._owned[owner]
        del owned[elicitation_id]
        if not owned:
            del self._owned[owner]

    def _purge(self, now: float) -> None:
        while self._aging and (self._aging[0][0] <= now or len(self._aging) > AGING):
            self.remove(self._aging.popleft()[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Book:
    """What one call sees and adds."""

    outstanding: Outstanding
    owner: Hashable
    """The connection; where there is none, the principal or else the call."""
    principal: str | None = None
    """Who was asked (M43)."""
    call: str = ""
    """Names a call that is repeated."""
    fades: bool = False
    """No connection ends what is entered, so its age does."""
    now: float = 0.0

    def claim(self, elicitation_id: str) -> Interaction | None:
        """The interaction with this id, if it is this owner's and of use to this call.

        Raises:
            UsageError: The id is somebody else's.
        """
        entry = self.outstanding.find(elicitation_id)
        if entry is None:
            return None
        theirs = entry.book
        if (theirs.owner, theirs.principal) != (self.owner, self.principal):
            raise UsageError(
                "this elicitation_id is outstanding for somebody else: give each visit an id of "
                "its own, or none, and it gets a random one"
            )
        if entry.interaction.completed and theirs.call != self.call:
            self.outstanding.remove(entry)
            return None
        return entry.interaction

    def enter(self, interaction: Interaction) -> None:
        """Make an interaction known by its id."""
        if self.outstanding.find(interaction.elicitation_id) is None:
            entry = _Entry(interaction=interaction, book=self, kept=self.fades)
            interaction.forget = lambda: self._ended(entry)
            self.outstanding.add(entry)

    def keep(self, interaction: Interaction) -> None:
        """Keep an interaction when it is completed, for the call that comes again."""
        entry = self.outstanding.find(interaction.elicitation_id)
        if entry is not None:
            entry.kept = True

    def leave(self, interaction: Interaction) -> None:
        """Forget an interaction: it has served its purpose."""
        entry = self.outstanding.find(interaction.elicitation_id)
        if entry is not None and entry.interaction is interaction:
            self.outstanding.remove(entry)

    def _ended(self, entry: _Entry) -> None:
        if not (entry.kept and entry.interaction.completed):
            self.outstanding.remove(entry)

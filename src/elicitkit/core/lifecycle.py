"""The life of a form elicitation as one table, the same on both sides of the wire.

``TABLE`` is the whole machine: what is not in it cannot happen. Nobody can accept or
decline what was never shown, and a question ends exactly once; a late answer meets a
final state and changes nothing (UX22). Who sent an event is not known here, and neither
are clocks and reasons: a timeout, a lost connection and a person's "not now" are all
``cancel``; ``withdraw`` is the asking side taking its question back, after which there is
nobody to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from elicitkit.core.errors import UsageError

State: TypeAlias = Literal["offered", "shown", "accepted", "declined", "cancelled", "withdrawn"]
Event: TypeAlias = Literal["show", "accept", "decline", "cancel", "withdraw"]

TABLE: Final[Mapping[State, Mapping[Event, State]]] = {
    "offered": {"show": "shown", "cancel": "cancelled", "withdraw": "withdrawn"},
    "shown": {
        "accept": "accepted",
        "decline": "declined",
        "cancel": "cancelled",
        "withdraw": "withdrawn",
    },
    "accepted": {},
    "declined": {},
    "cancelled": {},
    "withdrawn": {},
}

FINAL: Final[frozenset[State]] = frozenset(state for state, ways in TABLE.items() if not ways)


class IllegalTransition(UsageError):
    """An event that the state of an elicitation does not allow; the state stays as it was."""

    def __init__(self, state: State, event: Event) -> None:
        self.state = state
        self.event = event
        ended = "; it has ended, and its outcome stands" if state in FINAL else ""
        super().__init__(f"a form elicitation that is {state!r} knows no {event!r}{ended}")


def after(state: State, event: Event) -> State:
    """The state that follows.

    Raises:
        IllegalTransition: The table has no such step.
    """
    following = TABLE[state].get(event)
    if following is None:
        raise IllegalTransition(state, event)
    return following


@dataclass(slots=True)
class Lifecycle:
    """One form elicitation on its way from ``offered`` to one final state."""

    state: State = "offered"

    @property
    def ended(self) -> bool:
        """Whether the one outcome is there."""
        return self.state in FINAL

    def on(self, event: Event) -> State:
        """Take one step and tell the new state.

        Raises:
            IllegalTransition: The table has no such step; nothing has changed.
        """
        self.state = after(self.state, event)
        return self.state

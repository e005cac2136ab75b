"""The life of an elicitation as two tables, the same on both sides of the wire.

``TABLE`` is that of a question, in either mode: what is not in it cannot happen. Nobody can
accept or decline what was never shown, and a question ends exactly once; a late answer meets
a final state and changes nothing (UX22). Who sent an event is not known here, and neither
are clocks and reasons: a timeout, a lost connection and a person's "not now" are all
``cancel``; ``withdraw`` is the asking side taking its question back, after which there is
nobody to answer.

``PAGE_TABLE`` is what follows an accepted url question: a page that is open until its
interaction is completed, the person gives up, or there is nothing left to wait for. A person
who says that they have finished may be asked again, where the server does not think so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

from elicitkit.core.errors import UsageError

State: TypeAlias = Literal["offered", "shown", "accepted", "declined", "cancelled", "withdrawn"]
Event: TypeAlias = Literal["show", "accept", "decline", "cancel", "withdraw"]
PageState: TypeAlias = Literal["open", "finished", "completed", "given_up", "over"]
PageEvent: TypeAlias = Literal["ask_again", "finish", "complete", "give_up", "end"]

StateT = TypeVar("StateT", bound=str)
EventT = TypeVar("EventT", bound=str)

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
PAGE_TABLE: Final[Mapping[PageState, Mapping[PageEvent, PageState]]] = {
    "open": {
        "finish": "finished",
        "complete": "completed",
        "give_up": "given_up",
        "end": "over",
    },
    "finished": {"ask_again": "open", "complete": "completed", "end": "over"},
    "completed": {},
    "given_up": {},
    "over": {},
}

FINAL: Final[frozenset[State]] = frozenset(state for state, ways in TABLE.items() if not ways)


class IllegalTransition(UsageError):
    """An event that the state of an elicitation does not allow; the state stays as it was."""

    def __init__(self, state: str, event: str, *, final: bool) -> None:
        self.state = state
        self.event = event
        ended = "; it has ended, and its outcome stands" if final else ""
        super().__init__(f"an elicitation that is {state!r} knows no {event!r}{ended}")


def after(table: Mapping[StateT, Mapping[EventT, StateT]], state: StateT, event: EventT) -> StateT:
    """The state that follows.

    Raises:
        IllegalTransition: The table has no such step.
    """
    following = table[state].get(event)
    if following is None:
        raise IllegalTransition(state, event, final=not table[state])
    return following


@dataclass(slots=True)
class Lifecycle:
    """One question on its way from ``offered`` to one final state."""

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
        self.state = after(TABLE, self.state, event)
        return self.state

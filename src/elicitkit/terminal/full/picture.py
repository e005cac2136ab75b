"""A screen as lines of text before any library draws it, and how the rows are shared out.

The head and the keys are always whole; what does not fit of a message or a description is
cut with a notice, and can be read whole at any time (UX02). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Line: TypeAlias = tuple[str, str]
"""A style, and a text that is inert and fits the columns."""

PLAIN: Final = ""
BOLD: Final = "bold"
MARKED: Final = "bold reverse"

_LEAST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything that is on the screen, from top to bottom."""

    top: Sequence[Line]
    """Who asks, the message, and what this list is."""
    body: Sequence[Line]
    """The list to move in."""
    cursor: int
    """The line of ``body`` on which the cursor stands."""
    height: int
    """How many lines of ``body`` are seen."""
    below: Sequence[Line]
    """The marked field, and what the person was just told."""
    prompt: str | None
    """What stands before the line that is typed; None where none is."""
    foot: Sequence[Line]
    """What the keys do here."""

    def text(self) -> str:
        """All of it as text."""
        parts = [*self.top, *self.body, *self.below, (PLAIN, self.prompt or ""), *self.foot]
        return "\n".join(text for _, text in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How many rows each part gets."""

    message: int
    body: int
    below: int


def share(room: int, *, message: int, body: int, below: int) -> Shares:
    """Share ``room`` rows among three parts that want so many.

    Each keeps a few rows as long as there are any. Then comes the field at hand, whose
    constraints are to be seen before anything is typed (UX12), the list, the message.
    """
    wants = {"below": below, "body": body, "message": message}
    given = dict.fromkeys(wants, 0)
    steps = (
        {"body": 1, "message": 2, "below": 1},
        dict.fromkeys(wants, _LEAST),
        {"below": room // 2},
        wants,
    )
    for step in steps:
        for part, want in step.items():
            more = min(want, wants[part]) - given[part]
            given[part] += max(min(more, room - sum(given.values())), 0)
    return Shares(**given)


def cut(lines: Sequence[Line], most: int, notice: Callable[[int], str]) -> list[Line]:
    """At most that many lines, the last of them telling how many are left."""
    if len(lines) <= most:
        return list(lines)
    keep = max(most - 1, 0)
    return [*lines[:keep], (PLAIN, notice(len(lines) - keep))][:most]

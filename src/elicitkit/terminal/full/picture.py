"""A screen as lines of text before any library draws it, and how the rows are shared out.

The head and the keys are always whole; what does not fit of a message or a description is
cut with a notice, and can be read whole at any time (UX02). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

PLAIN: Final = ""
BOLD: Final = "bold"
MARKED: Final = "bold reverse"


class Line(NamedTuple):
    """One line of the screen."""

    style: str
    text: str
    """Inert, and fitting the columns."""
    strong: tuple[int, int] = (0, 0)
    """From where to where it is bold, whatever the rest is."""

    def parts(self) -> list[tuple[str, str]]:
        """The line as stretches of one style each."""
        start, end = self.strong
        cuts = (
            (self.style, self.text[:start]),
            (BOLD, self.text[start:end]),
            (self.style, self.text[end:]),
        )
        return [(style, text) for style, text in cuts if text]


Part: TypeAlias = Literal["below", "body", "findings", "url", "message"]
"""What shares the screen: what was told, the list, and the three texts above it."""
Shares: TypeAlias = dict[Part, int]
"""How many rows each part gets, or wants."""

_LEAST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything that is on the screen, from top to bottom."""

    top: Sequence[Line]
    """Who asks, the message, what this list is, and what belongs to it."""
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
        parts = [*self.top, *self.body, *self.below, Line(PLAIN, self.prompt or ""), *self.foot]
        return "\n".join(line.text for line in parts)


def share(room: int, wants: Shares) -> Shares:
    """Share ``room`` rows among the parts, which want so many.

    Each keeps a few rows as long as there are any. Then comes the field at hand, whose
    constraints are to be seen before anything is typed (UX12), and the others in the order
    in which they stand in ``wants``.
    """
    given: Shares = dict.fromkeys(wants, 0)
    steps: tuple[Shares, ...] = (
        {"body": 1, "message": 2, "url": 2, "findings": 2, "below": 1},
        dict.fromkeys(wants, _LEAST),
        {"below": room // 2},
        wants,
    )
    for step in steps:
        for part, want in step.items():
            more = min(want, wants.get(part, 0)) - given.get(part, 0)
            given[part] = given.get(part, 0) + max(min(more, room - sum(given.values())), 0)
    return given


def cut(lines: Sequence[Line], most: int, notice: Callable[[int], str]) -> list[Line]:
    """At most that many lines, the last of them telling how many are left."""
    if len(lines) <= most:
        return list(lines)
    keep = max(most - 1, 0)
    return [*lines[:keep], Line(PLAIN, notice(len(lines) - keep))][:most]

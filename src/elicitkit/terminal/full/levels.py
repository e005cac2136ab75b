"""Where a person stands in the full renderer: a stack of levels, each with its own place.

A level is a list to move in, one field being typed, one field being picked, or a text to
read. Esc leaves the top one and never more (UX05). Only data; what keys do is ``desk.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from elicitkit.terminal.full.picks import Pick

Action: TypeAlias = Literal[
    "field",
    "review",
    "send",
    "back",
    "yes",
    "no",
    "agree",
    "decline",
    "cancel",
    "go_on",
    "help",
    "read",
    "extend",
    "mute",
    "mute_yes",
    "open",
    "again",
    "finished",
    "give_up",
]
Kind: TypeAlias = Literal["fields", "review", "ask", "wait", "menu", "mute"]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing in a list: an action, or the field ``name``."""

    do: Action
    name: str = ""


@dataclass(slots=True, kw_only=True)
class Rows:
    """A list of rows, of which one is marked, or none yet."""

    kind: Kind
    rows: Sequence[Row]
    at: int | None = 0
    line: int = 0
    """Which line of the marked row the cursor is on, for a row of several."""
    spans: Sequence[int] = ()
    """How many lines each row takes as it is shown."""

    def move(self, by: int) -> None:
        """Go that many lines down, or up."""
        if self.at is None:
            self.go(0 if by > 0 else len(self.rows) - 1)
            return
        spans = self.spans if len(self.spans) == len(self.rows) else [1] * len(self.rows)
        target = min(max(sum(spans[: self.at]) + self.line + by, 0), sum(spans) - 1)
        at = 0
        while target >= spans[at]:
            target -= spans[at]
            at += 1
        self.at, self.line = at, target

    def go(self, at: int) -> None:
        """Mark the row at ``at``."""
        self.at, self.line = min(max(at, 0), len(self.rows) - 1), 0

    def find(self, do: Action) -> None:
        """Mark the row of an action, where there is one."""
        places = [place for place, row in enumerate(self.rows) if row.do == do]
        if places:
            self.go(places[0])

    @property
    def row(self) -> Row | None:
        """The marked row."""
        return None if self.at is None else self.rows[self.at]


@dataclass(slots=True, kw_only=True)
class Typing:
    """One field with its line being typed, or the domain of a URL."""

    name: str = ""
    opened: str = ""
    """What stood in the line at first: the person's own earlier text, never a suggestion."""
    text: str = ""


@dataclass(slots=True, kw_only=True)
class Picking:
    """One field with its options, narrowed by what is typed."""

    name: str
    options: Sequence[Pick]
    ticks: list[str] | None = None
    """What is ticked where several can be; None where one is picked."""
    changed: bool = False
    at: int | None = None
    """The marked option among the shown ones; none until the person moves or types."""
    text: str = ""
    shown: Sequence[Pick] = field(init=False)

    def __post_init__(self) -> None:
        self.shown = self.options

    def narrow(self, text: str) -> None:
        """Show only the options that ``text`` may mean, and mark the first."""
        self.text = text
        self.shown = [one for one in self.options if one.may_be(text)]
        self.at = 0 if text.strip() and self.shown else None

    def move(self, by: int) -> None:
        """Mark an option further down, or up."""
        if not self.shown:
            return
        last = len(self.shown) - 1
        start = self.at if self.at is not None else (-1 if by > 0 else last + 1)
        self.at = min(max(start + by, 0), last)

    @property
    def pick(self) -> Pick | None:
        """The marked option."""
        return None if self.at is None else self.shown[self.at]

    def toggle(self) -> None:
        """Tick the marked option, or take its tick away."""
        if self.ticks is None or self.pick is None:
            return
        self.changed = True
        if self.pick.const in self.ticks:
            self.ticks.remove(self.pick.const)
        else:
            self.ticks.append(self.pick.const)

    def chosen(self) -> list[str]:
        """What is ticked, in the order of the options."""
        return [one.const for one in self.options if one.const in (self.ticks or ())]


@dataclass(slots=True, kw_only=True)
class Reading:
    """A text that did not fit, or the help."""

    text: str
    top: int = 0

    def move(self, by: int) -> None:
        """Scroll; the painter stops at the end."""
        self.top = max(self.top + by, 0)


Level: TypeAlias = Rows | Typing | Picking | Reading

"""Who asks, for what, and which question of how many: the head of every screen.

The name from the person's own configuration stands before what a server says of itself,
which is marked as such (UX01). Where a question has a turn in a longer line, its place and
what was cancelled unseen are said, too (UX21). Pure: values and a catalog in, lines out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from elicitkit.core.fields import OtherField
from elicitkit.core.form import Form
from elicitkit.core.model import Origin
from elicitkit.core.ports import Turn
from elicitkit.i18n import Catalog

LABEL: Final = 200
"""The most characters of a name or a label."""
MESSAGE: Final = 100_000
"""The most characters of a message, which is read page by page."""


class Asked:
    """One question as it is introduced.

    Args:
        form: What is asked.
        origin: Who asks.
        texts: The language of the person.
        turn: The turn of the question, where the answering side keeps a line.
        waiting: How many questions there are in all where no turn says so.
    """

    def __init__(
        self,
        form: Form,
        origin: Origin,
        texts: Catalog,
        turn: Turn | None = None,
        waiting: Callable[[], int] = lambda: 1,
    ) -> None:
        self.form = form
        self.turn = turn
        self.who = texts.inert(origin.label, LABEL)
        self._origin = origin
        self._texts = texts
        self._t = texts.t
        self._waiting = waiting
        # Asking for it tells the person, so it is asked for once.
        self._dropped = turn.dropped if turn is not None else 0

    def head(self) -> list[str]:
        """Who asks, for what of ours, and the place in the line."""
        lines = [self._t("ask.from", who=self.who)]
        if self._origin.claimed:
            claimed = self._texts.inert(self._origin.claimed, LABEL)
            lines.append(self._t("ask.claims", claimed=claimed))
        if self._origin.request:
            request = self._texts.inert(self._origin.request, LABEL)
            lines.append(self._t("ask.about", request=request))
        return lines + self._line()

    def _line(self) -> list[str]:
        place, count = (
            (1, self._waiting()) if self.turn is None else (self.turn.place, self.turn.waiting)
        )
        lines = [self._t("ask.place", place=place, count=count)] if count > 1 else []
        if self._dropped > 0:
            key = "ask.dropped" if self._dropped > 1 else "ask.dropped.one"
            lines.append(self._t(key, count=self._dropped))
        return lines

    def message(self) -> str:
        """The message and the texts of the schema itself, inert, each line indented."""
        schema = self.form.schema
        parts = (self.form.request.message, schema.title, schema.description)
        message = "\n".join(part for part in parts if part)
        shown = self._texts.inert(message, MESSAGE, multiline=True)
        return "\n".join(f"  {line}" for line in shown.split("\n"))

    def unsupported(self) -> str | None:
        """Why this question cannot be answered here at all; None where it can (G27)."""
        needed = [one for one in self.form.others if one.required]
        return self._t("ask.unsupported", names=self._labels(needed)) if needed else None

    def hidden(self) -> str | None:
        """Which fields are not shown; None where all are."""
        others = self.form.others
        return self._t("ask.hidden", names=self._labels(others)) if others else None

    def _labels(self, fields: Iterable[OtherField]) -> str:
        return ", ".join(self._texts.inert(one.label, LABEL) for one in fields)

    def closing(self, *, timed_out: bool) -> str:
        """What is said when the question is gone before it was answered."""
        return self._t("end.timed_out" if timed_out else "end.withdrawn", who=self.who)

"""Who asks, for what, and which question of how many: the head of every screen.

The name from the person's own configuration stands before what a server says of itself,
which is marked as such (UX01). Where a question has a turn in a longer line, its place and
what was cancelled unseen are said, too (UX21). Pure: values and a catalog in, lines out.

What is particular to a URL is ``asked_url.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from elicitkit.core.fields import OtherField
from elicitkit.core.form import Form
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.i18n import Catalog

LABEL: Final = 200
"""The most characters of a name or a label."""
MESSAGE: Final = 100_000
"""The most characters of a message, which is read page by page."""


def alone() -> int:
    """How many questions there are where nobody counts them."""
    return 1


class Asked:
    """One question as it is introduced.

    Args:
        words: What the server says of it, part by part.
        origin: Who asks.
        texts: The language of the person.
        turn: The turn of the question, where the answering side keeps a line.
        waiting: How many questions there are in all where no turn says so.
    """

    def __init__(
        self,
        words: Iterable[str | None],
        origin: Origin,
        texts: Catalog,
        turn: Turn | None = None,
        waiting: Callable[[], int] = alone,
    ) -> None:
        self.turn = turn
        self.who = texts.inert(origin.label, LABEL)
        self._message = "\n".join(part for part in words if part)
        self._origin = origin
        self._texts = texts
        self._t = texts.t
        self._waiting = waiting
        # Asking for it tells the person, so it is asked for once.
        self._dropped = turn.dropped if turn is not None else 0

    def head(self) -> list[str]:
        """Who asks, for what of ours, and the place in the line."""
        lines = [self.opener()]
        if self._origin.claimed:
            claimed = self._texts.inert(self._origin.claimed, LABEL)
            lines.append(self._t("ask.claims", claimed=claimed))
        if self._origin.request:
            request = self._texts.inert(self._origin.request, LABEL)
            lines.append(self._t("ask.about", request=request))
        return lines + self._line()

    def opener(self) -> str:
        """The first line, which names who asks."""
        return self._t("ask.from", who=self.who)

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
        """The words of the server, inert, each line indented."""
        shown = self._texts.inert(self._message, MESSAGE, multiline=True)
        return "\n".join(f"  {line}" for line in shown.split("\n"))

    def details(self) -> Sequence[Sequence[str]]:
        """What of ours belongs to the question below the message, block by block."""
        return ()

    def whole(self) -> str:
        """The message and what belongs to it, as one text to read."""
        blocks = (text for block in self.details() for text in block)
        return "\n".join((self.message(), *blocks))

    def unsupported(self) -> str | None:
        """Why this question cannot be answered here at all; None where it can (G27)."""
        return None

    def hidden(self) -> str | None:
        """What of it is not shown; None where all is."""
        return None

    def help(self) -> str:
        """What can be typed where a line is asked for."""
        return self._t("command.help")

    def interrupted(self) -> str:
        """What is said after the first Ctrl-C."""
        return self._t("slip.interrupt")

    def end(self, response: Response) -> str:
        """What is said once there is a decision."""
        match response:
            case Accept():
                return self.accepted()
            case Decline():
                return self._t("end.decline", who=self.who)
            case Cancel("muted"):
                return self._t("end.muted", who=self.who)
            case Cancel():
                return self._t("end.cancel", who=self.who)

    def accepted(self) -> str:
        """What is said once the person has agreed."""
        return self._t("end.accept", who=self.who)

    def traced(self) -> list[str]:
        """What of it stays on a terminal whose screen is taken away."""
        return []

    def closing(self, *, timed_out: bool) -> str:
        """What is said when the question is gone before it was answered."""
        return self._t("end.timed_out" if timed_out else "end.withdrawn", who=self.who)


class AskedForm(Asked):
    """A form as it is introduced.

    Args:
        form: What is asked; its schema may have texts of its own.
        origin: Who asks.
        texts: The language of the person.
        turn: As for every question.
        waiting: As for every question.
    """

    def __init__(
        self,
        form: Form,
        origin: Origin,
        texts: Catalog,
        turn: Turn | None = None,
        waiting: Callable[[], int] = alone,
    ) -> None:
        words = (form.request.message, form.schema.title, form.schema.description)
        super().__init__(words, origin, texts, turn, waiting)
        self.form = form

    def unsupported(self) -> str | None:
        """Which needed fields are of a kind that is not known here."""
        needed = [one for one in self.form.others if one.required]
        return self._t("ask.unsupported", names=self._labels(needed)) if needed else None

    def hidden(self) -> str | None:
        """Which fields are not shown; None where all are."""
        others = self.form.others
        return self._t("ask.hidden", names=self._labels(others)) if others else None

    def _labels(self, fields: Iterable[OtherField]) -> str:
        return ", ".join(self._texts.inert(one.label, LABEL) for one in fields)

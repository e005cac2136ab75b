"""A desk for a form: answering field by field, the review, and Send.

The form engine holds the answers. The rules:

- only Send at the review accepts, or the one row that answers a bare yes or no;
- a decline or cancel that would lose answers takes a second Enter;
- Send is always there: it leads to the review, or to the first error with all of them said.

What is done to a field is ``filling.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from elicitkit.core.form import Form
from elicitkit.core.model import Accept, Response
from elicitkit.core.typed import NO, YES
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import AskedForm
from elicitkit.terminal.commands import SEND, fold
from elicitkit.terminal.full.filling import Filling
from elicitkit.terminal.full.levels import Row, Rows
from elicitkit.terminal.full.question import OUT
from elicitkit.terminal.limit import Limit


class FormDesk(Filling):
    """One form, and the place of the person in it."""

    def __init__(self, asked: AskedForm, limit: Limit, texts: Catalog) -> None:
        super().__init__(asked, limit, texts, _root(asked.form))
        self._leaving: Response | None = None
        self._acts |= {
            "review": partial(self._send, sent=False),
            "send": partial(self._send, sent=True),
            "yes": partial(self._confirm, yes=True),
            "no": partial(self._confirm, yes=False),
            "agree": partial(self._decide, Accept({})),
        }

    def enter(self) -> None:
        """As everywhere; and the second Enter on a row that would lose answers is meant."""
        leaving = self._leaving
        self._began()
        self._leaving = leaving
        self._entered()

    def _began(self) -> None:
        super()._began()
        self._leaving = None

    def type(self, text: str) -> None:
        """Typed text outside a line: it opens the marked field, or marks the row it names."""
        match self.level:
            case Rows(kind="review") as level if fold(text) in SEND:
                self._began()
                level.find("send")
            case Rows(kind="fields", row=Row("field", name)):
                self._began()
                self.levels.append(self.answering.open(name, text))
            case _:
                super().type(text)

    def _name(self, level: Rows, text: str) -> None:
        if fold(text) in YES:
            level.find("agree" if self.form.shape == "empty" else "yes")
        elif fold(text) in NO:
            level.find("decline" if self.form.shape == "empty" else "no")
        else:
            self._nothing()

    def _nothing(self) -> None:
        self.tell(self._t("confirm.enter"))

    # Deciding.

    def _act(self, row: Row | None) -> None:
        if row is not None and row.do == "field":
            self.levels.append(self.answering.open(row.name))
        else:
            super()._act(row)

    def _confirm(self, *, yes: bool) -> None:
        """A form of one yes or no: its list is its review, too, so nothing is asked twice."""
        (name,) = self.names
        self.form.set_value(name, yes)
        self._decide(Accept(self.form.content()))

    def _leave(self, response: Response) -> None:
        """Decline or cancel; with answers that would be lost, on the second Enter."""
        answered = any(self.form.entry(name).state != "untouched" for name in self.names)
        if answered and self._leaving != response:
            self._leaving = response
            self.tell(self._t("full.sure"))
        else:
            self._decide(response)

    def _send(self, *, sent: bool) -> None:
        """Send what the review shows; else go to the review, or say all that is wrong (UX09)."""
        errors = self.form.errors()
        if errors:
            self._problems()
        elif sent:
            self._decide(Accept(self.form.content()))
        else:
            rows = (*_fields(self.form), Row("send"), Row("back"), *OUT)
            self.levels.append(Rows(kind="review", rows=rows))

    def _problems(self) -> None:
        errors = self.form.errors()
        heading = self._t("review.problems", count=len({one.field for one in errors}))
        self.tell(heading, *(self.answering.problem(error) for error in errors))
        if isinstance(self.level, Rows):
            self.level.go(self.names.index(errors[0].field))

    def _keys_told(self) -> str:
        return self._t("full.help")


def _root(form: Form) -> Rows:
    match form.shape:
        case "empty":
            return Rows(kind="ask", rows=(Row("agree"), *OUT), at=None)
        case "confirm":
            return Rows(kind="ask", rows=(Row("yes"), Row("no"), *OUT), at=None)
        case "fields":
            return Rows(kind="fields", rows=(*_fields(form), Row("review"), *OUT))


def _fields(form: Form) -> Iterator[Row]:
    return (Row("field", one.name) for one in form.fields)

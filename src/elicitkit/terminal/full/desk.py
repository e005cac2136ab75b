"""What every key does in the full renderer, without a screen and without a library.

The form engine holds the answers; a desk holds where the person is, what they are in the
middle of, and what they were just told. Its rules:

- only Send at the review accepts, only "No, do not give" declines;
- Esc goes back one level and keeps what was typed; at the outermost it asks;
- Send is always there: it leads to the review, or to the first error with all of them said.

Not here: what is done to a field (``filling.py``), keys (``keys.py``), words on the screen
(``paint.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from elicitkit.core.form import Form
from elicitkit.core.model import Accept, Cancel, Decline, Response
from elicitkit.core.typed import NO, YES
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.commands import SEND, fold
from elicitkit.terminal.full.filling import Filling
from elicitkit.terminal.full.levels import Action, Picking, Reading, Row, Rows, Typing
from elicitkit.terminal.limit import Limit

_FAR: Final = 1_000_000
"""More lines than any text has."""
_OUT: Final = (Row("decline"), Row("cancel"))


class Desk(Filling):
    """One question, and the place of the person in it."""

    def __init__(self, asked: Asked, limit: Limit, texts: Catalog) -> None:
        super().__init__(asked, texts, _root(asked.form))
        self.asked = asked
        self.limit = limit
        self.response: Response | None = None
        self.unread = ""
        """What did not fit the screen, whole; the painter keeps it."""
        self.page = 1
        """How many lines a page is; the painter keeps it, too."""
        self._acts: dict[Action, Callable[[], object]] = {
            "review": partial(self._send, sent=False),
            "send": partial(self._send, sent=True),
            "yes": partial(self._confirm, yes=True),
            "no": partial(self._confirm, yes=False),
            "agree": partial(self._decide, Accept({})),
            "decline": partial(self._leave, Decline()),
            "cancel": partial(self._leave, Cancel("dismissed")),
            "back": self.levels.pop,
            "go_on": self.levels.pop,
            "help": self.help,
            "read": self.read,
            "extend": self._extend,
            "mute": self._ask_mute,
            "mute_yes": self._mute,
        }

    # Moving.

    def move(self, by: int) -> None:
        """Down or up; from a line that is typed, what is typed stays with its field."""
        self._began()
        if isinstance(self.level, Typing):
            self._keep()
        match self.level:
            case Rows() | Picking() | Reading() as level:
                level.move(by)
            case Typing():
                pass

    def turn_page(self, by: int) -> None:
        """A page down or up."""
        self.move(by * self.page)

    def edge(self, *, last: bool) -> None:
        """To the first or the last row."""
        self._began()
        match self.level:
            case Rows() as level:
                level.go(len(level.rows) - 1 if last else 0)
            case Reading() as level:
                level.move(_FAR if last else -_FAR)
            case Typing() | Picking():
                pass

    def escape(self) -> None:
        """Back one level; at the outermost, ask what to do."""
        self._began()
        if isinstance(self.level, Typing | Picking):
            self._keep()
        elif len(self.levels) > 1:
            self.levels.pop()
        else:
            self._menu()

    def _menu(self) -> None:
        rows = [Row("go_on"), Row("help"), Row("read")]
        rows += [Row("extend")] if self.limit.left is not None else []
        rows += [Row("cancel"), Row("decline")]
        rows += [Row("mute")] if self.asked.turn is not None else []
        self.levels.append(Rows(kind="menu", rows=rows))

    def enter(self) -> None:
        """Act on the marked row, take the line or the pick, or end reading."""
        leaving = self._leaving
        self._began()
        self._leaving = leaving
        match self.level:
            case Rows(row=row):
                self._act(row)
            case Typing() | Picking() as level:
                self._take(level)
            case Reading():
                self.levels.pop()

    def type(self, text: str) -> None:
        """Typed text outside a line: it opens the marked field, or marks the row it names."""
        self._began()
        match self.level:
            case Rows(kind="review") as level if fold(text) in SEND:
                level.find("send")
            case Rows(kind="fields", row=Row("field", name)):
                self.levels.append(self.answering.open(name, text))
            case Rows(kind="ask") as level:
                self._name_answer(level, fold(text))
            case _:
                self.tell(self._t("full.no_text"))

    def _name_answer(self, level: Rows, text: str) -> None:
        if text in YES:
            level.find("agree" if self.form.shape == "empty" else "yes")
        elif text in NO:
            level.find("decline" if self.form.shape == "empty" else "no")
        else:
            self.tell(self._t("confirm.enter"))

    # Deciding.

    def _act(self, row: Row | None) -> None:
        if row is None:
            self.tell(self._t("confirm.enter"))
        elif row.do == "field":
            self.levels.append(self.answering.open(row.name))
        else:
            self._acts[row.do]()

    def _confirm(self, *, yes: bool) -> None:
        """A form of one yes or no: its list is its review, too, so nothing is asked twice."""
        (name,) = self.names
        self.form.set_value(name, yes)
        self._decide(Accept(self.form.content()))

    def _extend(self) -> None:
        self.levels.pop()
        self.extend()

    def _ask_mute(self) -> None:
        self.levels.append(Rows(kind="mute", rows=(Row("back"), Row("mute_yes"))))

    def _leave(self, response: Response) -> None:
        """Decline or cancel; with answers that would be lost, on the second Enter."""
        answered = any(self.form.entry(name).state != "untouched" for name in self.names)
        if answered and self._leaving != response:
            self._leaving = response
            self.tell(self._t("full.sure"))
        else:
            self._decide(response)

    def _decide(self, response: Response) -> None:
        if self.response is None:
            self.response = response

    def _send(self, *, sent: bool) -> None:
        """Send what the review shows; else go to the review, or say all that is wrong (UX09)."""
        errors = self.form.errors()
        if errors:
            self._problems()
        elif sent:
            self._decide(Accept(self.form.content()))
        else:
            rows = (*_fields(self.form), Row("send"), Row("back"), *_OUT)
            self.levels.append(Rows(kind="review", rows=rows))

    def _problems(self) -> None:
        errors = self.form.errors()
        heading = self._t("review.problems", count=len({one.field for one in errors}))
        self.tell(heading, *(self.answering.problem(error) for error in errors))
        if isinstance(self.level, Rows):
            self.level.go(self.names.index(errors[0].field))

    def _mute(self) -> None:
        if self.asked.turn is not None:
            self.asked.turn.mute()
            self._decide(Cancel("muted"))

    def interrupt(self) -> None:
        """Ctrl-C: the first tells what the second does."""
        if self._interrupted:
            self._decide(Cancel("interrupted"))
            return
        self._began()
        self._interrupted = True
        self.tell(self._t("slip.interrupt"))

    def end(self, reason: str) -> None:
        """The input has ended, or the terminal is gone."""
        self._decide(Cancel(reason))

    # Telling.

    def help(self) -> None:
        """Say what the keys do."""
        self._began()
        parts = [self._t("full.help")]
        parts += [self._t("full.help_extend")] if self.limit.left is not None else []
        parts += [self._t("full.help_mute")] if self.asked.turn is not None else []
        self.levels.append(Reading(text="\n".join(parts)))

    def read(self) -> None:
        """Show the question, and all that did not fit, as a text of its own."""
        self._began()
        self.levels.append(Reading(text=self.unread or self.asked.message()))

    def extend(self) -> None:
        """Start the time limit anew."""
        self._began()
        key = "limit.extended" if self.limit.extend() else "limit.none"
        self.tell(self._t(key))

    def warn(self) -> None:
        """Say that little time is left."""
        self.limit.warned()
        self.tell(self.limit.told() or "", self._t("full.extend_how"))


def _root(form: Form) -> Rows:
    match form.shape:
        case "empty":
            return Rows(kind="ask", rows=(Row("agree"), *_OUT), at=None)
        case "confirm":
            return Rows(kind="ask", rows=(Row("yes"), Row("no"), *_OUT), at=None)
        case "fields":
            return Rows(kind="fields", rows=(*_fields(form), Row("review"), *_OUT))


def _fields(form: Form) -> Iterator[Row]:
    return (Row("field", one.name) for one in form.fields)

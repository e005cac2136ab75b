"""What keys do on every screen of the full renderer, without a screen and without a library.

A desk holds where the person is, what they are in the middle of, and what they were just
told. Esc goes back one level; at the outermost it is the screen's own to say what happens.
What a screen is about lies in its kind of desk: a question (``question.py``) that is a form
(``form.py``) or a URL (``consent.py``), or a page that is waited for (``waiting.py``).

Not here: keys (``keys.py``), words on the screen (``paint.py``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.full.levels import Action, Level, Picking, Reading, Row, Rows, Typing
from elicitkit.terminal.limit import Limit

_FAR: Final = 1_000_000
"""More lines than any text has."""


class Desk(ABC):
    """One screen, and the place of the person in it."""

    def __init__(self, asked: Asked, limit: Limit, texts: Catalog, root: Rows) -> None:
        self.asked = asked
        self.limit = limit
        self.levels: list[Level] = [root]
        self.notices: list[str] = []
        self.unread = ""
        """What did not fit the screen, whole; the painter keeps it."""
        self.page = 1
        """How many lines a page is; the painter keeps it, too."""
        self._interrupted = False
        self._t = texts.t
        self._acts: dict[Action, Callable[[], object]] = {
            "back": self.levels.pop,
            "go_on": self.levels.pop,
            "help": self.help,
            "read": self.read,
        }

    @property
    def level(self) -> Level:
        """The level that keys go to."""
        return self.levels[-1]

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether there is a decision."""

    @abstractmethod
    def end(self, reason: str) -> None:
        """The input has ended, the terminal is gone, or the person ended it by Ctrl-C."""

    @abstractmethod
    def outermost(self) -> None:
        """Esc where there is no level to go back to."""

    # Moving.

    def move(self, by: int) -> None:
        """Down or up; a line that is typed is left."""
        self._began()
        if isinstance(self.level, Typing):
            self._keep()
        level = self.level
        if not isinstance(level, Typing):
            level.move(by)

    def _keep(self) -> None:
        """Leave the level on top."""
        self.levels.pop()

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
        """Back one level; at the outermost, what this screen does then."""
        self._began()
        if len(self.levels) > 1:
            self._keep()
        else:
            self.outermost()

    def enter(self) -> None:
        """Act on the marked row, take what was typed or picked, or end reading."""
        self._began()
        self._entered()

    def _entered(self) -> None:
        match self.level:
            case Rows(row=row):
                self._act(row)
            case _:
                self._keep()

    def _act(self, row: Row | None) -> None:
        if row is None:
            self._nothing()
        else:
            self._acts[row.do]()

    @abstractmethod
    def _nothing(self) -> None:
        """Enter where nothing is marked."""

    def type(self, text: str) -> None:
        """Typed text outside a line."""
        self._began()
        match self.level:
            case Rows(kind="ask" | "wait") as level:
                self._name(level, text)
            case _:
                self.tell(self._t("full.no_text"))

    @abstractmethod
    def _name(self, level: Rows, text: str) -> None:
        """Mark the row that ``text`` names."""

    def paste(self, text: str) -> str:
        """Pasted text as it enters a line, with a notice of what was taken out (UX25).

        Returns:
            What is to be put into the open line; nothing where there is none.
        """
        self._began()
        whole = " ".join(part for part in text.splitlines() if part)
        in_line = isinstance(self.level, Typing | Picking)
        if not in_line and not self._opened_by(whole):
            self.tell(self._t("full.no_text"))
            return ""
        self.tell(*([self._t("full.pasted")] if whole != text else []))
        return whole if in_line else ""

    def _opened_by(self, text: str) -> bool:
        """Whether pasted text opens a line, in which it then stands."""
        return False

    def changed(self, text: str) -> None:
        """The line now holds ``text``."""
        self._interrupted = False
        if isinstance(self.level, Typing):
            self.level.text = text

    def interrupt(self) -> None:
        """Ctrl-C: the first tells what the second does."""
        if self._interrupted:
            self.end("interrupted")
            return
        self._began()
        self._interrupted = True
        self.tell(self.asked.interrupted())

    def _began(self) -> None:
        self.notices = []
        self._interrupted = False

    # The keys of a field, where there is none: no more than any other key.

    def suggest(self) -> bool:
        """Take the suggestion into an empty line; False where there is none."""
        return False

    def toggle(self) -> None:
        """Tick or untick the marked option."""
        self._began()

    def leave_out(self) -> None:
        """Send nothing for the marked field."""
        self._began()

    def reset(self) -> None:
        """Forget what was answered."""
        self._began()

    def empty(self) -> None:
        """Answer the marked field with nothing on purpose."""
        self._began()

    # Telling.

    def tell(self, *notices: str) -> None:
        """Say something until the next key."""
        self.notices = list(notices)

    def help(self) -> None:
        """Say what the keys do."""
        self._began()
        parts = [self._keys_told()]
        parts += [self._t("full.help_extend")] if self.limit.left is not None else []
        parts += [self._t("full.help_mute")] if self.asked.turn is not None else []
        self.levels.append(Reading(text="\n".join(parts)))

    @abstractmethod
    def _keys_told(self) -> str:
        """What the keys do here."""

    def read(self) -> None:
        """Show the question, and all that did not fit, as a text of its own."""
        self._began()
        self.levels.append(Reading(text=self.unread or self.asked.whole()))

    def extend(self) -> None:
        """Start the time limit anew."""
        self._began()
        key = "limit.extended" if self.limit.extend() else "limit.none"
        self.tell(self._t(key))

    def warn(self) -> None:
        """Say that little time is left."""
        self.limit.warned()
        self.tell(self.limit.told() or "", self._t("full.extend_how"))

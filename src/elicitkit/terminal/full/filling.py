"""Answering the field at hand: its line, its list, its ticks, and leaving it out.

The half of a desk that changes answers; moving about and deciding are ``desk.py``. A
suggestion is never in the line that is typed, nothing is chosen until the person does, and
what was done to a field stays with it however it is left (UX05, UX07, UX10).
"""

from __future__ import annotations

from elicitkit.core.fields import ChoicesField, TextField
from elicitkit.core.model import Response
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import Asked
from elicitkit.terminal.describe import Words
from elicitkit.terminal.full.answering import Answering
from elicitkit.terminal.full.levels import Level, Picking, Row, Rows, Typing


class Filling:
    """The levels on which a person stands, and what they do to the field on top."""

    def __init__(self, asked: Asked, texts: Catalog, root: Rows) -> None:
        self.form = asked.form
        self.names = [one.name for one in asked.form.fields]
        self.answering = Answering(self.form, texts, Words(texts))
        self.levels: list[Level] = [root]
        self.notices: list[str] = []
        self._interrupted = False
        self._leaving: Response | None = None
        self._t = texts.t

    @property
    def level(self) -> Level:
        """The level that keys go to."""
        return self.levels[-1]

    @property
    def field(self) -> str | None:
        """The field that is marked, typed or picked."""
        match self.level:
            case Typing(name=name) | Picking(name=name):
                return name
            case Rows(row=Row("field", name)):
                return name
            case _:
                return None

    def tell(self, *notices: str) -> None:
        """Say something until the next key."""
        self.notices = list(notices)

    def _began(self) -> None:
        self.notices = []
        self._interrupted = False
        self._leaving = None

    def _keep(self) -> None:
        """Leave the field that is typed or picked, and keep whatever was done to it."""
        self.answering.keep(self.level)
        self.levels.pop()

    def _take(self, level: Typing | Picking) -> None:
        slip = self.answering.slip(level)
        if slip is not None:
            self.tell(slip)
        if slip is not None or not self.answering.take(level):
            return
        self.levels.pop()
        match self.level:
            case Rows(kind="fields") as rows:
                rows.move(1)
            case _:
                pass

    def paste(self, text: str) -> str:
        """Pasted text as it enters a line, with a notice of what was taken out (UX25).

        Returns:
            What is to be put into the open line; nothing where there is none.
        """
        self._began()
        whole = " ".join(part for part in text.splitlines() if part)
        notices = [self._t("full.pasted")] if whole != text else []
        match self.level:
            case Typing() | Picking():
                self.tell(*notices)
                return whole
            case Rows(kind="fields", row=Row("field", name)) if whole:
                self.levels.append(self.answering.open(name, whole))
                self.tell(*notices)
            case _:
                self.tell(self._t("full.no_text"))
        return ""

    def toggle(self) -> None:
        """Tick or untick the marked option."""
        self._began()
        if isinstance(self.level, Picking):
            self.level.toggle()

    def changed(self, text: str) -> None:
        """The line now holds ``text``."""
        self._interrupted = False
        match self.level:
            case Typing() as level:
                level.text = text
            case Picking() as level if text != level.text:
                level.narrow(text)
            case _:
                pass

    def leave_out(self) -> None:
        """Send nothing for the marked field."""
        self._began()
        name = self.field
        if name is None:
            return
        if self.form.entry(name).field.required:
            self.tell(self._t("slip.needed"))
        else:
            self.answering.forget(name)
            self.form.omit(name)

    def reset(self) -> None:
        """Forget what was answered; the suggestion comes back."""
        self._began()
        if self.field is not None:
            self.answering.forget(self.field)
            self.form.reset(self.field)
            self._close()

    def empty(self) -> None:
        """Answer the marked field with an empty text or list, on purpose."""
        self._began()
        if self.field is None:
            return
        match self.form.entry(self.field).field:
            case TextField(name=name):
                self.form.set_value(name, "")
                self._close()
            case ChoicesField(name=name):
                self.answering.forget(name)
                self.form.set_value(name, [])
                self._close()
            case _:
                self.tell(self._t("slip.no_empty"))

    def _close(self) -> None:
        if isinstance(self.level, Typing | Picking):
            self.levels.pop()

    def suggest(self) -> bool:
        """Take the suggestion into an empty line, to be changed; False where there is none."""
        if not isinstance(self.level, Typing) or self.level.text:
            return False
        text = self.answering.suggestion(self.level.name)
        if text is not None:
            self._began()
            self.level.text = text
        return text is not None

"""Answering the field at hand: its line, its list, its ticks, and leaving it out.

The half of a form's desk that changes answers; deciding is ``form.py``. A
suggestion is never in the line that is typed, nothing is chosen until the person does, and
what was done to a field stays with it however it is left (UX05, UX07, UX10).
"""

from __future__ import annotations

from elicitkit.core.fields import ChoicesField, TextField
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import AskedForm
from elicitkit.terminal.describe import Words
from elicitkit.terminal.full.answering import Answering
from elicitkit.terminal.full.levels import Picking, Row, Rows, Typing
from elicitkit.terminal.full.question import Question
from elicitkit.terminal.limit import Limit


class Filling(Question):
    """The form at hand, and what keys do to the field on top."""

    def __init__(self, asked: AskedForm, limit: Limit, texts: Catalog, root: Rows) -> None:
        super().__init__(asked, limit, texts, root)
        self.form = asked.form
        self.names = [one.name for one in asked.form.fields]
        self.answering = Answering(self.form, texts, Words(texts))

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

    def _keep(self) -> None:
        """Leave the field that is typed or picked, and keep whatever was done to it."""
        self.answering.keep(self.level)
        self.levels.pop()

    def _take(self, level: Typing | Picking) -> None:
        if isinstance(level, Picking) and level.pick is not None and level.pick.own:
            self.levels[-1] = self.answering.own(level)
            return
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

    def _opened_by(self, text: str) -> bool:
        """Pasting on a marked field answers it, as typing does."""
        match self.level:
            case Rows(kind="fields", row=Row("field", name)) if text:
                self.levels.append(self.answering.open(name, text))
                return True
            case _:
                return False

    def toggle(self) -> None:
        """Tick or untick the marked option."""
        self._began()
        if isinstance(self.level, Picking):
            self.level.toggle()

    def changed(self, text: str) -> None:
        """The line now holds ``text``."""
        super().changed(text)
        if isinstance(self.level, Picking) and text != self.level.text:
            self.level.narrow(text)

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

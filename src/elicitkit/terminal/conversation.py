"""One form put to a person, line by line, up to their decision.

The order is always the same: who asks and what, then field by field, then the review;
nothing leaves before Send (M05, UX06). The person can go back, decline or cancel at every
prompt (M46, UX03). Only their own ``:decline``, or "no" to a bare yes or no without any
field, is a decline; whatever else ends the talk is a cancel with its reason (UX04).

What an answer is, is the form engine's to say; reading and writing is the console's.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from elicitkit.core.fields import UNSET, ChoicesField, TextField
from elicitkit.core.form import Entry
from elicitkit.core.model import Accept, Cancel, Decline, Response
from elicitkit.core.typed import NO, YES
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import AskedForm
from elicitkit.terminal.commands import (
    SEND,
    Answer,
    Command,
    Do,
    Enter,
    Leave,
    Typed,
    Unknown,
    fold,
)
from elicitkit.terminal.console import Console
from elicitkit.terminal.describe import Words, unnamed
from elicitkit.terminal.prompt import Decided
from elicitkit.terminal.talk import Talk

_Way: TypeAlias = Literal["next", "back", "review"]


class Conversation(Talk):
    """One form, one person, one decision."""

    def __init__(self, asked: AskedForm, console: Console, texts: Catalog) -> None:
        super().__init__(asked, console, texts)
        self._form = asked.form
        self._texts = texts
        self._words = Words(texts)
        self._names = [one.name for one in asked.form.fields]
        self._who = asked.who

    async def _talk(self) -> Response:
        await self._prompt.question()
        await self._unknown_kinds()
        await self._prompt.time_left()
        match self._form.shape:
            case "empty":
                return await self._agree()
            case "confirm":
                return await self._confirm()
            case "fields":
                return await self._fill()

    async def _fill(self) -> Response:
        await self._console.say("", self._t("ask.count", count=len(self._names)))
        await self._console.say(self._t("command.short"))
        await self._walk()
        return await self._review()

    async def _unknown_kinds(self) -> None:
        unsupported, hidden = self._asked.unsupported(), self._asked.hidden()
        if unsupported is not None:
            await self._console.say(unsupported)
            raise Decided(Cancel("unsupported_schema"))
        if hidden is not None:
            await self._console.say(hidden)

    # Questions of one word.

    async def _agree(self) -> Response:
        await self._console.say("", self._t("agree.actions", who=self._who))
        return Accept({}) if await self._yes_or_no() else Decline()

    async def _confirm(self) -> Response:
        """One required boolean: its prompt is its review, too, so nothing is asked twice."""
        (one,) = self._form.fields
        if not unnamed(one):
            await self._console.say("", self._words.label(one))
            await self._console.say(*self._words.about(one, None))
        await self._console.say(self._t("confirm.actions", who=self._who))
        self._form.set_value(one.name, await self._yes_or_no())
        return Accept(self._form.content())

    async def _yes_or_no(self) -> bool:
        while True:
            match await self._prompt.typed():
                case Answer(text) if fold(text) in YES:
                    return True
                case Answer(text) if fold(text) in NO:
                    return False
                case Do(command):
                    await self._prompt.not_here(command)
                case _:
                    await self._console.say(self._t("confirm.enter"))

    # Field by field.

    async def _walk(self) -> None:
        place = 0
        while place < len(self._names):
            match await self._field(place):
                case "next":
                    place += 1
                case "back":
                    place = max(place - 1, 0)
                case "review":
                    return

    async def _field(self, place: int) -> _Way:
        """Put one field until it stands as the person wants it."""
        name = self._names[place]
        await self._show_field(place)
        while True:
            way = await self._respond(name, await self._prompt.typed())
            if way is not None:
                return way
            await self._console.say(self._words.state(self._form.entry(name)))

    async def _show_field(self, place: int) -> None:
        entry = self._form.entry(self._names[place])
        about = self._words.about(entry.field, self._form.menu(entry.field.name))
        lines = ["", self._heading(place, entry), *about]
        if entry.state != "untouched":
            lines += self._words.complaints(entry)
        lines.append(self._words.state(entry))
        await self._prompt.keep_in_sight(lines)
        await self._console.say(*lines)

    def _heading(self, place: int, entry: Entry) -> str:
        return self._t(
            "field.heading",
            place=place + 1,
            count=len(self._names),
            who=self._who,
            label=self._words.label(entry.field),
            need=self._words.need(entry.field),
            kind=self._words.kind(entry.field),
        )

    async def _respond(self, name: str, typed: Typed) -> _Way | None:
        """Take what was typed at a field; None where the field is asked again."""
        match typed:
            case Answer(text):
                menu = self._form.menu(name)
                if menu is not None and menu.names_own(text):
                    return await self._own(name)
                return await self._accepted(self._form.set_text(name, text))
            case Enter():
                return await self._kept(self._form.entry(name))
            case Leave():
                return await self._left_out(name)
            case Unknown(word):
                await self._prompt.unknown(word)
                return None
            case Do(command):
                return await self._moved(name, command)
            case _:
                assert_never(typed)

    async def _own(self, name: str) -> _Way | None:
        """Take the next line for an answer of one's own; Enter alone goes back to the options."""
        await self._console.say(self._t("own.write"), self._t("own.back"))
        match await self._prompt.typed():
            case Answer(text):
                return await self._accepted(self._form.set_other(name, text))
            case Enter() | Do("back"):
                await self._show_field(self._names.index(name))
                return None
            case typed:
                return await self._respond(name, typed)

    async def _accepted(self, entry: Entry) -> _Way | None:
        await self._console.say(*self._words.complaints(entry))
        return None if entry.errors else "next"

    async def _kept(self, entry: Entry) -> _Way | None:
        name = entry.field.name
        if entry.state == "answered" and entry.errors:
            if entry.suggested is not UNSET:
                return await self._accepted(self._form.reset(name))
            if not entry.field.required:
                return await self._accepted(self._form.omit(name))
        return await self._accepted(entry)

    async def _left_out(self, name: str) -> _Way | None:
        if self._form.entry(name).field.required:
            await self._console.say(self._t("slip.needed"))
            return None
        return await self._accepted(self._form.omit(name))

    async def _moved(self, name: str, command: Command) -> _Way | None:
        match command:
            case "back" | "review":
                return command
            case "empty":
                return await self._emptied(name)
            case _:
                # Only reset is left: the prompt has taken what works everywhere.
                self._form.reset(name)
                return None

    async def _emptied(self, name: str) -> _Way | None:
        match self._form.entry(name).field:
            case TextField():
                return await self._accepted(self._form.set_value(name, ""))
            case ChoicesField():
                return await self._accepted(self._form.set_value(name, []))
            case _:
                await self._console.say(self._t("slip.no_empty"))
                return None

    # The review.

    async def _review(self) -> Response:
        while True:
            await self._show_review()
            place = await self._chosen()
            if place is None:
                return Accept(self._form.content())
            await self._field(place)

    async def _show_review(self) -> None:
        entries = [self._form.entry(name) for name in self._names]
        rows = [self._words.row(place, entry) for place, entry in enumerate(entries, 1)]
        heading = self._t("review.heading", who=self._who)
        lines = ["", heading, *rows, self._t("review.actions")]
        await self._prompt.keep_in_sight(lines)
        await self._console.say(*lines)

    async def _chosen(self) -> int | None:
        """The place of a field to change, or None when the form may go."""
        while True:
            match await self._prompt.typed():
                case Answer(text) if fold(text) in SEND:
                    return await self._first_problem()
                case Answer(text) if fold(text) in self._places:
                    return self._places[fold(text)]
                case Enter():
                    await self._console.say(self._t("review.enter"))
                case Do("back"):
                    return len(self._names) - 1
                case Do("review"):
                    await self._show_review()
                case Do(command):
                    await self._prompt.not_here(command)
                case Unknown(word):
                    await self._prompt.unknown(word)
                case Answer() | Leave():
                    await self._console.say(self._t("review.unknown"))

    @property
    def _places(self) -> dict[str, int]:
        return {str(place): place - 1 for place in range(1, len(self._names) + 1)}

    async def _first_problem(self) -> int | None:
        """All that is wrong, said at once; the place of the first (UX09)."""
        errors = self._form.errors()
        if not errors:
            return None
        await self._console.say(self._t("review.problems", count=len({e.field for e in errors})))
        for error in errors:
            label = self._words.label(self._form.entry(error.field).field)
            told = self._texts.error(error)
            await self._console.say(self._t("review.problem", label=label, error=told))
        return self._names.index(errors[0].field)

"""What a person typed, turned into a value of the field's kind, or refused whole.

Nothing is guessed: "42xyz" is no 42, and an option that two titles could mean is none.
The result still has to pass ``core/check.py``; this file only knows kinds, not bounds.
Numbers keep their value exactly: big integers stay integers, and ``1.0`` is the integer 1
for an integer field.

Not here: what an empty text means, and which field is asked (``core/form.py``).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, assert_never

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    TextField,
    Value,
)

READING_MESSAGES: Final[Mapping[str, str]] = {
    "unreadable.integer": "Write a whole number in plain digits, such as 42.",
    "unreadable.number": "Write a number in plain digits, such as 3.5.",
    "unreadable.boolean": "Answer yes or no.",
    "unreadable.choice": "That is none of the options. Write the number or the name of one.",
    "unreadable.choices": (
        "Not every part is one of the options. Write their numbers or names, "
        "with commas between them."
    ),
    "ambiguous": "More than one option has that name. Write its number instead.",
    "unsupported": "This question is of a kind that cannot be answered here.",
}
"""English templates of what this file and ``core/form.py`` refuse, by code."""

OWN: Final = frozenset({"other", "其他", "其它"})
YES: Final = frozenset({"yes", "y", "true", "是", "是的", "对", "好"})
NO: Final = frozenset({"no", "n", "false", "否", "不", "不是"})

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_MAX_DIGITS: Final = 4300
"""Python reads no longer integer by default, and no form needs one."""
_COMMAS: Final = re.compile("[,，、]")


class Unreadable(Exception):
    """The text is no value of this kind; ``code`` is a key of ``READING_MESSAGES``."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


class Menu:
    """The options of a field as a person can name them: by number, constant or title.

    Numbers are written bare where no option looks like a number itself; otherwise with as
    many ``#`` before them as it takes to tell the two apart.

    Args:
        options: In their order.
        own: The companion of a choice. It has the number after those of the options, and a
            text is taken for an answer of one's own only after that was asked for, so that a
            slip in the name of an option never becomes one.
    """

    def __init__(self, options: Iterable[Option], own: TextField | None = None) -> None:
        self.options = tuple(options)
        self.own = own
        names: dict[str, set[str]] = {}
        for one in self.options:
            for name in (one.const, one.label):
                names.setdefault(name.strip(), set()).add(one.const)
        self.mark = self._mark(names)
        for place, one in enumerate(self.options, 1):
            names.setdefault(f"{self.mark}{place}", set()).add(one.const)
        self._exact = names
        self._folded: dict[str, set[str]] = {}
        for name, consts in names.items():
            self._folded.setdefault(_fold(name), set()).update(consts)

    def _mark(self, names: Mapping[str, set[str]]) -> str:
        mark = ""
        meant: list[set[str]] = [{one.const} for one in self.options]
        meant += [set()] if self.own is not None else []
        while any(
            names.get(f"{mark}{place}", consts) != consts for place, consts in enumerate(meant, 1)
        ):
            mark += "#"
        return mark

    def number(self, place: int) -> str:
        """What to type for the option at ``place``, counted from 1."""
        return f"{self.mark}{place}"

    def names_own(self, text: str) -> bool:
        """Whether ``text`` asks for the line of an answer of one's own; an option goes before."""
        typed = _fold(text.strip())
        if self.own is None or typed in self._folded:
            return False
        number = _fold(self.number(len(self.options) + 1))
        return typed in OWN or typed in (number, _fold(self.own.label.strip()))

    def find(self, text: str) -> str:
        """The constant of the option that ``text`` names.

        Raises:
            Unreadable: ``text`` names no option, or more than one.
        """
        found = self._exact.get(text.strip()) or self._folded.get(_fold(text.strip()))
        if not found:
            raise Unreadable("unreadable.choice")
        if len(found) > 1:
            raise Unreadable("ambiguous")
        return next(iter(found))

    def find_all(self, text: str) -> list[str]:
        """The constants of the options that ``text`` names, with commas between them.

        Raises:
            Unreadable: A part names no option, or more than one.
        """
        if text.strip() in self._exact:
            return [self.find(text)]
        parts = [part for part in _COMMAS.split(text) if part.strip()]
        if not parts:
            raise Unreadable("unreadable.choices")
        try:
            found = [self.find(part) for part in parts]
        except Unreadable as error:
            code = "unreadable.choices" if error.code == "unreadable.choice" else error.code
            raise Unreadable(code) from None
        return list(dict.fromkeys(found))


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def parse(one: Field, text: str, menu: Menu | None) -> Value:
    """The value that ``text`` says.

    Args:
        one: The field that is answered.
        text: What was typed; surrounding blanks count in a text field only.
        menu: The options of a choice.

    Raises:
        Unreadable: It says none of this kind.
    """
    match one:
        case TextField():
            return text
        case IntegerField():
            return _integer(text.strip())
        case NumberField():
            return _number(text.strip())
        case BooleanField():
            return _boolean(text)
        case ChoiceField():
            return (menu or Menu(one.options)).find(text)
        case ChoicesField():
            return (menu or Menu(one.options)).find_all(text)
        case OtherField():
            raise Unreadable("unsupported")
        case _ as unreachable:
            assert_never(unreachable)


def _boolean(text: str) -> bool:
    word = _fold(text.strip())
    if word in YES:
        return True
    if word in NO:
        return False
    raise Unreadable("unreadable.boolean")


def _integer(text: str) -> int | float:
    value = _exact(text, "unreadable.integer")
    if isinstance(value, Decimal):
        if value == value.to_integral_value():
            return int(value)
        near = float(value)
        if near.is_integer():
            raise Unreadable("unreadable.integer")
        # A fraction stays one, so that the check can say that it is one.
        return near
    return value


def _number(text: str) -> int | float:
    value = _exact(text, "unreadable.number")
    return float(value) if isinstance(value, Decimal) else value


def _exact(text: str, code: str) -> int | float | Decimal:
    """The number as it was written; a float only for an infinity, which no check lets pass."""
    match = _NUMBER.fullmatch(text) if len(text) <= _MAX_DIGITS else None
    if match is None:
        raise Unreadable(code)
    if not any(match.groups()):
        return int(text)
    near = float(text)
    if math.isinf(near):
        return near
    if near == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        # Too small for any JSON number: sending 0 would be an answer nobody gave.
        raise Unreadable(code)
    return Decimal(text)

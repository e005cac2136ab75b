"""What a typed line means: an answer, a command, Enter alone, or ``-``.

Commands begin with a colon, in full width as well, since that is what a Chinese input
method types. Every literal text stays possible: a doubled colon stands for one, and of a
line of dashes one dash falls away (UX07).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

Command: TypeAlias = Literal[
    "back",
    "decline",
    "cancel",
    "help",
    "more",
    "message",
    "empty",
    "reset",
    "review",
    "extend",
    "mute",
]

_ALIASES: Final[Mapping[str, Command]] = {
    "返回": "back",
    "上一项": "back",
    "拒绝": "decline",
    "取消": "cancel",
    "帮助": "help",
    "更多": "more",
    "问题": "message",
    "留空": "empty",
    "恢复": "reset",
    "核对": "review",
    "延时": "extend",
    "屏蔽": "mute",
}
COMMANDS: Final[Mapping[str, Command]] = {
    **{name: name for name in get_args(Command)},
    **_ALIASES,
}
SEND: Final = frozenset({"s", "send", "发送"})
_COLONS: Final = (":", "：")


@dataclass(frozen=True, slots=True)
class Answer:
    """A text to take as the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Do:
    """A command."""

    command: Command


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that begins as a command and is none."""

    word: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter alone: keep what stands."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A dash alone: leave the field out."""


Typed: TypeAlias = Answer | Do | Unknown | Enter | Leave


def understand(line: str) -> Typed:
    """What a typed line means."""
    bare = line.strip()
    if not bare:
        # A text of blanks alone is nothing that a person can see they have typed.
        return Enter()
    if bare[0] in _COLONS:
        return _command(bare)
    if set(bare) == {"-"}:
        return Leave() if bare == "-" else Answer(bare[1:])
    return Answer(line)


def _command(bare: str) -> Typed:
    rest = bare[1:]
    if rest[:1] in _COLONS:
        return Answer(rest)
    command = COMMANDS.get(fold(rest))
    return Unknown(bare) if command is None else Do(command)


def fold(word: str) -> str:
    """A word as commands are compared: without case, width and blanks around it."""
    return unicodedata.normalize("NFKC", word).casefold().strip()

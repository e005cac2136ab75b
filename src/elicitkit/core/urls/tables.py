"""The generated Unicode tables in the forms that the checks ask for.

Everything is built once, when the first name beyond ASCII is looked at. What is Allowed is
UTS #39 less a few characters and blocks that no name needs.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from elicitkit.core.urls import unicode_data

_NEVER: Final = "338 58A 2010 2019 2027 30A0 2BB 2BC 2EC 138 200C 200D"
_NEVER_BLOCKS: Final = "1CD-1DC 1C80-1C8F 1E00-1E9B 1F00-1FFF A640-A69F A720-A7FF"
# Beside the confusables of UTS #39: the full stop of Urdu and the question mark of Arabic.
_MORE_DELIMITERS: Final = "6D4 61F"

_CJK_UNIONS: Final[Mapping[str, frozenset[str]]] = {
    "Hani": frozenset({"Hanb", "Jpan", "Kore"}),
    "Hira": frozenset({"Jpan"}),
    "Kana": frozenset({"Jpan"}),
    "Hang": frozenset({"Kore"}),
    "Bopo": frozenset({"Hanb"}),
}
"""The sets of scripts that UTS #39 counts as one: Chinese, Japanese and Korean writing."""


@cache
def restricted() -> re.Pattern[str]:
    """A character that no name should hold, pictographs apart."""
    allowed = _class(unicode_data.ALLOWED)
    return re.compile(
        f"[{_class(_NEVER)}{_class(_NEVER_BLOCKS)}]|[^\\-a-z0-9{allowed}{_pictographs()}]"
    )


@cache
def emoji() -> re.Pattern[str]:
    """A pictograph."""
    return re.compile(f"[{_pictographs()}]")


@cache
def delimiter_lookalikes() -> re.Pattern[str]:
    """A character that passes for one of those that end a host or a part of it."""
    return re.compile(f"[{_class(unicode_data.DELIMITERS)}{_class(_MORE_DELIMITERS)}]")


@cache
def invisible() -> re.Pattern[str]:
    """A character that is drawn as nothing, or that has no meaning yet."""
    return re.compile(f"[{_class(unicode_data.INVISIBLE)}]")


@cache
def scripts_of(char: str) -> frozenset[str]:
    """The scripts this letter is written in, with the unions of UTS #39; empty if in any."""
    starts, ends, names = _scripts()
    at = bisect_right(starts, ord(char)) - 1
    return names[at] if at >= 0 and ord(char) <= ends[at] else frozenset()


@cache
def prototypes() -> Mapping[int, str]:
    """What stands for a character in a skeleton, for ``str.translate``."""
    entries = (entry.split("=") for entry in unicode_data.PROTOTYPES.split())
    return {
        int(code, 16): "".join(chr(int(one, 16)) for one in shape.split("."))
        for code, shape in entries
    }


def skeleton(text: str) -> str:
    """The UTS #39 skeleton: two texts with the same one can be taken for each other."""
    shape = unicodedata.normalize("NFD", text).translate(prototypes())
    return unicodedata.normalize("NFD", shape)


def _pictographs() -> str:
    return _class(unicode_data.EMOJI)


def _ranges(table: str) -> Iterator[tuple[int, int]]:
    for word in table.split():
        first, _, last = word.partition("-")
        yield int(first, 16), int(last or first, 16)


def _class(table: str) -> str:
    """The inside of a character class of a regular expression."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _ranges(table))


@cache
def _scripts() -> tuple[list[int], list[int], list[frozenset[str]]]:
    """Starts, ends and scripts of the runs, in order."""
    # The table begins beyond ASCII.
    runs = sorted([(0x61, 0x7A, frozenset({"Latn"})), *_runs()], key=lambda run: run[0])
    starts, ends, names = zip(*runs, strict=True)
    return list(starts), list(ends), list(names)


def _runs() -> Iterator[tuple[int, int, frozenset[str]]]:
    scripts = frozenset[str]()
    for word in unicode_data.SCRIPTS.split():
        if word.endswith(":"):
            own = word[:-1].split(",")
            scripts = frozenset(own).union(*(_CJK_UNIONS.get(one, ()) for one in own))
        else:
            ((first, last),) = _ranges(word)
            yield first, last, scripts

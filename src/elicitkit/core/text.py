"""Text that others wrote, made safe to show, and its measure in terminal columns.

A server chooses its own words, and a surface must show them without letting them act:
no escape sequence, no bidirectional override, no invisible character, no flood of
combining marks, no endless text (UX15). What acts is shown as a visible escape such as
``\\x1b``, so that a person sees that something was there. Markup of any kind is left as
it stands: nothing here or above it interprets markup. Words in right-to-left scripts stay
as they are, too; only the invisible controls around them are shown.

Not here: the texts of this library itself (``elicitkit.i18n``) and HTML escaping.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

CUT: Final = "… ({n} more characters)"
"""What stands at the end of a text that was cut, in English."""

_ACTING: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me"})
_MAX_MARKS: Final = 4
"""Living scripts stack at most three or four marks on a letter."""

_INVISIBLE: Final = frozenset(
    [
        0x034F,  # combining grapheme joiner
        0x115F,  # Hangul fillers: letters without a shape
        0x1160,
        0x3164,
        0xFFA0,
        0x17B4,  # Khmer inherent vowels
        0x17B5,
        0x2800,  # braille blank
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),  # variation selectors, which can carry hidden bytes
        *range(0xE0100, 0xE01F0),
    ]
)
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_DOTTED_CIRCLE: Final = "\u25cc"

_NO_LINE_START: Final = frozenset("，。、；：？！）】》〉」』〕”’…％,.;:?!)]}%")
"""Punctuation that stays with the character before it."""
_NO_LINE_END: Final = frozenset("（【《〈「『“‘([{")
"""Punctuation that stays with the character after it."""


def inert(text: str, limit: int, *, multiline: bool = False, cut: str = CUT) -> str:
    """Server text made safe to show.

    Args:
        text: What the server wrote.
        limit: The most characters to show, escapes counted.
        multiline: Keep line breaks; elsewhere they are shown as ``\\n``.
        cut: The notice after a text that was cut, with ``{n}`` for the characters left out.
    """
    text = text.replace("\r\n", "\n")
    shown: list[str] = []
    ends: list[int] = []
    length = 0
    for index, piece in _pieces(text, multiline):
        if length + len(piece) > limit:
            # A notice about one single character would read "1 more characters".
            keep = len(shown) - 1 if index == len(text) - 1 and shown else len(shown)
            left = len(text) - (ends[keep - 1] if keep else 0)
            return "".join(shown[:keep]) + cut.format(n=left)
        shown.append(piece)
        ends.append(index + 1)
        length += len(piece)
    return "".join(shown)


def _pieces(text: str, multiline: bool) -> Iterator[tuple[int, str]]:
    """Each character's index and what is shown for it; nothing for what is dropped."""
    marks = 0
    shown_before = False
    for index, char in enumerate(text):
        kind = unicodedata.category(char)
        if kind in _MARKS and ord(char) not in _INVISIBLE:
            marks += 1
            if marks > _MAX_MARKS:
                continue
            # A mark without a letter of its own would sit on whatever we print before it.
            yield index, char if shown_before else _DOTTED_CIRCLE + char
            shown_before = True
            continue
        if _joins_emoji(text, index):
            continue
        piece = _plain(char, kind, multiline)
        marks = 0
        shown_before = piece != "\n"
        yield index, piece


def _joins_emoji(text: str, index: int) -> bool:
    """Dropped, not shown: what only joins or colours emoji, which then stand side by side."""
    char = text[index]
    if char not in (_JOINER, _EMOJI_STYLE) or index == 0:
        return False
    before = text[index - 1]
    if before == _EMOJI_STYLE and index > 1:
        before = text[index - 2]
    return unicodedata.category(before) in ("So", "Sk")


def _plain(char: str, kind: str, multiline: bool) -> str:
    if char == "\n" and multiline:
        return char
    if char == "\t" and multiline:
        return "    "
    if kind in _ACTING or ord(char) in _INVISIBLE:
        return _escape(char)
    if kind == "Zs" and char != "\u3000":
        return " "
    return char


def _escape(char: str) -> str:
    code = ord(char)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short is not None:
        return short
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def width(text: str) -> int:
    """The terminal columns that ``text`` takes."""
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if " " <= char <= "~":
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc") or 0x1160 <= ord(char) <= 0x11FF:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(text: str, columns: int) -> list[str]:
    """Lines of at most ``columns`` columns, broken at blanks and between wide characters.

    Blanks inside a line are kept as they are. A word longer than a line is broken.
    """
    return [line for part in text.split("\n") for line in _wrap_line(part, max(columns, 2))]


def _wrap_line(text: str, columns: int) -> Iterator[str]:
    line, used = "", 0
    for unit in _units(text, columns):
        size = width(unit)
        if used and used + width(unit.rstrip(" ")) > columns:
            yield line.rstrip(" ")
            line, used = "", 0
        line, used = line + unit, used + size
    yield line.rstrip(" ")


def _units(text: str, columns: int) -> Iterator[str]:
    """Pieces no line may break, each with the blanks after it."""
    unit: list[str] = []
    used = 0
    worded = False
    for char in text:
        size = _columns(char)
        full = used + size > columns and char != " "
        if unit and (full or _breaks(unit[-1], char, worded=worded)):
            yield "".join(unit)
            unit, used, worded = [], 0, False
        unit.append(char)
        used += size
        worded = worded or char != " "
    yield "".join(unit)


def _breaks(last: str, char: str, *, worded: bool) -> bool:
    if char == " " or _columns(char) == 0 or char in _NO_LINE_START:
        return False
    if last == " ":
        return worded
    if last in _NO_LINE_END:
        return False
    return _columns(char) == 2 or _columns(last) == 2

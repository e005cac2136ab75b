"""Texts folded to the width of a terminal, so that nobody's words begin a line as ours do.

What runs over is indented further than its beginning: the words of a server, wherever
they stand, never reach the left edge (UX15). Pure.
"""

from __future__ import annotations

from typing import Final

from elicitkit.core.text import width, wrap

_HANG: Final = 2
_MAX_INDENT: Final = 8


def fold(text: str, columns: int) -> list[str]:
    """The lines that ``text`` takes on ``columns`` columns."""
    return [folded for line in text.split("\n") for folded in _hang(line, columns)]


def _hang(line: str, columns: int) -> list[str]:
    bare = line.lstrip(" ")
    indent = min(len(line) - len(bare), _MAX_INDENT)
    first, *more = wrap(bare, columns - indent - _HANG)
    margin = " " * indent
    return [(margin + first).rstrip(), *(margin + " " * _HANG + one for one in more)]


def clip(text: str, columns: int) -> str:
    """``text`` on one line of at most ``columns`` columns, with a mark where it was cut."""
    if width(text) <= columns:
        return text
    return wrap(text.replace(" ", "\u00a0"), columns - 1)[0].replace("\u00a0", " ") + "…"

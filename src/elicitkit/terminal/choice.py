"""Which renderer a question gets: plain lines, or the one in which a person moves about.

The person's word goes before the program's: who sets ``ELICITKIT_PLAIN`` or works at a
dumb terminal gets plain lines whatever was asked for (UX23, UX24).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final, Literal, TextIO, TypeAlias, get_args

from elicitkit.core.errors import UsageError
from elicitkit.terminal.lines import descriptor, is_terminal

Renderer: TypeAlias = Literal["auto", "plain", "full"]

_INCAPABLE: Final = frozenset({"", "dumb", "unknown"})
_OFF: Final = frozenset({"", "0"})


def check_renderer(renderer: str) -> None:
    """Refuse a renderer that there is not.

    Raises:
        UsageError: It is none of the three, or its extra is not installed.
    """
    if renderer not in get_args(Renderer):
        known = ", ".join(get_args(Renderer))
        raise UsageError(f"there is no renderer {renderer!r}; choose one of {known}")
    if renderer == "full" and not _installed():
        raise UsageError(
            "renderer='full' needs prompt_toolkit: install elicitkit[tui], or leave it at 'auto'"
        )


def can_be_full(
    renderer: Renderer, stdin: TextIO, stdout: TextIO, environ: Mapping[str, str]
) -> bool:
    """Whether this question is put by the full renderer."""
    if renderer == "plain" or environ.get("ELICITKIT_PLAIN", "") not in _OFF:
        return False
    if sys.platform != "win32" and environ.get("TERM", "") in _INCAPABLE:
        return False
    terminals = is_terminal(stdin) and is_terminal(stdout) and descriptor(stdin) is not None
    return terminals and _installed() and _on_asyncio()


def _installed() -> bool:
    return find_spec("prompt_toolkit") is not None


def _on_asyncio() -> bool:
    """Whether this code runs in an asyncio task; prompt_toolkit knows no other event loop."""
    try:
        return asyncio.current_task() is not None
    except RuntimeError:
        return False

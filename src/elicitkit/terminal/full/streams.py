"""The output of a terminal for prompt_toolkit, and what it leaves behind in a host.

The library takes a lost output for a crash; here it ends the question. It also asks a
terminal where its cursor is and complains aloud when nothing answers, which a linear layout
does not need.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import Output, create_output

if sys.platform != "win32":
    from prompt_toolkit.output.vt100 import Vt100_Output

    class _Screen(Vt100_Output):
        """Tells when the terminal takes no more text."""

        gone: Callable[[], None] | None = None

        def flush(self) -> None:
            try:
                super().flush()
            except (OSError, ValueError):
                if self.gone is not None:
                    self.gone()


@contextmanager
def resizes_given_back() -> Generator[None]:
    """Put back the host's handler of resizes, of which the library keeps only its own kind."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGWINCH)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGWINCH, before)


def screen(stdout: TextIO) -> Output:
    """The output of a terminal."""
    if sys.platform == "win32":
        return create_output(stdout)
    return _Screen(
        stdout,
        get_size=lambda: _size(stdout),
        term=os.environ.get("TERM"),
        enable_bell=False,
        enable_cpr=False,
    )


def when_lost(output: Output, act: Callable[[], None]) -> None:
    """Have ``act`` called when the terminal takes no more text."""
    if sys.platform != "win32" and isinstance(output, _Screen):
        output.gone = act


def _size(stdout: TextIO) -> Size:
    try:
        columns, rows = os.get_terminal_size(stdout.fileno())
    except (OSError, ValueError):
        columns, rows = 0, 0
    return Size(rows=rows or 24, columns=columns or 80)

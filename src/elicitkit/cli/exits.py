"""What a command ends with: the exit codes, and the error for wrong use."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command; they are public API."""

    DONE = 0
    NO = 1
    """Invalid, declined or cancelled, a tool that reports an error, a question too many."""
    WRONG_USE = 2
    PEER_FAILED = 3
    """A peer that cannot start or be reached, crashes, breaks the protocol or times out."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""


class WrongUse(Exception):
    """The command line cannot be used; the message says what to change."""

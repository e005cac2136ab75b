"""A terminal as the place where a person answers: plain lines, no escape sequence at all."""

from elicitkit.terminal.surface import Terminal

__all__ = ["Terminal"]

"""What ``elicitkit agent`` prints beside the questions: the agent's text, permissions, the end.

The text of an agent is made inert like that of any server. At a terminal it waits while a
person is asked something, so that it does not write into their form.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final, Protocol

from elicitkit.acp.permission import PermissionRequest
from elicitkit.cli.report import JsonReport, PlainReport, QuestionReport
from elicitkit.core.model import Request
from elicitkit.core.text import inert

END_TURN: Final = "end_turn"
"""Why an agent stops that has done what it wanted to do."""
_LINE: Final = 200
_TEXT: Final = 1_000_000
"""The most characters of a line, and of one piece of text."""


class AgentReport(QuestionReport, Protocol):
    """Where the course of a prompt is told."""

    def text(self, piece: str) -> None: ...
    def stopped(self, reason: str) -> None: ...
    def holding(self) -> AbstractContextManager[None]:
        """No text is printed in the block; it is afterwards."""
        ...


class JsonAgentReport(JsonReport):
    """One JSON object a line on the standard output."""

    def question(self, number: int, request: Request) -> None:
        if not isinstance(request, PermissionRequest):
            super().question(number, request)
            return
        options = [dict(one) for one in request.options]
        self._print("permission", number=number, message=request.message, options=options)

    def text(self, piece: str) -> None:
        self._print("text", text=piece)

    def stopped(self, reason: str) -> None:
        self._print("result", stopReason=reason)

    def holding(self) -> AbstractContextManager[None]:
        # A machine reads this; the person's terminal is another stream.
        return nullcontext()


class PlainAgentReport(PlainReport):
    """The agent's text on the standard output, and all else on the standard error."""

    def __init__(self) -> None:
        self._holds = 0
        self._held: list[str] = []
        self._in_line = False
        """Whether the last line of the text is not ended yet."""

    def text(self, piece: str) -> None:
        if self._holds:
            self._held.append(piece)
            return
        shown = inert(piece.replace("\r\n", "\n").replace("\t", "    "), _TEXT, multiline=True)
        print(shown, end="", flush=True)
        self._in_line = bool(shown) and not shown.endswith("\n")

    def stopped(self, reason: str) -> None:
        self._end_line()
        if reason != END_TURN:
            self.note(f"note: the agent stopped: {inert(reason, _LINE)}")

    def note(self, message: str) -> None:
        self._end_line()
        super().note(message)

    def error(self, message: str) -> None:
        self._end_line()
        super().error(message)

    @contextmanager
    def holding(self) -> Generator[None]:
        """No text is printed in the block; it is afterwards."""
        self._end_line()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                held, self._held = "".join(self._held), []
                self.text(held)

    def _end_line(self) -> None:
        if self._in_line:
            print(flush=True)
            self._in_line = False

"""The tour in plain lines, for a person who reads along."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any, Final

from elicitkit.core.fields import UNSET
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Request, Response
from elicitkit.core.text import inert, wrap
from elicitkit.i18n import catalog
from elicitkit.terminal.describe import Words

_TEXT: Final = 4_000
_MARGIN: Final = "  "


class Story:
    """Tells each question with its answer, and how it ended.

    Args:
        questions: Whether to tell the questions; at a terminal the person has seen them.
    """

    def __init__(self, *, questions: bool) -> None:
        self._questions = questions
        self._words = Words(catalog("en"))
        self._request: Request | None = None

    def say(self, text: str, margin: str = "") -> None:
        """Print text, folded at the width of the terminal."""
        columns = shutil.get_terminal_size().columns
        for line in text.split("\n"):
            for folded in wrap(line, columns - len(margin)):
                print(f"{margin}{folded}".rstrip(), flush=True)

    def question(self, number: int, request: Request) -> None:
        self._request = request
        if self._questions:
            self.say(f"\nQuestion {number}: {inert(request.message, _TEXT, multiline=True)}")

    def outcome(self, number: int, response: Response) -> None:
        if not self._questions or self._request is None:
            return
        match response:
            case Accept(content):
                for line in self._answers(self._request, content or {}):
                    self.say(line, _MARGIN)
            case Decline():
                self.say("Declined.", _MARGIN)
            case Cancel(reason):
                self.say(f"Cancelled ({reason}).", _MARGIN)

    def result(self, is_error: bool, content: Sequence[Mapping[str, Any]], structured: Any) -> None:
        self.say("\nThe tool reports an error:" if is_error else "\nThe tool says:")
        for block in content:
            self.say(inert(str(block.get("text", "")), _TEXT, multiline=True), _MARGIN)

    def _answers(self, request: Request, content: Mapping[str, Any]) -> list[str]:
        if not isinstance(request, FormRequest):
            return [inert(request.url, _TEXT), "Opened, and its button pressed."]
        lines: list[str] = []
        for one in request.schema.fields:
            value = content.get(one.name, UNSET)
            shown = "not sent" if value is UNSET else self._words.value(one, value)
            # A question of one value is its own label.
            alone = one.title is None and len(request.schema.fields) == 1
            lines.append(shown if alone else f"{self._words.label(one)}: {shown}")
        return lines

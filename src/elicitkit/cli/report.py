"""What ``elicitkit call`` prints: JSON lines for machines, plain text for people.

Everything a server wrote is made inert on its way to a terminal. JSON goes out as ASCII,
which no terminal obeys.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Final, Protocol

from elicitkit.cli.shapes import Row, field_row
from elicitkit.core.model import Accept, Cancel, FormRequest, Response
from elicitkit.core.text import inert

_LINE: Final = 200
_TEXT: Final = 1_000_000
"""The most characters to show of a server's line and of its whole text."""


class Report(Protocol):
    """Where the course of a call is told."""

    def question(self, number: int, form: FormRequest) -> None: ...
    def outcome(self, number: int, response: Response) -> None: ...
    def tool(self, name: str, description: str) -> None: ...
    def result(self, is_error: bool, content: Sequence[Row], structured: Any) -> None: ...
    def note(self, message: str) -> None: ...
    def error(self, message: str) -> None: ...


class JsonReport:
    """One JSON object a line on the standard output."""

    def question(self, number: int, form: FormRequest) -> None:
        self._print(
            "question",
            number=number,
            mode=form.mode,
            message=form.message,
            fields=[field_row(field) for field in form.schema.fields],
        )

    def outcome(self, number: int, response: Response) -> None:
        row: Row = {"action": type(response).__name__.lower()}
        if isinstance(response, Cancel):
            row["reason"] = response.reason
        if isinstance(response, Accept) and response.content is not None:
            row["content"] = dict(response.content)
        self._print("outcome", **row)

    def tool(self, name: str, description: str) -> None:
        self._print("tool", name=name, description=description)

    def result(self, is_error: bool, content: Sequence[Row], structured: Any) -> None:
        row: Row = {"is_error": is_error, "content": list(content)}
        if structured is not None:
            row["structured"] = structured
        self._print("result", **row)

    def note(self, message: str) -> None:
        print(message, file=sys.stderr)

    def error(self, message: str) -> None:
        self._print("error", message=message)

    def _print(self, event: str, **row: Any) -> None:
        print(json.dumps({"event": event, **row}), flush=True)


class PlainReport:
    """The result on the standard output, and all else on the standard error."""

    def question(self, number: int, form: FormRequest) -> None:
        names = ", ".join(field.label for field in form.schema.fields)
        self.note(f"question {number}: {inert(form.message, _LINE)} [{inert(names, _LINE)}]")

    def outcome(self, number: int, response: Response) -> None:
        reason = f" ({response.reason})" if isinstance(response, Cancel) else ""
        self.note(f"question {number}: {type(response).__name__.lower()}{reason}")

    def tool(self, name: str, description: str) -> None:
        print(f"{inert(name, _LINE)}  {inert(description, _LINE)}".rstrip())

    def result(self, is_error: bool, content: Sequence[Row], structured: Any) -> None:
        for block in content:
            print(inert(_shown(block), _TEXT, multiline=True), flush=True)
        if is_error:
            self.error("the tool reports an error")

    def note(self, message: str) -> None:
        print(message, file=sys.stderr)

    def error(self, message: str) -> None:
        print(f"error: {inert(message, _TEXT, multiline=True)}", file=sys.stderr)


def first_line(text: str | None) -> str:
    """The first line of a text that has words in it."""
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), "")


def _shown(block: Row) -> str:
    if block["type"] == "text":
        return block["text"]
    about = block.get("mimeType") or block.get("uri") or ""
    return f"[{block['type']} {about}]".replace(" ]", "]")

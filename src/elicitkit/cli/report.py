"""What ``elicitkit call`` prints: JSON lines for machines, plain text for people.

Everything a server wrote is made inert on its way to a terminal. JSON goes out as ASCII,
which no terminal obeys.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Final, Protocol, assert_never

from elicitkit.cli.shapes import Row, field_row
from elicitkit.core.model import (
    Accept,
    Cancel,
    FormRequest,
    Request,
    Response,
    UrlRequest,
    action_of,
)
from elicitkit.core.text import inert

_LINE: Final = 200
_TEXT: Final = 1_000_000
"""The most characters to show of a server's line and of its whole text."""


class QuestionReport(Protocol):
    """Where questions and their outcomes are told."""

    def question(self, number: int, request: Request) -> None: ...
    def outcome(self, number: int, response: Response) -> None: ...
    def note(self, message: str) -> None: ...
    def error(self, message: str) -> None: ...


class Report(QuestionReport, Protocol):
    """Where the course of a call is told."""

    def tool(self, name: str, description: str) -> None: ...
    def result(self, is_error: bool, content: Sequence[Row], structured: Any) -> None: ...


class JsonReport:
    """One JSON object a line on the standard output."""

    def question(self, number: int, request: Request) -> None:
        row: Row = {"number": number, "mode": request.mode, "message": request.message}
        match request:
            case FormRequest(schema=schema):
                row["fields"] = [field_row(field) for field in schema.fields]
            case UrlRequest(url=url):
                row["url"] = url
            case _ as unreachable:
                assert_never(unreachable)
        self._print("question", **row)

    def outcome(self, number: int, response: Response) -> None:
        row: Row = {"action": action_of(response)}
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

    def question(self, number: int, request: Request) -> None:
        match request:
            case FormRequest(schema=schema):
                asked = inert(", ".join(field.label for field in schema.fields), _LINE)
            case UrlRequest(url=url):
                asked = inert(url, _TEXT)
            case _ as unreachable:
                assert_never(unreachable)
        self.note(f"question {number}: {inert(request.message, _LINE)} [{asked}]")

    def outcome(self, number: int, response: Response) -> None:
        reason = f" ({response.reason})" if isinstance(response, Cancel) else ""
        self.note(f"question {number}: {action_of(response)}{reason}")

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

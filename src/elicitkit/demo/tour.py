"""Both sides of an elicitation in one go: start the demo server, call its tool, answer it.

The answers are a person's where there is a terminal, and a file's of this package where
there is none; then the button on the page is pressed from here as well. How the course of
it is told is the caller's: the report.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from importlib import resources
from typing import Any, Final, Protocol, Self, cast
from urllib.parse import urlsplit

from anyio import to_thread

from elicitkit.answering import Answerer, Scripted
from elicitkit.answering.turn import ShownTurn
from elicitkit.core.dialects import DIALECTS
from elicitkit.core.model import Accept, Cancel, Mode, Origin, Request, Response, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.ports import Surface, Turn
from elicitkit.core.urls import Findings
from elicitkit.demo.page import ADDRESS, PATH
from elicitkit.mcp.client import connect

LABEL: Final = "demo"
TOOL: Final = "book_stay"
COMMAND: Final = (sys.executable, "-m", "elicitkit.demo")

Answers = list[Mapping[str, object]]


class Report(Protocol):
    """Where the course of the tour is told."""

    def question(self, number: int, request: Request) -> None: ...
    def outcome(self, number: int, response: Response) -> None: ...
    def result(
        self, is_error: bool, content: Sequence[dict[str, Any]], structured: Any
    ) -> None: ...


class Script(Scripted):
    """The answers of the file, and a hand for the button on the page of the demo."""

    @property
    def modes(self) -> frozenset[Mode]:
        return frozenset({"form", "url"})

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        """Yes to the house rules of this machine, whose address is another one each time."""
        where = urlsplit(findings.url or "")
        return Accept() if (where.hostname, where.path) == (ADDRESS, PATH) else Cancel()

    async def wait(self, page: OpenPage) -> Way:
        """Press the button, and wait for what comes of it."""
        if page.ending is None and page.findings.url is not None:
            await to_thread.run_sync(_press, page.findings.url)
        return await super().wait(page)


class Guide(Answerer):
    """An answerer that tells what it is asked and what it answers."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._report: Report | None = None
        self._number = 0

    def telling(self, report: Report) -> Self:
        """This answerer, with a report to tell."""
        self._report = report
        return self

    async def put(self, request: Request, origin: Origin, turn: ShownTurn) -> Response:
        self._number += 1
        if self._report is not None:
            self._report.question(self._number, request)
        return await super().put(request, origin, turn)

    def ended(self, request: Request, origin: Origin, response: Response) -> None:
        if self._report is not None:
            self._report.outcome(self._number, response)


def _press(url: str) -> None:
    where = urlsplit(url)
    browser = HTTPConnection(ADDRESS, where.port or 80, timeout=10)
    try:
        browser.request("POST", f"{where.path}?{where.query}", headers={"Content-Length": "0"})
        browser.getresponse().read()
    finally:
        browser.close()


async def tour(answerer: Answerer, report: Report, *, protocol: str) -> bool:
    """Call the tool of a demo server of one's own.

    Args:
        answerer: Answers what the tool asks.
        report: Is told the result.
        protocol: The revision of MCP to speak.

    Returns:
        Whether the tool came to its end; to decline is one.
    """
    async with connect(COMMAND, name=LABEL, answerer=answerer, protocol_version=protocol) as client:
        result = await client.call_tool(TOOL, {})
    content = [
        block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content
    ]
    report.result(bool(result.is_error), content, result.structured_content)
    return not result.is_error


def answers_file(protocol: str) -> str:
    """The name of the file of answers for a revision of MCP."""
    several = DIALECTS[f"mcp-{protocol}"].multi_select
    return "answers.json" if several else f"answers-{protocol}.json"


def answers(protocol: str) -> Answers:
    """What the file answers, in the order of the questions."""
    text = resources.files("elicitkit.demo").joinpath(answers_file(protocol)).read_text("utf-8")
    return cast("Answers", json.loads(text))  # a file of this package

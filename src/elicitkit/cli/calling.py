"""The work of ``elicitkit call``: connect, call, answer, and tell what came of it.

A client like any other: it reaches the SDK only through ``elicitkit.mcp``. Whatever the
server does, the user reads one sentence and gets an exit code.
"""

from __future__ import annotations

import logging
import sys
from typing import cast

import anyio
from typing_extensions import Unpack

from elicitkit.answering import Answerer, AnswererOptions, Scripted
from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import SurfaceName, load
from elicitkit.cli.exits import Exit, WrongUse
from elicitkit.cli.options import Options
from elicitkit.cli.report import JsonReport, PlainReport, Report, first_line
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Accept, FormRequest, Origin, Response
from elicitkit.core.ports import Surface, Turn
from elicitkit.mcp.client import connect
from elicitkit.terminal import Terminal
from elicitkit.terminal.choice import Renderer

_NOBODY = (
    "note: nothing is declared, so the server cannot ask: there is no terminal to ask at, "
    "and no --answers file"
)
_NOT_ALLOWED = (
    "note: nothing is declared, so the server cannot ask: your configuration allows it nothing"
)


def call(options: Options) -> int:
    """Make one call and return the exit code.

    Raises:
        WrongUse: A file that was named cannot be used.
    """
    # The SDK logs what goes wrong together with tracebacks; here it becomes one sentence.
    logging.getLogger().addHandler(logging.NullHandler())
    report = JsonReport() if options.as_json else PlainReport()
    try:
        config = load(options.config)
        surface = _surface(options, config.for_server(options.label).surface)
        audit = None if options.audit is None else AuditLog(options.audit)
    except UsageError as error:
        raise WrongUse(str(error)) from error
    told = isinstance(surface, Scripted) or options.as_json
    answerer = _ToldAnswerer(surface, report, told=told, audit=audit, config=config)
    if not answerer.modes_for(options.label):
        report.note(_NOT_ALLOWED if answerer.modes else _NOBODY)
    try:
        done = anyio.run(_talk, options, answerer, report)
    except Exception as error:
        report.error(f"{options.label}: {_said(error)}")
        return Exit.PEER_FAILED
    if isinstance(surface, Scripted):
        _tell_script(surface, report)
    return Exit.DONE if done and answerer.all_accepted else Exit.NO


def _surface(options: Options, name: SurfaceName) -> Surface:
    if options.answers is None:
        renderer: Renderer = "auto" if name == "none" else name
        # With --json the standard output is for a machine; the person reads the other one.
        return Terminal(stdout=sys.stderr if options.as_json else None, renderer=renderer)
    try:
        return Scripted(options.answers)
    except UsageError as error:
        raise WrongUse(f"the answers file: {error}") from error


class _ToldAnswerer(Answerer):
    """Tells every question and what came of it."""

    def __init__(
        self,
        surface: Surface,
        report: Report,
        *,
        told: bool,
        **options: Unpack[AnswererOptions],
    ) -> None:
        super().__init__(surface, **options)
        self.all_accepted = True
        self._report = report
        self._told = told
        self._number = 0
        self._numbers: dict[int, int] = {}

    async def put(self, form: FormRequest, origin: Origin, turn: Turn) -> Response:
        self._numbers[id(form)] = self._tell_question(form)
        try:
            return await super().put(form, origin, turn)
        except Exception as error:
            self._report.error(f"the question could not be shown: {error!r}")
            raise

    def ended(self, form: FormRequest, origin: Origin, response: Response) -> None:
        self.all_accepted &= isinstance(response, Accept)
        number = self._numbers.pop(id(form), None) or self._tell_question(form)
        if self._told:
            self._report.outcome(number, response)

    def _tell_question(self, form: FormRequest) -> int:
        self._number += 1
        if self._told:
            self._report.question(self._number, form)
        return self._number


async def _talk(options: Options, answerer: Answerer, report: Report) -> bool:
    """The whole conversation; whether the tool, if one was called, did its work."""
    async with connect(
        options.target, name=options.label, answerer=answerer, read_timeout=options.timeout
    ) as client:
        if options.tool is not None:
            result = await client.call_tool(options.tool, options.arguments)
            content = [
                block.model_dump(mode="json", by_alias=True, exclude_none=True)
                for block in result.content
            ]
            report.result(bool(result.is_error), content, result.structured_content)
            return not result.is_error
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                report.tool(tool.name, first_line(tool.description))
            cursor = page.next_cursor
            if cursor is None:
                return True


def _tell_script(script: Scripted, report: Report) -> None:
    for error in script.errors:
        report.error(error)
    if script.unused:
        report.note(f"note: {script.unused} of the answers were not asked for")


def _said(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)  # isinstance drops the type
        return "; ".join(_said(one) for one in group.exceptions)
    if isinstance(error, OSError) and error.strerror:
        return f"cannot start or reach it: {error.strerror}"
    return str(error) or type(error).__name__

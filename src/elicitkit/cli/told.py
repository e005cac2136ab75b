"""What every command that answers questions does: who answers, and how its course is told.

Which SDK carries the questions is for the command to know (``calling.py``, ``prompting.py``).
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TypeVar, cast

from typing_extensions import Unpack

from elicitkit.answering import Answerer, AnswererOptions, Scripted
from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import SurfaceName, load
from elicitkit.answering.turn import ShownTurn
from elicitkit.cli.exits import WrongUse
from elicitkit.cli.options import Answering
from elicitkit.cli.report import QuestionReport
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Accept, Origin, Request, Response
from elicitkit.core.ports import Surface
from elicitkit.terminal import Terminal
from elicitkit.terminal.choice import Renderer

_NOBODY = (
    "note: nothing is declared, so the {peer} cannot ask: there is no terminal to ask at, "
    "and no --answers file"
)
_NOT_ALLOWED = (
    "note: nothing is declared, so the {peer} cannot ask: your configuration allows it nothing"
)


class ToldAnswerer(Answerer):
    """Tells every question and what came of it."""

    def __init__(
        self,
        surface: Surface,
        report: QuestionReport,
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

    async def put(self, request: Request, origin: Origin, turn: ShownTurn) -> Response:
        self._numbers[id(request)] = self._tell_question(request)
        try:
            return await super().put(request, origin, turn)
        except Exception as error:
            self._report.error(f"the question could not be shown: {error!r}")
            raise

    def ended(self, request: Request, origin: Origin, response: Response) -> None:
        self.all_accepted &= isinstance(response, Accept)
        number = self._numbers.pop(id(request), None) or self._tell_question(request)
        if self._told:
            self._report.outcome(number, response)

    def _tell_question(self, request: Request) -> int:
        self._number += 1
        if self._told:
            self._report.question(self._number, request)
        return self._number


ToldT = TypeVar("ToldT", bound=ToldAnswerer)


def answerer_for(
    kind: type[ToldT],
    options: Answering,
    report: QuestionReport,
    *,
    peer: str,
    around: Callable[[Surface], Surface] | None = None,
) -> ToldT:
    """Who answers: the person at this terminal, or a file of answers.

    Args:
        kind: The answerer to make.
        options: What was said on the command line.
        report: Where the questions are told.
        peer: What to call the one who asks.
        around: Stands around the terminal.

    Raises:
        WrongUse: A file that was named cannot be used.
    """
    # The SDKs log what goes wrong together with tracebacks; here it becomes one sentence.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        config = load(options.config)
        surface = _surface(options, config.for_server(options.label).surface)
        audit = None if options.audit is None else AuditLog(options.audit)
    except UsageError as error:
        raise WrongUse(str(error)) from error
    told = isinstance(surface, Scripted) or options.as_json
    if around is not None and not isinstance(surface, Scripted):
        surface = around(surface)
    answerer = kind(surface, report, told=told, audit=audit, config=config)
    if not answerer.modes_for(options.label):
        report.note((_NOT_ALLOWED if answerer.modes else _NOBODY).format(peer=peer))
    return answerer


def _surface(options: Answering, name: SurfaceName) -> Surface:
    if options.answers is None:
        renderer: Renderer = "auto" if name == "none" else name
        # With --json the standard output is for a machine; the person reads the other one.
        return Terminal(stdout=sys.stderr if options.as_json else None, renderer=renderer)
    try:
        return Scripted(options.answers)
    except UsageError as error:
        raise WrongUse(f"the answers file: {error}") from error


def tell_script(surface: Surface, report: QuestionReport) -> None:
    """Tell what of an answers file could not be used, or was not asked for."""
    if not isinstance(surface, Scripted):
        return
    for error in surface.errors:
        report.error(error)
    if surface.unused:
        report.note(f"note: {surface.unused} of the answers were not asked for")


def said(error: BaseException) -> str:
    """What went wrong with a peer, as one sentence."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)  # isinstance drops the type
        return "; ".join(said(one) for one in group.exceptions)
    if isinstance(error, OSError) and error.strerror:
        return f"cannot start or reach it: {error.strerror}"
    return str(error) or type(error).__name__

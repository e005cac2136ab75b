"""How a question becomes an answer: the one place that knows the order of steps.

Gate, limits, surface, check, answer. What may be refused is refused before anything is
shown, with an error; once a question is shown it ends in an answer. Software never
declines: whatever goes wrong on our side is a cancel with a local reason, since a decline
is a decision of a person. Form mode only; a url question is never declared here, and so
never passes the gate.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Final, Self

from elicitkit.answering.limits import Limits, check_form
from elicitkit.answering.queue import Queue
from elicitkit.answering.scripted import Scripted
from elicitkit.core.check import check
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
)
from elicitkit.core.ports import Surface
from elicitkit.observe import event

_SERVED: Final[frozenset[Mode]] = frozenset({"form"})


class Answerer:
    """Answers questions by showing them, one at a time, on a surface.

    One answerer may serve any number of connections; their questions wait in one line.

    Args:
        surface: Where a person answers.
        limits: What is refused for being too much.
    """

    def __init__(self, surface: Surface, *, limits: Limits | None = None) -> None:
        self.surface = surface
        self.limits = limits or Limits()
        self._queue = Queue()

    @classmethod
    def scripted(cls, answers: Sequence[Mapping[str, object]]) -> Self:
        """An answerer that takes its answers from a list; see ``Scripted``."""
        return cls(Scripted(answers))

    @property
    def modes(self) -> frozenset[Mode]:
        """What can be served here and now, and so what a client may declare (M10)."""
        return self.surface.modes & _SERVED

    def admit(self, request: Request, declared: Capability | None = None) -> FormRequest:
        """The gate and the limits alone, for carriers that check a whole round first (G03).

        Args:
            request: The question.
            declared: What the client declared where this question came from; by default
                what could be declared now.

        Raises:
            InvalidRequest: The mode was not declared, or the question is too much.
        """
        supported = Capability(self.modes) if declared is None else declared
        if request.mode not in supported or not isinstance(request, FormRequest):
            modes = sorted(supported.modes)
            raise InvalidRequest(
                f"{request.mode} mode was not declared; supported: {', '.join(modes) or 'none'}",
                data={"supportedModes": modes},
            )
        check_form(request, self.limits)
        return request

    async def answer(
        self, request: Request, origin: Origin, *, declared: Capability | None = None
    ) -> Response:
        """Put one question to the person and return what may be sent.

        Cancelling this call withdraws the question.

        Raises:
            InvalidRequest: Nothing was shown: the mode was not declared, or it is too much.
        """
        form = self.admit(request, declared)
        async with self._queue.turn():
            event("answering", mode=form.mode)
            started = time.monotonic()
            try:
                response = await self.put(form, origin)
            except Exception as error:  # whatever a surface raises, nobody declined
                # The type alone: the text of an error may hold what was typed.
                event("surface_failed", level=logging.ERROR, error=type(error).__name__)
                response = Cancel("surface_failed")
            event(
                "answered",
                mode=form.mode,
                action=type(response).__name__.lower(),
                reason=response.reason if isinstance(response, Cancel) else None,
                seconds=round(time.monotonic() - started, 3),
            )
        return response

    async def put(self, form: FormRequest, origin: Origin) -> Response:
        """Show one admitted form and check what comes back; a subclass may watch here.

        Called for one question at a time. Content that does not fit the schema is never
        sent (M61), and neither are keys that nobody asked for (G09).
        """
        response = await self.surface.fill(form, origin)
        if not isinstance(response, Accept):
            return response
        content, errors = check(form.schema, response.content)
        if errors:
            event("surface_failed", level=logging.ERROR, error="InvalidContent")
            return Cancel("invalid_answer")
        return Accept(content)

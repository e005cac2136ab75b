"""How a question came, and the way from its ending into the audit log.

The log itself is ``elicitkit.answering.audit``; here is only what the answering code knows
of a question when it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elicitkit.answering.audit import AuditLog, Entry
from elicitkit.core.model import Origin, Request, Response

_REFUSED: Final = "invalid_request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """How a question came; a carrier fills in what it knows."""

    dialect: str = ""
    """The name of the dialect."""
    size: int | None = None
    """Bytes of the question."""
    state_size: int | None = None
    """Length of the request state that came with it."""
    request_id: str | int | None = None
    """The id of its JSON-RPC request, where it is one."""


class Recorder:
    """Writes endings into an audit log, where there is one."""

    def __init__(self, log: AuditLog | None) -> None:
        self._log = log

    def ended(
        self, request: Request, origin: Origin, response: Response, arrival: Arrival, seconds: float
    ) -> None:
        """Keep what came of a question that was taken."""
        self._write(request, origin, response, arrival, seconds)

    def refused(self, request: Request | None, origin: Origin, arrival: Arrival) -> None:
        """Keep that a question was answered with an error; None where it could not be read."""
        if request is not None:
            self._write(request, origin, None, arrival, 0.0)
        elif self._log is not None:
            self._log.record(
                Entry(
                    label=origin.label,
                    claimed=origin.claimed,
                    dialect=arrival.dialect,
                    mode=None,
                    outcome="refused",
                    reason=_REFUSED,
                    size=arrival.size,
                    state_size=arrival.state_size,
                    request_id=arrival.request_id,
                )
            )

    def _write(
        self,
        request: Request,
        origin: Origin,
        response: Response | None,
        arrival: Arrival,
        seconds: float,
    ) -> None:
        if self._log is None:
            return
        self._log.record(
            Entry.about(
                request,
                origin,
                response,
                dialect=arrival.dialect,
                seconds=seconds,
                reason=None if response is not None else _REFUSED,
                size=arrival.size,
                state_size=arrival.state_size,
                request_id=arrival.request_id,
            )
        )

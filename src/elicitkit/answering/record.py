"""How a question came, and the way from its ending into the audit log and to operators.

The log itself is ``elicitkit.answering.audit``, and what operators see
``elicitkit.observe``; here is only what the answering code knows of a question when it ends.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from elicitkit.answering.audit import AuditLog, Endpoint, Entry
from elicitkit.core import urls
from elicitkit.core.lifecycle import Event
from elicitkit.core.model import (
    Accept,
    Cancel,
    Decline,
    FormRequest,
    Origin,
    Request,
    Response,
    action_of,
)
from elicitkit.observe import event

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
        event(
            "answered",
            mode=request.mode,
            action=action_of(response),
            reason=response.reason if isinstance(response, Cancel) else None,
            seconds=round(seconds, 3),
        )

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
                endpoint=_endpoint(request),
                size=arrival.size,
                state_size=arrival.state_size,
                request_id=arrival.request_id,
            )
        )


def ending_of(response: Response) -> Event:
    """The last event in the life of a question."""
    if isinstance(response, Cancel) and response.reason == "withdrawn":
        return "withdraw"
    return action_of(response)


def tell_late(request: Request, response: Response | None, reason: str) -> None:
    """Count a decision that came too late; it changes nothing."""
    if isinstance(response, Accept | Decline):
        event("late_answer", level=logging.WARNING, mode=request.mode, reason=reason)


def _endpoint(request: Request) -> Endpoint | None:
    """Scheme, host and port: all that is kept of a URL (O5)."""
    if isinstance(request, FormRequest):
        return None
    found = urls.inspect_url(request.url)
    if found.url is None or found.host_ascii is None:
        return None
    scheme, _, rest = found.url.partition("://")
    port = rest.removeprefix(found.host_ascii).partition("/")[0].removeprefix(":")
    return Endpoint(scheme=scheme, host=found.host_ascii, port=int(port) if port else None)

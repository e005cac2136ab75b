"""What a server asks, read from the plain messages and checked before anything is shown.

A question comes as a request of the server, in a round (the result of a call that asks for
input), or in an error that lists the pages to do first. Of the last two every entry is
checked first, and one bad entry fails all (G03, G34). Who answers is
``elicitkit.mcp.exchange``.

Spec: MCP client/elicitation; basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from elicitkit.answering import Answerer, Arrival
from elicitkit.answering.limits import check_size
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Capability, Request
from elicitkit.wire.mcp import CREATE, decode_capability, decode_request, decode_url_required

Wire = dict[str, Any]
Raw = Mapping[str, Any]

_NEEDS: Final = {"sampling/createMessage": "sampling", "roots/list": "roots"}
"""Other things a round may ask for, and the capability that allows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of a round or of an error, admitted."""

    request: Request
    arrival: Arrival
    target: str | None
    """What of ours asks: the tool, prompt or resource."""
    declared: Capability


Round = Mapping[str, Asked]
"""The elicitations of one ``input_required`` result, by their keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads what one server asks, by the limits that hold for it."""

    answerer: Answerer
    server: str
    """The name that the person gave the server."""

    def question(self, params: object, dialect: Dialect) -> tuple[Request, int]:
        """One question and its size in bytes.

        Raises:
            InvalidRequest: It is malformed or too big.
        """
        size = check_size(params, self.answerer.limits_for(self.server))
        return decode_request(params, dialect), size

    def round(self, raw: Raw, dialect: Dialect, capabilities: Raw, target: str | None) -> Round:
        """All questions of a result that asks for input.

        Args:
            raw: The result.
            dialect: The revision it came on.
            capabilities: What the call declared.
            target: What was called.

        Raises:
            InvalidRequest: An entry asks what no server may ask, or asks it badly.
        """
        requests: object = raw.get("inputRequests", {})
        state = raw.get("requestState")
        if not isinstance(requests, Mapping) or not isinstance(state, str | None):
            raise InvalidRequest("inputRequests must be an object and requestState a string")
        if not requests and state is None:
            raise InvalidRequest("there is neither a question nor a state")
        declared = decode_capability(capabilities.get("elicitation"), dialect)
        questions: dict[str, Asked] = {}
        for key, entry in cast("Mapping[str, object]", requests).items():
            method, params = _entry(key, entry)
            if method == CREATE:
                request, size = self.question(params, dialect)
                came = Arrival(dialect=dialect.name, size=size, state_size=_length(state))
                questions[key] = self._admitted(request, came, target, declared)
            elif _NEEDS.get(method) not in capabilities:
                raise InvalidRequest(f"{key!r} asks for {method}, which was not declared")
        return questions

    def required(
        self, data: object, dialect: Dialect, declared: Capability, target: str | None
    ) -> tuple[Asked, ...]:
        """The pages that an error lists, to be done before the call is sent again.

        Args:
            data: That of the error.
            dialect: The revision it came on.
            declared: What the client declared.
            target: What was called.

        Raises:
            InvalidRequest: There are none, or one is malformed, too big or not to be shown.
        """
        check_size(data, self.answerer.limits_for(self.server))
        came = Arrival(dialect=dialect.name)
        listed = decode_url_required(data, dialect)
        return tuple(self._admitted(request, came, target, declared) for request in listed)

    def _admitted(
        self, request: Request, came: Arrival, target: str | None, declared: Capability
    ) -> Asked:
        self.answerer.admit(request, self.server, declared)
        return Asked(request=request, arrival=came, target=target, declared=declared)


def _entry(key: str, entry: object) -> tuple[str, object]:
    if isinstance(entry, Mapping):
        found = cast("Raw", entry)
        method = found.get("method")
        if isinstance(method, str):
            return method, found.get("params")
    raise InvalidRequest(f"{key!r} is no request: it needs a method and params")


def _length(state: str | None) -> int | None:
    return None if state is None else len(state)

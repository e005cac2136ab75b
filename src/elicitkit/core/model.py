"""Requests, answers and who is behind them, as frozen values.

The same values serve all five dialects; codecs in ``elicitkit.wire`` turn plain dicts
into them and back. ``mode`` is the type of the request, so it is never left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, assert_never

from elicitkit.core.fields import RequestedSchema, Value

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def _nothing() -> Mapping[str, Any]:
    # One for all: nearly every request has neither, and an open question should weigh little.
    return _NOTHING


Mode: TypeAlias = Literal["form", "url"]
Action: TypeAlias = Literal["accept", "decline", "cancel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRequest:
    """Form mode: a message and the fields to fill in."""

    message: str
    schema: RequestedSchema
    meta: Mapping[str, Any] = field(default_factory=_nothing)
    """``_meta`` as it came; it never changes what a person sees (A67)."""
    extra: Mapping[str, Any] = field(default_factory=_nothing)
    """Params keys this version does not know, kept for a proxy."""

    @property
    def mode(self) -> Mode:
        return "form"


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRequest:
    """Url mode: a message and a URL to open outside the client, byte for byte as it came."""

    message: str
    url: str
    elicitation_id: str | None = None
    meta: Mapping[str, Any] = field(default_factory=_nothing)
    extra: Mapping[str, Any] = field(default_factory=_nothing)

    @property
    def mode(self) -> Mode:
        return "url"


Request: TypeAlias = FormRequest | UrlRequest


@dataclass(frozen=True, slots=True)
class Accept:
    """The person sent the form, or consented to the URL (then ``content`` is None)."""

    content: Mapping[str, Value] | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """The person said no."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """No decision. ``reason`` is local and never travels (see ``docs/answering.md``)."""

    reason: str = "dismissed"


Response: TypeAlias = Accept | Decline | Cancel


def action_of(response: Response) -> Action:
    """What an answer says, in one word."""
    match response:
        case Accept():
            return "accept"
        case Decline():
            return "decline"
        case Cancel():
            return "cancel"
        case _ as unreachable:
            assert_never(unreachable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The out-of-band interaction of a url elicitation has finished."""

    elicitation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionScope:
    """The elicitation belongs to a session, perhaps to one of its tool calls."""

    session_id: str
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestScope:
    """The elicitation belongs to a client request outside a session.

    ``request_id`` is None where the agent did not say which one (G20).
    """

    request_id: int | str | None


Scope: TypeAlias = SessionScope | RequestScope
"""What an elicitation of ACP belongs to; MCP has the originating request instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who asks, as the answering side knows it (G12)."""

    label: str
    """The name from the person's own configuration: the one to trust."""
    claimed: str | None = None
    """What the server calls itself; shown second and marked so."""
    request: str | None = None
    """What of ours the question belongs to, such as the tool that was called."""
    local: bool = False
    """Whether it runs on the person's own machine, whose loopback is then its own."""
    host: str | None = None
    """The host in ASCII that we are connected through, where there is one."""


@dataclass(frozen=True, slots=True)
class Capability:
    """The modes a client declared."""

    modes: frozenset[Mode] = frozenset()

    def __contains__(self, mode: object) -> bool:
        return mode in self.modes

    def only(self, allowed: frozenset[Mode]) -> Capability:
        """This capability without the modes outside ``allowed``; nothing is ever added."""
        return Capability(self.modes & allowed)

"""ACP elicitation messages of v1 and v2, as plain dicts.

Reads and writes params of ``elicitation/create`` with their scope, its result, the client
capability, and the notifications and errors around them. ACP leaves modes and actions open:
one that is not known here becomes a value of its own, which no surface can show and nobody
can take for a yes or a no (A24, A28). JSON-RPC envelopes, batches and ids belong to the
carriers, as does the choice between the readings of the v2 draft.

Spec: ACP elicitation and cancellation pages and schemas of v1 and v2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypeAlias, assert_never

from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest, InvalidResponse, UsageError
from elicitkit.core.model import (
    Cancel,
    Capability,
    FormRequest,
    Mode,
    RequestScope,
    Response,
    Scope,
    SessionScope,
    UrlRequest,
)
from elicitkit.core.schema import read, write
from elicitkit.wire.common import (
    Wire,
    as_object,
    decode_completion,
    decode_known,
    encode_completion,
    encode_response,
    object_of,
    string_in,
)

__all__ = [
    "CANCEL",
    "COMPLETE",
    "CREATE",
    "LEGACY",
    "REQUEST_CANCELLED",
    "AcpRequest",
    "UnknownAction",
    "UnknownModeRequest",
    "capability_in",
    "decode_cancel",
    "decode_capability",
    "decode_completion",
    "decode_request",
    "decode_response",
    "encode_cancel",
    "encode_capability",
    "encode_completion",
    "encode_request",
    "encode_response",
    "undeclared",
    "with_capability",
]

CREATE: Final = "elicitation/create"
COMPLETE: Final = "elicitation/complete"
CANCEL: Final = "$/cancel_request"
LEGACY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "session/elicitation": CREATE,
        "session/elicitation/create": CREATE,
        "session/create_elicitation": CREATE,
        "session/complete_elicitation": COMPLETE,
    }
)
"""Names of drafts, and what they are called today: to tell a peer, never to serve or send."""
REQUEST_CANCELLED: Final = -32800
"""The error that may answer a cancelled request (A64)."""

RequestId: TypeAlias = int | str

_MODES: Final[tuple[Mode, ...]] = ("form", "url")
_COMMON: Final = frozenset({"_meta", "mode", "message", "sessionId", "toolCallId", "requestId"})
_KNOWN: Final = _COMMON | {"requestedSchema", "url", "elicitationId"}
_MODE_SHOWN: Final = 40
"""How much of the name of an unknown mode goes into an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownModeRequest:
    """A request of a mode that is not known here: to be refused, or handed on as it came (A24)."""

    mode: str
    message: str
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Everything else but the scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcpRequest:
    """What is asked, and what it belongs to."""

    request: FormRequest | UrlRequest | UnknownModeRequest
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownAction:
    """An answer that is neither accept nor decline nor cancel, and is never read as one (A28)."""

    action: str
    raw: Mapping[str, Any] = field(repr=False)
    """The result as it came; it may hold what a person wrote."""


def decode_request(params: object, dialect: Dialect) -> AcpRequest:
    """The request in the params of ``elicitation/create``.

    Raises:
        InvalidRequest: It is malformed, or without mode or scope.
    """
    source = object_of(params, "params")
    message = string_in(source, "message")
    mode = source.get("mode")
    if not isinstance(mode, str):
        raise InvalidRequest(f"params.mode is required on {dialect.name}: {_any_of(_MODES)}")
    scope = _decode_scope(source, dialect)
    known = _KNOWN if mode in dialect.modes else _COMMON
    kept: Wire = {
        "message": message,
        "meta": as_object(source.get("_meta")),
        "extra": {key: value for key, value in source.items() if key not in known},
    }
    request: FormRequest | UrlRequest | UnknownModeRequest
    if mode not in dialect.modes:
        request = UnknownModeRequest(mode=mode, **kept)
    elif mode == "form":
        request = FormRequest(schema=read(source.get("requestedSchema"), dialect), **kept)
    else:
        request = UrlRequest(
            url=string_in(source, "url"), elicitation_id=string_in(source, "elicitationId"), **kept
        )
    return AcpRequest(request=request, scope=scope)


def encode_request(
    request: FormRequest | UrlRequest | UnknownModeRequest, scope: Scope, dialect: Dialect
) -> Wire:
    """The params of ``elicitation/create``.

    Raises:
        SchemaNotExpressible: The dialect cannot say all of the form.
        UsageError: A url request without an id, a scope without a request, or a request of a
            known mode that says it is of none.
    """
    known = _COMMON if isinstance(request, UnknownModeRequest) else _KNOWN
    params: Wire = {key: value for key, value in request.extra.items() if key not in known}
    if request.meta:
        params["_meta"] = dict(request.meta)
    params |= _encode_scope(scope)
    params |= {"mode": request.mode, "message": request.message}
    match request:
        case FormRequest():
            params["requestedSchema"] = write(request.schema, dialect)
        case UrlRequest():
            if request.elicitation_id is None:
                raise UsageError(f"a url request needs an elicitation id on {dialect.name}")
            params |= {"url": request.url, "elicitationId": request.elicitation_id}
        case UnknownModeRequest():
            _refuse_known(request.mode, dialect)
        case _ as unreachable:
            assert_never(unreachable)
    return params


def _refuse_known(mode: str, dialect: Dialect) -> None:
    if mode in dialect.modes:
        raise UsageError(f"{mode} mode is known: build its own request")


def _decode_scope(source: Mapping[str, Any], dialect: Dialect) -> Scope:
    # A scope of the wrong type is none, as in the schemas; the other one may still be there.
    found: list[Scope] = []
    session, call = source.get("sessionId"), source.get("toolCallId")
    if isinstance(session, str):
        known_call = call if isinstance(call, str) else None
        found.append(SessionScope(session_id=session, tool_call_id=known_call))
    id_ = _request_id(source.get("requestId"))
    if id_ is not None or (dialect.null_request_id and source.get("requestId", "") is None):
        found.append(RequestScope(request_id=id_))
    if not found:
        raise InvalidRequest("params need a scope: sessionId (a string) or requestId (that in use)")
    if len(found) > 1 and dialect.scope == "one":
        raise InvalidRequest(f"params name both scopes, and {dialect.name} takes exactly one")
    return found[0]  # the session, where there are both (G19)


def _encode_scope(scope: Scope) -> Wire:
    match scope:
        case SessionScope(session_id=session, tool_call_id=None):
            return {"sessionId": session}
        case SessionScope(session_id=session, tool_call_id=call):
            return {"sessionId": session, "toolCallId": call}
        case RequestScope(request_id=None):
            raise UsageError("a request scope needs the id of the client request in flight")
        case RequestScope(request_id=id_):
            return {"requestId": id_}
        case _ as unreachable:
            assert_never(unreachable)


def _request_id(raw: object) -> RequestId | None:
    """The id, or None where it is not one; 3.0 is the integer 3 (G10)."""
    if isinstance(raw, float) and raw.is_integer():
        return int(raw)
    return raw if isinstance(raw, int | str) and not isinstance(raw, bool) else None


def decode_response(result: object, dialect: Dialect) -> Response | UnknownAction:
    """The answer in a result of ``elicitation/create``.

    Content is not checked against any schema here, not even for its kinds of values.

    Raises:
        InvalidResponse: The action is no string, or accepted content is no object.
    """
    answer = decode_known(result)
    if answer is not None:
        return answer
    raw = as_object(result)
    action = raw.get("action")
    if not isinstance(action, str):
        raise InvalidResponse("the action of an answer is a string, such as accept")
    if dialect.unknown_action == "cancel":
        return Cancel("unknown_action")
    return UnknownAction(action=action, raw=raw)


def decode_capability(raw: object) -> Capability:
    """The modes that an ``elicitation`` capability declares: those with an object (A09, G40)."""
    declared = as_object(raw)
    return Capability(frozenset(mode for mode in _MODES if isinstance(declared.get(mode), Mapping)))


def encode_capability(capability: Capability) -> Wire | None:
    """The ``elicitation`` capability to declare, or None to leave it out."""
    return {mode: {} for mode in _MODES if mode in capability} or None


def capability_in(params: object, dialect: Dialect) -> Capability:
    """The modes that a client declares in the params of its ``initialize`` (A08)."""
    found = as_object(params)
    for key in dialect.capabilities:
        found = as_object(found.get(key))
    return decode_capability(found.get("elicitation"))


def with_capability(params: Mapping[str, Any], capability: Capability, dialect: Dialect) -> Wire:
    """The params of ``initialize``, declaring these modes and no others."""
    (key,) = dialect.capabilities
    others = {it: one for it, one in as_object(params.get(key)).items() if it != "elicitation"}
    declared = encode_capability(capability)
    return {**params, key: others if declared is None else {**others, "elicitation": declared}}


def decode_cancel(params: object) -> RequestId:
    """The id of the request that the params of ``$/cancel_request`` give up.

    Raises:
        InvalidRequest: It is missing or malformed, or null, which no request of ours has.
    """
    id_ = _request_id(object_of(params, "params").get("requestId"))
    if id_ is None:
        raise InvalidRequest("params.requestId must be the id of a request: an integer or a string")
    return id_


def encode_cancel(request_id: RequestId) -> Wire:
    """The params of ``$/cancel_request``, and the data of the error that may answer it."""
    return {"requestId": request_id}


def undeclared(request: UnknownModeRequest, declared: Capability) -> InvalidRequest:
    """The refusal of a mode that nobody could have declared (A50, G47)."""
    modes = sorted(declared.modes)
    return InvalidRequest(
        f"{request.mode[:_MODE_SHOWN]!r} mode was not declared; supported: {_any_of(modes)}",
        data={"supportedModes": modes},
    )


def _any_of(modes: tuple[str, ...] | list[Mode]) -> str:
    return ", ".join(modes) or "none"

"""MCP elicitation messages of the three revisions, as plain dicts.

Reads and writes params of ``elicitation/create``, its result, the client capability, the
completion notification and the errors around them. Keys this version does not know are
kept on requests, so that a proxy can hand them on. JSON-RPC envelopes, ``inputRequests``
maps and transports belong to the carriers.

Spec: MCP client/elicitation of 2025-06-18, 2025-11-25 and 2026-07-28; basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never, cast

from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest, InvalidResponse, UsageError
from elicitkit.core.model import Capability, FormRequest, Mode, Request, Response, UrlRequest
from elicitkit.core.schema import read, write
from elicitkit.wire.common import (
    Wire,
    decode_completion,
    decode_known,
    encode_completion,
    encode_response,
    object_of,
    string_in,
)

__all__ = [
    "COMPLETE",
    "CREATE",
    "Wire",
    "decode_capability",
    "decode_completion",
    "decode_request",
    "decode_response",
    "decode_url_required",
    "encode_capability",
    "encode_completion",
    "encode_request",
    "encode_response",
    "missing_capability",
]

CREATE: Final = "elicitation/create"
COMPLETE: Final = "notifications/elicitation/complete"
_MODES: Final[tuple[Mode, ...]] = ("form", "url")
_KNOWN: Final = frozenset({"_meta", "mode", "message", "requestedSchema", "url", "elicitationId"})


def decode_request(params: object, dialect: Dialect) -> Request:
    """The request in the params of ``elicitation/create``.

    Raises:
        InvalidRequest: It is malformed or of a mode that the revision does not have.
    """
    source = object_of(params, "params")
    message = source.get("message")
    if not isinstance(message, str):
        raise InvalidRequest("params.message must be a string")
    kept: Wire = {
        "message": message,
        "meta": object_of(source.get("_meta") or {}, "params._meta"),
        "extra": {key: value for key, value in source.items() if key not in _KNOWN},
    }
    # A missing mode is form, even where a url stands beside it (M13, G48).
    mode = source.get("mode", "form" if dialect.mode_key != "required" else None)
    if not isinstance(mode, str) or mode not in dialect.modes:
        known = ", ".join(sorted(dialect.modes))
        raise InvalidRequest(f"params.mode must be one of {known} on {dialect.name}")
    if mode == "form":
        return FormRequest(schema=read(source.get("requestedSchema"), dialect), **kept)
    return UrlRequest(
        url=string_in(source, "url"),
        elicitation_id=string_in(source, "elicitationId") if dialect.elicitation_id else None,
        **kept,
    )


def encode_request(request: Request, dialect: Dialect) -> Wire:
    """The params of ``elicitation/create``.

    Raises:
        SchemaNotExpressible: The dialect cannot say all of the form.
        UsageError: The dialect has no such mode.
    """
    if request.mode not in dialect.modes:
        raise UsageError(f"{dialect.name} has no {request.mode} mode")
    params: Wire = dict(request.extra)
    if request.meta and dialect.request_meta:
        params["_meta"] = dict(request.meta)
    if dialect.mode_key != "absent":
        params["mode"] = request.mode
    params["message"] = request.message
    match request:
        case FormRequest():
            params["requestedSchema"] = write(request.schema, dialect)
        case UrlRequest():
            params |= _url(request, dialect)
        case _ as unreachable:
            assert_never(unreachable)
    return params


def _url(request: UrlRequest, dialect: Dialect) -> Wire:
    if not dialect.elicitation_id:
        return {"url": request.url}
    if request.elicitation_id is None:
        raise UsageError(f"a url request needs an elicitation id on {dialect.name}")
    return {"url": request.url, "elicitationId": request.elicitation_id}


def decode_response(result: object) -> Response:
    """The answer in a result of ``elicitation/create``.

    Content is not checked against any schema here.

    Raises:
        InvalidResponse: The action is none of the three, or accepted content is no object.
    """
    answer = decode_known(result)
    if answer is None:
        raise InvalidResponse("the action of an answer is accept, decline or cancel")
    return answer


def decode_capability(raw: object, dialect: Dialect) -> Capability:
    """The modes that the client's ``elicitation`` capability declares.

    Only objects count (G40). An object that names neither mode is read as ``{}``.
    """
    if not isinstance(raw, Mapping):
        return Capability()
    declared = cast("Mapping[str, object]", raw)
    if len(dialect.modes) == 1 or not any(mode in declared for mode in _MODES):
        return Capability(dialect.empty_capability)
    return Capability(frozenset(mode for mode in _MODES if isinstance(declared.get(mode), Mapping)))


def encode_capability(capability: Capability, dialect: Dialect) -> Wire | None:
    """The ``elicitation`` capability to declare, or None to leave it out (M10)."""
    modes = [mode for mode in _MODES if mode in capability and mode in dialect.modes]
    if not modes:
        return None
    return {} if len(dialect.modes) == 1 else {mode: {} for mode in modes}


def decode_url_required(data: object, dialect: Dialect) -> tuple[UrlRequest, ...]:
    """The url requests in the data of a -32042 error (M28, M29, G34).

    Raises:
        InvalidRequest: The list is missing or empty, or an entry is not a url request.
    """
    listed = object_of(data, "error.data").get("elicitations")
    if not isinstance(listed, list) or not listed:
        raise InvalidRequest("error.data.elicitations must list url requests")
    requests = [decode_request(one, dialect) for one in cast("list[object]", listed)]
    found = tuple(one for one in requests if isinstance(one, UrlRequest))
    if len(found) != len(requests):
        raise InvalidRequest("error.data.elicitations may hold url requests only")
    return found


def missing_capability(mode: Mode) -> Wire:
    """The data of the error for a client that lacks a mode (M72)."""
    return {"requiredCapabilities": {"elicitation": {mode: {}}}}

"""The JSON-RPC messages of ACP, as plain dicts: what one is, and what to answer a broken one.

The SDK's connection trusts the shape of what it gets: an id that is a list or an error that
is a string ends its receive loop. So every message is read here first, and one that is
none is refused by a ``BadMessage``, which knows its answer. What a message means is not
looked at.

Spec: JSON-RPC 2.0 sections 4 to 6; ACP ``RequestId``; ACP v2 cancellation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias, cast

from elicitkit.core.errors import INVALID_PARAMS, PeerError

Message: TypeAlias = dict[str, Any]
"""A message, or a part of one, as JSON has it."""
RequestId: TypeAlias = int | str

CREATE: Final = "elicitation/create"
COMPLETE: Final = "elicitation/complete"
CANCEL: Final = "$/cancel_request"

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INTERNAL_ERROR: Final = -32603
REQUEST_CANCELLED: Final = -32800


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A request or notification of the peer."""

    raw: Message
    method: str
    id: RequestId | None
    """None for a notification, and for the requests of ACP v1 that have ``null`` for an id."""
    is_request: bool

    @property
    def params(self) -> object:
        return self.raw.get("params")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The peer's answer to a request of this side."""

    raw: Message
    id: RequestId | None


class BadMessage(PeerError):
    """A message that is none, or one that cannot be served; it is answered and forgotten."""

    code: ClassVar[int] = INVALID_REQUEST

    def __init__(
        self,
        message: str,
        *,
        to: RequestId | None = None,
        code: int = INVALID_REQUEST,
    ) -> None:
        self.answer: Final = failure(to, code, message)
        """What to send. Its id is null where the peer's cannot be told, or is in use."""
        super().__init__(message)


def request(id_: RequestId, method: str, params: Mapping[str, Any]) -> Message:
    """A request as it travels."""
    return {"id": id_, **notification(method, params)}


def notification(method: str, params: Mapping[str, Any]) -> Message:
    """A notification as it travels."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def success(id_: RequestId | None, result: object) -> Message:
    """An answer with a result as it travels."""
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def failure(
    id_: RequestId | None, code: int, message: str, data: Mapping[str, Any] | None = None
) -> Message:
    """An answer with an error as it travels."""
    error: Message = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": id_, "error": error}


def read(raw: object) -> Incoming | Answer | None:
    """Tell what a message is.

    Returns:
        None for what has the shape of an answer and no id that a request could have: nobody
        waits for it, and an answer must not be answered.

    Raises:
        BadMessage: It is no message.
    """
    if not isinstance(raw, dict):
        raise BadMessage("a message must be an object")
    message = cast("Message", raw)  # the keys of a JSON object are strings
    if "method" in message:
        return _read_incoming(message)
    if not message.keys() & {"id", "result", "error"}:
        raise BadMessage("a message needs a method, a result or an error")
    try:
        return Answer(raw=message, id=read_id(message["id"]))
    except (KeyError, BadMessage):
        return None


def read_id(value: object) -> RequestId | None:
    """Read an id: a string, an integer, or null.

    ``1.0`` is the integer 1, because JSON knows no difference; ``true`` is none, although
    Python thinks so.

    Raises:
        BadMessage: It is no id.
    """
    match value:
        case bool():
            pass
        case None | str() | int():
            return value
        case float() if value.is_integer():
            return int(value)
        case _:
            pass
    raise BadMessage("an id must be a string or an integer")


def params_of(incoming: Incoming) -> Message:
    """The params of a request, which must be an object.

    Raises:
        BadMessage: They are none; the code is -32602.
    """
    params = incoming.params
    if isinstance(params, dict):
        return cast("Message", params)  # the keys of a JSON object are strings
    raise BadMessage("params must be an object", to=incoming.id, code=INVALID_PARAMS)


def check_request(incoming: Incoming) -> RequestId:
    """Its id, where the envelope is that of a request.

    Raises:
        BadMessage: It is no request that could be answered.
    """
    if incoming.id is None:
        raise BadMessage(f"{incoming.method} is a request and needs an id")
    if incoming.raw.get("jsonrpc") != "2.0":
        raise BadMessage('jsonrpc must be "2.0"', to=incoming.id)
    return incoming.id


def check_notification(incoming: Incoming) -> None:
    """Refuse a notification that wants an answer.

    Raises:
        BadMessage: It has an id.
    """
    if incoming.is_request:
        raise BadMessage(f"{incoming.method} is a notification", to=incoming.id)


def _read_incoming(message: Message) -> Incoming:
    id_ = read_id(message.get("id"))
    method: object = message["method"]
    if not isinstance(method, str):
        raise BadMessage("a method must be a string", to=id_)
    return Incoming(raw=message, method=method, id=id_, is_request="id" in message)

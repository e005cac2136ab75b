"""What the messages of both protocols share, as plain dicts.

An answer, a completion, and the checks that every params object begins with. Whatever one
protocol does differently is in its own module, which knows nothing of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, assert_never, cast

from elicitkit.core.errors import InvalidRequest, InvalidResponse
from elicitkit.core.fields import Value
from elicitkit.core.model import Accept, Cancel, Completion, Decline, Response

Wire: TypeAlias = dict[str, Any]


def decode_known(result: object) -> Response | None:
    """The answer in a result, or None where its action is none of the three.

    ``content: null`` is absent (G08, A38), and content is not looked at beside another action
    than accept. It is not checked against any schema here.

    Raises:
        InvalidResponse: Accepted content is no object.
    """
    source = as_object(result)
    action = source.get("action")
    if action == "decline":
        return Decline()
    if action == "cancel":
        return Cancel()
    if action != "accept":
        return None
    content = source.get("content")
    if content is not None and not isinstance(content, Mapping):
        raise InvalidResponse("the content of an answer is an object")
    return Accept(cast("Mapping[str, Value] | None", content))


def encode_response(response: Response) -> Wire:
    """The result of ``elicitation/create``; the local reason of a cancel stays here."""
    match response:
        case Accept(content):
            return {"action": "accept"} | ({} if content is None else {"content": dict(content)})
        case Decline():
            return {"action": "decline"}
        case Cancel():
            return {"action": "cancel"}
        case _ as unreachable:
            assert_never(unreachable)


def decode_completion(params: object) -> Completion:
    """The completion in the params of its notification."""
    return Completion(elicitation_id=string_in(object_of(params, "params"), "elicitationId"))


def encode_completion(completion: Completion) -> Wire:
    """The params of its notification."""
    return {"elicitationId": completion.elicitation_id}


def as_object(raw: object) -> Mapping[str, Any]:
    """The object, or an empty one where it is something else."""
    return cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}


def object_of(raw: object, where: str) -> Mapping[str, Any]:
    """The object, which is named ``where`` in the error."""
    if not isinstance(raw, Mapping):
        raise InvalidRequest(f"{where} must be an object")
    return cast("Mapping[str, Any]", raw)


def string_in(source: Mapping[str, Any], key: str) -> str:
    """The string of params under a key."""
    value = source.get(key)
    if not isinstance(value, str):
        raise InvalidRequest(f"params.{key} must be a string")
    return value

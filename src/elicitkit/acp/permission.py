"""Permission for a tool call as a form: one choice among the options of the agent.

ACP asks for permission by a request of its own, which has no form. To a person it is a question
like any other, so it takes the same way: who asks is named, one dialog at a time, kept in the
audit. Which options there are and what they mean is the agent's.

Spec: ACP v1 and v2 tool calls, requesting permission.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from elicitkit.acp.messages import Message
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.fields import ChoiceField, Option, RequestedSchema
from elicitkit.core.model import Accept, Decline, FormRequest, Response
from elicitkit.i18n import catalog, language_from
from elicitkit.wire.common import as_object, object_of, string_in

REQUEST_PERMISSION: Final = "session/request_permission"
CANCELLED: Final[Message] = {"outcome": {"outcome": "cancelled"}}

_FIELD: Final = "option"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest(FormRequest):
    """A form that asks for permission; its one field is ``option``."""

    options: tuple[Mapping[str, object], ...]
    """As they came: ``optionId``, ``name``, ``kind``."""
    session_id: str
    tool_call_id: str | None


def permission_request(
    params: object, title_of: Callable[[str, str | None], str | None]
) -> PermissionRequest:
    """The form for the params of ``session/request_permission``.

    Args:
        params: As they came.
        title_of: What a tool call of a session was called before, which a request may leave out.

    Raises:
        InvalidRequest: They are malformed; a form could not show them.
    """
    source = object_of(params, "params")
    session = string_in(source, "sessionId")
    options = _options(source.get("options"))
    call = as_object(source.get("toolCall")).get("toolCallId")
    call = call if isinstance(call, str) else None
    field = ChoiceField(
        name=_FIELD,
        title=catalog(language_from(os.environ)).t("permission.option"),
        required=True,
        options=tuple(
            Option(string_in(one, "optionId"), string_in(one, "name")) for one in options
        ),
    )
    if len({one.const for one in field.options}) < len(options):
        raise InvalidRequest("params.options must differ by their optionId")
    return PermissionRequest(
        message=_message(source, title_of(session, call) or call),
        schema=RequestedSchema(fields=(field,)),
        options=options,
        session_id=session,
        tool_call_id=call,
    )


def permission_result(request: PermissionRequest, response: Response) -> Message:
    """The result to answer with.

    A decline is the person's "no", which ACP says by an option: the first one that rejects this
    once. Where there is none it is cancelled, as is whatever was no decision.
    """
    match response:
        case Accept(content):
            chosen = as_object(content)[_FIELD]
        case Decline():
            kinds = {one.get("kind"): one["optionId"] for one in reversed(request.options)}
            chosen = kinds.get("reject_once")
        case _:
            chosen = None
    if chosen is None:
        return CANCELLED
    return {"outcome": {"outcome": "selected", "optionId": chosen}}


def _options(raw: object) -> tuple[Mapping[str, object], ...]:
    if not isinstance(raw, list) or not raw:
        raise InvalidRequest("params.options must be a list of at least one option")
    return tuple(object_of(one, "an option") for one in cast("list[object]", raw))


def _message(source: Mapping[str, object], known: str | None) -> str:
    """What the agent says of it: v2 by texts of its own, v1 by its tool call."""
    title = source.get("title") or as_object(source.get("toolCall")).get("title") or known
    texts = (title, source.get("description"))
    return "\n\n".join(text for text in texts if isinstance(text, str))

"""``elicitation_callback``: the answerer as a bare callback of the SDK.

For clients and sessions that cannot be wrapped. A callback comes last in the SDK, so it
cannot do all that ``connect`` and ``wrap`` do: the SDK declares form and url mode for it
(M10), and a question that belongs to no call of ours looks like any other (M90); the SDK's
time limits run while a person thinks (G52); and the questions of a round are checked one by
one, when others may be on the screen already (G03). Of a URL that the person consents to,
nobody watches the page: no wait is shown, notices of completion are not heard, an error that
lists pages goes to the caller, and a URL that comes again in a later round is asked for
again, because nothing tells that it is the same call (G04). The manifest records each.

What stays the same is everything from the limits to the answer, which is the answerer's.
"""

from __future__ import annotations

from typing import Any

from mcp import ClientSession
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp_types import ElicitRequestParams, ElicitRequestURLParams, ElicitResult, ErrorData

from elicitkit.answering import Answerer, Arrival
from elicitkit.core.dialects import Dialect, dialect_of
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Cancel, Origin, Request, Response
from elicitkit.mcp.incoming import Reader
from elicitkit.wire.mcp import encode_response


def elicitation_callback(answerer: Answerer, *, name: str) -> ElicitationFnT:
    """A callback for ``mcp.Client`` or ``mcp.ClientSession`` that asks an answerer.

    Args:
        answerer: Answers the questions.
        name: What the person calls this server; shown as the one who asks (G12).
    """

    async def callback(
        context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult | ErrorData:
        try:
            response = await respond(answerer, name, context, params)
        except InvalidRequest as error:
            return ErrorData(code=error.code, message=str(error), data=error.data)
        return ElicitResult.model_validate(encode_response(response))

    return callback


async def respond(
    answerer: Answerer, name: str, context: ClientRequestContext, params: ElicitRequestParams
) -> Response:
    """The answer to one question that a callback got.

    Raises:
        InvalidRequest: It is malformed or too much, or its mode cannot be shown.
    """
    session: ClientSession = context.session
    dialect = dialect_of("mcp", session.protocol_version)
    if dialect is None:
        raise InvalidRequest(f"MCP {session.protocol_version} has no elicitation")
    server = session.server_info
    origin = Origin(label=name, claimed=None if server is None else server.name)
    live = dialect.delivery == "live"
    came = Arrival(dialect=dialect.name, request_id=context.request_id if live else None)
    request: Request | None = None
    try:
        request, _ = Reader(answerer=answerer, server=name).question(_raw(params), dialect)
        if not live and _declared_by_the_sdk(request, answerer, name, dialect):
            # An error would end the call and its other questions in the middle (SDK).
            return Cancel("unsupported_mode")
        answerer.admit(request, name)
    except InvalidRequest:
        answerer.refused(request, origin, came)
        raise
    return await answerer.answer(request, origin, arrival=came)


def _declared_by_the_sdk(request: Request, answerer: Answerer, name: str, dialect: Dialect) -> bool:
    """Whether the mode was declared, though it cannot be shown."""
    return request.mode in dialect.modes - answerer.modes_for(name)


def _raw(params: ElicitRequestParams) -> dict[str, Any]:
    raw = params.model_dump(mode="json", by_alias=True, exclude_unset=True)
    # Without a mode a question is a form, which a model of the other kind does not mean.
    return raw | {"mode": "url"} if isinstance(params, ElicitRequestURLParams) else raw

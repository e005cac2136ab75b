"""The rounds of one call on MCP 2026-07-28: answer what a result asks, and send the call again.

Every question of a round was checked when the result came in. They are asked one after
the other in the order of the map, each ends in an answer, and the retry carries all of
them with the state exactly as it came (M74, M75, G36). A round that only carries state is
repeated after a pause that grows.

Spec: MCP 2026-07-28 basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TypeVar

import anyio
from mcp import ClientSession, MCPError
from mcp.client.session import ClientRequestContext
from mcp_types import (
    ElicitResult,
    ErrorData,
    InputRequest,
    InputRequiredResult,
    InputResponse,
    InputResponses,
)

from elicitkit.core.errors import LimitExceeded
from elicitkit.core.model import Response
from elicitkit.mcp._sdk import Retry
from elicitkit.mcp.exchange import Exchange, last_round
from elicitkit.mcp.incoming import Asked, Round
from elicitkit.wire.mcp import encode_response

ResultT = TypeVar("ResultT")
Ask = Callable[[Asked, Round], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLimits:
    """How long a server may go on without a result."""

    rounds: int = 50
    """Rounds of one call that ask something."""
    pauses: tuple[float, ...] = (1, 2, 4, 8, 15)
    """Seconds before a round without a question is repeated; the last one stays."""
    idle: float = 900
    """Seconds that rounds without a question may take in a row."""

    def waits(self) -> Iterator[float]:
        """The pauses to take, until ``idle`` is used up."""
        left = self.idle
        for pause in chain(self.pauses, repeat(self.pauses[-1])):  # pragma: no branch  endless
            left -= pause
            if left < 0:
                return
            yield pause


async def run_rounds(
    first: ResultT | InputRequiredResult,
    retry: Retry[ResultT],
    *,
    session: ClientSession,
    exchange: Exchange,
    label: str,
    limits: RoundLimits,
) -> ResultT:
    """Go on from the first result of a call to its last.

    Raises:
        LimitExceeded: The server goes on asking, or goes on not answering.
        MCPError: The connection ended, or a callback of the client refused.
    """
    current = first
    asked, waits = 0, limits.waits()
    while isinstance(current, InputRequiredResult):
        responses: InputResponses | None = None
        if current.input_requests:
            asked, waits = asked + 1, limits.waits()
            if asked > limits.rounds:
                raise LimitExceeded(
                    f"{label!r} asked in more than {limits.rounds} rounds of one call; "
                    "raise max_rounds if that is meant"
                )
            responses = await _answer_all(current.input_requests, session, exchange.ask)
        else:
            pause = next(waits, None)
            if pause is None:
                raise LimitExceeded(
                    f"{label!r} let this call wait for {limits.idle:g} seconds without a question "
                    "or a result"
                )
            await anyio.sleep(pause)
        current = await retry(responses, current.request_state)
    return current


async def _answer_all(
    requests: dict[str, InputRequest], session: ClientSession, ask: Ask
) -> InputResponses:
    # Held here: a callback of the client may make calls of its own in this task.
    round_ = last_round()
    responses: InputResponses = {}
    for key, request in requests.items():
        asked = round_.questions.get(key)
        if asked is None:
            responses[key] = await _dispatch(key, request, session)
        else:
            response = await ask(asked, round_)
            responses[key] = ElicitResult.model_validate(encode_response(response))
    return responses


async def _dispatch(key: str, request: InputRequest, session: ClientSession) -> InputResponse:
    meta = request.params.meta if request.params else None
    context = ClientRequestContext(session=session, request_id=key, meta=meta)
    result = await session.dispatch_input_request(context, request)
    if isinstance(result, ErrorData):
        raise MCPError.from_error_data(result)
    return result

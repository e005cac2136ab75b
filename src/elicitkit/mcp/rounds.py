"""The rounds of one call on MCP 2026-07-28: answer what a result asks, and send the call again.

Every question of a round was checked when the result came in. They are asked one after
the other in the order of the map, each ends in an answer, and the retry carries all of
them with the state exactly as it came (M74, M75, G36). A round that only carries state is
repeated after a pause that grows, and so is one that only repeats URLs whose pages are open:
nothing tells this client that a page is completed but the result (G04).

Spec: MCP 2026-07-28 basic/patterns/mrtr.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
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
from elicitkit.core.model import Response, UrlRequest
from elicitkit.mcp._sdk import Retry
from elicitkit.mcp.exchange import Exchange, last_round
from elicitkit.mcp.incoming import Asked, Round
from elicitkit.wire.mcp import encode_response

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLimits:
    """How long a server may go on without a result."""

    rounds: int = 50
    """Rounds of one call that ask something."""
    pauses: tuple[float, ...] = (1, 2, 4, 8, 15)
    """Seconds before a round without a new question is repeated; the last one stays."""
    idle: float = 900
    """Seconds that rounds without a question may take in a row."""
    unattended: float = 600
    """Seconds without a sign of the person, after which a page that they opened is given up."""

    def steps(self) -> Iterator[float]:
        """The pauses, without an end."""
        return chain(self.pauses, repeat(self.pauses[-1]))

    def waits(self) -> Iterator[float]:
        """The pauses to take, until ``idle`` is used up."""
        left = self.idle
        for pause in self.steps():  # pragma: no branch  endless
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
        LimitExceeded: The server goes on asking, or goes on not answering, or the person is
            gone.
        NotAccepted: The person has given up a page while the call was in flight.
        MCPError: The connection ended, or a callback of the client refused.
    """
    rounds = _Rounds(session, exchange, label, limits)
    current = first
    with rounds.consents.of_call():
        while isinstance(current, InputRequiredResult):
            responses = await rounds.answer(current.input_requests)
            send = partial(retry, responses, current.request_state)
            current = await rounds.consents.unless_gone(send)
    return current


class _Rounds:
    """The rounds of one call."""

    def __init__(
        self, session: ClientSession, exchange: Exchange, label: str, limits: RoundLimits
    ) -> None:
        self.consents = exchange.consents()
        self._session = session
        self._exchange = exchange
        self._label = label
        self._limits = limits
        self._asked = 0
        self._waits = limits.waits()
        self._pauses = limits.steps()

    async def answer(self, requests: dict[str, InputRequest] | None) -> InputResponses | None:
        """What the retry carries, once it is time for it."""
        if not requests:
            await self._wait()
            return None
        # Held here: a callback of the client may make calls of its own in this task.
        round_ = last_round()
        repeated = self._is_repeated(requests, round_)
        if not repeated:
            self._count()
        self._waits = self._limits.waits()
        said = {key: await self._put(key, one, round_.get(key)) for key, one in requests.items()}
        if repeated:
            await self.consents.pause(next(self._pauses))
        # Only now: a page may be given up while another question is asked.
        return {
            key: _encoded(self.consents.answer(one.url)) if isinstance(one, UrlRequest) else one
            for key, one in said.items()
        }

    async def _wait(self) -> None:
        if self.consents.open:
            await self.consents.pause(next(self._pauses))
            return
        pause = next(self._waits, None)
        if pause is None:
            raise LimitExceeded(
                f"{self._label!r} let this call wait for {self._limits.idle:g} seconds without a "
                "question or a result"
            )
        await anyio.sleep(pause)

    def _is_repeated(self, requests: dict[str, InputRequest], round_: Round) -> bool:
        """Whether there is nothing to do but to wait for pages that are open."""
        asked = [one.request for one in round_.values()]
        urls = [
            one.url for one in asked if isinstance(one, UrlRequest) and one.url in self.consents
        ]
        return len(urls) == len(requests) and any(map(self.consents.waits_for, urls))

    def _count(self) -> None:
        self._asked += 1
        if self._asked > self._limits.rounds:
            raise LimitExceeded(
                f"{self._label!r} asked in more than {self._limits.rounds} rounds of one call; "
                "raise max_rounds if that is meant"
            )

    async def _put(
        self, key: str, request: InputRequest, asked: Asked | None
    ) -> InputResponse | UrlRequest:
        """The answer to one request, or the URL that was asked for, whose answer may change."""
        if asked is None:
            return await _dispatch(key, request, self._session)
        if isinstance(asked.request, UrlRequest):
            await self.consents.ask(asked, asked.request)
            return asked.request
        return _encoded(await self._exchange.ask(asked))


def _encoded(response: Response) -> ElicitResult:
    return ElicitResult.model_validate(encode_response(response))


async def _dispatch(key: str, request: InputRequest, session: ClientSession) -> InputResponse:
    meta = request.params.meta if request.params else None
    context = ClientRequestContext(session=session, request_id=key, meta=meta)
    result = await session.dispatch_input_request(context, request)
    if isinstance(result, ErrorData):
        raise MCPError.from_error_data(result)
    return result

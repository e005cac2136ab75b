"""``wrap``: an ``mcp.Client`` that somebody else built, made to answer.

It takes the same places in the client as ``elicitkit.mcp.connect``, which builds its own:
between session and transport, and at the rounds of MCP 2026-07-28. So it declares exactly
what can be shown, refuses what belongs to no call, and charges no time limit for a person's
time. What it cannot change is the transport, which is the caller's.

FastMCP's client has no such places: its sessions run before anybody gets hold of them, so
there is ``elicitkit.fastmcp.elicitation_handler``.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar, cast

from mcp import Client, ClientSession
from mcp.shared.dispatcher import Dispatcher
from mcp_types import InputRequiredResult

from elicitkit.answering import Answerer
from elicitkit.answering.config import Config
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Origin
from elicitkit.mcp._sdk import ResultT, Retry, take_seams
from elicitkit.mcp.exchange import Exchange
from elicitkit.mcp.rounds import RoundLimits, run_rounds

ClientT = TypeVar("ClientT", bound=Client)

_ROUNDS: Final = RoundLimits()


def wrap(
    client: ClientT,
    *,
    name: str,
    answerer: Answerer,
    config: Config | None = None,
    max_rounds: int = _ROUNDS.rounds,
    max_idle: float = _ROUNDS.idle,
    max_unattended: float = _ROUNDS.unattended,
    local: bool = False,
    host: str | None = None,
) -> ClientT:
    """Let a client that is not entered yet answer what its server asks.

    Args:
        client: The client; it is changed and returned.
        name: What the person calls this server; shown as the one who asks (G12).
        answerer: Answers the questions; what it can serve is what is declared.
        config: What the person allows this server.
        max_rounds: Rounds of one call that may ask something, on MCP 2026-07-28. It holds
            in place of the client's own limit.
        max_idle: Seconds that rounds which ask nothing may take in a row.
        max_unattended: Seconds without a sign of the person, after which a page that they
            opened is given up. While its wait is on their screen, there is no limit.
        local: The server runs on the machine of the person, whose URLs may lead there.
        host: The host that the client is connected through, where there is one.

    Raises:
        UsageError: The client is something else, is entered, or answers by itself.
    """
    _check(client)
    limits = RoundLimits(rounds=max_rounds, idle=max_idle, unattended=max_unattended)
    who = Origin(label=name, local=local, host=host)
    return answering(client, Seat(who, answerer, config=config, limits=limits))


class Seat:
    """An answerer at the seams of one client."""

    def __init__(
        self,
        who: Origin,
        answerer: Answerer,
        *,
        config: Config | None,
        limits: RoundLimits,
        offered: str | None = None,
    ) -> None:
        self._who = who
        self._answerer = answerer
        self._limits = limits
        self._offered = offered
        self._at: tuple[Exchange, ClientSession] | None = None
        if config is not None:
            answerer.narrow(who.label, config)

    def stand_before(self, dispatcher: Dispatcher[Any], session: ClientSession) -> Dispatcher[Any]:
        exchange = Exchange(
            dispatcher,
            session,
            answerer=self._answerer,
            who=self._who,
            offered=self._offered,
            unattended=self._limits.unattended,
        )
        self._at = exchange, session
        return exchange

    async def run_rounds(
        self, first: ResultT | InputRequiredResult, retry: Retry[ResultT]
    ) -> ResultT:
        exchange, session = cast("tuple[Exchange, ClientSession]", self._at)  # the session exists
        return await run_rounds(
            first,
            retry,
            session=session,
            exchange=exchange,
            label=self._who.label,
            limits=self._limits,
        )


def answering(client: ClientT, seat: Seat) -> ClientT:
    """Put a seat at the seams of a client."""
    take_seams(client, seat)
    return client


def _check(client: object) -> None:
    if not isinstance(client, Client):
        raise UsageError(
            f"wrap takes an mcp.Client, not {type(client).__name__}: a session takes "
            "elicitkit.mcp.elicitation_callback, and the client of FastMCP "
            "elicitkit.fastmcp.elicitation_handler"
        )
    if client.elicitation_callback is not None:
        raise UsageError(
            "this client has an elicitation_callback of its own: leave it out, the answerer answers"
        )
    if _entered(client):
        raise UsageError("wrap the client before it is entered: async with wrap(client, ...)")


def _entered(client: Client) -> bool:
    try:
        _ = client.session
    except RuntimeError:
        return False
    return True

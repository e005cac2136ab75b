"""A guest house that books a stay, and asks for what it does not know.

The tool reads like a conversation: a question is one line, a later question depends on an
earlier answer, and "no" is an answer like any other. Which revision of MCP the client
speaks makes no difference to it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, assert_never

from mcp.server.mcpserver import Context, MCPServer

from elicitkit.asking.ask import Ask
from elicitkit.core.errors import NotAccepted, SchemaNotExpressible
from elicitkit.core.outcome import Cancelled, Declined, Unavailable
from elicitkit.demo.forms import Bikes, Extras, ExtrasOneByOne, Guest, Stay
from elicitkit.demo.page import HouseRules, serving
from elicitkit.mcp.server import asks

RATES: Final = {"sea": 120, "garden": 90, "attic": 70}
BREAKFAST: Final = 12
SAUNA: Final = 25
BIKE: Final = 15
VOUCHER: Final = 10
BEDS: Final = {"single": 1, "double": 2, "twin": 2}
PATIENCE: Final = 900.0
"""Seconds in which a guest who went to read the house rules must agree."""


@asynccontextmanager
async def _house(_: MCPServer[HouseRules]) -> AsyncGenerator[HouseRules]:
    async with serving(asks.complete) as rules:
        yield rules


# The log of the SDK would stand between the lines of the conversation.
server: Final = MCPServer("Harbour House", log_level="WARNING", lifespan=_house)


@server.tool()
@asks
async def book_stay(ask: Ask, ctx: Context[HouseRules]) -> str:
    """Book a stay at Harbour House. Asks you for what it needs, and before it books."""
    try:
        return await _book(ask, ctx.request_context.lifespan_context)
    except NotAccepted as refused:
        match refused.outcome:
            case Declined():
                return "As you wish: nothing is booked, and nothing you wrote was kept."
            case Cancelled():
                return "Then not now: nothing is booked. Come back whenever you like."
            case Unavailable():
                raise
            case _:
                assert_never(refused.outcome)


async def _book(ask: Ask, rules: HouseRules) -> str:
    guest = await ask("Welcome to Harbour House! Who is coming to stay?", Guest)
    stay = await ask(f"Good to meet you, {guest.name}. When do you come?", Stay)
    extras = await _extras(ask)
    bikes = None
    if "bikes" in extras:
        bikes = await ask("Bikes, then. Which ones shall we keep for you?", Bikes)
    if "url" in ask.modes:
        # Consent opens the page; only its button says that the guest agrees.
        visit = await ask.visit("Please read our house rules, and agree to them there.", rules.url)
        await visit.wait(timeout=PATIENCE)
    total = _total(stay, extras, bikes) - (VOUCHER if guest.voucher else 0)
    nights = "1 night" if stay.nights == 1 else f"{stay.nights} nights"
    if not await ask.confirm(f"{nights} from {stay.arrival}, {total} euros in all. Book it?"):
        return "Nothing is booked. Come back whenever you like."
    leaving = stay.arrival + timedelta(days=stay.nights)
    lines = [f"Booked for {guest.name}: {stay.arrival} to {leaving}, {total} euros."]
    if stay.pick_up is not None:
        lines.append(f"We meet you at the station at {stay.pick_up:%H:%M}.")
    if stay.pets:
        lines.append("Your pet is welcome, too.")
    lines.append(f"The confirmation goes to {guest.email}.")
    return " ".join(lines)


async def _extras(ask: Ask) -> list[str]:
    message = "What may we add to your stay?"
    try:
        return (await ask(message, Extras, initial={"extras": ["breakfast"]})).extras
    except SchemaNotExpressible:
        one_by_one = await ask(message, ExtrasOneByOne, initial={"breakfast": True})
    return [name for name, wanted in one_by_one.model_dump().items() if wanted]


def _total(stay: Stay, extras: list[str], bikes: Bikes | None) -> int:
    a_night = RATES[stay.room]
    if "breakfast" in extras:
        a_night += BREAKFAST * BEDS[stay.beds]
    if bikes is not None:
        a_night += BIKE * bikes.count
    return a_night * stay.nights + (SAUNA if "sauna" in extras else 0)

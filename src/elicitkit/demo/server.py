"""A guest house that books a stay, and asks for what it does not know.

The tool reads like a conversation: a question is one line, a later question depends on an
earlier answer, and "no" is an answer like any other. Which revision of MCP the client
speaks makes no difference to it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, assert_never

from mcp.server.mcpserver import MCPServer

from elicitkit.asking.ask import Ask
from elicitkit.core.errors import NotAccepted, SchemaNotExpressible
from elicitkit.core.outcome import Cancelled, Declined, Unavailable
from elicitkit.demo.forms import Bikes, Extras, ExtrasOneByOne, Guest, Stay
from elicitkit.mcp.server import asks

RATES: Final = {"sea": 120, "garden": 90, "attic": 70}
BREAKFAST: Final = 12
SAUNA: Final = 25
BIKE: Final = 15
VOUCHER: Final = 10
BEDS: Final = {"single": 1, "double": 2, "twin": 2}

# The log of the SDK would stand between the lines of the conversation.
server: Final = MCPServer("Harbour House", log_level="WARNING")


@server.tool()
@asks
async def book_stay(ask: Ask) -> str:
    """Book a stay at Harbour House. Asks you for what it needs, and before it books."""
    try:
        return await _book(ask)
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


async def _book(ask: Ask) -> str:
    guest = await ask("Welcome to Harbour House! Who is coming to stay?", Guest)
    stay = await ask(f"Good to meet you, {guest.name}. When do you come?", Stay)
    extras = await _extras(ask)
    bikes = None
    if "bikes" in extras:
        bikes = await ask("Bikes, then. Which ones shall we keep for you?", Bikes)
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

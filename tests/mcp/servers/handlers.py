"""Handlers that ask, the same functions for every SDK, revision and transport."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any

import anyio
from pydantic import BaseModel

from elicitkit import Accepted, Ask, Cancelled, Declined, Question, Unavailable

Register = Callable[[Any], object]

reservations: Counter[str] = Counter()


class Trip(BaseModel):
    """When and how long."""

    nights: int
    sea: bool = False


def named(outcome: object) -> str:
    """An outcome as a word."""
    match outcome:
        case Accepted(value):
            return f"accepted {value}"
        case Declined():
            return "declined"
        case Cancelled(reason):
            return f"cancelled {reason}"
        case Unavailable(reason):
            return f"unavailable {reason}"
        case _:
            raise AssertionError(outcome)


async def one(ask: Ask) -> str:
    return f"{await ask('How many nights?', int)} nights"


async def row(city: str, ask: Ask) -> str:
    """Book a room."""
    trip = await ask(f"When do you go to {city}?", Trip)
    room = await ask.choose("Which room?", {"sea": "Sea view", "yard": "Courtyard"})
    return f"{city} {trip.nights} {trip.sea} {room}"


async def every(ask: Ask) -> str:
    city, nights = await ask.all(Question("Where to?", str), Question("How many nights?", int))
    return f"{city} {nights}"


async def tasks(ask: Ask) -> str:
    got: dict[str, object] = {}

    async def answer(message: str, form: Any) -> None:
        got[message] = await ask(message, form)

    async with anyio.create_task_group() as group:
        group.start_soon(answer, "Where to?", str)
        group.start_soon(answer, "How many nights?", int)
    return f"{got['Where to?']} {got['How many nights?']}"


async def once(tag: str, ask: Ask) -> str:
    async def reserve() -> int:
        reservations[tag] += 1
        return reservations[tag]

    await ask("Where to?", str)
    number = await ask.once("reserve", reserve, int)
    await ask("How many nights?", int)
    return f"reservation {number} of {reservations[tag]}"


async def confirm(ask: Ask) -> str:
    return "paid" if await ask.confirm("Pay?") else "not paid"


async def outcome(ask: Ask) -> str:
    return named(await ask.outcome("How many nights?", int))


async def fallback(ask: Ask) -> str:
    async def standard() -> int:
        return 7

    return f"{await ask('How many nights?', int, fallback=standard)} nights"


async def hurried(ask: Ask) -> str:
    return named(await ask.outcome("How many nights?", int, timeout=0.05))


async def swallowed(ask: Ask) -> str:
    try:
        return f"{await ask('How many nights?', int)} nights"
    except BaseException:
        return "booked anyway"


async def changing(ask: Ask) -> str:
    await ask(f"Offer {secrets.token_hex(4)}: how many nights?", int)
    return await ask("Where to?", str)


async def same_key(ask: Ask) -> str:
    await ask("How many nights?", int, key="k")
    return await ask("Where to?", str, key="k")


async def many(ask: Ask) -> str:
    return " ".join(await ask.choose_many("Which days?", ["mon", "tue"]))


async def grouped_mistake(ask: Ask) -> str:
    async with anyio.create_task_group() as group:
        group.start_soon(ask, "Enter your password", str)
    return "never"


TOOLS = {
    function.__name__: function
    for function in (
        one,
        row,
        every,
        tasks,
        once,
        confirm,
        outcome,
        fallback,
        hurried,
        swallowed,
        changing,
        same_key,
        many,
        grouped_mistake,
    )
}


async def guide(city: str, ask: Ask) -> str:
    """A prompt."""
    return f"{city} for {await ask('How many nights?', int)}"


async def rates(city: str, ask: Ask) -> str:
    """A resource template."""
    return f"{city} for {await ask('How many nights?', int)}"


async def today(ask: Ask) -> str:
    """A static resource."""
    return f"today for {await ask('How many nights?', int)}"

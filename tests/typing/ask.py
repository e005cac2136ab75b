"""What a type checker knows of every form of ``ask``; checked by pyright strict, never run."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Literal, assert_never, assert_type

from pydantic import AnyUrl, BaseModel, EmailStr, Field
from typing_extensions import TypedDict

from elicitkit import (
    Accepted,
    Ask,
    Cancelled,
    Choices,
    Declined,
    NotAccepted,
    Other,
    Outcome,
    Page,
    Question,
    Unavailable,
    Visit,
)
from elicitkit.core.fields import Value
from elicitkit.core.model import Mode
from elicitkit.mcp import asks


class Trip(BaseModel):
    day: date
    nights: int = 1


@dataclass
class Guest:
    name: str


class Seat(enum.Enum):
    WINDOW = "w"
    AISLE = "a"


class Address(TypedDict):
    street: str


Priority = Annotated[str, Choices({"low": "Can wait", "high": "Today"})]


async def every_kind_of_type(ask: Ask) -> None:
    assert_type(await ask("?", Trip), Trip)
    assert_type(await ask("?", Guest), Guest)
    assert_type(await ask("?", Address), Address)
    assert_type(await ask("?", Seat), Seat)
    assert_type(await ask("?", Literal["a", "b"]), Literal["a", "b"])
    assert_type(await ask("?", Literal[1, 2]), Literal[1, 2])
    assert_type(await ask("?", bool), bool)
    assert_type(await ask("?", int), int)
    assert_type(await ask("?", float), float)
    assert_type(await ask("?", str), str)
    assert_type(await ask("?", date), date)
    assert_type(await ask("?", datetime), datetime)
    assert_type(await ask("?", EmailStr), EmailStr)
    assert_type(await ask("?", AnyUrl), AnyUrl)
    assert_type(await ask("?", list[Seat]), list[Seat])
    assert_type(await ask("?", list[Literal["a", "b"]]), list[Literal["a", "b"]])
    assert_type(await ask("?", int | None), int | None)
    assert_type(await ask("?", Seat | None), Seat | None)
    assert_type(await ask("?", Annotated[int, Field(ge=1)]), int)
    assert_type(await ask("?", Priority), str)
    assert_type(await ask("?", list[Priority]), list[str])


async def all_four_outcomes(ask: Ask) -> Trip | None:
    outcome = await ask.outcome("?", Trip)
    assert_type(outcome, Outcome[Trip])
    match outcome:
        case Accepted(trip):
            assert_type(trip, Trip)
            return trip
        case Declined():
            return None
        case Cancelled(reason):
            assert_type(reason, str)
        case Unavailable(reason):
            assert_type(reason, str)
        case _:
            assert_never(outcome)
    return None


async def an_outcome_of_a_union(ask: Ask) -> None:
    assert_type(await ask.outcome("?", int | None), Outcome[int | None])
    assert_type(await ask.outcome("?", list[Seat]), Outcome[list[Seat]])


async def choices(ask: Ask) -> None:
    assert_type(await ask.choose("?", {"sea": "Sea view", "yard": "Courtyard"}), str)
    assert_type(await ask.choose("?", {1: "One", 2: "Two"}), int)
    assert_type(await ask.choose("?", {Seat.WINDOW: "Window"}), Seat)
    assert_type(await ask.choose("?", ["a", "b"]), str)
    guests = [Guest("Mona")]
    assert_type(await ask.choose("?", guests, label=lambda guest: guest.name), Guest)
    assert_type(await ask.choose("?", {1: "One"}, other=True), int | Other)
    assert_type(await ask.choose("?", {1: "One"}, other=False), int)
    assert_type(await ask.choose("?", ["a", "b"], other=True), str | Other)
    assert_type(await ask.choose("?", guests, label=lambda it: it.name, other=True), Guest | Other)
    match await ask.choose("?", {"sea": "Sea view"}, other=True):
        case Other(text):
            assert_type(text, str)
        case key:
            assert_type(key, str)
    assert_type(await ask.choose_many("?", {"sea": "Sea view"}, at_least=1), list[str])
    assert_type(
        await ask.choose_many("?", guests, label=lambda it: it.name, at_most=2), list[Guest]
    )


async def several_at_once(ask: Ask) -> None:
    one, two = Question("1", Trip), Question("2", bool)
    three, four = Question("3", Seat), Question("4", int | None)
    assert_type(one, Question[Trip])
    assert_type(await ask.all(one, two), tuple[Trip, bool])
    assert_type(await ask.all(one, two, three), tuple[Trip, bool, Seat])
    assert_type(await ask.all(one, two, three, four), tuple[Trip, bool, Seat, int | None])
    assert_type(await ask.all(*[one, one]), tuple[Trip, ...])


async def the_others(ask: Ask) -> None:
    async def charge() -> int:
        return 1

    assert_type(await ask.confirm("?"), bool)
    assert_type(await ask.once("charge", charge, int), int)
    assert_type(await ask.raw("?", {"type": "object", "properties": {}}), dict[str, Value])
    assert_type(ask.modes, frozenset[Mode])


async def pages(ask: Ask) -> None:
    visit = await ask.visit("?", "https://a.example/", timeout=60, key="in")
    assert_type(visit, Visit)
    assert_type(visit.url, str)
    assert_type(await visit.complete(), bool)
    assert_type(await visit.wait(timeout=5), None)
    made = await ask.visit("?", lambda id: f"https://a.example/{id.upper()}", elicitation_id="x")
    assert_type(made.elicitation_id, str)
    assert_type(await ask.require(Page("?", "https://a.example/", key="in")), tuple[Visit, ...])
    assert_type(await ask.require(), tuple[Visit, ...])
    assert_type(await asks.complete("x"), bool)


async def terms(ask: Ask) -> None:
    async def plan_b() -> Trip:
        return Trip(day=date(2026, 3, 4))

    async def yes() -> bool:
        return True

    trip = await ask(
        "?",
        Trip,
        initial={"nights": 2},
        key="trip",
        timeout=60,
        fallback=plan_b,
        allow_urls=("day",),
        allow_sensitive=("nights",),
    )
    assert_type(trip, Trip)
    assert_type(await ask.outcome("?", Trip, fallback=plan_b), Outcome[Trip])
    assert_type(await ask.confirm("?", fallback=yes, timeout=None), bool)
    assert_type(Question("?", Trip, fallback=plan_b), Question[Trip])


@asks
async def book(city: str, nights: int = 1, *, ask: Ask) -> str:
    """A handler keeps its parameters and its result."""
    return city * nights if await ask.confirm("?") else ""


async def the_decorated_handler_itself() -> None:
    assert_type(await book("Rome", ask=Ask.scripted(True)), str)
    assert_type(await book("Rome", 2, ask=Ask.scripted(True)), str)
    assert_type(Ask.scripted(Trip(day=date(2026, 3, 4)), Declined()), Ask)


async def what_is_raised(ask: Ask) -> str:
    try:
        return await ask("?", str)
    except NotAccepted as refused:
        match refused.outcome:
            case Declined():
                return "no"
            case Cancelled(reason) | Unavailable(reason):
                assert_type(refused.mode, Mode)
                return reason
            case _ as unreachable:
                assert_never(unreachable)

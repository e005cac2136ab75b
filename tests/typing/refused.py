"""What a type checker must refuse; every line marked so is an error of exactly that rule.

Pyright is told to report a mark without an error, so this file is clean only as long as
each of its errors is there. It is never run.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from typing import assert_never

from pydantic import BaseModel

from elicitkit import Accepted, Ask, Cancelled, Declined, Question, Unavailable
from elicitkit.mcp import asks


class Trip(BaseModel):
    nights: int


class Seat(BaseModel):
    row: int


async def a_match_that_forgets_an_outcome(ask: Ask) -> None:
    outcome = await ask.outcome("?", Trip)
    match outcome:
        case Accepted() | Declined() | Cancelled():
            pass
        case _:
            assert_never(outcome)  # pyright: ignore[reportArgumentType] Unavailable is left


async def a_match_that_forgets_decline(ask: Ask) -> str:  # pyright: ignore[reportReturnType] falls through
    match await ask.outcome("?", Trip):  # pyright: ignore[reportMatchNotExhaustive] Declined is left
        case Accepted(trip):
            return str(trip.nights)
        case Cancelled(reason) | Unavailable(reason):
            return reason


async def an_outcome_as_a_condition(ask: Ask) -> None:
    if await ask.outcome("?", Trip):  # pyright: ignore[reportGeneralTypeIssues] no truth value
        pass


async def a_value_without_its_case(ask: Ask) -> None:
    outcome = await ask.outcome("?", Trip)
    print(outcome.value)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType] not accepted


async def seat() -> Seat:
    return Seat(row=1)


def at_once() -> Trip:
    return Trip(nights=1)


async def a_fallback_of_another_type(ask: Ask) -> None:
    trip: Trip = await ask("?", Trip, fallback=seat)  # pyright: ignore[reportAssignmentType] or a Seat
    await ask.confirm("?", fallback=seat)  # pyright: ignore[reportArgumentType] no bool
    await ask("?", Trip, fallback=at_once)  # pyright: ignore[reportArgumentType] not async
    assert trip


async def a_result_of_another_type(ask: Ask) -> None:
    wrong: Seat = await ask("?", Trip)  # pyright: ignore[reportAssignmentType] a Trip
    pair: tuple[Seat, Trip] = await ask.all(Question("?", Trip), Question("?", Seat))  # pyright: ignore[reportAssignmentType] the other way round
    print(pair)
    assert wrong


async def an_answer_of_ones_own_that_is_forgotten(ask: Ask) -> None:
    room: str = await ask.choose("?", {"sea": "Sea view"}, other=True)  # pyright: ignore[reportAssignmentType] or Other
    await ask.choose_many("?", ["a"], other=True)  # pyright: ignore[reportCallIssue] for one choice
    assert room


async def an_unknown_term(ask: Ask) -> None:
    await ask("?", Trip, time_out=3)  # pyright: ignore[reportCallIssue] no such keyword
    await ask.confirm("?", timeout="soon")  # pyright: ignore[reportArgumentType] seconds


async def a_form_in_place_of_a_page(ask: Ask) -> None:
    await ask.visit("?", "https://a.example/", fallback=seat)  # pyright: ignore[reportCallIssue] never (A34)
    await ask.visit("?", lambda: "https://a.example/")  # pyright: ignore[reportArgumentType] takes the id
    await ask.require("https://a.example/")  # pyright: ignore[reportArgumentType] no page


async def a_message_that_is_forgotten(ask: Ask) -> None:
    await ask(Trip)  # pyright: ignore[reportCallIssue] no message


@asks
async def book(city: str, ask: Ask) -> str:
    return city


async def a_handler_called_with_the_wrong_arguments() -> None:
    await book(7, ask=Ask.scripted())  # pyright: ignore[reportArgumentType] city is text
    await book("Rome")  # pyright: ignore[reportCallIssue] no ask
    number: int = await book("Rome", ask=Ask.scripted())  # pyright: ignore[reportAssignmentType] text
    assert number


@asks  # pyright: ignore[reportArgumentType] a handler that asks is async
def sync(city: str, ask: Ask) -> str:
    return city

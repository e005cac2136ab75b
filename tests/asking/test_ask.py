"""What an author writes: every form of ask over every outcome, on a connection."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, field_validator

from elicitkit import (
    Accepted,
    Ask,
    Cancelled,
    ClickableUrl,
    Declined,
    InvalidResponse,
    NotAccepted,
    Question,
    SchemaNotExpressible,
    SensitiveField,
    Unavailable,
    UsageError,
)
from elicitkit.asking.call import Call
from elicitkit.core.dialects import MCP_2025_06_18
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Response
from elicitkit.core.ports import Undeliverable
from tests.asking.doubles import FakeDelivery, live

pytestmark = pytest.mark.anyio

NO = [
    (Decline(), Declined()),
    (Cancel("dismissed"), Cancelled("dismissed")),
    (Cancel("disconnected"), Cancelled("disconnected")),
    (Undeliverable("no_back_channel"), Unavailable("no_back_channel")),
]


class Trip(BaseModel):
    nights: int
    sea: bool = False

    @field_validator("nights")
    @classmethod
    def no_thirteen(cls, nights: int) -> int:
        if nights == 13:
            raise ValueError("not thirteen")
        return nights


class Seat(Enum):
    WINDOW = 1
    AISLE = 2


def accept(**content: Any) -> Response:
    return Accept(content)


@pytest.mark.requirement("M42")
@pytest.mark.parametrize(("answer", "outcome"), NO)
async def test_the_short_form_raises_for_everything_but_accept(
    answer: Response | Exception, outcome: Any
) -> None:
    ask, _ = live(answer)
    with pytest.raises(NotAccepted) as refused:
        await ask("When?", Trip)
    assert refused.value.outcome == outcome
    assert refused.value.question == "When?"


@pytest.mark.requirement("M42")
@pytest.mark.parametrize(("answer", "outcome"), NO)
async def test_outcome_names_them(answer: Response | Exception, outcome: Any) -> None:
    ask, _ = live(answer)
    assert await ask.outcome("When?", Trip) == outcome


async def test_accept_gives_the_typed_value() -> None:
    ask, delivery = live(accept(nights=2), accept(nights=3, sea=True))
    assert await ask("When?", Trip) == Trip(nights=2)
    assert await ask.outcome("When?", Trip) == Accepted(Trip(nights=3, sea=True))
    request = delivery.asked[0]
    assert isinstance(request, FormRequest)
    assert [one.name for one in request.schema.fields] == ["nights", "sea"]


@pytest.mark.requirement("G05", "M62")
async def test_a_validator_of_the_type_asks_again_with_its_words() -> None:
    ask, delivery = live(accept(nights=13), accept(nights=2))
    assert (await ask("When?", Trip)).nights == 2
    assert delivery.asked[1].message == "When?\n\nPlease correct:\n- Nights: not thirteen"
    assert delivery.keys[0] == delivery.keys[1]


@pytest.mark.requirement("G05")
async def test_an_error_of_no_field_is_told_as_well() -> None:
    ask, delivery = live(Accept({"nights": "x"}), Accept(None), accept(nights=2))
    await ask("When?", Trip)
    assert "Nights: This must be a whole number." in delivery.asked[1].message
    assert "Nights: An answer is needed." in delivery.asked[2].message


async def test_a_validator_over_the_whole_form_is_told_without_a_field() -> None:
    @dataclass
    class Pair:
        a: int
        b: int

        def __post_init__(self) -> None:
            if self.a > self.b:
                raise ValueError("a must not be above b")

    ask, delivery = live(accept(a=2, b=1), accept(a=1, b=2))
    assert await ask("Range?", Pair) == Pair(1, 2)
    assert delivery.asked[1].message == "Range?\n\nPlease correct:\n- a must not be above b"


@pytest.mark.requirement("G05")
async def test_after_three_tries_the_answer_is_given_up() -> None:
    ask, delivery = live(*[accept(nights="x")] * 3)
    with pytest.raises(NotAccepted) as refused:
        await ask("When?", Trip)
    assert refused.value.outcome == Cancelled("invalid_answer")
    assert len(delivery.asked) == 3


@pytest.mark.requirement("G07")
async def test_an_accept_without_content_is_an_empty_form() -> None:
    @dataclass
    class Nothing:
        note: str | None = None

    ask, _ = live(Accept(None))
    assert await ask("Anything?", Nothing) == Nothing(None)


async def test_confirm_is_a_bool_and_to_decline_is_a_no() -> None:
    ask, _ = live(accept(value=True), accept(value=False), Decline())
    assert [await ask.confirm("Pay?") for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize(("answer", "outcome"), NO[1:])
async def test_confirm_raises_where_nobody_decided(
    answer: Response | Exception, outcome: Any
) -> None:
    ask, _ = live(answer)
    with pytest.raises(NotAccepted) as refused:
        await ask.confirm("Pay?")
    assert refused.value.outcome == outcome


async def test_choose_gives_the_key_behind_the_title() -> None:
    ask, delivery = live(accept(value="2"))
    assert await ask.choose("Which?", {1: "One", 2: "Two"}) == 2
    request = delivery.asked[0]
    assert isinstance(request, FormRequest)
    (one,) = request.schema.fields
    assert [(o.const, o.title) for o in one.options] == [("1", "One"), ("2", "Two")]


async def test_choose_gives_the_item_itself() -> None:
    ask, _ = live(accept(value="b"), accept(value="1"))
    assert await ask.choose("Which?", ["a", "b"]) == "b"
    assert await ask.choose("Which?", list(Seat), label=lambda one: one.name) is Seat.AISLE


async def test_choose_many_gives_the_items_within_bounds() -> None:
    ask, delivery = live(accept(value=[]), accept(value=["1"]))
    many = await ask.choose_many("Which?", list(Seat), label=lambda one: one.name, at_least=1)
    assert many == [Seat.AISLE]
    assert len(delivery.asked) == 2


async def test_a_choice_of_nothing_or_of_equal_texts_is_refused() -> None:
    ask, _ = live()
    with pytest.raises(UsageError, match="at least one option"):
        await ask.choose("Which?", [])
    with pytest.raises(UsageError, match="same text"):
        await ask.choose("Which?", {1: "One", "1": "Uno"})


async def test_an_enum_comes_back_as_its_member() -> None:
    ask, _ = live(accept(value="1"))
    assert await ask("Which?", Seat) is Seat.WINDOW


async def test_raw_gives_the_content_of_a_schema_of_ones_own() -> None:
    ask, _ = live(accept(n=3, other="dropped"))
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert await ask.raw("How many?", schema) == {"n": 3}


@pytest.mark.requirement("M15")
async def test_raw_refuses_what_the_dialect_cannot_say() -> None:
    many = {
        "type": "object",
        "properties": {"m": {"type": "array", "items": {"type": "string", "enum": ["a"]}}},
    }
    nested = {"type": "object", "properties": {"n": {"type": "object"}}}
    ask, delivery = live(dialect=MCP_2025_06_18)
    for schema in (many, nested):
        with pytest.raises(SchemaNotExpressible):
            await ask.raw("How many?", schema)
    assert delivery.asked == []


async def test_initial_values_are_the_defaults_of_this_one_question() -> None:
    ask, delivery = live(accept(nights=2), accept(nights=2))
    await ask("When?", Trip, initial={"nights": 5})
    await ask("When?", Trip)
    first, second = (one.schema.fields[0] for one in delivery.asked)
    assert first.default == 5
    assert second.default is not first.default


async def test_all_gives_a_tuple() -> None:
    ask, _ = live(accept(value="x"), accept(value=2))
    assert await ask.all(Question("A?", str), Question("B?", int, initial=3)) == ("x", 2)


async def test_all_keeps_the_outcomes_of_the_others_on_the_error() -> None:
    ask, _ = live(accept(value="x"), Decline(), Cancel("dismissed"))
    with pytest.raises(NotAccepted) as refused:
        await ask.all(Question("A?", str), Question("B?", int), Question("C?", int))
    assert refused.value.question == "B?"
    assert refused.value.outcome == Declined()
    assert refused.value.others == (Accepted("x"), Declined(), Cancelled("dismissed"))


@pytest.mark.requirement("M11")
async def test_without_the_capability_nothing_is_sent() -> None:
    ask, delivery = live(modes=frozenset({"url"}))
    assert await ask.outcome("When?", Trip) == Unavailable("not_declared")
    assert delivery.asked == []
    assert ask.modes == {"url"}


@pytest.mark.requirement("G41")
@pytest.mark.case("089-client-without-capability-fallback")
async def test_a_fallback_stands_in_only_where_nobody_can_be_asked() -> None:
    async def fallback() -> str:
        return "standard"

    ask, delivery = live(modes=frozenset())
    assert await ask("Room?", str, fallback=fallback) == "standard"
    assert await ask.outcome("Room?", str, fallback=fallback) == Accepted("standard")
    assert await ask.all(Question("Room?", str, fallback=fallback)) == ("standard",)
    assert delivery.asked == []

    refused, _ = live(Undeliverable("client_refused"), Decline())
    assert await refused("Room?", str, fallback=fallback) == "standard"
    assert await refused.outcome("Room?", str, fallback=fallback) == Declined()


async def test_a_timeout_is_the_questions_own_or_the_calls() -> None:
    delivery = FakeDelivery(accept(value="x"), accept(value="x"))
    ask = Ask(Call(delivery=delivery, timeout=30))
    await ask("A?", str)
    await ask("B?", str, timeout=5)
    assert delivery.timeouts == [30, 5]


async def test_a_broken_answer_is_the_clients_fault() -> None:
    ask, _ = live(InvalidResponse("broken"))
    with pytest.raises(InvalidResponse):
        await ask("A?", str)


@pytest.mark.requirement("M01", "M02")
@pytest.mark.case("166-secret-words-in-form")
async def test_a_form_that_asks_for_a_secret_never_leaves() -> None:
    class Login(BaseModel):
        password: str

    ask, delivery = live(accept(password="x"))
    with pytest.raises(SensitiveField, match="url mode"):
        await ask("Log in", Login)
    with pytest.raises(SensitiveField):
        await ask("Enter your password", str)
    assert delivery.asked == []
    assert await ask("Log in", Login, allow_sensitive=("password",)) == Login(password="x")


@pytest.mark.requirement("G30", "M01")
async def test_2025_06_18_forbids_more_than_credentials() -> None:
    class Person(BaseModel):
        passport_number: str

    ask, delivery = live(accept(passport_number="x"), dialect=MCP_2025_06_18)
    with pytest.raises(SensitiveField):
        await ask("Who?", Person)
    assert delivery.asked == []
    later, _ = live(accept(passport_number="x"))
    assert (await later("Who?", Person)).passport_number == "x"


@pytest.mark.requirement("M51")
async def test_a_form_with_a_link_never_leaves() -> None:
    class Visit(BaseModel):
        model_config = {"json_schema_extra": {}}
        note: str = "see https://evil.example"

    ask, delivery = live(accept(value="x"))
    with pytest.raises(ClickableUrl):
        await ask("Go to https://evil.example and come back", str)
    with pytest.raises(ClickableUrl):
        await ask("Which?", Visit)
    assert delivery.asked == []
    assert await ask("See https://docs.example", str, allow_urls=("message",)) == "x"


def test_an_ask_in_a_tools_arguments_tells_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="needs @asks directly on it"):
        TypeAdapter(Ask)


async def test_a_live_ask_has_nothing_unused() -> None:
    ask, _ = live()
    ask.refuse_unused()

"""Answers from a script: a handler's tests need no protocol."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

import pytest
from pydantic import BaseModel

from elicitkit import Accepted, Ask, Cancelled, Declined, Question, Unavailable, UsageError
from elicitkit.asking.scripted import Script
from elicitkit.core.fields import RequestedSchema
from elicitkit.core.model import Accept, FormRequest

pytestmark = pytest.mark.anyio


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Order(BaseModel):
    size: Size
    sauces: list[Literal["hot", "mild"]] = []
    note: str | None = None


@dataclass
class Pair:
    a: int
    b: int


async def test_values_are_answered_in_order_as_their_types() -> None:
    order = Order(size=Size.LARGE, sauces=["hot"])
    ask = Ask.scripted(
        order, 3, "text", Pair(1, 2), Size.SMALL, True, "yard", ["b"], {"n": 1}, Accepted(4)
    )
    assert await ask("Order?", Order) == order
    assert await ask("How many?", int) == 3
    assert await ask("Text?", str) == "text"
    assert await ask("Pair?", Pair) == Pair(1, 2)
    assert await ask("Size?", Size) is Size.SMALL
    assert await ask.confirm("Pay?") is True
    assert await ask.choose("Room?", {"sea": "Sea", "yard": "Yard"}) == "yard"
    assert await ask.choose_many("Which?", ["a", "b"]) == ["b"]
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    assert await ask.raw("Raw?", schema) == {"n": 1}
    assert await ask("Accepted?", int) == 4
    ask.refuse_unused()


async def test_a_list_of_an_enum_is_scripted_by_members() -> None:
    ask = Ask.scripted([Size.SMALL])
    assert await ask("Sizes?", list[Size]) == [Size.SMALL]


async def test_outcomes_are_scripted_as_themselves() -> None:
    ask = Ask.scripted(Declined(), Cancelled("timed_out"), Unavailable("no_back_channel"))
    assert await ask.outcome("A?", str) == Declined()
    assert await ask.outcome("B?", str) == Cancelled("timed_out")
    assert await ask.outcome("C?", str) == Unavailable("no_back_channel")


async def test_all_takes_one_answer_a_question() -> None:
    ask = Ask.scripted("x", 2)
    assert await ask.all(Question("A?", str), Question("B?", int)) == ("x", 2)


async def test_a_missing_answer_fails() -> None:
    with pytest.raises(AssertionError, match="no answer left for 'A\\?'"):
        await Ask.scripted()("A?", str)


async def test_an_answer_that_does_not_fit_fails_where_a_client_would() -> None:
    with pytest.raises(AssertionError, match="does not fit its question"):
        await Ask.scripted("many")("How many?", int)


async def test_an_option_that_is_not_there_fails() -> None:
    with pytest.raises(UsageError, match="not one of the options"):
        await Ask.scripted("attic").choose("Room?", ["sea", "yard"])


async def test_unused_answers_fail_and_only_their_type_is_told() -> None:
    ask = Ask.scripted("hidden", "more")
    with pytest.raises(AssertionError, match=r"2 scripted answer\(s\).*first str") as error:
        ask.refuse_unused()
    assert "hidden" not in str(error.value)


async def test_without_a_form_a_value_has_no_content() -> None:
    script = Script(["x"])
    request = FormRequest(message="A?", schema=RequestedSchema(fields=()))
    assert await script.deliver("k", request) == Accept(None)

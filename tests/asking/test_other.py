"""A choice that takes an answer of one's own, as an author asks for it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from elicitkit import Ask, Choices, Declined, NotAccepted, Other, Question
from elicitkit.asking.call import Call
from elicitkit.core.dialects import ACP_V2_STRICT, DIALECTS, MCP_2026_07_28, Dialect
from elicitkit.core.fields import UNSET
from elicitkit.core.form import Form
from elicitkit.core.model import Accept, Decline, FormRequest, Request, Response
from elicitkit.core.schema import read, write
from tests.asking.doubles import Caller, FakeDelivery, live
from tests.core.strict_schema import require_strict

pytestmark = pytest.mark.anyio

ROOMS = {"sea": "Sea view", "yard": "Courtyard"}
DIALECT = pytest.mark.parametrize(
    "dialect", [*DIALECTS.values(), ACP_V2_STRICT], ids=[*DIALECTS, "acp-v2-strict"]
)
ANSWERS = [
    ({"value": "yard"}, "yard"),
    ({"value": "yard", "value_custom": ""}, "yard"),
    ({"value": "yard", "value_custom": " \n"}, "yard"),
    ({"value_custom": " the attic "}, Other(" the attic ")),
    ({"value": "sea", "value_custom": "the attic"}, Other("the attic")),
    ({"value_custom": "sea"}, Other("sea")),
]


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Room(BaseModel):
    wall: Annotated[str, Choices({"red": "Red", "blue": "Blue"}, other=True)]
    floor: Annotated[str, Choices({"oak": "Oak", "cork": "Cork"}, other=True)]


def form_of(request: Request) -> FormRequest:
    assert isinstance(request, FormRequest)
    return request


async def choose(ask: Ask) -> str | Other:
    return await ask.choose("Which room?", ROOMS, other=True)


def messages(delivery: FakeDelivery) -> list[str]:
    return [request.message for request in delivery.asked]


@pytest.mark.parametrize(("content", "expected"), ANSWERS, ids=str)
@DIALECT
async def test_an_option_comes_back_as_itself_and_a_text_as_other(
    dialect: Dialect, content: dict[str, Any], expected: object
) -> None:
    """Ours: who writes something means it, and a blank line is no answer."""
    ask, delivery = live(Accept(content), dialect=dialect)
    assert await choose(ask) == expected
    require_strict(write(form_of(delivery.asked[0]).schema, dialect), dialect)


@pytest.mark.parametrize(("content", "expected"), ANSWERS, ids=str)
async def test_it_comes_back_alike_when_the_call_is_repeated(
    content: dict[str, Any], expected: object
) -> None:
    """Ours."""
    caller = Caller(answers=lambda _: Accept(content))
    assert await caller.call(choose) == expected
    assert len(caller.rounds) == 1


@DIALECT
async def test_what_the_form_engine_sends_is_what_the_author_gets(dialect: Dialect) -> None:
    """Ours: the two sides meet on the wire, as one field on ACP and as two on MCP."""

    assert await choose(Ask(Call(delivery=Client(dialect, own=False)))) == "yard"
    assert await choose(Ask(Call(delivery=Client(dialect, own=True)))) == Other("the attic")


class Client(FakeDelivery):
    """Answers what it reads from the wire as a surface does."""

    def __init__(self, dialect: Dialect, *, own: bool) -> None:
        super().__init__(dialect=dialect)
        self._own = own

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        asked = form_of(request)
        schema = read(write(asked.schema, self.dialect), self.dialect)
        form = Form(FormRequest(message=asked.message, schema=schema))
        if not self._own:
            form.set_text("value", "Courtyard")
        elif self.dialect.field_meta:
            form.set_other("value", "the attic")
        else:
            form.set_text("value_custom", "the attic")
        return Accept(form.content())


@pytest.mark.requirement("M62", "G05")
async def test_without_any_answer_it_is_asked_again_with_what_to_do() -> None:
    """Ours: no schema can say that one of the two is needed."""
    ask, delivery = live(Accept({}), Accept({"value_custom": " "}), Accept({"value": "sea"}))
    assert await choose(ask) == "sea"
    first, second, third = messages(delivery)
    assert first == "Which room?"
    told = "Please correct:\n- value: Choose an option, or write an answer of your own."
    assert second == third == f"Which room?\n\n{told}"


@pytest.mark.requirement("G05")
async def test_after_three_tries_without_an_answer_it_is_given_up() -> None:
    """Ours."""
    ask, delivery = live(*[Accept({})] * 3)
    with pytest.raises(NotAccepted, match="invalid_answer"):
        await choose(ask)
    assert len(delivery.asked) == 3


@pytest.mark.requirement("M62")
async def test_a_value_that_is_no_option_is_not_taken_for_an_answer_of_ones_own() -> None:
    """Ours: only the text field takes those."""
    ask, delivery = live(Accept({"value": "attic"}), Accept({"value": "sea"}))
    assert await choose(ask) == "sea"
    assert len(delivery.asked) == 2


async def test_items_and_their_labels_work_as_well() -> None:
    """Ours."""
    ask, _ = live(Accept({"value": "1"}), Accept({"value_custom": "huge"}), Decline())
    sizes = list(Size)
    assert await ask.choose("Size?", sizes, label=lambda it: it.name, other=True) is Size.LARGE
    assert await ask.choose("Size?", sizes, label=lambda it: it.name, other=True) == Other("huge")
    with pytest.raises(NotAccepted) as refused:
        await ask.choose("Size?", sizes, other=True)
    assert refused.value.outcome == Declined()


async def test_without_other_nothing_is_open() -> None:
    """Ours."""
    ask, delivery = live(Accept({"value": "sea"}))
    assert await ask.choose("Which room?", ROOMS) == "sea"
    (one,) = form_of(delivery.asked[0]).schema.fields
    assert one.required


@DIALECT
async def test_two_questions_of_one_form_have_an_answer_each(dialect: Dialect) -> None:
    """Ours."""
    ask, delivery = live(Accept({"wall": "red", "floor_custom": "tiles"}), dialect=dialect)
    assert await ask("How?", Room) == Room(wall="red", floor="tiles")
    written = write(form_of(delivery.asked[0]).schema, dialect)
    assert list(written["properties"]) == ["wall", "wall_custom", "floor", "floor_custom"]
    assert "required" not in written


async def test_what_was_right_is_suggested_when_the_rest_is_asked_again() -> None:
    """Ours."""
    ask, delivery = live(
        Accept({"wall_custom": "teal"}), Accept({"wall_custom": "teal", "floor": "oak"})
    )
    assert await ask("How?", Room) == Room(wall="teal", floor="oak")
    again = form_of(delivery.asked[1])
    assert again.message.endswith("- Floor: Choose an option, or write an answer of your own.")
    assert again.schema["wall_custom"].default == "teal"
    assert again.schema["floor"].default is UNSET


async def test_several_questions_of_one_round_may_be_open() -> None:
    """Ours."""
    colour = Room.model_fields["wall"].rebuild_annotation()
    caller = Caller(answers=lambda it: Accept({"value_custom": it.message}))
    both = await caller.call(lambda ask: ask.all(Question("A?", colour), Question("B?", colour)))
    assert both == ("A?", "B?")
    assert len(caller.rounds) == 1


async def test_a_script_gives_a_key_or_other() -> None:
    """Ours."""
    ask = Ask.scripted(
        "yard",
        Other("the attic"),
        Room(wall="blue", floor="tiles"),
        Other(" "),
        dialect=MCP_2026_07_28,
    )
    assert await choose(ask) == "yard"
    assert await choose(ask) == Other("the attic")
    assert await ask("How?", Room) == Room(wall="blue", floor="tiles")
    with pytest.raises(AssertionError, match="does not fit"):
        await choose(ask)

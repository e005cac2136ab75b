"""A choice of a Python type that takes an answer of one's own: two properties, one value."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter

from elicitkit.core.check import check
from elicitkit.core.derive import Derived, InvalidContent, derive
from elicitkit.core.errors import SchemaNotExpressible, UsageError
from elicitkit.core.fields import UNSET, ChoiceField, Option, TextField
from elicitkit.core.rendering import Choices

COLOURS = {"red": "Red", "blue": "Blue"}
Colour = Annotated[str, Choices(COLOURS, other=True)]


class Room(BaseModel):
    wall: Colour
    floor: Colour = "blue"
    door: Colour | None = None
    frame: Colour = "oak"


def decoded(content: dict[str, Any], form: Any = Room) -> Any:
    derived: Derived[Any] = derive(form)
    checked, errors = check(derived.schema, content)
    assert errors == ()
    return derived.decode(checked)


def test_a_choice_that_is_open_is_two_optional_fields():
    """Ours."""
    assert derive(Room).schema.fields[:4] == (
        ChoiceField(
            name="wall",
            title="Wall",
            options=(Option("red", "Red"), Option("blue", "Blue")),
            other="wall_custom",
        ),
        TextField(
            name="wall_custom",
            title="Other: Wall",
            description="Only if none of the options fits.",
        ),
        ChoiceField(
            name="floor",
            title="Floor",
            options=(Option("red", "Red"), Option("blue", "Blue")),
            other="floor_custom",
            default="blue",
        ),
        TextField(
            name="floor_custom",
            title="Other: Floor",
            description="Only if none of the options fits.",
        ),
    )
    assert not any(one.required for one in derive(Room).schema.fields)


def test_a_default_that_is_no_option_is_suggested_in_the_text():
    """Ours."""
    schema = derive(Room).schema
    assert schema["frame"].default is UNSET
    assert schema["frame_custom"].default == "oak"


def test_each_question_has_its_own_answer():
    """Ours."""
    content = {"wall": "red", "floor_custom": "cork", "door": "blue", "frame_custom": ""}
    assert decoded(content) == Room(wall="red", floor="cork", door="blue", frame="oak")
    assert decoded({"wall_custom": " as typed "}).wall == " as typed "
    assert decoded({"value": "red"}, Colour) == "red"
    assert decoded({"value_custom": "teal"}, Colour) == "teal"


def test_a_text_goes_before_an_option_and_a_blank_one_is_none():
    """Ours: an option may only have stood there at first."""
    assert decoded({"wall": "red", "wall_custom": "teal"}).wall == "teal"
    assert decoded({"wall": "red", "wall_custom": " \t"}).wall == "red"


def test_a_needed_choice_without_any_answer_says_what_to_do():
    """Ours: no schema can say that one of the two is needed."""
    for content in ({}, {"wall_custom": "  "}):
        with pytest.raises(InvalidContent) as refused:
            decoded(content)
        (error,) = refused.value.errors
        assert (error.field, error.template) == ("wall", "required.other")
    with pytest.raises(InvalidContent):
        decoded({}, Colour)
    assert decoded({}, Colour | None) is None


def test_a_value_becomes_the_content_that_gives_it():
    """Ours."""
    room = Room(wall="red", floor="cork", frame="oak")
    encoded = derive(Room).encode(room)
    assert encoded == {"wall": "red", "floor_custom": "cork", "frame_custom": "oak"}
    assert decoded(dict(encoded)) == room


def test_a_suggestion_of_the_moment_stands_alone_in_its_half():
    """Ours: with two, nobody could tell which is meant."""
    derived = derive(Room)
    schema = derived.with_initial({"floor": "cork", "frame": "red", "wall": None})
    assert (schema["floor"].default, schema["floor_custom"].default) == (UNSET, "cork")
    assert (schema["frame"].default, schema["frame_custom"].default) == ("red", UNSET)
    assert schema["wall"].default is UNSET
    with pytest.raises(UsageError, match="does not fit"):
        derived.with_initial({"wall": 7})


def test_any_text_is_a_value_of_the_type_outside_of_forms_too():
    """Ours."""
    adapter = TypeAdapter[str](Colour)
    assert adapter.validate_python("teal") == "teal"
    with pytest.raises(ValueError, match="valid string"):
        adapter.validate_python(7)


def test_several_of_several_take_no_answer_of_ones_own():
    """Ours."""

    class Palette(BaseModel):
        colours: Annotated[list[str], Choices(COLOURS, other=True)]

    with pytest.raises(SchemaNotExpressible, match=r"colours.*one choice: ask for a list"):
        derive(Palette)

"""A choice and its companion in the form engine: one field, and one of the two is sent."""

from __future__ import annotations

import pytest

from elicitkit.core.fields import (
    UNSET,
    ChoiceField,
    Field,
    IntegerField,
    Option,
    Other,
    RequestedSchema,
    TextField,
)
from elicitkit.core.form import Entry, Form
from elicitkit.core.model import FormRequest
from elicitkit.core.typed import Menu, Unreadable

COLOURS = (Option("red", "Red"), Option("blue", "Blue"))
OWN = TextField(name="colour_custom", title="Other")


def form(choice: ChoiceField | None = None, own: TextField = OWN, *more: Field) -> Form:
    one = choice or ChoiceField(name="colour", options=COLOURS, other="colour_custom")
    schema = RequestedSchema(fields=(one, own, *more))
    return Form(FormRequest(message="Which?", schema=schema))


def test_the_companion_is_no_field_of_its_own():
    """Ours."""
    one = form(None, OWN, IntegerField(name="n"))
    assert [it.name for it in one.fields] == ["colour", "n"]
    assert [it.field.name for it in one.review()] == ["colour", "n"]
    assert one.shape == "fields"
    assert one.errors() == ()


@pytest.mark.ux("UX14")
def test_an_option_is_sent_under_the_choice_and_a_text_under_its_companion():
    """Ours: both would leave the other side to guess which is meant."""
    one = form()
    assert one.content() == {}
    one.set_text("colour", "Red")
    assert one.content() == {"colour": "red"}
    entry = one.set_other("colour", " teal ")
    assert entry.value == Other(" teal ")
    assert (entry.state, entry.source, entry.raw) == ("answered", "yours", " teal ")
    assert one.content() == {"colour_custom": " teal "}
    one.set_value("colour", "blue")
    assert one.content() == {"colour": "blue"}


def test_a_text_that_names_an_option_is_still_a_text():
    """Ours."""
    one = form()
    one.set_other("colour", "red")
    assert one.content() == {"colour_custom": "red"}


def test_a_slip_in_an_option_never_becomes_an_answer_of_ones_own():
    """Ours."""
    one = form()
    entry = one.set_text("colour", "reed")
    assert [error.template for error in entry.errors] == ["unreadable.choice"]
    assert (entry.value, entry.raw) == (UNSET, "reed")


def test_a_blank_text_omits_the_field():
    """Ours."""
    one = form(ChoiceField(name="colour", options=COLOURS, other="colour_custom", default="red"))
    entry = one.set_other("colour", "  ")
    assert (entry.state, entry.value, entry.raw) == ("omitted", UNSET, "  ")
    assert one.content() == {}
    assert one.reset("colour").value == "red"
    assert one.omit("colour").value is UNSET


@pytest.mark.ux("UX07")
def test_a_suggested_text_goes_before_a_suggested_option():
    """Ours."""
    choice = ChoiceField(name="colour", options=COLOURS, other="colour_custom", default="red")

    def entry(default: str) -> Entry:
        return form(choice, TextField(name="colour_custom", default=default)).entry("colour")

    assert entry("teal").suggested == Other("teal")
    assert entry("teal").source == "suggested"
    assert entry(" ").suggested == "red"
    assert form(choice, TextField(name="colour_custom", default="teal")).content() == {
        "colour_custom": "teal"
    }


def test_the_way_to_ones_own_answer_has_the_number_after_the_options():
    """Ours."""
    menu = form().menu("colour")
    assert menu is not None
    assert menu.own == OWN
    for text in ("3", " 3 ", "３", "other", "OTHER", "其他", "其它"):
        assert menu.names_own(text), text
    for text in ("", "4", "1", "red", "Red", "teal"):
        assert not menu.names_own(text), text
    with pytest.raises(Unreadable):
        menu.find("3")
    named = Menu(COLOURS, TextField(name="x", title="Another shade"))
    assert named.names_own("another shade")
    assert not Menu(COLOURS).names_own("other")


def test_an_option_goes_before_the_way_to_ones_own_answer():
    """Ours: an option may be called Other, or look like that number."""
    menu = Menu((Option("a", "Other"), Option("3")), OWN)
    assert not menu.names_own("other")
    assert menu.find("other") == "a"
    assert menu.find("3") == "3"
    assert menu.number(3) == "#3"
    assert menu.names_own("#3")
    assert not menu.names_own("3")

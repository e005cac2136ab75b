"""The rules of the form engine, one test each."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.check import check
from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.form import Form, FormNotReady
from elicitkit.core.model import FormRequest

AB = (Option("a"), Option("b"))


def form(*fields: Field, closed: bool = False) -> Form:
    schema = RequestedSchema(fields=fields, closed=closed)
    return Form(FormRequest(message="Please", schema=schema))


def codes(one: Form) -> list[tuple[str, str]]:
    return [(error.field, error.code) for error in one.errors()]


REQUIRED: list[Field] = [
    TextField(name="x", required=True),
    NumberField(name="x", required=True),
    IntegerField(name="x", required=True),
    BooleanField(name="x", required=True),
    ChoiceField(name="x", required=True, options=AB),
    ChoicesField(name="x", required=True, options=AB),
]
OPTIONAL: list[Field] = [
    TextField(name="x"),
    NumberField(name="x", minimum=3),
    IntegerField(name="x", minimum=3),
    BooleanField(name="x"),
    ChoiceField(name="x", options=AB),
    ChoicesField(name="x", options=AB),
]


@pytest.mark.case("044-required-boolean-no-default-untouched")
@pytest.mark.parametrize("one", REQUIRED, ids=lambda one: type(one).__name__)
def test_an_untouched_required_field_blocks_and_nothing_is_invented(one: Field) -> None:
    untouched = form(one)
    assert codes(untouched) == [("x", "required")]
    assert untouched.entry("x").value is UNSET
    with pytest.raises(FormNotReady) as caught:
        untouched.content()
    assert caught.value.errors == untouched.errors()
    assert "'x'" in str(caught.value)


@pytest.mark.case("059-untouched-optional-boolean-omitted")
@pytest.mark.parametrize("one", OPTIONAL, ids=lambda one: type(one).__name__)
def test_an_untouched_optional_field_is_not_sent(one: Field) -> None:
    untouched = form(one)
    assert untouched.content() == {}
    assert [row.source for row in untouched.review()] == ["not_sent"]


@pytest.mark.requirement("M16")
@pytest.mark.case("043-required-boolean-default-true")
def test_an_untouched_field_sends_its_suggestion_and_the_review_says_so() -> None:
    ready = form(
        BooleanField(name="ok", required=True, default=True),
        BooleanField(name="off", default=False),
        IntegerField(name="zero", default=0),
        TextField(name="empty", default=""),
        ChoicesField(name="many", options=AB, default=("b",)),
        NumberField(name="half", default=0.5),
    )
    sent = {"ok": True, "off": False, "zero": 0, "empty": "", "many": ["b"], "half": 0.5}
    assert ready.content() == sent
    assert {row.field.name: row.value for row in ready.review()} == sent
    assert {row.source for row in ready.review()} == {"suggested"}


@pytest.mark.requirement("G26")
@pytest.mark.parametrize(
    "one",
    [
        TextField(name="x", min_length=3, default="ab"),
        TextField(name="x", format="email", default="[e-mail]"),
        IntegerField(name="x", maximum=3, default=4),
        IntegerField(name="x", default="4"),  # pyright: ignore[reportArgumentType]  # a peer may
        BooleanField(name="x", default=1),  # pyright: ignore[reportArgumentType]  # a peer may
        ChoiceField(name="x", options=AB, default="c"),
        ChoicesField(name="x", options=AB, default=("a", "c")),
        ChoicesField(name="x", options=AB, max_items=1, default=("a", "b")),
        NumberField(name="x", default=float("nan")),
    ],
)
def test_a_default_that_does_not_fit_is_no_suggestion(one: Field) -> None:
    assert form(one).entry("x").suggested is UNSET
    assert form(one).content() == {}


@pytest.mark.case("046-default-null-ignored")
def test_a_null_default_is_no_suggestion() -> None:
    one = TextField(name="tz", default=None)  # pyright: ignore[reportArgumentType]  # a peer may
    assert form(one).content() == {}


def test_an_omitted_suggestion_is_not_added_again() -> None:
    emptied = form(TextField(name="x", default="seen"), TextField(name="y", default="kept"))
    emptied.omit("x")
    assert emptied.content() == {"y": "kept"}
    assert emptied.entry("x").suggested == "seen"
    assert [row.source for row in emptied.review()] == ["not_sent", "suggested"]


def test_omitting_a_required_field_blocks_even_with_a_suggestion() -> None:
    emptied = form(TextField(name="x", required=True, default="seen"))
    emptied.omit("x")
    assert codes(emptied) == [("x", "required")]


def test_a_reset_field_has_its_suggestion_again() -> None:
    one = form(IntegerField(name="x", default=2))
    one.set_text("x", "9")
    one.reset("x")
    assert one.content() == {"x": 2}
    assert one.entry("x").state == "untouched"


@pytest.mark.case("058-empty-required-text")
def test_an_empty_required_text_blocks_until_it_is_meant() -> None:
    one = form(TextField(name="note", required=True))
    assert one.set_text("note", "").raw == ""
    assert codes(one) == [("note", "required")]
    one.set_value("note", "")
    assert one.content() == {"note": ""}
    assert one.review()[0].source == "yours"


def test_an_empty_text_for_an_optional_field_omits_it_and_its_suggestion() -> None:
    one = form(TextField(name="x", default="seen"), IntegerField(name="n", default=1))
    one.set_text("x", "")
    one.set_text("n", "  ")
    assert one.content() == {}


def test_blanks_are_a_text() -> None:
    one = form(TextField(name="x", required=True))
    one.set_text("x", "  ")
    assert one.content() == {"x": "  "}


def test_a_meant_empty_list_is_sent_where_the_field_allows_it() -> None:
    one = form(ChoicesField(name="x", options=AB, required=True))
    one.set_value("x", [])
    assert one.content() == {"x": []}
    bounded = form(ChoicesField(name="x", options=AB, min_items=1))
    bounded.set_value("x", [])
    assert codes(bounded) == [("x", "too_few")]


@pytest.mark.requirement("M61")
@pytest.mark.case("049-int-text-with-junk")
def test_a_bad_text_is_kept_blocks_and_is_named() -> None:
    one = form(IntegerField(name="n"), TextField(name="t", max_length=2))
    entry = one.set_text("n", "42xyz")
    assert (entry.raw, entry.value) == ("42xyz", UNSET)
    assert [(error.template, error.message) for error in entry.errors] == [
        ("unreadable.integer", "Write a whole number in plain digits, such as 42.")
    ]
    one.set_text("t", "abc")
    assert codes(one) == [("n", "unreadable"), ("t", "too_long")]
    assert one.entry("n").raw == "42xyz"
    assert [row.source for row in one.review()] == ["not_sent", "not_sent"]
    with pytest.raises(FormNotReady):
        one.content()


@pytest.mark.requirement("G10", "M61")
@pytest.mark.case("056-non-finite-number")
@pytest.mark.parametrize("text", ["1e999", "NaN", "Infinity"])
def test_a_number_json_cannot_hold_blocks(text: str) -> None:
    one = form(NumberField(name="n", required=True))
    one.set_text("n", text)
    assert [name for name, _ in codes(one)] == ["n"]


@pytest.mark.case("050-int-text-with-spaces")
def test_a_good_text_becomes_a_typed_value() -> None:
    one = form(IntegerField(name="n", required=True))
    one.set_text("n", " 42 ")
    assert one.content() == {"n": 42}


def test_a_fraction_for_an_integer_is_told_as_one() -> None:
    one = form(IntegerField(name="n"))
    one.set_text("n", "1.5")
    assert codes(one) == [("n", "not_integer")]


def test_a_later_good_answer_mends_an_earlier_bad_one() -> None:
    one = form(IntegerField(name="n", maximum=5, default=3))
    one.set_text("n", "9")
    assert codes(one) == [("n", "too_large")]
    one.set_text("n", "4")
    assert one.content() == {"n": 4}


@pytest.mark.case("040-label-typed-instead-of-value")
def test_a_typed_title_sends_its_constant() -> None:
    one = form(ChoiceField(name="p", required=True, options=(Option("#F00", "Red"),)))
    one.set_text("p", "Red")
    assert one.content() == {"p": "#F00"}
    wire = form(ChoiceField(name="p", required=True, options=(Option("#F00", "Red"),)))
    wire.set_value("p", "Red")
    assert codes(wire) == [("p", "not_an_option")]


@pytest.mark.case("028-title-missing-is-fine")
def test_a_field_without_a_title_is_labelled_by_its_key() -> None:
    assert form(TextField(name="reason")).entry("reason").label == "reason"
    assert form(TextField(name="reason", title="Why")).entry("reason").label == "Why"


def test_a_value_of_the_wrong_kind_from_a_control_is_refused() -> None:
    one = form(BooleanField(name="b"), TextField(name="t"))
    one.set_value("b", "yes")
    one.set_value("t", 3)
    assert codes(one) == [("b", "wrong_type"), ("t", "wrong_type")]


def test_an_unknown_kind_is_named_and_never_sent() -> None:
    one = form(OtherField(name="o", raw={"type": "object"}), TextField(name="t", default="x"))
    assert [other.name for other in one.others] == ["o"]
    assert one.content() == {"t": "x"}
    assert one.set_text("o", "{}").value is UNSET


@pytest.mark.requirement("G27")
def test_a_required_field_of_unknown_kind_keeps_the_form_from_being_sent() -> None:
    one = form(OtherField(name="o", raw={"type": "object"}, required=True))
    assert codes(one) == [("o", "unsupported")]


@pytest.mark.parametrize(
    ("fields", "shape"),
    [
        ([], "empty"),
        ([OtherField(name="o", raw={})], "empty"),
        ([BooleanField(name="b", required=True)], "confirm"),
        ([BooleanField(name="b")], "fields"),
        ([BooleanField(name="b", required=True, default=True)], "fields"),
        ([BooleanField(name="b", required=True), TextField(name="t")], "fields"),
        ([TextField(name="t", required=True)], "fields"),
    ],
)
def test_the_shape_tells_a_bare_yes_from_one_yes_or_no(fields: list[Field], shape: str) -> None:
    assert form(*fields).shape == shape


def test_an_empty_form_sends_an_empty_object() -> None:
    assert form().content() == {}


def test_hostile_names_are_ordinary_names() -> None:
    names = ["__proto__", "self", "constructor", "", "a b", "名"]
    one = form(*(TextField(name=name, default="x") for name in names))
    assert one.content() == dict.fromkeys(names, "x")


def test_a_closed_schema_gets_its_own_fields_only() -> None:
    assert form(TextField(name="a", default="x"), closed=True).content() == {"a": "x"}


FIELDS = st.one_of(
    st.builds(
        TextField,
        name=st.just("f"),
        required=st.booleans(),
        min_length=st.none() | st.integers(0, 3),
        max_length=st.none() | st.integers(0, 5),
        default=st.just(UNSET) | st.text(max_size=6),
    ),
    st.builds(
        IntegerField,
        name=st.just("f"),
        required=st.booleans(),
        minimum=st.none() | st.integers(-5, 5),
        default=st.just(UNSET) | st.integers(-9, 9),
    ),
    st.builds(
        BooleanField,
        name=st.just("f"),
        required=st.booleans(),
        default=st.just(UNSET) | st.booleans(),
    ),
    st.builds(
        ChoiceField,
        name=st.just("f"),
        required=st.booleans(),
        options=st.just(AB),
        default=st.sampled_from(["a", "b", "c", UNSET]),
    ),
    st.builds(
        ChoicesField,
        name=st.just("f"),
        required=st.booleans(),
        options=st.just(AB),
        min_items=st.none() | st.integers(0, 2),
        default=st.sampled_from([(), ("a",), ("a", "b"), ("c",), UNSET]),
    ),
)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("text"), st.sampled_from(["", "1", "a", "yes", "a,b", "x y z", "-3"])),
        st.tuples(st.just("omit"), st.none()),
        st.tuples(st.just("reset"), st.none()),
    ),
    max_size=5,
)


@given(one=FIELDS, events=EVENTS)
def test_whatever_happens_the_content_is_what_the_review_shows(
    one: Any, events: list[tuple[str, str | None]]
) -> None:
    walked = form(one)
    touched = False
    for event, text in events:
        touched = event != "reset"
        if event == "text":
            assert text is not None
            walked.set_text("f", text)
        else:
            getattr(walked, event)("f")
    (row,) = walked.review()
    shown = {} if row.value is UNSET else {"f": row.value}
    if walked.errors():
        with pytest.raises(FormNotReady):
            walked.content()
        return
    assert walked.content() == shown
    assert check(walked.schema, shown) == (shown, ())
    if not touched:
        assert shown == ({} if row.suggested is UNSET else {"f": row.suggested})
    assert (row.source == "not_sent") == (shown == {})

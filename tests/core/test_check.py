"""Content checks: what passes, what is normalised, and what each error says."""

from __future__ import annotations

import enum
import pickle
import string
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from types import MappingProxyType

import pytest

from elicitkit.core.check import MESSAGES, FieldError, check, check_value
from elicitkit.core.field_error import make_error
from elicitkit.core.fields import (
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

COLOURS = (Option("#F00", "Red"), Option("#0F0", "Green"), Option("blue"))


def form(*fields: Field, closed: bool = False) -> RequestedSchema:
    return RequestedSchema(fields=fields, closed=closed)


def codes(one: Field, value: object) -> list[str]:
    """The codes of a value in a form, which check_value must find alike."""
    usable, errors = check(form(one), {one.name: value})
    assert check_value(one, value) == (usable.get(one.name), errors)
    assert {error.field for error in errors} <= {one.name}
    assert bool(errors) is (one.name not in usable)
    return [error.code for error in errors]


def usable(one: Field, value: object) -> object:
    found, errors = check(form(one), {one.name: value})
    assert errors == ()
    return found[one.name]


# Types are those of JSON.

TEXT = TextField(name="s")
NUMBER = NumberField(name="n")
INTEGER = IntegerField(name="n")
BOOLEAN = BooleanField(name="b")
CHOICE = ChoiceField(name="c", options=COLOURS)
CHOICES = ChoicesField(name="m", options=COLOURS)
OTHER = OtherField(name="o", raw={"type": "object"})


@pytest.mark.requirement("G10")
@pytest.mark.parametrize(
    ("one", "values"),
    [
        (TEXT, [None, 42, 1.5, True, ["a"], {"x": 1}, b"a"]),
        (NUMBER, [None, "42", "", True, False, [1], {}, 1j]),
        (INTEGER, [None, "99", True, False, [1], {}]),
        (BOOLEAN, [None, "yes", "true", 1, 0, 1.0, []]),
        (CHOICE, [None, 1, True, ["blue"], {}]),
        (CHOICES, [None, "blue", 1, {"blue": 1}, ("blue",), {"blue"}]),
    ],
)
def test_nothing_is_coerced_from_another_json_type(one: Field, values: list[object]) -> None:
    assert [codes(one, value) for value in values] == [["wrong_type"]] * len(values)


@pytest.mark.requirement("G10")
@pytest.mark.case("052-integral-float-received")
def test_a_float_without_a_fraction_becomes_an_integer() -> None:
    found = usable(INTEGER, 3.0)
    assert (found, type(found)) == (3, int)


@pytest.mark.case("053-fraction-for-integer")
def test_a_fraction_is_no_integer() -> None:
    assert codes(INTEGER, 3.5) == ["not_integer"]


@pytest.mark.case("055-boolean-for-integer-received")
def test_a_boolean_is_no_integer() -> None:
    assert codes(INTEGER, True) == ["wrong_type"]


@pytest.mark.requirement("G10")
@pytest.mark.case("056-non-finite-number")
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("one", [NUMBER, INTEGER])
def test_a_number_that_json_cannot_write_is_refused(one: Field, value: float) -> None:
    assert codes(one, value) == ["not_finite"]


def test_a_number_keeps_how_it_came() -> None:
    assert repr(usable(NUMBER, 3.0)) == "3.0"
    assert repr(usable(NUMBER, 3)) == "3"
    assert usable(NUMBER, 10**400) == 10**400
    assert usable(INTEGER, -(10**400)) == -(10**400)
    assert usable(INTEGER, 1e300) == int(1e300)


def test_members_of_an_enum_become_plain_values() -> None:
    class Colour(enum.StrEnum):
        BLUE = "blue"

    class Level(enum.IntEnum):
        HIGH = 3

    class Ratio(float):
        pass

    assert type(usable(TEXT, Colour.BLUE)) is str
    assert type(usable(CHOICE, Colour.BLUE)) is str
    assert [type(one) for one in usable(CHOICES, [Colour.BLUE])] == [str]
    assert type(usable(INTEGER, Level.HIGH)) is int
    assert type(usable(NUMBER, Level.HIGH)) is int
    assert type(usable(NUMBER, Ratio(1.5))) is float
    assert codes(CHOICE, Ratio(1.5)) == ["wrong_type"]


def test_an_option_of_another_text_type_is_still_no_option() -> None:
    class Text(str):
        pass

    assert codes(CHOICE, Text("red")) == ["not_an_option"]
    assert codes(TextField(name="s", min_length=4), Text("red")) == ["too_short"]


@pytest.mark.requirement("A25")
@pytest.mark.parametrize("value", [None, {"x": [1]}, ["a", 1], "a", 1, 1.5, True])
def test_a_property_kind_nobody_here_knows_passes_as_it_came(value: object) -> None:
    content = {"o": value}
    assert check(form(OTHER), content) == (content, ())


def test_a_tuple_under_an_unknown_kind_is_the_list_it_is_in_json() -> None:
    assert check(form(OTHER), {"o": ("a",)}) == ({"o": ["a"]}, ())


# Limits.


@pytest.mark.parametrize(
    ("value", "expected"),
    [("", ["too_short"]), ("a", ["too_short"]), ("ab", []), ("abc", []), ("abcd", ["too_long"])],
)
def test_length_bounds_are_inclusive(value: str, expected: list[str]) -> None:
    assert codes(TextField(name="s", min_length=2, max_length=3), value) == expected


@pytest.mark.case("064-unicode-length")
def test_length_counts_code_points() -> None:
    assert codes(TextField(name="s", max_length=2), "😀😀") == []
    assert codes(TextField(name="s", max_length=2), "e\u0301e") == ["too_long"]


@pytest.mark.parametrize("kind", [NumberField, IntegerField])
def test_number_bounds_are_inclusive(kind: type[NumberField] | type[IntegerField]) -> None:
    one = kind(name="n", minimum=-2, maximum=3)
    assert [codes(one, value) for value in (-3, -2, 3, 4)] == [["too_small"], [], [], ["too_large"]]
    assert codes(one, 4.0) == ["too_large"]


def test_bounds_of_any_size_and_kind_hold() -> None:
    assert codes(IntegerField(name="n", minimum=0.5), 0) == ["too_small"]
    assert codes(NumberField(name="n", maximum=2**53), float(2**53)) == []
    assert codes(NumberField(name="n", maximum=2**53), 2**53 + 1) == ["too_large"]
    assert codes(NumberField(name="n", minimum=10**400), 10**400 - 1) == ["too_small"]
    assert codes(NumberField(name="n", minimum=10**400), 10**400) == []
    assert codes(NumberField(name="n", minimum=float("nan")), 1) == []


def test_bounds_that_cross_are_both_broken() -> None:
    assert codes(NumberField(name="n", minimum=5, maximum=1), 3) == ["too_small", "too_large"]
    assert codes(TextField(name="s", min_length=3, max_length=1), "ab") == ["too_short", "too_long"]


# Formats and patterns.


@pytest.mark.case("061-email-format")
def test_an_email_field_takes_an_address_only() -> None:
    one = TextField(name="e", format="email")
    expected = [[], ["bad_format"], ["bad_format"], ["bad_format"]]
    assert [codes(one, text) for text in ("mona@example.com", "mona", "@", "[e-mail]")] == expected


@pytest.mark.case("062-date-formats")
def test_date_and_date_time_fields_take_rfc_3339_only() -> None:
    schema = form(TextField(name="d", format="date"), TextField(name="t", format="date-time"))
    contents = [
        {"d": "2026-02-28"},
        {"d": "2026-02-30"},
        {"d": "28/02/2026"},
        {"t": "2026-02-28T10:00:00Z"},
        {"t": "2026-02-28T10:00"},
        {"t": "2026-02-28"},
    ]
    valid = [not check(schema, content)[1] for content in contents]
    assert valid == [True, False, False, True, False, False]


@pytest.mark.requirement("A23")
@pytest.mark.parametrize("name", ["uuid", "password", "ipv4", "", "Email", "data-url"])
def test_an_unknown_format_is_a_hint_and_refuses_nothing(name: str) -> None:
    assert codes(TextField(name="s", format=name), "anything") == []


@pytest.mark.requirement("A22", "G23")
@pytest.mark.case("035-pattern-redos-bounded")
def test_a_hostile_pattern_refuses_without_delay() -> None:
    assert codes(TextField(name="s", pattern="^(a+)+$"), "a" * 40 + "!") == ["no_match"]


@pytest.mark.requirement("G23", "G24")
def test_a_pattern_is_searched_and_one_nobody_here_can_run_is_a_hint() -> None:
    assert codes(TextField(name="s", pattern="b"), "abc") == []
    assert codes(TextField(name="s", pattern="^b"), "abc") == ["no_match"]
    assert codes(TextField(name="s", pattern="^(?!b)"), "b") == []


def test_all_errors_of_one_text_are_told_at_once() -> None:
    one = TextField(name="s", min_length=9, format="email", pattern="^m")
    assert codes(one, "ada") == ["too_short", "bad_format", "no_match"]
    assert codes(one, "mona@x") == ["too_short"]
    assert codes(one, "mona@example") == []
    assert codes(one, "lisa@example") == ["no_match"]


# Options.


@pytest.mark.case("040-label-typed-instead-of-value")
def test_a_title_is_no_option_and_the_error_names_what_travels() -> None:
    _, (error,) = check(form(CHOICE), {"c": "Red"})
    assert error.message == "Choose one of: #F00 (Red), #0F0 (Green), blue."


@pytest.mark.case("041-enum-answer-outside")
def test_the_case_of_an_option_matters() -> None:
    one = ChoiceField(name="p", options=(Option("low"), Option("high")))
    assert codes(one, "low") == []
    assert codes(one, "Low") == ["not_an_option"]


@pytest.mark.case("038-multi-select-bounds")
def test_a_multi_select_keeps_its_bounds_and_its_duplicates() -> None:
    options = (Option("a"), Option("b"), Option("c"))
    one = ChoicesField(name="m", options=options, min_items=1, max_items=2)
    assert codes(one, []) == ["too_few"]
    assert codes(one, ["a"]) == []
    assert codes(one, ["a", "b", "c"]) == ["too_many"]
    assert codes(one, ["z"]) == ["not_an_option"]
    assert codes(one, "a") == ["wrong_type"]
    assert usable(one, ["a", "a"]) == ["a", "a"]
    assert codes(one, ["z", "a", "z"]) == ["not_an_option", "too_many"]


@pytest.mark.parametrize("item", [None, 1, True, ["blue"], {"blue": 1}])
def test_an_item_that_is_no_text_is_no_option(item: object) -> None:
    assert codes(CHOICES, ["blue", item]) == ["not_an_option"]


def test_the_list_of_a_multi_select_is_not_the_one_that_came() -> None:
    given = ["blue"]
    assert usable(CHOICES, given) is not given


@pytest.mark.parametrize("name", ["one", "several"])
def test_many_long_or_unprintable_options_are_counted_in_the_message(name: str) -> None:
    for options in (
        tuple(Option(str(number)) for number in range(11)),
        (Option("a" * 201),),
        (Option("a", "\x1b[31mred"),),
        (Option("a\u202eb"),),
    ):
        fields = {
            "one": ChoiceField(name="c", options=options),
            "several": ChoicesField(name="c", options=options),
        }
        value = {"one": "x", "several": ["x"]}[name]
        _, (error,) = check_value(fields[name], value)
        assert f"the {len(options)} options" in error.message
        assert error.message.isprintable()


def test_ten_thousand_options_are_all_accepted() -> None:
    options = tuple(Option(str(number)) for number in range(10_000))
    assert codes(ChoiceField(name="c", options=options), "9999") == []
    assert codes(ChoiceField(name="c", options=options), "10000") == ["not_an_option"]


# The content as a whole.


@pytest.mark.requirement("M61", "M62", "A29", "A30")
@pytest.mark.case("070-accept-wrong-types")
def test_each_error_names_its_field() -> None:
    schema = form(TextField(name="name", required=True), IntegerField(name="age", minimum=0))
    contents = [{}, {"name": 42}, {"name": "A", "age": -5}, {"age": -5}]
    found = [[error.field for error in check(schema, content)[1]] for content in contents]
    assert found == [["name"], ["name"], ["age"], ["name", "age"]]


@pytest.mark.requirement("G07")
@pytest.mark.case("068-accept-content-missing-required")
def test_an_accept_without_content_lacks_its_required_answers() -> None:
    usable, errors = check(form(TextField(name="name", required=True)), None)
    assert usable == {}
    assert [(error.field, error.code) for error in errors] == [("name", "required")]
    assert check(form(TEXT), None) == ({}, ())


@pytest.mark.case("073-content-not-object")
@pytest.mark.parametrize("content", [7, ["a"], "name", True, [("name", "A")]])
def test_content_that_is_no_object_is_one_error(content: object) -> None:
    usable, errors = check(form(TextField(name="name", required=True)), content)
    assert usable == {}
    assert [(error.field, error.code) for error in errors] == [("", "wrong_type")]


@pytest.mark.case("073-content-not-object")
def test_an_object_is_no_value_of_a_text_field() -> None:
    assert codes(TextField(name="name"), {"x": 1}) == ["wrong_type"]


def test_any_mapping_is_content() -> None:
    for content in (OrderedDict(s="a"), MappingProxyType({"s": "a"})):
        assert check(form(TEXT, NUMBER), content) == ({"s": "a"}, ())


def test_an_optional_answer_may_be_left_out_and_is_not_made_up() -> None:
    schema = form(TextField(name="s", default="x"), NUMBER, BOOLEAN, CHOICE, CHOICES, OTHER)
    assert check(schema, {}) == ({}, ())


def test_a_value_in_error_is_not_usable_and_the_others_are() -> None:
    usable, errors = check(form(TEXT, NUMBER), {"s": "a", "n": "b"})
    assert usable == {"s": "a"}
    assert [error.field for error in errors] == ["n"]


def test_fields_and_errors_keep_the_order_of_the_schema() -> None:
    schema = form(*(IntegerField(name=name) for name in "zyx"))
    assert list(check(schema, {"x": 1, "y": 2, "z": 3})[0]) == ["z", "y", "x"]
    assert [error.field for error in check(schema, dict.fromkeys("xyz", "a"))[1]] == list("zyx")


@pytest.mark.requirement("G09")
def test_a_key_nobody_asked_for_is_dropped() -> None:
    assert check(form(TEXT), {"s": "a", "b": "y", "__class__": 1}) == ({"s": "a"}, ())


@pytest.mark.case("026-extra-answer-key-with-additionalproperties-false")
def test_a_key_nobody_asked_for_is_an_error_where_the_schema_is_closed() -> None:
    schema = form(TextField(name="a", required=True), closed=True)
    usable, errors = check(schema, {"a": "x", "b": "y", 3: "z"})
    assert usable == {"a": "x"}
    assert [(error.field, error.code) for error in errors] == [
        ("b", "unknown_field"),
        ("3", "unknown_field"),
    ]
    assert check(schema, {"a": "x"}) == ({"a": "x"}, ())


@pytest.mark.parametrize(
    "name",
    ["", "__proto__", "__class__", "self", "model_config", "content", "имя", "a.b", "\x00", "{0}"],
)
@pytest.mark.parametrize("closed", [False, True])
def test_any_property_key_is_just_a_key(name: str, closed: bool) -> None:
    schema = form(IntegerField(name=name, required=True), closed=closed)
    assert check(schema, {name: 1}) == ({name: 1}, ())
    for content in ({}, {name: "a"}):
        assert [error.field for error in check(schema, content)[1]] == [name]


def test_a_schema_is_compiled_once_and_what_came_is_not_changed() -> None:
    schema = form(INTEGER, CHOICES)
    content = {"n": 3.0, "m": ["blue"], "x": 1}
    check(schema, content)
    compiled = schema.memo["check"]
    check(schema, content)
    assert schema.memo["check"] is compiled
    assert content == {"n": 3.0, "m": ["blue"], "x": 1}
    assert type(content["n"]) is float


# What an error says.


def every_error() -> list[FieldError]:
    """One error of each template."""
    many = tuple(Option(str(number)) for number in range(11))
    pairs: list[tuple[Field, object]] = [
        *((one, ()) for one in (TEXT, NUMBER, INTEGER, BOOLEAN, CHOICE, CHOICES)),
        (INTEGER, 3.5),
        (NUMBER, float("inf")),
        (TextField(name="s", min_length=1), ""),
        (TextField(name="s", min_length=2), ""),
        (TextField(name="s", max_length=1), "secret"),
        (TextField(name="s", max_length=2), "secret"),
        (NumberField(name="n", minimum=1), 0),
        (NumberField(name="n", maximum=1.5), 2),
        *(
            (TextField(name="s", format=name), "secret")
            for name in ("email", "uri", "date", "date-time")
        ),
        (TextField(name="s", pattern="^a{2}$"), "secret"),
        (TextField(name="s", pattern="^a{2}\n$"), "secret"),
        (CHOICE, "secret"),
        (ChoiceField(name="c", options=many), "secret"),
        (CHOICES, ["secret"]),
        (ChoicesField(name="m", options=many), ["secret"]),
        (ChoicesField(name="m", options=COLOURS, min_items=1), []),
        (ChoicesField(name="m", options=COLOURS, min_items=2), []),
        (ChoicesField(name="m", options=COLOURS, max_items=1), ["blue"] * 3),
        (ChoicesField(name="m", options=COLOURS, max_items=2), ["blue"] * 3),
    ]
    found = [error for one, value in pairs for error in check_value(one, value)[1]]
    found += check(form(), 7)[1]
    found += check(form(TextField(name="s", required=True)), {})[1]
    found.append(make_error("c", "required", variant="other"))
    found += check(form(closed=True), {"secret_key": "secret"})[1]
    return found


def test_every_template_is_that_of_an_error_and_no_other_exists() -> None:
    assert sorted(error.template for error in every_error()) == sorted(MESSAGES)


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.template)
def test_a_message_is_its_template_with_the_params_and_never_what_was_typed(
    error: FieldError,
) -> None:
    template = MESSAGES[error.template]
    assert error.message == template.format(label="A label", **error.params)
    assert "secret" not in error.message
    wanted = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    assert wanted <= set(error.params)
    assert isinstance(error.params, Mapping)


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.template)
def test_an_error_is_a_value(error: FieldError) -> None:
    assert pickle.loads(pickle.dumps(error)) == error
    assert hash(error) == hash(pickle.loads(pickle.dumps(error)))
    with pytest.raises(FrozenInstanceError):
        error.code = "other"


def test_a_limit_too_long_to_write_out_is_shortened() -> None:
    _, (error,) = check_value(NumberField(name="n", minimum=10**5_000), 1)
    assert error.message == "This must be 1.000E+5000 or more."


def test_a_pattern_is_shown_where_it_is_short_and_printable() -> None:
    shown = [
        check_value(TextField(name="s", pattern=pattern), "-")[1][0].message
        for pattern in ("^[a-z]+$", "^a" + "a" * 200, "a\x1b")
    ]
    hidden = MESSAGES["no_match.long"]
    assert shown == ["This must match the pattern ^[a-z]+$", hidden, hidden]

"""From content to typed values, and run-time defaults on their way to the form."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    ConfigDict,
    EmailStr,
    Field,
    StrictInt,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from typing_extensions import TypedDict

from elicitkit.core.check import FieldError, check
from elicitkit.core.derive import InvalidContent, derive
from elicitkit.core.dialects import MCP_2025_11_25
from elicitkit.core.errors import UsageError
from elicitkit.core.fields import UNSET
from elicitkit.core.schema import write


class Pear(enum.Enum):
    A = "a"
    B = "b"


class Stars(enum.IntEnum):
    ONE = 1
    TWO = 2


class Trip(BaseModel):
    day: date
    leave: datetime
    site: AnyUrl
    mail: EmailStr
    pear: Pear
    stars: Stars
    level: Literal[1, 2]
    many: list[Stars]
    pears: set[Pear]
    note: str | None = None


CONTENT = {
    "day": "2026-03-04",
    "leave": "2026-03-04T10:00:00Z",
    "site": "https://example.com/",
    "mail": "mona@example.com",
    "pear": "b",
    "stars": "2",
    "level": "1",
    "many": ["2", "1"],
    "pears": ["a"],
}
TRIP = Trip(
    day=date(2026, 3, 4),
    leave=datetime(2026, 3, 4, 10, tzinfo=UTC),
    site=AnyUrl("https://example.com/"),
    mail="mona@example.com",
    pear=Pear.B,
    stars=Stars.TWO,
    level=1,
    many=[Stars.TWO, Stars.ONE],
    pears={Pear.A},
)


def refused(form: Any, content: dict[str, Any]) -> list[tuple[str, str]]:
    derived = derive(form)
    assert check(derived.schema, content)[1] == (), "the schema itself must let it pass"
    with pytest.raises(InvalidContent) as caught:
        derived.decode(content)
    assert {error.code for error in caught.value.errors} == {"refused"}
    assert str(caught.value) == ", ".join(error.field for error in caught.value.errors)
    return [(error.field, error.message) for error in caught.value.errors]


@pytest.mark.requirement("M62", "A30")
def test_content_becomes_values_of_the_types_that_were_asked_for():
    """Ours: checked content in, typed value out."""
    derived = derive(Trip)
    content, errors = check(derived.schema, CONTENT)
    assert errors == ()
    found = derived.decode(content)
    assert found == TRIP
    assert [type(found.stars), type(found.level)] == [Stars, int]


def test_a_strict_model_takes_its_dates_and_enums():
    """Ours: strictness is about Python types, and the content is JSON."""

    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        day: date
        pear: Pear
        count: StrictInt
        pears: set[Pear]

    found = derive(Strict).decode({"day": "2026-03-04", "pear": "a", "count": 1, "pears": ["b"]})
    assert found == Strict(day=date(2026, 3, 4), pear=Pear.A, count=1, pears={Pear.B})


@pytest.mark.case("013-scalar-wrapped-and-unwrapped")
@pytest.mark.parametrize(
    ("form", "sent", "value"),
    [
        (int, 7, 7),
        (float, 3, 3.0),
        (bool, False, False),
        (date, "2026-03-04", date(2026, 3, 4)),
        (Pear, "a", Pear.A),
        (Stars, "1", Stars.ONE),
        (Literal["a", 2], "2", 2),
        (list[Literal[1, 2]], ["2"], [2]),
    ],
    ids=str,
)
def test_a_single_value_comes_back_unwrapped(form: Any, sent: Any, value: Any):
    """Ours."""
    found = derive(form).decode({"value": sent})
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("form", [int | None, Pear | None, Literal["a", None]], ids=str)
def test_a_single_value_that_was_left_out_is_none(form: Any):
    """Ours."""
    assert derive(form).decode({}) is None


class Notes(TypedDict):
    must: str
    may: str | None


@dataclass
class Memo:
    must: str
    may: Pear | None


def test_a_field_that_may_be_none_may_be_left_out_even_without_a_default():
    """Ours: a person has no other way to say None."""
    model = create_model("M", must=(str, ...), may=(Pear | None, ...))
    for form in (Notes, Memo, model):
        derived = derive(form)
        assert [one.name for one in derived.schema.fields if one.required] == ["must"]
    assert derive(Notes).decode({"must": "x"}) == {"must": "x", "may": None}
    assert derive(Memo).decode({"must": "x"}) == Memo("x", None)
    assert derive(Memo).decode({"must": "x", "may": "a"}) == Memo("x", Pear.A)


class Picky(BaseModel):
    name: str
    age: int
    first: date | None = None
    last: date | None = None

    @field_validator("name")
    @classmethod
    def _known(cls, value: str) -> str:
        if value == "hunter2":
            raise ValueError("not a name we know")
        return value

    @field_validator("age")
    @classmethod
    def _even(cls, value: int, _: ValidationInfo) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value

    @model_validator(mode="after")
    def _in_order(self) -> Picky:
        if self.first and self.last and self.first > self.last:
            raise ValueError("the first day comes before the last")
        return self


@pytest.mark.requirement("G05")
def test_what_the_types_own_validators_refuse_names_every_field_and_echoes_nothing():
    """Ours."""
    found = refused(Picky, {"name": "hunter2", "age": 31337})
    assert found == [("name", "not a name we know"), ("age", "must be even")]


def test_what_pydantic_itself_refuses_is_told_without_the_value():
    """Ours."""
    form = create_model(
        "M", mail=(EmailStr, ...), day=(date, ...), past=(Annotated[date, Field(lt=date.min)], ...)
    )
    with pytest.raises(InvalidContent) as caught:
        derive(form).decode({"mail": "hunter2", "day": "31337-01-01", "past": "2026-03-04"})
    told = str([vars_of(error) for error in caught.value.errors])
    for secret in ("hunter2", "31337", "2026-03-04"):
        assert secret not in told


def vars_of(error: FieldError) -> tuple[str, str, str, dict[str, object]]:
    return error.field, error.code, error.message, dict(error.params)


def test_a_validator_of_the_whole_form_names_no_field():
    """Ours."""
    content = {"name": "a", "age": 2, "first": "2026-03-05", "last": "2026-03-04"}
    assert refused(Picky, content) == [("", "the first day comes before the last")]


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("must be odd")
    return value


def test_a_validator_of_a_single_value_names_its_one_field():
    """Ours."""
    assert refused(Annotated[int, AfterValidator(_odd)], {"value": 4}) == [("value", "must be odd")]


def test_an_error_inside_a_list_names_the_list():
    """Ours."""
    form = create_model(
        "M", many=(list[Annotated[Literal["a", "b"], AfterValidator(lambda it: it)]], ...)
    )
    assert derive(form).decode({"many": ["a"]}).many == ["a"]
    odd = create_model("M", many=(list[Annotated[Literal[1, 2], AfterValidator(_odd)]], ...))
    assert refused(odd, {"many": ["1", "2"]}) == [("many", "must be odd")]


def test_an_error_behind_an_alias_names_the_property():
    """Ours."""
    form = create_model("M", f=(Annotated[int, AfterValidator(_odd)], Field(alias="f-in")))
    assert refused(form, {"f-in": 2}) == [("f-in", "must be odd")]


# Run-time defaults.


def defaults(form: Any, *initial: Any) -> dict[str, Any]:
    return {one.name: one.default for one in derive(form).with_initial(*initial).fields}


@pytest.mark.case("017-default-factory-per-call")
def test_a_default_factory_is_called_for_every_question_and_never_before():
    """Ours."""
    counter = itertools.count(1)
    form = create_model("M", n=(int, Field(default_factory=lambda: next(counter))))
    derived = derive(form)
    assert derived.schema["n"].default is UNSET
    assert derived.schema["n"].required is False
    assert [derived.with_initial()["n"].default for _ in range(3)] == [1, 2, 3]


def test_a_default_factory_that_gives_none_gives_no_default():
    """Ours."""
    assert defaults(create_model("M", f=(str | None, Field(default_factory=lambda: None)))) == {
        "f": UNSET
    }


def test_without_anything_to_add_the_schema_is_the_same_one():
    """Ours: so that what was computed for it is kept."""
    derived = derive(Trip)
    assert derived.with_initial() is derived.schema


def test_initial_values_may_be_an_instance_or_any_part_of_it():
    """Ours."""
    whole = defaults(Trip, TRIP)
    assert whole == CONTENT | {"many": ("2", "1"), "pears": ("a",), "note": UNSET}
    some = defaults(Trip, {"stars": Stars.ONE, "many": [Stars.TWO], "day": date(2026, 1, 2)})
    assert {name: it for name, it in some.items() if it is not UNSET} == {
        "stars": "1",
        "many": ("2",),
        "day": "2026-01-02",
    }
    assert defaults(Memo, Memo("x", Pear.B)) == {"must": "x", "may": "b"}
    assert defaults(Trip, {"note": None})["note"] is UNSET


def test_initial_values_come_before_defaults_and_factories():
    """Ours."""
    form = create_model("M", a=(int, 1), b=(int, Field(default_factory=lambda: 2)), c=(int, 3))
    assert defaults(form, {"a": 7, "b": 8}) == {"a": 7, "b": 8, "c": 3}
    assert write(derive(form).with_initial({"a": 7}), MCP_2025_11_25)["properties"]["a"] == {
        "type": "integer",
        "title": "A",
        "default": 7,
    }


@pytest.mark.parametrize(
    ("form", "initial", "default"),
    [
        (int, 0, 0),
        (bool, False, False),
        (str, "", ""),
        (Stars, Stars.TWO, "2"),
        (list[Pear], [Pear.B], ("b",)),
        (set[Pear], {Pear.B}, ("b",)),
        (list[Pear], [], ()),
        (datetime, datetime(2026, 3, 4, tzinfo=UTC), "2026-03-04T00:00:00Z"),
        (int | None, None, UNSET),
    ],
    ids=str,
)
def test_the_initial_value_of_a_single_value_is_the_value(form: Any, initial: Any, default: Any):
    """Ours."""
    assert defaults(form, initial) == {"value": default}


@pytest.mark.parametrize(
    ("form", "initial", "sentence"),
    [
        (Trip, {"nope": 1}, "'nope', which is no field"),
        (Trip, {"level": "1"}, "default of 'level' does not fit"),
        (Trip, {"stars": 3}, "default of 'stars' does not fit"),
        (Trip, {"stars": ["1"]}, "default of 'stars' does not fit"),
        (Trip, {"many": [7]}, "default of 'many' does not fit"),
        (Trip, {"many": 7}, "default of 'many' does not fit"),
        (Trip, {"many": [[]]}, "default of 'many' does not fit"),
        (Trip, {"pears": "a"}, "default of 'pears' does not fit"),
        (Trip, {"pears": 7}, "default of 'pears' does not fit"),
        (Trip, {"mail": "nobody"}, "default of 'mail' does not fit"),
        (Trip, {"leave": datetime(2026, 3, 4)}, "default of 'leave' does not fit"),
        (Trip, 7, "takes a mapping of field names to values, or an instance"),
        (int, "7", "default of 'value' does not fit"),
        (int, True, "default of 'value' does not fit"),
    ],
    ids=str,
)
def test_an_initial_value_that_does_not_fit_is_refused_by_name(
    form: Any, initial: Any, sentence: str
):
    """Ours."""
    with pytest.raises(UsageError, match=sentence):
        derive(form).with_initial(initial)


def test_a_default_factory_that_does_not_fit_is_refused_when_the_question_is_asked():
    """Ours."""
    form = create_model("M", f=(int, Field(default_factory=lambda: "soon")))
    with pytest.raises(UsageError, match="default of 'f' does not fit"):
        derive(form).with_initial()

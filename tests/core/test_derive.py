"""Python types as forms: what each type becomes, what is refused, and the way out."""

from __future__ import annotations

import enum
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, make_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional

import pytest
from pydantic import (
    AnyUrl,
    BaseModel,
    ConfigDict,
    EmailStr,
    Field,
    HttpUrl,
    PositiveInt,
    RootModel,
    Secret,
    SecretBytes,
    SecretStr,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from typing_extensions import TypedDict

from elicitkit.core.derive import derive
from elicitkit.core.dialects import DIALECTS, MCP_2025_11_25
from elicitkit.core.errors import SchemaNotExpressible, SensitiveField
from elicitkit.core.fields import UNSET, ChoicesField, Option
from elicitkit.core.rendering import Choices
from elicitkit.core.schema import problems_in, write
from tests.core.strict_schema import require_strict


class Pear(enum.Enum):
    """A fruit."""

    A = "a"
    B = "b"


class Seat(enum.Enum):
    WINDOW = "w"
    AISLE_ROW = "a"


class Stars(enum.IntEnum):
    ONE = 1
    TWO = 2


class Shade(enum.StrEnum):
    LIGHT = "light"
    DARK = "dark"


class Labelled(enum.Enum):
    X = "x"
    Y = "y"

    @property
    def label(self) -> str:
        return {"x": "The first", "y": "The second"}[self.value]


class Titled(enum.Enum):
    title: str

    def __new__(cls, value: str, title: str) -> Titled:
        made = object.__new__(cls)
        made._value_ = value
        made.title = title
        return made

    X = ("x", "The first")
    Y = ("y", "The second")


Priority = Annotated[str, Choices({"low": "Can wait", "high": "Today"})]
TITLES = [{"const": "low", "title": "Can wait"}, {"const": "high", "title": "Today"}]


class Nested(BaseModel):
    street: str


class Recursive(BaseModel):
    name: str
    parent: Optional[Recursive] = None  # noqa: UP045 the spelling is the point


class Point(NamedTuple):
    x: int


class Empty(enum.Enum):
    pass


class Alike(enum.Enum):
    NUMBER = 1
    TEXT = "1"


class Halves(enum.Enum):
    HALF = 0.5


class Truths(enum.Enum):
    YES = True


def written(form: Any) -> Any:
    schema = derive(form).schema
    for dialect in DIALECTS.values():
        if not problems_in(schema, dialect):
            require_strict(write(schema, dialect), dialect)
    return write(schema, MCP_2025_11_25)


def prop(form: Any) -> dict[str, Any]:
    """The one property of a single value, without the title that a class gives it."""
    raw = written(form)
    assert list(raw["properties"]) == ["value"]
    return {key: it for key, it in raw["properties"]["value"].items() if key != "title"}


def of(kind: Any, default: Any = ...) -> type[BaseModel]:
    """A model with one field ``f``."""
    return create_model("M", f=(kind, default))


# What a type may be.

TEXT = {"type": "string"}
PEARS = {"type": "string", "enum": ["a", "b"]}
STARS = {
    "type": "string",
    "oneOf": [{"const": "1", "title": "One"}, {"const": "2", "title": "Two"}],
}
KINDS: list[tuple[Any, Mapping[str, object]]] = [
    (str, TEXT),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (date, TEXT | {"format": "date"}),
    (datetime, TEXT | {"format": "date-time"}),
    (EmailStr, TEXT | {"format": "email"}),
    (AnyUrl, TEXT | {"format": "uri"}),
    (HttpUrl, TEXT | {"format": "uri", "maxLength": 2083}),
    (Literal["a", "b"], PEARS),
    (Literal["yes"], TEXT | {"enum": ["yes"]}),
    (Literal["a", None], TEXT | {"enum": ["a"]}),
    (Literal[1, 2], TEXT | {"enum": ["1", "2"]}),
    (Literal[Pear.A], TEXT | {"enum": ["a"]}),
    (Shade, TEXT | {"enum": ["light", "dark"]}),
    (Stars, STARS),
    (
        Seat,
        TEXT | {"oneOf": [{"const": "w", "title": "Window"}, {"const": "a", "title": "Aisle row"}]},
    ),
    (
        Labelled,
        TEXT
        | {"oneOf": [{"const": "x", "title": "The first"}, {"const": "y", "title": "The second"}]},
    ),
    (
        Titled,
        TEXT
        | {"oneOf": [{"const": "x", "title": "The first"}, {"const": "y", "title": "The second"}]},
    ),
    (Priority, TEXT | {"oneOf": TITLES}),
    (list[Literal["a", "b"]], {"type": "array", "items": PEARS}),
    (list[Pear], {"type": "array", "items": PEARS}),
    (set[Pear], {"type": "array", "items": PEARS}),
    (list[Stars], {"type": "array", "items": {"anyOf": STARS["oneOf"]}}),
    (list[Priority], {"type": "array", "items": {"anyOf": TITLES}}),
    (
        Annotated[list[str], Choices({"low": "Can wait", "high": "Today"})],
        {"type": "array", "items": {"anyOf": TITLES}},
    ),
    (Annotated[str, Field(min_length=1, max_length=3)], TEXT | {"minLength": 1, "maxLength": 3}),
    (Annotated[str, Field(pattern="^a")], TEXT | {"pattern": "^a"}),
    (Annotated[int, Field(ge=1, le=9)], {"type": "integer", "minimum": 1, "maximum": 9}),
    (Annotated[int, Field(gt=0, lt=9)], {"type": "integer", "minimum": 1, "maximum": 8}),
    (PositiveInt, {"type": "integer", "minimum": 1}),
    (Annotated[float, Field(ge=0.5)], {"type": "number", "minimum": 0.5}),
    (
        Annotated[list[Pear], Field(min_length=1, max_length=2)],
        {"type": "array", "items": PEARS, "minItems": 1, "maxItems": 2},
    ),
    (RootModel[int], {"type": "integer"}),
    (Annotated[str, Field(description="Why")], TEXT | {"description": "Why"}),
]


@pytest.mark.requirement("M15", "A20")
@pytest.mark.parametrize(("kind", "expected"), KINDS, ids=lambda it: str(it)[:40])
def test_a_type_becomes_its_field_alone_and_in_a_model(kind: Any, expected: Mapping[str, Any]):
    """Spec-mandated in what is written, ours in what it is written for."""
    if expected.get("enum") == ["a"]:
        assert prop(kind) == expected
    else:
        assert prop(kind | None if kind != Literal["a", None] else kind) == expected
    in_model = written(of(kind))["properties"]["f"]
    described = {key: it for key, it in in_model.items() if key != "title"}
    assert described == expected


@pytest.mark.parametrize("kind", [str, bool, Pear, list[Pear], Priority, Literal[1, 2]])
def test_a_single_value_is_required_unless_it_may_be_none(kind: Any):
    """Ours."""
    assert written(kind)["required"] == ["value"]
    assert "required" not in written(Optional[kind])  # noqa: UP045 some are no classes


def test_a_null_among_literals_makes_the_value_optional():
    """Ours."""
    assert "required" not in written(Literal["a", None])


class Model(BaseModel):
    name: str
    note: str | None = None
    count: int = 0
    sure: bool = False
    text: str = ""
    pear: Pear = Pear.B
    stars: Stars = Stars.TWO
    many: list[Literal[1, 2]] = [2]


@dataclass
class Data:
    name: str
    note: str | None = None
    count: int = 0
    sure: bool = False
    text: str = ""
    pear: Pear = Pear.B
    stars: Stars = Stars.TWO
    many: list[Literal[1, 2]] = field(default_factory=lambda: [2])


@pytest.mark.requirement("G26")
@pytest.mark.parametrize("form", [Model, Data])
def test_defaults_that_are_zero_or_false_or_empty_are_kept_and_none_is_dropped(form: Any):
    """Ours."""
    found = derive(form).with_initial()
    assert {one.name: one.default for one in found.fields} == {
        "name": UNSET,
        "note": UNSET,
        "count": 0,
        "sure": False,
        "text": "",
        "pear": "b",
        "stars": "2",
        "many": ("2",),
    }
    assert [one.name for one in found.fields if one.required] == ["name"]


class Partial(TypedDict, total=False):
    a: int
    b: str


class Whole(TypedDict):
    a: int
    b: NotRequired[str]


def test_a_typed_dict_requires_what_it_says():
    """Ours."""
    assert "required" not in written(Partial)
    assert written(Whole)["required"] == ["a"]
    assert derive(Whole).decode({"a": 1}) == {"a": 1}
    assert derive(Partial).decode({"b": "x"}) == {"b": "x"}


@dataclass
class NoFields:
    pass


@pytest.mark.parametrize("form", [NoFields, create_model("E"), TypedDict("E", {})])
def test_a_type_without_fields_is_an_empty_form(form: Any):
    """Ours: only the message and the three actions."""
    assert written(form) == {"type": "object", "properties": {}}


def test_titles_come_from_names_unless_the_author_gives_one():
    """Ours."""

    class Form(BaseModel):
        leave_on: date
        pear: Pear
        other: Pear = Field(title="The other", description="Which?")

    fields = derive(Form).schema.by_name()
    assert [(one.title, one.description) for one in fields.values()] == [
        ("Leave On", None),
        ("Pear", None),
        ("The other", "Which?"),
    ]


def test_two_fields_share_an_enum_and_neither_loses_its_own_default():
    """Ours: what a shared definition holds stays beside what the field says."""

    class Form(BaseModel):
        x: Pear = Pear.A
        y: Pear = Pear.B
        z: list[Pear] = [Pear.A]
        w: Pear | None = None

    raw = written(Form)
    assert "$ref" not in str(raw)
    assert {name: it.get("default") for name, it in raw["properties"].items()} == {
        "x": "a",
        "y": "b",
        "z": ["a"],
        "w": None,
    }
    assert {tuple(it.get("items", it)["enum"]) for it in raw["properties"].values()} == {("a", "b")}


def test_an_alias_is_the_name_on_the_wire():
    """Ours."""

    class Form(BaseModel):
        user_name: str = Field(alias="user-name")

    derived = derive(Form)
    assert list(derived.schema.by_name()) == ["user-name"]
    assert derived.decode({"user-name": "mona"}).user_name == "mona"


def test_a_model_that_forbids_extra_keys_is_closed_and_one_that_does_not_is_open():
    """Ours."""

    class Closed(BaseModel):
        model_config = ConfigDict(extra="forbid")
        a: int

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int

    assert derive(Closed).schema.closed
    assert not derive(Open).schema.closed


@pytest.mark.parametrize("name", ["class", "self", "from", "a-b", "", "🦊", "x" * 1_000])
def test_an_alias_may_be_anything(name: str):
    """Ours."""
    form = create_model("M", f=(int, Field(alias=name)))
    assert derive(form).decode({name: 3}).f == 3


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (set[Priority], ["low"]),
        (Annotated[set[str], Choices({"low": "L"})], ["low"]),
        (Annotated[str | None, Choices({"low": "L"})], None),
    ],
)
def test_choices_stand_on_sets_and_beside_none(form: Any, expected: Any):
    """Ours."""
    found = derive(form).decode({} if expected is None else {"value": expected})
    assert found == (set(expected) if expected else None)


def test_choices_refuse_what_is_none_of_them_outside_of_forms_too():
    """Ours: the type says the same wherever its author uses it."""
    for form, value in ((Priority, "later"), (list[Priority], ["low", "later"])):
        with pytest.raises(ValidationError, match="not one of the options"):
            TypeAdapter(form).validate_python(value)


def test_a_type_is_derived_once():
    """Ours."""
    assert derive(Model) is derive(Model)
    assert derive(Literal["a", "b"]) is derive(Literal["a", "b"])


def test_a_type_that_has_no_hash_is_derived_all_the_same():
    """Ours."""
    form = Annotated[str, Choices({"a": "A"}), ["no hash"]]
    assert derive(form).schema == derive(Annotated[str, Choices({"a": "A"})]).schema


def test_a_choice_of_numbers_and_texts_keeps_both_kinds_apart():
    """Ours."""
    derived = derive(list[Literal[1, "b"]])
    assert derived.schema["value"] == ChoicesField(
        name="value", required=True, options=(Option("1"), Option("b"))
    )
    assert derived.decode({"value": ["b", "1"]}) == ["b", 1]


# What is refused: each names the field and the way out.

NONE_OF_THEM = "use str, int, float, bool"
REFUSED: list[tuple[Any, str]] = [
    (Nested, "spread their fields over the form"),
    (dict[str, int], "spread their fields over the form"),
    (list[str], r"use list\[Literal"),
    (list[int], "only strings can be options"),
    (list[Any], r"use list\[Literal"),
    (tuple[int, str], r"use list\[Literal"),
    (Point, r"use list\[Literal"),
    (list[Nested], "only strings can be options"),
    (int | str, NONE_OF_THEM),
    (Any, NONE_OF_THEM),
    (object, NONE_OF_THEM),
    (Decimal, NONE_OF_THEM),
    (type(None), NONE_OF_THEM),
    (Literal[True], NONE_OF_THEM),
    (Halves, NONE_OF_THEM),
    (Truths, NONE_OF_THEM),
    (time, "ask for str and convert it"),
    (timedelta, "ask for str and convert it"),
    (uuid.UUID, "ask for str and convert it"),
    (bytes, "ask for str and convert it"),
    (Annotated[float, Field(gt=0)], r"use minimum \(ge= in Python\)"),
    (Annotated[float, Field(lt=1)], r"use maximum \(le= in Python\)"),
    (Annotated[int, Field(multiple_of=2)], "a validator of your own"),
    (Annotated[str, Field(min_length=2, max_length=1)], "no answer is at least 2 and at most 1"),
    (Annotated[list[Pear], Field(min_length=3)], "at least 3 of 2 options"),
    (Annotated[str, Field(json_schema_extra={"widget": "area"})], "leave it out"),
    (Alike, "two options look alike"),
    (Literal["1", 1], "two options look alike"),
    (Empty, "at least one option"),
    (Annotated[str, Choices({})], "at least one option"),
]


@pytest.mark.requirement("M15", "A20")
@pytest.mark.parametrize(("kind", "way_out"), REFUSED, ids=lambda it: str(it)[:40])
def test_what_a_form_cannot_ask_for_is_refused_by_its_name_with_the_way_out(
    kind: Any, way_out: str
):
    """Spec-mandated: nothing outside the subset may leave."""
    with pytest.raises(SchemaNotExpressible, match=way_out) as caught:
        derive(of(kind))
    assert {p.path.split(".")[1] for p in caught.value.problems} == {"f"}
    with pytest.raises(SchemaNotExpressible, match=way_out):
        derive(of(Optional[kind] if kind is not type(None) else kind))  # noqa: UP045


def test_an_optional_choice_of_nothing_is_refused_and_not_left_out():
    """Ours: a reader leaves such a field out; an author must be told."""
    with pytest.raises(SchemaNotExpressible, match=r"properties\.f: .*at least one option"):
        derive(of(Annotated[str, Choices({})] | None, None))


def test_a_recursive_model_is_refused_as_nested():
    """Spec-mandated."""
    with pytest.raises(SchemaNotExpressible, match=r"properties\.parent: nested objects"):
        derive(Recursive)


def test_every_field_that_cannot_be_asked_for_is_named_at_once():
    """Ours."""
    form = make_dataclass("Form", [("when", time), ("tags", list[str]), ("fine", int)])
    with pytest.raises(SchemaNotExpressible) as caught:
        derive(form)
    # The reader's problems come first; the writer's need a form that can be read.
    assert [p.path for p in caught.value.problems] == ["properties.tags.items"]
    with pytest.raises(SchemaNotExpressible) as caught:
        derive(make_dataclass("Form", [("a", Any), ("b", list[str]), ("c", dict[str, int])]))
    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("properties.a", "unsupported_type"),
        ("properties.b.items", "free_list"),
        ("properties.c", "nested_object"),
    ]


@pytest.mark.requirement("M01", "A32")
@pytest.mark.parametrize(
    "kind",
    [
        SecretStr,
        SecretBytes,
        Secret[str],
        SecretStr | None,
        list[SecretStr],
        Annotated[SecretStr, WithJsonSchema({"type": "string"})],
        Annotated[str, WithJsonSchema({"type": "string", "format": "password", "writeOnly": True})],
    ],
    ids=str,
)
def test_a_secret_type_is_refused_and_nobody_may_overrule_that(kind: Any):
    """Spec-mandated; it also holds the private name of pydantic that secret types share."""
    forms = (of(kind), make_dataclass("D", [("f", kind)]), TypedDict("T", {"f": kind}))
    for form, name in [(kind, "value"), *((form, "f") for form in forms)]:
        with pytest.raises(SensitiveField, match="url mode") as caught:
            derive(form)
        assert (caught.value.where, caught.value.overridable) == (name, False)
        assert "allow_sensitive" not in str(caught.value)


@pytest.mark.parametrize(
    "form",
    [
        3,
        type,
        Callable[[], int],
        Annotated[int, Field(gt=0.5)],
        Annotated[str, Field(pattern="(?=a)")],
        "NoSuchType",
    ],
    ids=str,
)
def test_what_pydantic_cannot_read_is_refused_as_one_sentence(form: Any):
    """Ours."""
    with pytest.raises(SchemaNotExpressible) as caught:
        derive(form)
    assert [p.code for p in caught.value.problems] == ["not_a_type"]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "kind",
    [
        (Literal["a"], "z"),
        (Annotated[int, Field(ge=1)], 0),
        (EmailStr, "nobody"),
        (Pear, {"no": "hash"}),
        (list[Pear], ["z"]),
    ],
)
def test_a_default_that_does_not_fit_its_field_is_refused(kind: tuple[Any, Any]):
    """Ours."""
    with pytest.raises(SchemaNotExpressible) as caught:
        derive(of(*kind))
    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("properties.f.default", "bad_default")
    ]


def test_a_default_that_depends_on_other_fields_is_none_of_the_forms():
    """Ours: it can be known only when the others are."""

    class Form(BaseModel):
        a: int
        b: int = Field(default_factory=lambda data: data["a"] + 1)

    derived = derive(Form)
    assert derived.with_initial()["b"].default is UNSET
    assert derived.decode({"a": 1}).b == 2


def test_the_adapter_is_the_types_own():
    """Ours."""
    assert isinstance(derive(Model).adapter, TypeAdapter)

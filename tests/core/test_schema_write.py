"""Writing a requested schema: one spelling per dialect, and what a dialect cannot say."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.check import check_value
from elicitkit.core.dialects import (
    ACP_V1,
    ACP_V2,
    DIALECTS,
    FORMATS,
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    Dialect,
)
from elicitkit.core.errors import SchemaNotExpressible
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
from elicitkit.core.schema import inspect, problems_in, read, write
from tests.core.strict_schema import require_strict

ALL = tuple(DIALECTS.values())
every_dialect = pytest.mark.parametrize("dialect", ALL, ids=lambda row: row.name)

PLAIN = (Option("a"), Option("b"))
LABELLED = (Option("a", "Ay"), Option("b", "Bee"))
DESCRIBED = (Option("a", "Ay", "the first"), Option("b"))


def form(*fields: Field) -> RequestedSchema:
    return RequestedSchema(fields=fields)


def prop(one: Field, dialect: Dialect) -> dict[str, Any]:
    written = write(form(one), dialect)
    require_strict(written, dialect)
    return written["properties"][one.name]


def codes(one: Field, dialect: Dialect) -> list[str]:
    return [problem.code for problem in problems_in(form(one), dialect)]


# Spellings.


@pytest.mark.requirement("A19")
@every_dialect
def test_an_empty_form_still_has_its_type_and_properties(dialect: Dialect):
    """Spec-mandated."""
    assert write(form(), dialect) == {"type": "object", "properties": {}}


@every_dialect
def test_a_plain_choice_is_an_enum_everywhere(dialect: Dialect):
    """Spec-mandated."""
    one = ChoiceField(name="f", options=PLAIN, default="b")
    assert prop(one, dialect) == {"type": "string", "enum": ["a", "b"], "default": "b"}


@pytest.mark.requirement("G25")
def test_titles_of_a_choice_are_enum_names_on_2025_06_18_and_one_of_elsewhere():
    """Spec-mandated; and ours: the legacy spelling is written nowhere else."""
    one = ChoiceField(name="f", options=LABELLED)
    consts = [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Bee"}]
    assert [prop(one, dialect) for dialect in ALL] == [
        {"type": "string", "enum": ["a", "b"], "enumNames": ["Ay", "Bee"]},
        *[{"type": "string", "oneOf": consts}] * 4,
    ]


@pytest.mark.requirement("G25")
@every_dialect
def test_enum_names_that_were_read_are_written_in_the_dialects_own_spelling(dialect: Dialect):
    """Ours."""
    raw = {"type": "string", "enum": ["a"], "enumNames": ["Ay"]}
    schema = read({"type": "object", "properties": {"f": raw}}, dialect)
    written = write(schema, dialect)
    require_strict(written, dialect)
    assert ("enumNames" in written["properties"]["f"]) is (dialect is MCP_2025_06_18)


def test_a_multi_select_is_written_where_it_exists():
    """Spec-mandated."""
    plain = ChoicesField(name="f", options=PLAIN, min_items=0, max_items=1, default=())
    titled = ChoicesField(name="f", options=LABELLED, default=("b",))
    consts = [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Bee"}]
    for dialect in ALL[1:]:
        assert prop(plain, dialect) == {
            "type": "array",
            "minItems": 0,
            "maxItems": 1,
            "items": {"type": "string", "enum": ["a", "b"]},
            "default": [],
        }
        assert prop(titled, dialect) == {
            "type": "array",
            "items": {"anyOf": consts},
            "default": ["b"],
        }


@pytest.mark.case("010-list-of-literal-on-2025-06-18")
def test_a_multi_select_on_2025_06_18_is_refused_with_the_way_out():
    """Spec-mandated: arrays do not exist there."""
    one = ChoicesField(name="f", options=PLAIN)
    with pytest.raises(SchemaNotExpressible, match="one yes/no per option") as caught:
        write(form(one), MCP_2025_06_18)
    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("properties.f", "no_multi_select")
    ]


def test_the_description_of_an_option_goes_into_its_title_where_it_has_no_place():
    """Ours: DIALECTS 11.2, folded in."""
    one = ChoiceField(name="f", options=DESCRIBED)
    assert prop(one, MCP_2025_06_18)["enumNames"] == ["Ay (the first)", "b"]
    for dialect in (MCP_2025_11_25, MCP_2026_07_28):
        assert prop(one, dialect)["oneOf"] == [
            {"const": "a", "title": "Ay (the first)"},
            {"const": "b", "title": "b"},
        ]
    for dialect in (ACP_V1, ACP_V2):
        assert prop(one, dialect)["oneOf"] == [
            {"const": "a", "title": "Ay", "description": "the first"},
            {"const": "b", "title": "b"},
        ]


@pytest.mark.requirement("G23")
def test_a_pattern_is_a_keyword_where_the_page_shows_it_and_told_elsewhere():
    """Ours."""
    one = TextField(name="f", pattern="^a+$")
    assert [prop(one, dialect).get("pattern") for dialect in ALL] == [
        None, "^a+$", None, "^a+$", "^a+$",
    ]  # fmt: skip
    for dialect in (MCP_2025_06_18, MCP_2026_07_28):
        assert prop(one, dialect)["description"] == "(must match ^a+$)"
        described = replace(one, description="Your code")
        assert prop(described, dialect)["description"] == "Your code (must match ^a+$)"


@pytest.mark.requirement("M15", "G21")
def test_a_format_outside_the_four_is_written_on_acp_v2_only():
    """Spec-mandated."""
    one = TextField(name="f", format="uuid")
    assert [codes(one, dialect) for dialect in ALL] == [*[["unknown_format"]] * 4, []]
    assert prop(one, ACP_V2) == {"type": "string", "format": "uuid"}
    for known in FORMATS:
        assert [codes(TextField(name="f", format=known), dialect) for dialect in ALL] == [[]] * 5


def test_the_bounds_of_an_integer_are_narrowed_to_integers_on_acp():
    """Spec-mandated: int64 there, any number on MCP."""
    one = IntegerField(name="f", minimum=1.5, maximum=8.5)
    for dialect in ALL:
        low, high = (2, 8) if dialect.protocol == "acp" else (1.5, 8.5)
        assert prop(one, dialect) == {"type": "integer", "minimum": low, "maximum": high}
    half = IntegerField(name="f", minimum=1)
    assert [prop(half, dialect) for dialect in ALL] == [{"type": "integer", "minimum": 1}] * 5


@every_dialect
def test_everything_a_field_may_say_is_written(dialect: Dialect):
    """Spec-mandated, but for ``default`` on 2025-06-18: see ``strict_schema``."""
    texts = {"title": "T", "description": "D"}
    named = {"name": "f", **texts}
    assert prop(
        TextField(**named, min_length=0, max_length=12, format="date", default="2026-02-28"),
        dialect,
    ) == {
        "type": "string", **texts, "minLength": 0, "maxLength": 12, "format": "date",
        "default": "2026-02-28",
    }  # fmt: skip
    assert prop(NumberField(**named, minimum=0, maximum=1.5, default=0), dialect) == {
        "type": "number", **texts, "minimum": 0, "maximum": 1.5, "default": 0,
    }  # fmt: skip
    assert prop(BooleanField(**named, default=False), dialect) == {
        "type": "boolean", **texts, "default": False,
    }  # fmt: skip


@every_dialect
def test_texts_of_the_schema_itself_are_written_on_acp_only(dialect: Dialect):
    """Spec-mandated."""
    schema = RequestedSchema(
        fields=(TextField(name="f", required=True),), closed=True, title="T", description="D"
    )
    written = write(schema, dialect)
    require_strict(written, dialect)
    texts = {"title": "T", "description": "D"} if dialect.protocol == "acp" else {}
    assert written == {
        "type": "object",
        **texts,
        "properties": {"f": {"type": "string"}},
        "required": ["f"],
    }


# What a dialect cannot say.


@pytest.mark.requirement("M15", "A27")
def test_an_unknown_kind_of_property_is_handed_on_by_acp_and_refused_by_mcp():
    """Spec-mandated: MCP has a closed set."""
    raw = {"type": "_stars", "of": 5}
    one = OtherField(name="f", raw=raw)
    assert [codes(one, dialect) for dialect in ALL] == [*[["unsupported_type"]] * 3, [], []]
    assert write(form(one), ACP_V1)["properties"] == {"f": raw}


@pytest.mark.requirement("G26")
@every_dialect
@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (ChoiceField(name="f", options=()), ["no_options"]),
        (ChoiceField(name="f", options=(*PLAIN, Option("a"))), ["repeated_option"]),
        (ChoiceField(name="f", options=PLAIN, default="c"), ["bad_default"]),
        (TextField(name="f", max_length=1, default="ab"), ["bad_default"]),
        (NumberField(name="f", default=math.nan), ["bad_default"]),
        (TextField(name="f", min_length=2, max_length=1), ["empty_range"]),
        (NumberField(name="f", minimum=2, maximum=1.5), ["empty_range"]),
        (IntegerField(name="f", minimum=1.2, maximum=1.8), ["empty_range"]),
        (NumberField(name="f", minimum=1.2, maximum=1.8), []),
        (IntegerField(name="f", minimum=1, maximum=1), []),
        (BooleanField(name="f", default=False), []),
    ],
)
def test_a_field_that_nobody_could_answer_is_refused(
    dialect: Dialect, one: Field, expected: list[str]
):
    """Ours."""
    assert codes(one, dialect) == expected


@pytest.mark.requirement("G26")
@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (ChoicesField(name="f", options=()), ["no_options"]),
        (ChoicesField(name="f", options=(Option("a"), Option("a"))), ["repeated_option"]),
        (ChoicesField(name="f", options=PLAIN, default=("a", "c")), ["bad_default"]),
        (ChoicesField(name="f", options=PLAIN, max_items=1, default=("a", "b")), ["bad_default"]),
        (ChoicesField(name="f", options=PLAIN, min_items=3), ["empty_range"]),
        (ChoicesField(name="f", options=PLAIN, min_items=2, max_items=1), ["empty_range"]),
        (ChoicesField(name="f", options=PLAIN, min_items=2, max_items=2), []),
    ],
)
def test_a_multi_select_that_nobody_could_answer_is_refused(one: ChoicesField, expected: list[str]):
    """Ours."""
    assert codes(one, MCP_2025_11_25) == expected


def test_every_problem_of_every_field_is_named_at_once():
    """Ours."""
    schema = form(
        TextField(name="when", format="time"),
        ChoicesField(name="which", options=()),
        TextField(name="fine"),
    )
    with pytest.raises(SchemaNotExpressible) as caught:
        write(schema, MCP_2025_06_18)
    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("properties.when", "unknown_format"),
        ("properties.which", "no_multi_select"),
        ("properties.which", "no_options"),
    ]
    assert "properties.when: mcp-2025-06-18 knows only" in str(caught.value)


def test_a_schema_is_written_once_per_dialect():
    """Ours: rendering anew is most of what a question costs."""
    schema = form(ChoiceField(name="f", options=LABELLED))
    assert write(schema, MCP_2025_11_25) is write(schema, MCP_2025_11_25)
    assert write(schema, MCP_2025_11_25) != write(schema, MCP_2025_06_18)


# Round trip: whatever can be written reads back as the same schema, but for what the dialect
# has no word for.

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
NAMES = st.one_of(TEXTS, st.sampled_from(["__proto__", "self", "model_config", "", "🦊"]))
NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.just(10**400)
)
COUNTS = st.none() | st.integers(0, 20)


def options() -> st.SearchStrategy[tuple[Option, ...]]:
    one = st.builds(Option, TEXTS, st.none() | TEXTS, st.none() | TEXTS)
    return st.lists(one, min_size=1, max_size=6, unique_by=lambda it: it.const).map(tuple)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    base: dict[str, Any] = {
        "name": draw(NAMES),
        "title": draw(st.none() | TEXTS),
        "description": draw(st.none() | TEXTS),
        "required": draw(st.booleans()),
    }
    kind = draw(st.sampled_from(["text", "number", "integer", "boolean", "choice", "choices"]))
    one: Field
    match kind:
        case "text":
            one = TextField(
                **base,
                min_length=draw(COUNTS),
                max_length=draw(COUNTS),
                pattern=draw(st.none() | TEXTS),
                format=draw(st.none() | st.sampled_from(sorted(FORMATS)) | TEXTS),
                default=draw(st.just(UNSET) | TEXTS),
            )
        case "number":
            low, high = draw(st.none() | NUMBERS), draw(st.none() | NUMBERS)
            default = draw(st.just(UNSET) | NUMBERS)
            one = NumberField(**base, minimum=low, maximum=high, default=default)
        case "integer":
            low, high = draw(st.none() | NUMBERS), draw(st.none() | NUMBERS)
            default = draw(st.just(UNSET) | st.integers())
            one = IntegerField(**base, minimum=low, maximum=high, default=default)
        case "boolean":
            one = BooleanField(**base, default=draw(st.just(UNSET) | st.booleans()))
        case "choice":
            listed = draw(options())
            default = draw(st.just(UNSET) | st.sampled_from([it.const for it in listed]))
            one = ChoiceField(**base, options=listed, default=default)
        case _:
            listed = draw(options())
            chosen = st.lists(st.sampled_from([it.const for it in listed]), max_size=3)
            one = ChoicesField(
                **base,
                options=listed,
                min_items=draw(COUNTS),
                max_items=draw(COUNTS),
                default=draw(st.just(UNSET) | chosen.map(tuple)),
            )
    return one


def schemas() -> st.SearchStrategy[RequestedSchema]:
    return st.builds(
        RequestedSchema,
        fields=st.lists(fields(), max_size=4, unique_by=lambda it: it.name).map(tuple),
        title=st.none() | TEXTS,
        description=st.none() | TEXTS,
    )


def sayable(schema: RequestedSchema, dialect: Dialect) -> RequestedSchema:
    """The schema as far as the dialect has words for it."""
    texts = dialect.protocol == "acp"
    return replace(
        schema,
        fields=tuple(_sayable(one, dialect) for one in schema.fields),
        title=schema.title if texts else None,
        description=schema.description if texts else None,
    )


def _sayable(one: Field, dialect: Dialect) -> Field:
    if isinstance(one, ChoiceField | ChoicesField):
        return replace(one, options=_sayable_options(one.options, dialect))
    if isinstance(one, TextField) and one.pattern is not None and not dialect.pattern:
        told = f"{one.description or ''} (must match {one.pattern})".strip()
        return replace(one, pattern=None, description=told)
    if isinstance(one, IntegerField) and dialect.protocol == "acp":
        low = None if one.minimum is None else math.ceil(one.minimum)
        high = None if one.maximum is None else math.floor(one.maximum)
        return replace(one, minimum=low, maximum=high)
    return one


def _sayable_options(listed: tuple[Option, ...], dialect: Dialect) -> tuple[Option, ...]:
    if not any(it.title or it.description for it in listed):
        return tuple(Option(it.const) for it in listed)
    if dialect.protocol == "acp":
        return tuple(Option(it.const, it.label, it.description) for it in listed)
    return tuple(
        Option(it.const, f"{it.label} ({it.description})" if it.description else it.label)
        for it in listed
    )


@pytest.mark.requirement("M15", "A20")
@every_dialect
@given(schema=schemas())
def test_what_is_written_is_strict_and_reads_back_as_the_same_schema(
    dialect: Dialect, schema: RequestedSchema
):
    """Spec-mandated on the wire; the rest is ours."""
    if problems_in(schema, dialect):
        with pytest.raises(SchemaNotExpressible):
            write(schema, dialect)
        return
    written = write(schema, dialect)
    require_strict(written, dialect)
    reading = inspect(json.loads(json.dumps(written)), dialect)
    assert (reading.problems, reading.ignored) == ((), ())
    assert reading.schema == sayable(schema, dialect)


@every_dialect
@given(schema=schemas())
def test_what_has_no_problem_has_defaults_that_are_answers(
    dialect: Dialect, schema: RequestedSchema
):
    """Ours."""
    if problems_in(schema, dialect):
        return
    for one in read(write(schema, dialect), dialect).fields:
        if one.default is not UNSET:
            default = list(one.default) if isinstance(one.default, tuple) else one.default
            assert check_value(one, default)[1] == ()

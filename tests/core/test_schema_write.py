"""Writing a requested schema: one spelling per dialect, and what a dialect cannot say."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from elicitkit.core.check import check_value
from elicitkit.core.dialects import (
    ACP_V1,
    ACP_V2,
    ACP_V2_STRICT,
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
from tests.core.any_schema import sayable, schemas
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


@pytest.mark.parametrize(
    ("one", "given", "on_acp"),
    [
        (TextField(name="f", min_length=0, max_length=2**32 - 1), "minLength maxLength", ...),
        (TextField(name="f", min_length=1, max_length=2**32), "minLength maxLength", "minLength"),
        (TextField(name="f", min_length=2**32), "minLength", ""),
        (IntegerField(name="f", minimum=-(2**63), maximum=2**63 - 1), "minimum maximum", ...),
        (IntegerField(name="f", minimum=-(2**63) - 1, maximum=2**63), "minimum maximum", ""),
        (IntegerField(name="f", minimum=1e300), "minimum", ""),
        (IntegerField(name="f", default=2**63 - 1), "default", ...),
        (IntegerField(name="f", default=-(2**63) - 1), "default", ""),
        (IntegerField(name="f", minimum=0, default=0), "minimum default", ...),
        (NumberField(name="f", minimum=0.5, maximum=10**400), "minimum maximum", "minimum"),
        (NumberField(name="f", default=10**400), "default", ""),
        (NumberField(name="f", minimum=0, default=0), "minimum default", ...),
    ],
)
def test_what_does_not_fit_the_numbers_of_acp_is_left_out_there(
    one: Field, given: str, on_acp: Any
):
    """Spec-mandated sizes; that the asking side checks the rest by itself is ours."""
    for dialect in ALL:
        kept = given if on_acp is ... or dialect.protocol == "mcp" else on_acp
        assert " ".join(list(prop(one, dialect))[1:]) == kept


def test_counts_of_items_are_left_out_on_acp_where_they_do_not_fit():
    """Spec-mandated: uint64."""
    for most, written in ((2**64 - 1, True), (2**64, False)):
        one = ChoicesField(name="f", options=PLAIN, max_items=most)
        for dialect in ALL[1:]:
            there = "maxItems" in write(form(one), dialect)["properties"]["f"]
            assert there is (written or dialect.protocol == "mcp")


@pytest.mark.parametrize("items", [{}, {"type": "string"}, None, ["a"]])
def test_a_list_without_options_is_sent_by_nobody(items: object):
    """Spec-mandated: it is of a known type and fails it; a reader shows the form without it."""
    one = OtherField(name="f", raw={"type": "array", "items": items})
    assert [codes(one, dialect) for dialect in ALL] == [
        *[["unsupported_type"]] * 3, ["free_list"], ["free_list"],
    ]  # fmt: skip
    stars = OtherField(name="f", raw={"type": "array", "items": {"type": "_stars"}})
    assert codes(stars, ACP_V1) == []


def test_both_readings_of_the_acp_v2_draft_are_written_alike():
    """Ours: what is written once is kept for both."""
    one = TextField(name="f", format="uuid")
    fresh = [write(form(one), dialect) for dialect in (ACP_V2, ACP_V2_STRICT)]
    assert fresh[0] == fresh[1]


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

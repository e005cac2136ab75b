"""Reading a requested schema: every spelling, every ruling, and what hostile peers send."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

import pytest

from elicitkit.core.dialects import (
    ACP_V1,
    ACP_V2,
    ACP_V2_STRICT,
    DIALECTS,
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    Dialect,
)
from elicitkit.core.errors import InvalidRequest
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
    TextField,
)
from elicitkit.core.schema import Reading, inspect, read

MCP = (MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28)
ACP = (ACP_V1, ACP_V2)
ALL = (*MCP, *ACP)
STRICT = pytest.param(ACP_V2_STRICT, id="acp-v2-strict")

every_dialect = pytest.mark.parametrize("dialect", ALL, ids=lambda row: row.name)
every_mcp = pytest.mark.parametrize("dialect", MCP, ids=lambda row: row.name)
every_acp = pytest.mark.parametrize("dialect", [*ACP, STRICT], ids=lambda row: row.name)
lenient_acp = pytest.mark.parametrize("dialect", ACP, ids=lambda row: row.name)


def form(prop: object, *, name: str = "f", required: bool = False) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": {name: prop}}
    return made | ({"required": [name]} if required else {})


def field(prop: object, dialect: Dialect = MCP_2025_11_25) -> Field:
    return read(form(prop), dialect)["f"]


def refusals(raw: object, dialect: Dialect) -> list[tuple[str, str]]:
    reading = inspect(raw, dialect)
    assert (reading.schema is None) is bool(reading.problems)
    return [(one.path, one.code) for one in reading.problems]


# The acceptance matrix of the published schemas, one line a row. The columns are the three MCP
# revisions, then ACP v1 and v2 (the snapshot's column). A cell is what the specification's
# own schema says; where our reader knowingly differs, OURS holds what it does and why.

ENUM_NAMES = {"type": "string", "enum": ["a"], "enumNames": ["A"]}
TITLED = {"type": "string", "oneOf": [{"const": "a", "title": "A"}]}
MULTI = {"type": "array", "items": {"type": "string", "enum": ["a"]}}
MULTI_TITLED = {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}

MATRIX: Mapping[str, tuple[object, str]] = {
    "enumNames": (form(ENUM_NAMES), "ok ok ok ok ok"),
    "a $schema and additionalProperties": (
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "additionalProperties": False,
            **form({"type": "string"}),
        },
        "ok ok ok ok ok",
    ),
    "exclusiveMinimum kept": (form({"type": "integer", "exclusiveMinimum": 0}), "ok ok ok ok ok"),
    "pattern": (form({"type": "string", "pattern": "^a+$"}), "ok ok ok ok ok"),
    "a pattern that does not compile": (form({"type": "string", "pattern": "("}), "ok ok ok ok ok"),
    "an integer with a fractional bound": (
        form({"type": "integer", "minimum": 1.5}),
        "ok ok ok x x",
    ),
    "an integer with a fractional default": (
        form({"type": "integer", "default": 2.5}),
        "ok ok ok x x",
    ),
    "an integer bound 1.0": (form({"type": "integer", "minimum": 1.0}), "ok ok ok ok ok"),
    "an integer bound 2^63": (form({"type": "integer", "maximum": 2**63}), "ok ok ok ok ok"),
    "an unknown format": (form({"type": "string", "format": "uuid"}), "x x x x ok"),
    "an empty enum, optional": (form({"type": "string", "enum": []}), "ok ok ok ok x"),
    "an empty enum, required": (
        form({"type": "string", "enum": []}, required=True),
        "ok ok ok ok x",
    ),
    "a default outside the enum": (
        form({"type": "string", "enum": ["a"], "default": "b"}),
        "ok ok ok ok ok",
    ),
    "a titled oneOf": (form(TITLED), "ok ok ok ok ok"),
    "a oneOf entry without title": (
        form({"type": "string", "oneOf": [{"const": "a"}]}),
        "ok ok ok x x",
    ),
    "multi-select": (form(MULTI), "x ok ok ok ok"),
    "multi-select with titles": (form(MULTI_TITLED), "x ok ok ok ok"),
    "multi-select with anyOf beside type": (
        form(
            {"type": "array", "items": {"type": "string", "anyOf": [{"const": "a", "title": "A"}]}}
        ),
        "x ok ok ok ok",
    ),
    "items.oneOf": (
        form({"type": "array", "items": {"oneOf": [{"const": "a", "title": "A"}]}}),
        "x x x x x",
    ),
    "a free list of strings": (form({"type": "array", "items": {"type": "string"}}), "x x x x x"),
    "an integer with enum": (form({"type": "integer", "enum": [1, 2]}), "ok ok ok ok ok"),
    "a property of type object": (form({"type": "object", "properties": {}}), "x x x ok ok"),
    "a list of types": (form({"type": ["string", "null"]}), "x x x x x"),
    "anyOf-Optional": (form({"anyOf": [{"type": "string"}, {"type": "null"}]}), "x x x x x"),
    "a property without type": (form({"title": "A"}), "x x x x x"),
    "a schema without type": ({"properties": {"f": {"type": "string"}}}, "x x x ok ok"),
    "a schema without properties": ({"type": "object"}, "x x x ok ok"),
}

TOLERANT = "reading it costs nothing and servers write it (case 037)"
OURS: Mapping[str, tuple[str, str]] = {
    "an integer with a fractional default": (
        "ok ok ok ok ok",
        "a bad default is ignored (G26); tolerant ACP readers drop this one (section 9, note)",
    ),
    "an unknown format": ("ok ok ok ok ok", "unknown formats are notes (A23, G21, case 034)"),
    "an empty enum, optional": ("ok ok ok ok ok", "the field is left out (G26)"),
    "an empty enum, required": ("x x x x x", "there is nothing to choose (G26)"),
    "a oneOf entry without title": (
        "ok ok ok ok ok",
        "the value is its own label, as for a short enumNames (G25)",
    ),
    "multi-select": ("ok ok ok ok ok", TOLERANT),
    "multi-select with titles": ("ok ok ok ok ok", TOLERANT),
    "multi-select with anyOf beside type": ("ok ok ok ok ok", TOLERANT),
    "items.oneOf": ("ok ok ok ok ok", TOLERANT),
    "a free list of strings": ("x x x ok ok", "the form is shown without it (G27)"),
}


@pytest.mark.requirement("A20", "A21", "G25", "G26", "G27")
@pytest.mark.parametrize("row", MATRIX)
def test_the_reader_follows_the_acceptance_matrix_but_for_the_listed_differences(row: str):
    """Spec-mandated, with our own rulings where OURS names one."""
    raw, spec = MATRIX[row]
    ours, _ = OURS.get(row, (spec, ""))
    found = " ".join("x" if refusals(raw, dialect) else "ok" for dialect in ALL)
    assert found == ours


def test_every_listed_difference_from_the_matrix_is_one():
    """Ours: the list of divergences may not rot."""
    for row, (ours, why) in OURS.items():
        assert ours != MATRIX[row][1], row
        assert why


# Every spelling of every dialect.

PLAIN = (Option("a"), Option("b"))
LABELLED = (Option("a", "Ay"), Option("b", "Bee"))
CONSTS = [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Bee"}]


@every_dialect
@pytest.mark.parametrize(
    ("prop", "options"),
    [
        ({"type": "string", "enum": ["a", "b"]}, PLAIN),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["Ay", "Bee"]}, LABELLED),
        ({"type": "string", "oneOf": CONSTS}, LABELLED),
        ({"type": "string", "oneOf": CONSTS, "enum": ["a", "b"]}, LABELLED),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, PLAIN),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, PLAIN),
        (
            {"type": "array", "items": {"enum": ["a", "b"], "enumNames": ["Ay", "Bee"]}},
            LABELLED,
        ),
        ({"type": "array", "items": {"anyOf": CONSTS}}, LABELLED),
        ({"type": "array", "items": {"type": "string", "anyOf": CONSTS}}, LABELLED),
        ({"type": "array", "items": {"type": "string", "oneOf": CONSTS}}, LABELLED),
    ],
)
def test_every_spelling_of_a_choice_is_read_the_same(
    dialect: Dialect, prop: Mapping[str, object], options: tuple[Option, ...]
):
    """Spec-mandated for each dialect's own spellings, ours for the others."""
    kind = ChoiceField if prop["type"] == "string" else ChoicesField
    assert field(prop, dialect) == kind(name="f", options=options)


@every_dialect
def test_an_option_keeps_its_description(dialect: Dialect):
    """Spec-mandated on ACP; ours elsewhere."""
    described = [{"const": "a", "title": "Ay", "description": "the first"}]
    found = field({"type": "string", "oneOf": described}, dialect)
    assert found == ChoiceField(name="f", options=(Option("a", "Ay", "the first"),))


@every_dialect
def test_the_simple_kinds_are_read_with_all_they_may_hold(dialect: Dialect):
    """Spec-mandated."""
    texts = {"title": "T", "description": "D"}
    named = {"name": "f", **texts}
    assert field(
        {
            "type": "string", **texts, "minLength": 1, "maxLength": 9, "pattern": "a",
            "format": "email", "default": "a@b.co",
        },
        dialect,
    ) == TextField(
        **named, min_length=1, max_length=9, pattern="a", format="email", default="a@b.co"
    )  # fmt: skip
    assert field(
        {"type": "number", **texts, "minimum": -0.5, "maximum": 2, "default": 1.5}, dialect
    ) == NumberField(**named, minimum=-0.5, maximum=2, default=1.5)
    assert field(
        {"type": "integer", **texts, "minimum": 0, "maximum": 2.0, "default": 1.0}, dialect
    ) == IntegerField(**named, minimum=0, maximum=2, default=1)
    assert field({"type": "boolean", **texts, "default": False}, dialect) == BooleanField(
        **named, default=False
    )


@every_dialect
def test_required_fields_and_the_order_of_fields_are_kept(dialect: Dialect):
    """Spec-mandated."""
    raw = {
        "type": "object",
        "title": "Form",
        "description": "About",
        "properties": {name: {"type": "string"} for name in ("z", "a", "m")},
        "required": ["m", "z"],
    }
    found = read(raw, dialect)
    assert [(one.name, one.required) for one in found.fields] == [
        ("z", True),
        ("a", False),
        ("m", True),
    ]
    assert (found.title, found.description, found.closed) == ("Form", "About", False)


@every_dialect
def test_a_schema_that_forbids_other_keys_is_closed(dialect: Dialect):
    """Ours: the word is kept for the check of the answer."""
    raw = form({"type": "string"})
    assert read(raw | {"additionalProperties": False}, dialect).closed
    assert not read(raw | {"additionalProperties": {"type": "string"}}, dialect).closed


# Rulings.


@pytest.mark.requirement("G25")
@every_dialect
@pytest.mark.parametrize("names", [["A"], ["A", "B", "C"], [1, 2], "AB", None])
def test_enum_names_that_do_not_fit_leave_each_value_as_its_own_label(
    dialect: Dialect, names: object
):
    """Ours."""
    found = field({"type": "string", "enum": ["a", "b"], "enumNames": names}, dialect)
    assert found == ChoiceField(name="f", options=PLAIN)


@pytest.mark.requirement("G26")
@every_dialect
def test_a_choice_of_nothing_is_left_out_where_it_is_optional(dialect: Dialect):
    """Ours."""
    raw = {
        "type": "object",
        "properties": {
            "none": {"type": "string", "enum": []},
            "nones": {"type": "array", "items": {"anyOf": []}},
            "some": {"type": "string"},
        },
    }
    assert [one.name for one in read(raw, dialect).fields] == ["some"]
    for name in ("none", "nones"):
        assert refusals(raw | {"required": [name]}, dialect) == [
            (f"properties.{name}", "no_options")
        ]


@pytest.mark.requirement("G26")
@every_dialect
def test_the_first_of_repeated_options_counts(dialect: Dialect):
    """Ours."""
    prop = {"type": "string", "oneOf": [*CONSTS, {"const": "a", "title": "Again"}]}
    assert field(prop, dialect) == ChoiceField(name="f", options=LABELLED)


@pytest.mark.requirement("G26")
@every_dialect
@pytest.mark.parametrize(
    "prop",
    [
        {"type": "string", "enum": ["a"], "default": "A"},
        {"type": "string", "minLength": 2, "default": "x"},
        {"type": "string", "format": "date", "default": "soon"},
        {"type": "string", "default": 1},
        {"type": "number", "maximum": 1, "default": 2},
        {"type": "number", "default": "1"},
        {"type": "integer", "default": 1.5},
        {"type": "integer", "default": True},
        {"type": "boolean", "default": "true"},
        {"type": "boolean", "default": None},
        {"type": "string", "default": None},
        {"type": "array", "items": {"enum": ["a"]}, "default": "a"},
        {"type": "array", "items": {"enum": ["a"]}, "default": None},
        {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1, "default": ["a", "b"]},
    ],
)
def test_a_default_that_does_not_fit_is_ignored(dialect: Dialect, prop: dict[str, object]):
    """Ours."""
    assert field(prop, dialect).default is UNSET


@pytest.mark.parametrize(
    ("prop", "default"),
    [
        ({"type": "string", "default": ""}, ""),
        ({"type": "integer", "default": 0}, 0),
        ({"type": "number", "default": 0}, 0),
        ({"type": "boolean", "default": False}, False),
        ({"type": "array", "items": {"enum": ["a"]}, "default": []}, ()),
    ],
)
def test_a_default_that_is_empty_or_zero_or_false_is_one(prop: dict[str, object], default: object):
    """Spec-mandated."""
    assert field(prop).default == default


def test_only_acp_keeps_the_good_entries_of_a_list_default():
    """Spec-mandated: DIALECTS 4.1, invalid entries of ``default`` are dropped."""
    prop = {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["a", 1, ["b"], "z"]}
    assert [field(prop, dialect).default for dialect in ALL] == [
        UNSET, UNSET, UNSET, ("a",), ("a",),
    ]  # fmt: skip


@pytest.mark.requirement("G28")
@every_dialect
def test_a_required_name_that_is_no_property_is_refused(dialect: Dialect):
    """Ours."""
    raw = form({"type": "string"}) | {"required": ["f", "g"]}
    assert refusals(raw, dialect) == [("required", "unknown_field")]


@pytest.mark.requirement("G27")
@every_mcp
@pytest.mark.parametrize(
    ("prop", "refusal"),
    [
        ({"type": "object", "properties": {}}, ("", "nested_object")),
        ({"type": "array", "items": {"type": "string"}}, (".items", "free_list")),
        ({"type": "array", "items": {}}, (".items", "free_list")),
        ({"type": "array"}, (".items", "free_list")),
        ({"type": "array", "items": ["a"]}, (".items", "free_list")),
        ({"type": "array", "items": {"type": "integer"}}, (".items.type", "not_strings")),
        (
            {"type": "array", "items": {"type": "integer", "enum": ["1"]}},
            (".items.type", "not_strings"),
        ),
        ({"type": "null"}, ("", "unsupported_type")),
        ({"type": "_stars"}, ("", "unsupported_type")),
        ({"enum": ["a"]}, ("", "unsupported_type")),
        ({"type": "string", "enum": [1]}, (".enum", "not_strings")),
        ({"type": "string", "enum": "ab"}, (".enum", "not_strings")),
        ({"type": "string", "oneOf": [{"const": 1}]}, (".oneOf", "not_strings")),
        ({"type": "string", "oneOf": ["a"]}, (".oneOf", "not_strings")),
        ({"type": "array", "items": {"anyOf": [{"title": "A"}]}}, (".items.anyOf", "not_strings")),
        ("string", ("", "malformed")),
        (None, ("", "malformed")),
    ],
)
def test_what_mcp_cannot_render_is_refused_and_named(
    dialect: Dialect, prop: object, refusal: tuple[str, str]
):
    """Ours."""
    where, code = refusal
    assert refusals(form(prop), dialect) == [(f"properties.f{where}", code)]


@pytest.mark.requirement("A25", "A26", "G27")
@every_acp
@pytest.mark.parametrize(
    "prop",
    [
        {"type": "object", "properties": {"street": {"type": "string"}}},
        {"type": "_stars", "title": "Stars", "enum": ["a"]},
        {"type": "array", "items": {"type": "_stars"}},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"enum": None, "oneOf": None}},
        {"type": "array", "items": {"type": "number", "enum": ["1"]}},
        {"type": "array", "items": {"type": "_x", "anyOf": [{"const": "a", "title": "A"}]}},
    ],
)
def test_acp_keeps_an_unknown_kind_of_property_raw_and_never_as_a_known_control(
    dialect: Dialect, prop: dict[str, object]
):
    """Spec-mandated."""
    assert field(prop, dialect) == OtherField(name="f", title=prop.get("title"), raw=prop)


@every_acp
def test_acp_refuses_a_kind_that_is_not_even_a_word(dialect: Dialect):
    """Spec-mandated."""
    for prop in ({"type": 7}, {"type": "array", "items": {"type": ["string"]}}):
        assert refusals(form(prop), dialect) != []


@pytest.mark.requirement("A21")
@lenient_acp
@pytest.mark.parametrize("kind", ["missing", None, 7, "array", ["object"]])
def test_acp_takes_a_missing_or_malformed_type_as_object(dialect: Dialect, kind: object):
    """Spec-mandated."""
    raw = {"type": kind, "properties": {"f": {"type": "string"}}, "required": None}
    if kind == "missing":
        del raw["type"]
    assert [one.name for one in read(raw, dialect).fields] == ["f"]
    assert read({}, dialect).fields == ()


@pytest.mark.parametrize("kind", ["missing", None, 7, "array", ["object"]])
def test_the_newer_acp_v2_refuses_a_missing_or_malformed_type(kind: object):
    """Spec-mandated."""
    raw = {"type": kind, "properties": {}}
    if kind == "missing":
        del raw["type"]
    assert refusals(raw, ACP_V2_STRICT) == [("type", "not_an_object")]
    assert refusals({"type": "object"}, ACP_V2_STRICT) == [("properties", "no_properties")]


@pytest.mark.requirement("A21")
@every_dialect
def test_properties_of_null_are_refused(dialect: Dialect):
    """Spec-mandated."""
    assert refusals({"type": "object", "properties": None}, dialect) == [
        ("properties", "no_properties")
    ]


@every_acp
def test_acp_passes_over_malformed_texts(dialect: Dialect):
    """Spec-mandated: the marked keys of DIALECTS 4.1."""
    raw = form({"type": "string", "title": 1, "description": ["x"]}) | {"title": 2}
    found = read(raw, dialect)
    assert (found.title, found["f"]) == (None, TextField(name="f"))


@pytest.mark.requirement("A23", "G21")
@pytest.mark.case("034-unknown-string-format")
@every_dialect
def test_an_unknown_format_is_kept_and_refuses_nothing(dialect: Dialect):
    """Spec-mandated on ACP; ours elsewhere."""
    assert field({"type": "string", "format": "uuid"}, dialect) == TextField(
        name="f", format="uuid"
    )


# Malformed keyword values.

MALFORMED: list[tuple[dict[str, object], str]] = [
    ({"type": "string", "minLength": "3"}, "minLength"),
    ({"type": "string", "minLength": -1}, "minLength"),
    ({"type": "string", "minLength": 1.5}, "minLength"),
    ({"type": "string", "maxLength": True}, "maxLength"),
    ({"type": "string", "maxLength": math.inf}, "maxLength"),
    ({"type": "string", "maxLength": [1]}, "maxLength"),
    ({"type": "string", "pattern": 1}, "pattern"),
    ({"type": "string", "format": {"a": 1}}, "format"),
    ({"type": "number", "minimum": "0"}, "minimum"),
    ({"type": "number", "maximum": math.nan}, "maximum"),
    ({"type": "number", "maximum": False}, "maximum"),
    ({"type": "integer", "minimum": {}}, "minimum"),
    ({"type": "array", "items": {"enum": ["a"]}, "minItems": "1"}, "minItems"),
    ({"type": "array", "items": {"enum": ["a"]}, "maxItems": -2}, "maxItems"),
]


@pytest.mark.case("029-malformed-keyword-value")
@every_dialect
@pytest.mark.parametrize(("prop", "keyword"), MALFORMED)
def test_a_keyword_of_the_wrong_type_is_a_malformed_request(
    dialect: Dialect, prop: dict[str, object], keyword: str
):
    """Ours: a form would otherwise show something else than was asked."""
    assert refusals(form(prop), dialect) == [(f"properties.f.{keyword}", "malformed")]


@every_mcp
def test_mcp_refuses_malformed_texts_and_a_null_where_a_number_belongs(dialect: Dialect):
    """Ours."""
    raw = form({"type": "string", "title": 1, "description": 2, "minLength": None}) | {
        "title": 3,
        "required": None,
    }
    assert refusals(raw, dialect) == [
        ("required", "malformed"),
        ("properties.f.title", "malformed"),
        ("properties.f.description", "malformed"),
        ("properties.f.minLength", "malformed"),
        ("title", "malformed"),
    ]


@every_acp
def test_acp_reads_a_null_keyword_as_one_left_out(dialect: Dialect):
    """Spec-mandated: null equals omitted."""
    text = {"type": "string", "minLength": None, "pattern": None, "format": None, "title": None}
    number = {"type": "number", "minimum": None}
    assert field(text, dialect) == TextField(name="f")
    assert field(text | {"enum": None, "oneOf": None}, dialect) == TextField(name="f")
    assert field(number, dialect) == NumberField(name="f")
    choice = {"type": "string", "enum": ["a", "b"], "oneOf": None}
    assert field(choice, dialect) == ChoiceField(name="f", options=PLAIN)
    choices = {"type": "array", "items": {"enum": ["a", "b"], "anyOf": None}, "minItems": None}
    assert field(choices, dialect) == ChoicesField(name="f", options=PLAIN)


@every_mcp
@pytest.mark.parametrize("key", ["enum", "oneOf"])
def test_mcp_refuses_a_null_where_options_belong(dialect: Dialect, key: str):
    """Ours."""
    assert refusals(form({"type": "string", key: None}), dialect) == [
        (f"properties.f.{key}", "not_strings")
    ]


@every_dialect
@pytest.mark.parametrize("raw", [None, [], "x", 7, True])
def test_a_schema_that_is_no_object_is_refused(dialect: Dialect, raw: object):
    """Spec-mandated."""
    assert refusals(raw, dialect) == [("", "not_an_object")]


@every_dialect
@pytest.mark.parametrize("required", ["f", [1], {"f": True}])
def test_required_must_list_names(dialect: Dialect, required: object):
    """Spec-mandated."""
    raw = form({"type": "string"}) | {"required": required}
    assert refusals(raw, dialect) == [("required", "malformed")]


def test_read_raises_with_every_problem_and_its_place():
    """Ours."""
    raw = {
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "string", "minLength": "3"}},
        "required": ["c"],
    }
    with pytest.raises(InvalidRequest) as caught:
        read(raw, MCP_2025_11_25)
    assert caught.value.code == -32602
    for named in ("required:", "properties.a:", "properties.b.minLength:"):
        assert named in str(caught.value)


# Keywords that carry no field.


@every_dialect
def test_keywords_that_restrict_and_that_nobody_knows_are_reported_and_passed_over(
    dialect: Dialect,
):
    """Ours."""
    raw = form({"type": "integer", "multipleOf": 2, "exclusiveMinimum": 0, "x-own": 1})
    raw |= {"minProperties": 1, "x-more": 2, "$defs": {}, "_meta": {}}
    reading = inspect(raw, dialect)
    assert reading.problems == ()
    assert [(one.path, one.code) for one in reading.ignored] == [
        ("minProperties", "ignored_keyword"),
        ("properties.f.multipleOf", "ignored_keyword"),
        ("properties.f.exclusiveMinimum", "ignored_keyword"),
    ]


@pytest.mark.parametrize(
    ("prop", "way_out"),
    [
        ({"type": "number", "exclusiveMaximum": 1}, "use maximum"),
        ({"type": "string", "const": "a"}, "enum with one value"),
        ({"type": "boolean", "enum": [True]}, "only strings can be options"),
        ({"type": "array", "items": {"enum": ["a"]}, "uniqueItems": True}, "distinct anyway"),
        ({"type": "string", "contentEncoding": "base64"}, "leave it out"),
    ],
)
def test_an_ignored_keyword_comes_with_the_way_out(prop: dict[str, object], way_out: str):
    """Ours."""
    (ignored,) = inspect(form(prop), MCP_2025_11_25).ignored
    assert way_out in ignored.message


@every_dialect
@pytest.mark.parametrize(
    ("prop", "told"),
    [
        ({"type": "string", "default": 1}, (".default", "bad_default")),
        ({"type": "boolean", "default": None}, None),
        (
            {"type": "array", "items": {"enum": ["a"]}, "default": ["b"]},
            (".default", "bad_default"),
        ),
        ({"type": "array", "items": {"enum": ["a"]}, "default": ["a"]}, None),
        ({"type": "string", "enum": []}, ("", "no_options")),
        ({"type": "string", "enum": ["a", "a"]}, ("", "repeated_option")),
        (
            {"type": "array", "items": {"anyOf": [{"const": "a"}, {"const": "a"}]}},
            (".items.anyOf", "repeated_option"),
        ),
        ({"type": "string", "enum": ["a"], "enumNames": []}, (".enumNames", "enum_names")),
        ({"type": "string", "enum": ["a"], "enumNames": None}, None),
    ],
)
def test_an_author_is_told_of_everything_a_reader_passes_over(
    dialect: Dialect, prop: dict[str, object], told: tuple[str, str] | None
):
    """Ours: G25 and G26 are lenient to readers, not to writers."""
    reading = inspect(form(prop), dialect)
    expected = [] if told is None else [(f"properties.f{told[0]}", told[1])]
    assert [(one.path, one.code) for one in reading.ignored] == expected
    assert reading.problems == ()


# Size and hostile input.


def test_ten_thousand_options_take_linear_time():
    """Ours: twice the options may not take four times as long."""

    def best(count: int) -> float:
        raw = form(
            {
                "type": "array",
                "items": {"anyOf": [{"const": str(n), "title": f"No {n}"} for n in range(count)]},
                "default": [str(n) for n in range(count)],
            }
        )
        times: list[float] = []
        for _ in range(5):
            began = time.perf_counter()
            found = read(raw, MCP_2025_11_25)["f"]
            times.append(time.perf_counter() - began)
            assert isinstance(found, ChoicesField)
            assert len(found.options) == count
        return min(times)

    # Measured 2; a reader that looks through the options for each one would be at 16.
    assert best(40_000) < best(10_000) * 10


HOSTILE = [
    "__proto__", "constructor", "self", "model_config", "model_fields", "", " ", "a.b",
    "properties", "🦊", "\u202egnirts", "\x00", "class", "x" * 10_000,
]  # fmt: skip


@every_dialect
@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:12]))
def test_a_property_may_have_any_name(dialect: Dialect, name: str):
    """Ours: names are keys and nothing more."""
    found = read(form({"type": "string"}, name=name, required=True), dialect)
    assert found.fields == (TextField(name=name, required=True),)
    assert found[name].label == name


@every_dialect
@pytest.mark.parametrize("bound", [10**400, -(10**400)])
def test_a_bound_beyond_every_float_is_a_bound(dialect: Dialect, bound: int):
    """Ours."""
    assert field({"type": "number", "minimum": bound}, dialect) == NumberField(
        name="f", minimum=bound
    )
    assert refusals(form({"type": "string", "minLength": 10**400}), dialect) == []


def test_a_reading_is_a_value():
    """Ours."""
    raw = form({"type": "string"})
    assert inspect(raw, MCP_2025_11_25) == inspect(raw, MCP_2025_11_25)
    assert isinstance(inspect(raw, MCP_2025_11_25), Reading)
    assert list(DIALECTS.values()) == list(ALL)

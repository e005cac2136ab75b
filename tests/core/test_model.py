"""The small values of the core: errors, outcomes, dialects, fields, requests."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Iterator
from typing import get_args

import pytest

from elicitkit.core import errors, fields, model, outcome
from elicitkit.core.dialects import (
    ACP_V2,
    ACP_V2_STRICT,
    DIALECTS,
    MCP_2025_06_18,
    Dialect,
    dialect_of,
)
from elicitkit.core.errors import (
    ClickableUrl,
    ElicitationError,
    InvalidRequest,
    InvalidResponse,
    LimitExceeded,
    NoRequestInFlight,
    NotAccepted,
    NotDeterministic,
    OutcomeUnknown,
    PeerError,
    Problem,
    QuestionSwallowed,
    SchemaNotExpressible,
    SensitiveField,
    UsageError,
    join_problems,
)
from elicitkit.core.fields import (
    KINDS,
    UNSET,
    Field,
    Option,
    RequestedSchema,
    TextField,
    Unset,
    kind_of,
)
from elicitkit.core.model import Accept, Capability, Completion, FormRequest, Origin, UrlRequest
from elicitkit.core.outcome import Accepted, Cancelled, Declined, Unavailable
from elicitkit.core.ports import Surface, Undeliverable

# Errors.


def drawn() -> Iterator[tuple[str, int]]:
    """Each class in the drawing of the module's docstring, with its depth."""
    for line in inspect.getdoc(errors).splitlines():  # type: ignore[union-attr]
        words = line.replace("│", " ").replace("├──", "   ").replace("└──", "   ").split()
        if words and hasattr(errors, words[0]) and line.strip(" │├└─").startswith(words[0]):
            yield words[0], len(line) - len(line.lstrip(" │├└─"))


def test_the_drawing_of_the_error_tree_is_the_error_tree():
    """Ours: the docstring is what people read."""
    parents: list[tuple[str, int]] = []
    seen: set[str] = set()
    for name, depth in drawn():
        while parents and parents[-1][1] >= depth:
            parents.pop()
        base = getattr(errors, name).__mro__[1].__name__
        assert base == (parents[-1][0] if parents else "Exception"), name
        parents.append((name, depth))
        seen.add(name)
    defined = {
        name
        for name, it in vars(errors).items()
        if inspect.isclass(it)
        and issubclass(it, BaseException)
        and it.__module__ == errors.__name__
    }
    assert seen == defined


def test_only_the_peers_faults_carry_a_code_to_answer_with():
    """Spec-mandated: -32602 is invalid params."""
    assert (InvalidRequest("m").code, InvalidResponse("m").code) == (-32602, -32602)
    assert InvalidRequest("m", data={"a": 1}).data == {"a": 1}
    assert InvalidRequest("m").data is None
    assert not issubclass(UsageError, PeerError)
    assert not hasattr(LimitExceeded("m"), "code")


def test_an_answer_that_is_not_accept_is_no_error_of_the_library():
    """Ours: ``except ElicitationError`` may not swallow a person's no."""
    assert not issubclass(NotAccepted, ElicitationError)
    raised = NotAccepted(Declined(), question="Pay?", others=(1,))
    assert str(raised) == "'Pay?' was declined"
    assert (raised.outcome, raised.question, raised.others) == (Declined(), "Pay?", (1,))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SensitiveField("pin", "pin", overridable=True), ["'pin'", "url mode", "allow_sensitive"]),
        (ClickableUrl("home"), ["'home'", "url mode", "allow_urls=('home',)"]),
        (NotDeterministic(["B?"], ["A?"]), ["'B?'", "'A?'", "ask.once", "key="]),
        (QuestionSwallowed(["A?"]), ["'A?'", "BaseException", "finally"]),
        (OutcomeUnknown("charge"), ["'charge'", "was not run again"]),
        (NoRequestInFlight(), ["before the handler returns"]),
        (
            SchemaNotExpressible([Problem("properties.a", "c", "why"), Problem("", "d", "root")]),
            ["properties.a: why", "schema: root"],
        ),
    ],
    ids=lambda it: type(it).__name__,
)
def test_a_message_names_what_was_wrong_and_the_way_out(error: UsageError, words: list[str]):
    """Ours."""
    assert isinstance(error, UsageError)
    for word in words:
        assert word in str(error)


def test_a_secret_that_may_not_be_overruled_names_no_way_to_do_it():
    """Ours."""
    assert "allow_sensitive" not in str(SensitiveField("pin", "a secret type", overridable=False))


def test_problems_are_joined_in_order():
    """Ours."""
    assert join_problems([Problem("a", "x", "one"), Problem("", "y", "two")]) == (
        "a: one; schema: two"
    )


def test_what_cannot_be_delivered_says_why():
    """Ours."""
    assert (Undeliverable("not_declared").reason, str(Undeliverable("x"))) == ("not_declared", "x")


# Outcomes.

NOT_ACCEPTED = [Declined(), Cancelled(), Cancelled("timed_out"), Unavailable()]


@pytest.mark.case("074-declined-is-falsy")
@pytest.mark.parametrize("one", [Accepted(True), *NOT_ACCEPTED], ids=repr)
def test_an_outcome_has_no_truth_value(one: object):
    """Ours: the guard ``if outcome:`` fails loudly, whatever the outcome."""
    with pytest.raises(TypeError, match="has no truth value: use match"):
        bool(one)


@pytest.mark.parametrize("one", [Accepted([1]), *NOT_ACCEPTED], ids=repr)
def test_an_outcome_is_matched_by_position(one: object):
    """Ours."""
    match one:
        case Accepted(value):
            assert value == [1]
        case Cancelled(reason) | Unavailable(reason):
            assert reason in ("dismissed", "timed_out", "not_declared")
        case Declined():
            pass
        case _:
            raise AssertionError(one)
    assert pickle.loads(pickle.dumps(one)) == one


def test_an_outcome_describes_itself_in_words():
    """Ours."""
    assert [one.describe() for one in NOT_ACCEPTED] == [
        "declined",
        "cancelled (dismissed)",
        "cancelled (timed_out)",
        "unavailable (not_declared)",
    ]


# Dialects: the table against the specifications.


def column(name: str) -> list[object]:
    return [getattr(row, name) for row in DIALECTS.values()]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("revision", ["2025-06-18", "2025-11-25", "2026-07-28", "1", "2"]),
        ("protocol", ["mcp", "mcp", "mcp", "acp", "acp"]),
        ("modes", [{"form"}, *[{"form", "url"}] * 4]),
        ("delivery", ["live", "live", "replay", "live", "live"]),
        ("empty_capability", [{"form"}, {"form"}, {"form"}, set(), set()]),
        (
            "capabilities",
            [
                ("capabilities",),
                ("capabilities",),
                ("_meta", "io.modelcontextprotocol/clientCapabilities"),
                ("clientCapabilities",),
                ("capabilities",),
            ],
        ),
        ("mode_key", ["absent", "optional", "optional", "required", "required"]),
        ("elicitation_id", [False, True, False, True, True]),
        ("url_required_code", [None, -32042, None, None, None]),
        ("missing_capability_code", [None, None, -32021, None, None]),
        ("titles", ["enumNames", *["oneOf"] * 4]),
        ("legacy_titles", [True, True, True, False, False]),
        ("multi_select", [False, True, True, True, True]),
        ("any_sensitive", [True, False, False, False, False]),
        ("pattern", [False, True, False, True, True]),
        ("open_formats", [False, False, False, False, True]),
        ("open_properties", [False, False, False, True, True]),
        ("lenient_root", [False, False, False, True, True]),
        ("lenient_keywords", [False, False, False, True, True]),
        ("schema_texts", [False, False, False, True, True]),
        ("integral_bounds", [False, False, False, True, True]),
        ("sized_numbers", [False, False, False, True, True]),
        ("field_meta", [False, False, False, True, True]),
        ("request_meta", [True, True, False, True, True]),
        ("scope", ["none", "none", "none", "any", "any"]),
        ("null_request_id", [False, False, False, True, True]),
        ("unknown_action", ["invalid", "invalid", "invalid", "kept", "kept"]),
    ],
)
def test_each_column_of_the_dialect_table_is_the_specifications(name: str, expected: list[object]):
    """Spec-mandated, G30 apart: the column ``any_sensitive`` is the wording of each page."""
    assert column(name) == expected


def test_every_column_of_the_dialect_table_is_checked_above():
    """Ours."""
    checked = {
        mark.args[1][at][0]
        for mark in test_each_column_of_the_dialect_table_is_the_specifications.pytestmark
        if mark.name == "parametrize"
        for at in range(len(mark.args[1]))
    }
    assert {one.name for one in dataclasses.fields(Dialect)} == checked | {"name"}


def test_the_newer_schema_of_acp_v2_is_stricter_in_four_points_and_the_same_dialect():
    """Spec-mandated: the schema that the TypeScript SDK 2.4.0 brings, beside the pages."""
    differs = {
        one.name: getattr(ACP_V2_STRICT, one.name)
        for one in dataclasses.fields(Dialect)
        if getattr(ACP_V2_STRICT, one.name) != getattr(ACP_V2, one.name)
    }
    assert differs == {
        "lenient_root": False,
        "scope": "one",
        "null_request_id": False,
        "unknown_action": "cancel",
    }


@pytest.mark.requirement("G44")
def test_the_stricter_reading_is_taken_where_it_is_asked_for_and_there_is_one():
    """Ours."""
    assert dialect_of("acp", "2") is ACP_V2
    assert dialect_of("acp", "2", strict=True) is ACP_V2_STRICT
    assert dialect_of("acp", "1", strict=True) is DIALECTS["acp-v1"]
    assert dialect_of("acp", "3", strict=True) is None


def test_a_dialect_is_found_by_what_was_negotiated():
    """Ours."""
    for row in DIALECTS.values():
        assert dialect_of(row.protocol, row.revision) is row
    assert dialect_of("mcp", "2024-11-05") is None
    assert dialect_of("mcp", None) is None
    assert dialect_of("acp", "2025-11-25") is None
    assert list(DIALECTS) == [row.name for row in DIALECTS.values()]


# Fields and requests.


def test_every_kind_of_field_has_its_word():
    """Ours."""
    assert set(KINDS) == set(get_args(Field))
    assert len(set(KINDS.values())) == len(KINDS)
    assert kind_of(TextField(name="f")) == "text"


def test_unset_is_one_value_that_survives_copies():
    """Ours."""
    assert repr(UNSET) == "UNSET"
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET
    assert UNSET is Unset.UNSET


def test_labels_fall_back_to_what_travels():
    """Ours."""
    assert [Option("a").label, Option("a", "").label, Option("a", "Ay").label] == ["a", "a", "Ay"]
    assert [TextField(name="f").label, TextField(name="f", title="F").label] == ["f", "F"]


def test_a_schema_finds_its_fields_by_name_and_compares_by_what_it_asks():
    """Ours: what was computed for a schema is no part of it."""
    one, other = TextField(name="a"), TextField(name="b")
    schema = RequestedSchema(fields=(one, other))
    assert schema["b"] is other
    assert schema.by_name() is schema.by_name()
    assert schema == RequestedSchema(fields=(one, other))
    assert schema != RequestedSchema(fields=(other, one))
    assert "memo" not in repr(schema)
    with pytest.raises(KeyError):
        schema["c"]


def test_a_request_is_of_the_mode_of_its_type():
    """Ours: ``mode`` is never left out."""
    form = FormRequest(message="m", schema=RequestedSchema(fields=()))
    url = UrlRequest(message="m", url="https://example.com")
    assert (form.mode, url.mode) == ("form", "url")
    assert (form.meta, form.extra, url.elicitation_id) == ({}, {}, None)
    with pytest.raises(TypeError):
        form.meta["shared"] = "with every other request"  # pyright: ignore[reportIndexIssue]


def test_a_capability_is_only_ever_narrowed():
    """Ours."""
    form = Capability(frozenset({"form"}))
    both = Capability(frozenset({"form", "url"}))
    assert ("form" in form, "url" in form, 7 in form) == (True, False, False)
    assert both.only(frozenset({"url"})) == Capability(frozenset({"url"}))
    assert form.only(frozenset({"form", "url"})) == form
    assert Capability().only(both.modes) == Capability()


FROZEN = [
    TextField(name="f"),
    Option("a"),
    RequestedSchema(fields=()),
    Accept(),
    Declined(),
    Origin(label="l"),
    Completion(elicitation_id="e"),
    Problem("p", "c", "m"),
    MCP_2025_06_18,
]


@pytest.mark.parametrize("one", FROZEN, ids=lambda it: type(it).__name__)
def test_values_are_frozen_and_hold_nothing_else(one: object):
    """Ours."""
    name = dataclasses.fields(one)[0].name if dataclasses.fields(one) else "anything"  # type: ignore[arg-type]
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
        setattr(one, name, "other")
    assert not hasattr(one, "__dict__")


def test_every_dataclass_of_the_values_is_frozen_and_slotted():
    """Ours."""
    for module in (fields, model, outcome):
        for it in vars(module).values():
            if inspect.isclass(it) and dataclasses.is_dataclass(it):
                assert it.__dataclass_params__.frozen, it  # type: ignore[attr-defined]
                assert "__slots__" in vars(it), it


class Shown:
    modes = frozenset({"form"})
    opens = False
    attended = False

    async def fill(self, form: object, origin: object) -> None: ...

    async def consent(self, request: object, findings: object, origin: object) -> None: ...

    async def wait(self, page: object) -> None: ...


def test_a_surface_is_what_has_its_methods():
    """Ours."""
    assert isinstance(Shown(), Surface)
    assert not isinstance(object(), Surface)

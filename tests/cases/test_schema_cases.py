"""Reports about the way from a Python type to the requested schema."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, create_model

from elicitkit.core.check import check
from elicitkit.core.derive import Derived, derive
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import SchemaNotExpressible
from elicitkit.core.rendering import Choices
from elicitkit.core.schema import write
from tests.cases.replay import Case, of_role, replays

Expect = Mapping[str, Any]
TODAY = "2026-03-04"


class Pear(enum.Enum):
    A = "a"
    B = "b"


FIELDS: Mapping[str, tuple[str, Any, Any]] = {
    "note: str | None = None": ("note", str | None, None),
    "n: Annotated[int, Field(ge=1, le=9)] | None = None": (
        "n",
        Annotated[int, Field(ge=1, le=9)] | None,
        None,
    ),
    "f: Pear = Pear.A   (plain Enum, values 'a','b')": ("f", Pear, Pear.A),
    "f: Pear | None = None": ("f", Pear | None, None),
    "f: Literal[1, 2]": ("f", Literal[1, 2], ...),
    "f: Literal['yes']": ("f", Literal["yes"], ...),
    "f: list[Literal['a','b']]": ("f", list[Literal["a", "b"]], ...),
    "tags: list[str]": ("tags", list[str], ...),
    "t: datetime.time": ("t", time, ...),
    "n: Annotated[int, Field(gt=0)]": ("n", Annotated[int, Field(gt=0)], ...),
    "day: date = Field(default_factory=date.today)": (
        "day",
        date,
        Field(default_factory=lambda: date.fromisoformat(TODAY)),
    ),
    "user_name: str = Field(alias='user-name')": ("user_name", str, Field(alias="user-name")),
    "q: str = Field(description='He said \"hi\" \\\\ 日本語')": (
        "q",
        str,
        Field(description='He said "hi" \\ 日本語'),
    ),
}
"""The fields of the reports, as real annotations."""

TYPES: Mapping[str, Any] = {"int": int}


def asked_for(given: Mapping[str, Any]) -> tuple[str, Any]:
    """The name of the field, and the type to derive."""
    if "python_type" in given:
        return "value", TYPES[given["python_type"]]
    if "choices" in given:
        return "value", Annotated[str, Choices(dict(given["choices"]))]
    name, kind, default = FIELDS[given["python_field"]]
    form: type[BaseModel] = create_model("Form", **{name: (kind, default)})
    return name, form


@pytest.mark.requirement("M15")
@replays(of_role("schema"))
def test_a_type_reaches_the_wire_as_the_report_demands(case: Case, dialect: Dialect):
    """The report holds the reason, and where the fault was met."""
    assert case.given.get("today", TODAY) == TODAY
    name, form = asked_for(case.given)
    outcomes = case.expect.get("any_of", [case.expect])
    if any("error" in one for one in outcomes):
        failures = [_unmet(one, case, name, form, dialect) for one in outcomes]
        assert "" in failures, failures
    else:
        (only,) = outcomes
        assert _unmet(only, case, name, form, dialect) == ""
    if never := case.expect.get("never"):
        assert _unmet(never, case, name, form, dialect) != ""


def _unmet(expect: Expect, case: Case, name: str, form: Any, dialect: Dialect) -> str:
    """What of this expectation does not hold; empty where all of it does."""
    try:
        derived = derive(form)
        written = write(derived.with_initial(), dialect)
    except SchemaNotExpressible as refused:
        if "error" not in expect:
            return f"refused: {refused}"
        expected = str(expect["error"])
        named = f"properties.{name}" in str(refused)
        known = named if "names" in expected else "multi-select is not available" in str(refused)
        return "" if known else f"refused otherwise: {refused}"
    if "error" in expect:
        return "was not refused"
    return _differs(expect, case, name, derived, written)


def _differs(
    expect: Expect, case: Case, name: str, derived: Derived[Any], written: Mapping[str, Any]
) -> str:
    known = {
        "property", "required", "absent_keywords", "requestedSchema", "property_name", "decoded",
        "result_value", "decoded_value_type",
    }  # fmt: skip
    if unknown := set(expect) - known:
        return f"no way to check {unknown}"
    name = expect.get("property_name", name)
    if set(written["properties"]) != {name}:
        return f"the properties are {list(written['properties'])}"
    found = written["properties"][name]
    return (
        _property_differs(expect.get("property", {}), found)
        or _required_differs(expect, name, written)
        or _keywords_stay(expect, found)
        or _schema_differs(expect, written)
        or _decoded_differs(expect, case, name, derived)
    )


def _property_differs(expected: Expect, found: Mapping[str, Any]) -> str:
    for key, value in expected.items():
        got = _options(found) if key == "options" else found.get(key)
        if got != value:
            return f"{key} is {got!r}"
    return ""


def _required_differs(expect: Expect, name: str, written: Mapping[str, Any]) -> str:
    required = name in written.get("required", ())
    return "" if expect.get("required", required) is required else f"required is {required}"


def _keywords_stay(expect: Expect, found: Mapping[str, Any]) -> str:
    stay = set(expect.get("absent_keywords", ())) & _keys(found)
    return f"{stay} are there" if stay else ""


def _schema_differs(expect: Expect, written: Mapping[str, Any]) -> str:
    wanted = expect.get("requestedSchema")
    return "" if wanted in (None, written) else f"the schema is {written}"


def _decoded_differs(expect: Expect, case: Case, name: str, derived: Derived[Any]) -> str:
    if "decoded_value_type" in expect:
        value = getattr(derived.decode({name: "1"}), name)
        return "" if type(value).__name__ == expect["decoded_value_type"] else f"{value!r}"
    if "answer" not in case.given:
        return ""
    content, errors = check(derived.schema, case.given["answer"]["content"])
    assert errors == ()
    value = derived.decode(content)
    got = value if derived.scalar else value.model_dump()
    wanted = expect.get("result_value", expect.get("decoded"))
    return "" if got == wanted else f"decoded to {got!r}"


def _options(found: Mapping[str, Any]) -> list[str]:
    """The values of any spelling of a choice."""
    listed = found.get("enum") or found.get("oneOf", [])
    return [one if isinstance(one, str) else one["const"] for one in listed]


def _keys(found: object) -> set[str]:
    if isinstance(found, dict):
        return set(found) | {key for it in found.values() for key in _keys(it)}
    return {key for it in found for key in _keys(it)} if isinstance(found, list) else set()

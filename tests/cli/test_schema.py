"""``elicitkit schema``: check, validate, derive; JSON shapes, lines and exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from elicitkit.cli import main
from elicitkit.cli.documents import MAX_BYTES

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
TRIP = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date"},
        "nights": {"type": "integer", "minimum": 1, "default": 2},
        "room": {"type": "string", "enum": ["s", "y"], "enumNames": ["Sea", "Yard"]},
    },
    "required": ["day"],
}


class Said:
    """What a run printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def row(self) -> Any:
        assert self.err == ""
        return json.loads(self.out)


@pytest.fixture
def schema(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> Said:
        given = [one if isinstance(one, str) else json.dumps(one) for one in arguments]
        code = main(["schema", *given])
        printed = capsys.readouterr()
        return Said(code, printed.out, printed.err)

    return run


# check


def test_check_of_a_good_schema_tells_its_fields_and_the_dialects_own_spelling(schema: Any):
    said = schema("check", TRIP, "--dialect", "mcp-2026-07-28", "--json")
    assert said.code == 0
    assert said.row == {
        "ok": True,
        "dialect": "mcp-2026-07-28",
        "problems": [],
        "fields": [
            {"name": "day", "kind": "text", "required": True},
            {"name": "nights", "kind": "integer", "required": False, "default": 2},
            {
                "name": "room",
                "kind": "choice",
                "required": False,
                "options": [{"const": "s", "title": "Sea"}, {"const": "y", "title": "Yard"}],
            },
        ],
        "normalized": {
            "type": "object",
            "properties": {
                "day": {"type": "string", "format": "date"},
                "nights": {"type": "integer", "minimum": 1, "default": 2},
                "room": {
                    "type": "string",
                    "oneOf": [
                        {"const": "s", "title": "Sea"},
                        {"const": "y", "title": "Yard"},
                    ],
                },
            },
            "required": ["day"],
        },
    }


def test_check_takes_2025_11_25_unless_told_otherwise_and_says_so(schema: Any):
    assert schema("check", NAME, "--json").row["dialect"] == "mcp-2025-11-25"
    assert "(default: mcp-2025-11-25)" in " ".join(schema("check", "--help").out.split())


@pytest.mark.parametrize(
    ("prop", "dialect", "codes", "normalized"),
    [
        ({"type": "object"}, "mcp-2025-11-25", [("properties.f", "nested_object")], False),
        (
            {"type": "string", "minLength": "3"},
            "acp-v1",
            [("properties.f.minLength", "malformed")],
            False,
        ),
        (
            {"type": "integer", "exclusiveMinimum": 0},
            "mcp-2025-11-25",
            [("properties.f.exclusiveMinimum", "ignored_keyword")],
            True,
        ),
        (
            {"type": "array", "items": {"enum": ["a"]}},
            "mcp-2025-06-18",
            [("properties.f", "no_multi_select")],
            False,
        ),
        (
            {"type": "string", "format": "uuid"},
            "acp-v1",
            [("properties.f", "unknown_format")],
            False,
        ),
        ({"type": "string", "format": "uuid"}, "acp-v2", [], True),
        (
            {"type": "string", "enum": ["a"], "default": "b"},
            "mcp-2025-11-25",
            [("properties.f.default", "bad_default")],
            True,
        ),
    ],
)
def test_check_names_each_problem_and_where_it_is(
    schema: Any, prop: object, dialect: str, codes: list[tuple[str, str]], normalized: bool
):
    given = {"type": "object", "properties": {"f": prop}}
    said = schema("check", given, "--dialect", dialect, "--json")
    assert [(one["path"], one["code"]) for one in said.row["problems"]] == codes
    assert (said.code, said.row["ok"]) == ((1, False) if codes else (0, True))
    assert (said.row["normalized"] is not None) is normalized
    lines = schema("check", given, "--dialect", dialect)
    assert (lines.code, lines.err) == (said.code, "")
    assert lines.out.splitlines() == [
        f"{one['path']}: {one['message']}" for one in said.row["problems"]
    ] or [f"ok: 1 field(s) of {dialect}"]


@pytest.mark.parametrize(
    "wrapped",
    [
        {"message": "m", "requestedSchema": NAME},
        {"mode": "form", "message": "m", "requestedSchema": NAME, "_meta": {}},
        {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": NAME}},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "elicitation/create",
            "params": {"mode": "form", "message": "m", "requestedSchema": NAME},
        },
    ],
)
def test_a_whole_request_stands_for_its_schema(schema: Any, wrapped: object):
    assert schema("check", wrapped, "--json").row["normalized"] == NAME
    assert schema("validate", wrapped, {"name": "x"}, "--json").row["ok"]


def test_a_schema_may_have_a_field_named_like_a_part_of_a_request(schema: Any):
    given = {"type": "object", "properties": {"requestedSchema": {"type": "string"}}}
    assert schema("check", given, "--json").row["normalized"] == given


@pytest.mark.parametrize(
    "request_",
    [
        {"mode": "url", "message": "m", "url": "https://example.com"},
        {"method": "tools/call", "params": {"name": "x"}},
    ],
)
def test_a_request_without_a_schema_is_wrong_use(schema: Any, request_: object):
    said = schema("check", request_)
    assert (said.code, said.out) == (2, "")
    assert "FILE is a request without a requestedSchema" in said.err


def test_what_a_server_wrote_cannot_command_the_terminal(schema: Any):
    name = "\x1b[2J\ud800\u202e"
    given = {"type": "object", "properties": {name: {"type": "object"}}}
    said = schema("check", given)
    assert said.code == 1
    assert said.out.isascii() or said.out.strip().isprintable()
    assert len(said.out.splitlines()) == 1
    assert schema("check", given, "--json").out.isascii()


# validate


@pytest.mark.parametrize(
    ("content", "flags", "code", "row"),
    [
        (
            {"day": "2026-03-04"},
            [],
            0,
            {"ok": True, "errors": [], "content": {"day": "2026-03-04"}},
        ),
        (
            {"day": "2026-03-04", "nights": 3.0, "extra": 1},
            [],
            0,
            {"ok": True, "errors": [], "content": {"day": "2026-03-04", "nights": 3}},
        ),
        (
            {"day": "2026-03-04"},
            ["--defaults"],
            0,
            {"ok": True, "errors": [], "content": {"day": "2026-03-04", "nights": 2}},
        ),
        (
            {"day": "2026-03-04", "nights": 5},
            ["--defaults"],
            0,
            {"ok": True, "errors": [], "content": {"day": "2026-03-04", "nights": 5}},
        ),
        (
            {"day": "2026-02-30", "nights": 0, "room": "Sea"},
            [],
            1,
            {
                "ok": False,
                "errors": [
                    {
                        "field": "day",
                        "code": "bad_format",
                        "message": "This must be a date of the calendar, such as 2026-02-28.",
                    },
                    {"field": "nights", "code": "too_small", "message": "This must be 1 or more."},
                    {
                        "field": "room",
                        "code": "not_an_option",
                        "message": "Choose one of: s (Sea), y (Yard).",
                    },
                ],
                "content": {},
            },
        ),
        (
            {},
            ["--defaults"],
            1,
            {
                "ok": False,
                "errors": [{"field": "day", "code": "required", "message": "An answer is needed."}],
                "content": {"nights": 2},
            },
        ),
        (
            ["day"],
            ["--defaults"],
            1,
            {
                "ok": False,
                "errors": [
                    {
                        "field": "",
                        "code": "wrong_type",
                        "message": "The answer must be an object that holds one value for each "
                        "field.",
                    }
                ],
                "content": {},
            },
        ),
    ],
)
def test_validate_prints_the_content_as_it_would_be_sent(
    schema: Any, content: object, flags: list[str], code: int, row: object
):
    said = schema("validate", TRIP, content, "--json", *flags)
    assert (said.code, said.row) == (code, row)
    lines = schema("validate", TRIP, content, *flags)
    assert (lines.code, lines.err) == (code, "")
    if code == 0:
        assert json.loads(lines.out) == said.row["content"]
    else:
        assert lines.out.splitlines() == [
            f"{one['field'] or 'content'}: {one['message']}" for one in said.row["errors"]
        ]


def test_a_default_of_several_options_is_filled_in(schema: Any):
    many = {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b"]}
    given = {"type": "object", "properties": {"m": many}}
    assert schema("validate", given, {}, "--defaults", "--json").row["content"] == {"m": ["b"]}


def test_no_answer_is_checked_against_what_is_no_form(schema: Any):
    said = schema("validate", {"type": "object"}, {}, "--json")
    assert (said.code, said.out) == (2, "")
    assert "no answer can be checked: requestedSchema: properties" in said.err
    assert schema("validate", {"type": "object"}, {}, "--dialect", "acp-v1", "--json").code == 0


# derive

FORMS = """
import enum
from dataclasses import dataclass, field
from datetime import date, time
from pydantic import BaseModel, Field, SecretStr

print("this module prints")

class Trip(BaseModel):
    day: date
    nights: int = Field(default_factory=lambda: 2, ge=1)

class Bad(BaseModel):
    when: time

class Key(BaseModel):
    api_key: SecretStr

class Late(BaseModel):
    nights: int = Field(default_factory=lambda: "soon")

class Outer:
    class Seat(enum.Enum):
        WINDOW = "w"

class Many(BaseModel):
    seats: list[Outer.Seat]
"""


@pytest.fixture
def forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of forms in the current directory."""
    name = f"forms_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(FORMS, encoding="utf-8")
    (tmp_path / f"broken_{name}.py").write_text("1 / 0", encoding="utf-8")
    (tmp_path / f"leaving_{name}.py").write_text("raise SystemExit(0)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return name


def test_derive_prints_the_schema_of_a_type_with_todays_defaults(schema: Any, forms: str):
    said = schema("derive", f"{forms}:Trip", "--json")
    assert said.code == 0
    assert said.err == "this module prints\n"
    expected = {
        "type": "object",
        "properties": {
            "day": {"type": "string", "title": "Day", "format": "date"},
            "nights": {"type": "integer", "title": "Nights", "minimum": 1, "default": 2},
        },
        "required": ["day"],
    }
    assert json.loads(said.out) == {"ok": True, "schema": expected, "problems": []}
    assert json.loads(schema("derive", f"{forms}:Trip").out) == expected


@pytest.mark.parametrize(
    ("name", "dialect", "problem"),
    [
        ("Bad", "mcp-2025-11-25", ("properties.when", "unknown_format", "ask for str")),
        ("Key", "mcp-2025-11-25", ("properties.api_key", "sensitive_field", "url mode")),
        ("Late", "mcp-2025-11-25", ("", "bad_default", "'nights'")),
        ("Many", "mcp-2025-06-18", ("properties.seats", "no_multi_select", "one yes/no")),
    ],
)
def test_derive_names_what_cannot_be_asked_for(
    schema: Any, forms: str, name: str, dialect: str, problem: tuple[str, str, str]
):
    said = schema("derive", f"{forms}:{name}", "--dialect", dialect, "--json")
    row = json.loads(said.out)
    (found,) = row["problems"]
    assert (said.code, row["ok"], row["schema"]) == (1, False, None)
    assert (found["path"], found["code"]) == problem[:2]
    assert problem[2] in found["message"]
    lines = schema("derive", f"{forms}:{name}", "--dialect", dialect)
    assert lines.out == f"{found['path'] or 'schema'}: {found['message']}\n"


def test_derive_finds_a_type_inside_another(schema: Any, forms: str):
    said = schema("derive", f"{forms}:Outer.Seat", "--json")
    assert json.loads(said.out)["schema"]["properties"]["value"]["oneOf"] == [
        {"const": "w", "title": "Window"}
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{}", "name a type as MODULE:TYPE"),
        ("{}:", "name a type as MODULE:TYPE"),
        (":Trip", "name a type as MODULE:TYPE"),
        ("{}:Trap", "has no 'Trap'"),
        ("{}:Trip.x.y", "has no 'Trip.x.y'"),
        ("no_{}:Trip", "ModuleNotFoundError"),
        ("broken_{}:Trip", "ZeroDivisionError"),
        ("leaving_{}:Trip", "SystemExit"),
    ],
)
def test_a_type_that_cannot_be_found_is_wrong_use(schema: Any, forms: str, name: str, said: str):
    found = schema("derive", name.format(forms), "--json")
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_derive_looks_in_the_current_directory_as_python_m_does(forms: str):
    done = subprocess.run(
        [sys.executable, "-m", "elicitkit", "schema", "derive", f"{forms}:Trip", "--json"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "this module prints\n")
    assert json.loads(done.stdout)["ok"]


# Where the JSON comes from.


def test_json_is_read_from_a_file_or_the_standard_input(
    schema: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(NAME), encoding="utf-8")
    assert schema("check", str(file), "--json").row["ok"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"name": "x"}')))
    assert schema("validate", str(file), "-", "--json").row["content"] == {"name": "x"}


def test_both_documents_cannot_come_from_the_standard_input(schema: Any):
    said = schema("validate", "-", "-")
    assert (said.code, "standard input" in said.err) == (2, True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": {"b": [], "c": 1, "b": 2}}', "the key 'b' stands twice"),
        (b'{"a": NaN}', "NaN is no number of JSON"),
        (b'{"a": -Infinity}', "-Infinity is no number of JSON"),
        (b'{"a": 1e999}', "1e999 is too large a number"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "is not JSON"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b" " * (MAX_BYTES + 1), "larger than 16 MiB"),
    ],
    ids=range(12),
)
def test_what_is_not_json_that_every_reader_reads_alike_is_wrong_use(
    schema: Any, tmp_path: Path, data: bytes, said: str
):
    file = tmp_path / "schema.json"
    file.write_bytes(data)
    for found in (schema("check", str(file)), schema("validate", NAME, str(file))):
        assert (found.code, found.out) == (2, "")
        assert said in found.err
        assert len(found.err) < 500


@pytest.mark.parametrize("path", ["no/such/file.json", ".", "a\0b", "x" * 10_000, '"text"', "7"])
def test_a_file_that_cannot_be_read_is_wrong_use(
    schema: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
):
    monkeypatch.chdir(tmp_path)
    found = schema("check", path, "--json")
    assert (found.code, found.out) == (2, "")
    assert "cannot read FILE" in found.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "TASK"),
        (["check"], "FILE"),
        (["check", "{}", "--dialect", "mcp-1"], "invalid choice: 'mcp-1'"),
        (["validate", "{}"], "CONTENT"),
        (["derive"], "MODULE:TYPE"),
        (["guess"], "invalid choice: 'guess'"),
    ],
)
def test_wrong_arguments_are_said_in_words(schema: Any, arguments: list[str], said: str):
    found = schema(*arguments)
    assert (found.code, found.out) == (2, "")
    assert said in found.err

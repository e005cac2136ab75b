"""Every JSON example of four published specification pages, read and written again.

The pages are the MCP elicitation pages of 2025-06-18 and 2025-11-25 in Chinese, and the ACP
elicitation page, v1 in English and v2 in Chinese. Each example stands in a file beside this
one under the name of its heading, without comments and trailing commas, otherwise as
printed; two ACP capabilities stand in running text. The examples of ACP v2 are read by both
readings of its draft; envelopes are a carrier's business.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from elicitkit.core.check import check
from elicitkit.core.dialects import ACP_V2, ACP_V2_STRICT, DIALECTS, Dialect
from elicitkit.core.fields import (
    UNSET,
    ChoiceField,
    ChoicesField,
    IntegerField,
    NumberField,
    Option,
    TextField,
)
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    Decline,
    FormRequest,
    RequestScope,
    Scope,
    SessionScope,
    UrlRequest,
)
from elicitkit.core.schema import read, write
from elicitkit.core.sensitive import secrets_in, urls_in
from elicitkit.wire import acp, mcp

PAGES = ("mcp-2025-06-18-zh", "mcp-2025-11-25-zh", "acp-v1-en", "acp-v2-zh")
BOTH = frozenset({"form", "url"})


@dataclass(frozen=True)
class Example:
    id: str
    kind: str
    dialect: Dialect
    json: dict[str, Any]


def load() -> dict[str, Example]:
    found: dict[str, Example] = {}
    for page in PAGES:
        for one in json.loads(Path(__file__).with_name(f"{page}.json").read_text("utf-8")):
            key = f"{page}/{one['name']}"
            found[key] = Example(key, one["kind"], DIALECTS[one["dialect"]], one["json"])
    return found


EXAMPLES = load()


def of_kind(kind: str, *protocols: str) -> list[Any]:
    return [
        pytest.param(one, id=one.id)
        for one in EXAMPLES.values()
        if one.kind == kind and one.dialect.protocol in (protocols or ("mcp", "acp"))
    ]


def readings(dialect: Dialect) -> tuple[Dialect, ...]:
    return (ACP_V2, ACP_V2_STRICT) if dialect is ACP_V2 else (dialect,)


def schema_of(property_schema: dict[str, Any], dialect: Dialect) -> Any:
    raw = {"type": "object", "properties": {"value": property_schema}}
    return read(raw, dialect)


def test_no_example_is_left_out() -> None:
    kinds = {"capability", "request", "response", "schema", "property", "completion", "error"}
    assert {one.kind for one in EXAMPLES.values()} == kinds
    assert [sum(key.startswith(page) for key in EXAMPLES) for page in PAGES] == [13, 18, 5, 5]


# --- capabilities ---------------------------------------------------------------------


CAPABILITIES: dict[str, frozenset[Any]] = {
    "mcp-2025-06-18-zh/capability": frozenset({"form"}),
    "mcp-2025-11-25-zh/capability": BOTH,
    "mcp-2025-11-25-zh/capability-empty": frozenset({"form"}),
    "acp-v1-en/checking-support": BOTH,
    "acp-v1-en/capability-empty": frozenset(),
    "acp-v1-en/capability-null-modes": frozenset(),
    "acp-v2-zh/checking-support": BOTH,
    "acp-v2-zh/capability-empty": frozenset(),
    "acp-v2-zh/capability-null-modes": frozenset(),
}


@pytest.mark.requirement("A08", "A09")
@pytest.mark.parametrize("example", of_kind("capability", "acp"))
def test_a_capability_of_acp_means_what_its_page_says(example: Example) -> None:
    for dialect in readings(example.dialect):
        capability = acp.capability_in(example.json, dialect)
        assert capability == Capability(CAPABILITIES[example.id])
        again = acp.with_capability({}, capability, dialect)
        assert acp.capability_in(again, dialect) == capability
        assert (again == example.json) is (capability.modes == BOTH)


@pytest.mark.parametrize("example", of_kind("capability", "mcp"))
def test_a_capability_of_mcp_means_what_its_page_says(example: Example) -> None:
    (capabilities,) = example.json.values()
    capability = mcp.decode_capability(capabilities["elicitation"], example.dialect)
    assert capability == Capability(CAPABILITIES[example.id])
    again = mcp.encode_capability(capability, example.dialect)
    assert mcp.decode_capability(again, example.dialect) == capability


# --- requests -------------------------------------------------------------------------


SCOPES: dict[str, Scope] = {
    "form-mode": SessionScope(session_id="sess_abc123"),
    "url-mode": RequestScope(request_id=12),
}


@pytest.mark.requirement("A13", "A14")
@pytest.mark.parametrize("example", of_kind("request", "acp"))
def test_the_params_of_a_request_of_acp_survive_reading_and_writing(example: Example) -> None:
    assert example.json["method"] == acp.CREATE
    params = example.json["params"]
    for dialect in readings(example.dialect):
        found = acp.decode_request(params, dialect)
        assert found.scope == SCOPES[example.id.partition("/")[2]]
        assert found.request.mode == params["mode"]
        assert acp.encode_request(found.request, found.scope, dialect) == params


@pytest.mark.parametrize("example", of_kind("request", "mcp"))
def test_the_params_of_a_request_of_mcp_survive_reading_and_writing(example: Example) -> None:
    assert example.json["method"] == mcp.CREATE
    params = example.json["params"]
    request = mcp.decode_request(params, example.dialect)
    assert request.mode == params.get("mode", "form")
    assert mcp.encode_request(request, example.dialect) == params


def test_the_structured_data_request_is_read_into_fields_in_their_order() -> None:
    for page in ("mcp-2025-06-18-zh", "mcp-2025-11-25-zh"):
        example = EXAMPLES[f"{page}/structured-data-request"]
        request = mcp.decode_request(example.json["params"], example.dialect)
        assert isinstance(request, FormRequest)
        assert request.message == "Please provide your contact information"
        assert request.schema.fields == (
            TextField(name="name", description="Your full name", required=True),
            TextField(
                name="email", description="Your email address", format="email", required=True
            ),
            NumberField(name="age", description="Your age", minimum=18),
        )


@pytest.mark.parametrize(
    ("page", "consts"),
    [
        ("acp-v1-en", ("conservative", "balanced", "aggressive")),
        ("acp-v2-zh", ("保守", "平衡", "激进")),
    ],
)
def test_the_strategies_of_a_refactoring_are_one_required_choice(
    page: str, consts: tuple[str, ...]
) -> None:
    example = EXAMPLES[f"{page}/form-mode"]
    schema = read(example.json["params"]["requestedSchema"], example.dialect)
    options = tuple(Option(const) for const in consts)
    assert schema.fields == (ChoiceField(name="strategy", options=options, required=True),)
    assert check(schema, {"strategy": consts[1]}) == ({"strategy": consts[1]}, ())
    assert check(schema, {"strategy": "rewrite"})[1]
    assert check(schema, {})[1]


def request_in(example: Example) -> Any:
    params = example.json["params"]
    if example.dialect.protocol == "acp":
        return acp.decode_request(params, example.dialect).request
    return mcp.decode_request(params, example.dialect)


@pytest.mark.parametrize(
    ("key", "url", "elicitation_id"),
    [
        (
            "mcp-2025-11-25-zh/sensitive-data-request",
            "https://mcp.example.com/ui/set_api_key",
            "550e8400-e29b-41d4-a716-446655440000",
        ),
        (
            "acp-v1-en/url-mode",
            "https://agent.example.com/connect?elicitationId=github-oauth-001",
            "github-oauth-001",
        ),
        (
            "acp-v2-zh/url-mode",
            "https://agent.example.com/connect?elicitationId=github-oauth-001",
            "github-oauth-001",
        ),
    ],
)
def test_a_url_request_keeps_its_url_and_its_id(key: str, url: str, elicitation_id: str) -> None:
    example = EXAMPLES[key]
    assert request_in(example) == UrlRequest(
        message=example.json["params"]["message"], url=url, elicitation_id=elicitation_id
    )


@pytest.mark.parametrize("example", of_kind("request"))
@pytest.mark.parametrize("wide", [False, True])
def test_no_form_of_the_pages_asks_for_a_secret_or_holds_a_link(
    example: Example, wide: bool
) -> None:
    request = request_in(example)
    if isinstance(request, FormRequest):
        assert secrets_in(request.message, request.schema, wide=wide) == ()
        assert urls_in(request.message, request.schema) == ()


def test_the_api_key_that_the_page_asks_for_by_url_would_be_found_in_a_form() -> None:
    form = EXAMPLES["mcp-2025-11-25-zh/simple-text-request"]
    schema = read(form.json["params"]["requestedSchema"], form.dialect)
    message = EXAMPLES["mcp-2025-11-25-zh/sensitive-data-request"].json["params"]["message"]
    assert [found.word for found in secrets_in(message, schema)] == ["api key"]


# --- schemas --------------------------------------------------------------------------


@pytest.mark.parametrize("example", of_kind("schema"))
def test_a_requested_schema_survives_reading_and_writing(example: Example) -> None:
    raw = example.json["requestedSchema"]
    schema = read(raw, example.dialect)
    assert schema["propertyName"].required
    assert not schema["anotherProperty"].required
    assert write(schema, example.dialect) == raw


@pytest.mark.parametrize("example", of_kind("property"))
def test_a_property_survives_reading_and_writing(example: Example) -> None:
    raw = dict(example.json)
    written = write(schema_of(raw, example.dialect), example.dialect)["properties"]["value"]
    if raw.get("default") == "[e-mail]":
        del raw["default"]
    assert written == raw


@pytest.mark.parametrize("page", ["mcp-2025-06-18-zh", "mcp-2025-11-25-zh"])
def test_a_number_example_is_an_integer_too_as_its_comment_says(page: str) -> None:
    example = EXAMPLES[f"{page}/number-schema"]
    raw = {**example.json, "type": "integer"}
    schema = schema_of(raw, example.dialect)
    assert isinstance(schema["value"], IntegerField)
    assert write(schema, example.dialect)["properties"]["value"] == raw


def test_titles_of_a_single_choice_are_written_as_each_revision_writes_them() -> None:
    old = EXAMPLES["mcp-2025-06-18-zh/enum-schema"]
    field = schema_of(old.json, old.dialect)["value"]
    assert isinstance(field, ChoiceField)
    assert [(one.const, one.title) for one in field.options] == [
        ("option1", "Option 1"),
        ("option2", "Option 2"),
        ("option3", "Option 3"),
    ]
    new = EXAMPLES["mcp-2025-11-25-zh/single-choice-titled"]
    field = schema_of(new.json, new.dialect)["value"]
    assert isinstance(field, ChoiceField)
    assert field.default == "#FF0000"
    assert [one.label for one in field.options] == ["Red", "Green", "Blue"]


@pytest.mark.parametrize("name", ["multi-choice-untitled", "multi-choice-titled"])
def test_a_multiple_choice_holds_its_answers_to_its_options_and_its_bounds(name: str) -> None:
    example = EXAMPLES[f"mcp-2025-11-25-zh/{name}"]
    schema = schema_of(example.json, example.dialect)
    field = schema["value"]
    assert isinstance(field, ChoicesField)
    assert isinstance(field.default, tuple)
    first, second, third = (one.const for one in field.options)
    assert field.default == (first, second)
    assert check(schema, {"value": [third]}) == ({"value": [third]}, ())
    assert check(schema, {"value": []})[1]
    assert check(schema, {"value": [first, second, third]})[1]
    assert check(schema, {"value": ["Black"]})[1]


@pytest.mark.requirement("G26")
def test_a_default_that_is_no_address_is_ignored_and_refused_as_an_answer() -> None:
    """The page prints ``[e-mail]`` where an address was; it fits neither pattern nor format."""
    example = EXAMPLES["mcp-2025-11-25-zh/string-schema"]
    assert example.json["default"] == "[e-mail]"
    schema = schema_of(example.json, example.dialect)
    assert isinstance(schema["value"], TextField)
    assert schema["value"].default is UNSET
    content, errors = check(schema, {"value": "[e-mail]"})
    assert content == {}
    assert errors


# --- answers --------------------------------------------------------------------------


@pytest.mark.parametrize("example", of_kind("response"))
def test_an_answer_survives_reading_and_writing(example: Example) -> None:
    result = example.json["result"]
    response = mcp.decode_response(result)
    kinds = {"accept": Accept, "decline": Decline, "cancel": Cancel}
    assert type(response) is kinds[result["action"]]
    assert mcp.encode_response(response) == result


@pytest.mark.parametrize("page", ["mcp-2025-06-18-zh", "mcp-2025-11-25-zh"])
def test_the_other_actions_of_the_example_bring_no_content(page: str) -> None:
    result = EXAMPLES[f"{page}/response-actions"].json["result"]
    assert mcp.decode_response({**result, "action": "decline"}) == Decline()
    assert mcp.decode_response({**result, "action": "cancel"}) == Cancel()


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("mcp-2025-06-18-zh", "simple-text"),
        ("mcp-2025-06-18-zh", "structured-data"),
        ("mcp-2025-11-25-zh", "simple-text"),
    ],
)
def test_an_example_answer_fits_its_example_form(page: str, name: str) -> None:
    request = EXAMPLES[f"{page}/{name}-request"]
    schema = read(request.json["params"]["requestedSchema"], request.dialect)
    content = EXAMPLES[f"{page}/{name}-response"].json["result"]["content"]
    assert check(schema, content) == (content, ())


def test_the_answers_of_the_actions_example_fit_the_request_schema() -> None:
    example = EXAMPLES["mcp-2025-06-18-zh/request-schema"]
    schema = read(example.json["requestedSchema"], example.dialect)
    content = EXAMPLES["mcp-2025-06-18-zh/response-actions"].json["result"]["content"]
    assert check(schema, content) == (content, ())


def test_an_example_answer_that_is_no_address_is_refused() -> None:
    """The page prints ``[e-mail]`` where an address was."""
    request = EXAMPLES["mcp-2025-11-25-zh/structured-data-request"]
    schema = read(request.json["params"]["requestedSchema"], request.dialect)
    content = EXAMPLES["mcp-2025-11-25-zh/structured-data-response"].json["result"]["content"]
    kept, errors = check(schema, content)
    assert [error.field for error in errors] == ["email"]
    assert kept == {"name": "Monalisa Octocat", "age": 30}


def test_the_answer_to_a_url_request_is_consent_without_content() -> None:
    example = EXAMPLES["mcp-2025-11-25-zh/sensitive-data-response"]
    assert mcp.decode_response(example.json["result"]) == Accept(None)


# --- completion and the error that asks for it ----------------------------------------


@pytest.mark.parametrize("example", of_kind("completion"))
def test_a_completion_carries_the_id_of_the_request(example: Example) -> None:
    assert example.json["method"] == mcp.COMPLETE
    completion = mcp.decode_completion(example.json["params"])
    request = EXAMPLES["mcp-2025-11-25-zh/sensitive-data-request"].json["params"]
    assert completion.elicitation_id == request["elicitationId"]
    assert mcp.encode_completion(completion) == example.json["params"]


@pytest.mark.parametrize("example", of_kind("error"))
def test_the_error_lists_the_url_requests_to_do_first(example: Example) -> None:
    error = example.json["error"]
    assert error["code"] == example.dialect.url_required_code
    requests = mcp.decode_url_required(error["data"], example.dialect)
    written = [mcp.encode_request(one, example.dialect) for one in requests]
    assert written == error["data"]["elicitations"]

"""MCP messages as plain dicts: what is read, what is refused, and what is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.dialects import (
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    Dialect,
)
from elicitkit.core.errors import InvalidRequest, InvalidResponse, SchemaNotExpressible, UsageError
from elicitkit.core.fields import ChoicesField, Option, RequestedSchema, TextField
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    Completion,
    Decline,
    FormRequest,
    UrlRequest,
)
from elicitkit.wire.mcp import (
    COMPLETE,
    CREATE,
    decode_capability,
    decode_completion,
    decode_request,
    decode_response,
    decode_url_required,
    encode_capability,
    encode_completion,
    encode_request,
    encode_response,
    missing_capability,
)

MCP = (MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28)
every_dialect = pytest.mark.parametrize("dialect", MCP, ids=lambda row: row.name)
with_url = pytest.mark.parametrize("dialect", MCP[1:], ids=lambda row: row.name)

RAW = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
SCHEMA = RequestedSchema(fields=(TextField(name="name", required=True),))
FORM = {"message": "Who?", "requestedSchema": RAW}
URL = {
    "mode": "url",
    "message": "Sign in",
    "url": "https://example.com/a?b=%20",
    "elicitationId": "e",
}


def test_the_methods_have_their_names():
    """Spec-mandated."""
    assert (CREATE, COMPLETE) == ("elicitation/create", "notifications/elicitation/complete")


# Requests in.


@pytest.mark.requirement("M13")
@pytest.mark.case("091-mode-missing")
@every_dialect
def test_a_request_without_mode_is_a_form(dialect: Dialect):
    """Spec-mandated."""
    assert decode_request(FORM, dialect) == FormRequest(message="Who?", schema=SCHEMA)
    if dialect is not MCP_2025_06_18:
        assert decode_request({"mode": "form", **FORM}, dialect) == decode_request(FORM, dialect)


@with_url
def test_a_url_request_keeps_its_url_byte_for_byte(dialect: Dialect):
    """Spec-mandated; the id belongs to 2025-11-25 alone."""
    assert decode_request(URL, dialect) == UrlRequest(
        message="Sign in",
        url="https://example.com/a?b=%20",
        elicitation_id="e" if dialect is MCP_2025_11_25 else None,
    )


@pytest.mark.parametrize("id_", ["", " a b ", "🦊", "x" * 10_000, "../e", "\x00"], ids=ascii)
def test_an_elicitation_id_is_opaque(id_: str):
    """Spec-mandated."""
    found = decode_request(URL | {"elicitationId": id_}, MCP_2025_11_25)
    assert isinstance(found, UrlRequest)
    assert found.elicitation_id == id_
    assert encode_request(found, MCP_2025_11_25)["elicitationId"] == id_


@pytest.mark.requirement("G43")
@every_dialect
def test_unknown_keys_and_meta_are_kept_apart(dialect: Dialect):
    """Ours: a proxy hands them on, and none of them is part of the question."""
    meta = {"message": "no", "io.modelcontextprotocol/related-task": {"taskId": "t"}}
    found = decode_request(FORM | {"_meta": meta, "task": {"ttl": 1}, "x": 2}, dialect)
    assert (found.message, found.meta, found.extra) == ("Who?", meta, {"task": {"ttl": 1}, "x": 2})
    assert decode_request(FORM | {"_meta": None}, dialect).meta == {}


BAD_PARAMS: list[Any] = [
    None,
    [],
    "x",
    {},
    FORM | {"message": None},
    FORM | {"message": 7},
    {"message": "m"},
    {"message": "m", "requestedSchema": None},
    {"message": "m", "requestedSchema": {"type": "string"}},
    FORM | {"mode": None},
    FORM | {"mode": "inline"},
    FORM | {"mode": ["form"]},
    FORM | {"mode": {"form": {}}},
    FORM | {"mode": True},
    FORM | {"_meta": "x"},
    FORM | {"_meta": [1]},
]


@pytest.mark.requirement("M15")
@every_dialect
@pytest.mark.parametrize("params", BAD_PARAMS, ids=str)
def test_a_malformed_request_is_refused_before_anything_is_shown(dialect: Dialect, params: Any):
    """Spec-mandated: answered with -32602."""
    with pytest.raises(InvalidRequest) as caught:
        decode_request(params, dialect)
    assert caught.value.code == -32602


@pytest.mark.requirement("G48")
@every_dialect
def test_a_url_without_its_mode_is_a_form_without_a_schema(dialect: Dialect):
    """Ours."""
    with pytest.raises(InvalidRequest, match="requestedSchema"):
        decode_request({"message": "m", "url": "https://example.com"}, dialect)


def test_there_is_no_url_mode_on_2025_06_18():
    """Spec-mandated. ``mode`` is an unknown key there, and a url is never shown as a form."""
    for params in (URL, FORM | {"mode": "url"}):
        with pytest.raises(InvalidRequest, match="must be one of form"):
            decode_request(params, MCP_2025_06_18)


@with_url
@pytest.mark.parametrize("change", [{"url": None}, {"url": 7}, {"url": ["https://a.co"]}])
def test_a_url_request_needs_its_url(dialect: Dialect, change: Mapping[str, object]):
    """Spec-mandated."""
    with pytest.raises(InvalidRequest, match=r"params\.url must be a string"):
        decode_request(URL | change, dialect)


@pytest.mark.case("134-elicitation-id-required")
@pytest.mark.parametrize("id_", [None, 7])
def test_a_url_request_needs_its_id_on_2025_11_25_only(id_: object):
    """Spec-mandated."""
    params = URL | {"elicitationId": id_}
    with pytest.raises(InvalidRequest, match="elicitationId"):
        decode_request(params, MCP_2025_11_25)
    assert decode_request(params, MCP_2026_07_28).mode == "url"


# Requests out.


@pytest.mark.requirement("M12", "M14")
@every_dialect
def test_a_form_is_written_with_its_mode_where_the_dialect_has_one(dialect: Dialect):
    """Spec-mandated."""
    mode = {} if dialect is MCP_2025_06_18 else {"mode": "form"}
    written = encode_request(FormRequest(message="Who?", schema=SCHEMA), dialect)
    assert written == {**mode, **FORM}


def test_a_url_request_is_written_with_an_id_on_2025_11_25_and_without_on_2026_07_28():
    """Spec-mandated."""
    request = UrlRequest(message="Sign in", url=URL["url"], elicitation_id="e")
    assert encode_request(request, MCP_2025_11_25) == URL
    bare = {key: value for key, value in URL.items() if key != "elicitationId"}
    assert encode_request(request, MCP_2026_07_28) == bare


def test_a_url_request_without_id_never_leaves_on_2025_11_25():
    """Spec-mandated."""
    with pytest.raises(UsageError, match="elicitation id"):
        encode_request(UrlRequest(message="m", url="https://a.co"), MCP_2025_11_25)


@pytest.mark.requirement("G31")
def test_a_url_request_is_refused_where_there_is_no_url_mode():
    """Ours: never a form with a link instead."""
    with pytest.raises(UsageError, match="mcp-2025-06-18 has no url mode"):
        encode_request(UrlRequest(message="m", url="https://a.co"), MCP_2025_06_18)


def test_meta_and_unknown_keys_travel_where_they_may_and_never_replace_ours():
    """Spec-mandated: no ``_meta`` in a request of 2026-07-28."""
    request = FormRequest(
        message="Who?", schema=SCHEMA, meta={"a": 1}, extra={"task": {}, "message": "no"}
    )
    for dialect in MCP:
        written = encode_request(request, dialect)
        assert (written["message"], written["task"]) == ("Who?", {})
        assert written.get("_meta") == (None if dialect is MCP_2026_07_28 else {"a": 1})


def test_a_form_that_the_dialect_cannot_say_is_not_sent():
    """Spec-mandated."""
    schema = RequestedSchema(fields=(ChoicesField(name="f", options=(Option("a"),)),))
    with pytest.raises(SchemaNotExpressible):
        encode_request(FormRequest(message="m", schema=schema), MCP_2025_06_18)


@every_dialect
@given(
    message=st.text(),
    meta=st.dictionaries(st.text(), st.integers()),
    extra=st.dictionaries(
        st.text().filter(
            lambda key: (
                key not in ("_meta", "mode", "message", "requestedSchema", "url", "elicitationId")
            )
        ),
        st.integers(),
    ),
)
def test_a_request_survives_the_wire(
    dialect: Dialect, message: str, meta: dict[str, Any], extra: dict[str, Any]
):
    """Ours."""
    sent = FormRequest(
        message=message, schema=SCHEMA, meta=meta if dialect.request_meta else {}, extra=extra
    )
    assert decode_request(encode_request(sent, dialect), dialect) == sent
    if "url" in dialect.modes:
        id_ = "e" if dialect.elicitation_id else None
        url = UrlRequest(message=message, url=message, elicitation_id=id_, extra=extra)
        assert decode_request(encode_request(url, dialect), dialect) == url


# Answers.


@pytest.mark.requirement("M33", "G08")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"action": "accept", "content": {"a": 1}}, Accept({"a": 1})),
        ({"action": "accept", "content": {}}, Accept({})),
        ({"action": "accept"}, Accept()),
        ({"action": "accept", "content": None}, Accept()),
        ({"action": "decline"}, Decline()),
        ({"action": "decline", "content": {"a": 1}}, Decline()),
        ({"action": "decline", "content": 7}, Decline()),
        ({"action": "cancel", "content": None}, Cancel()),
        ({"action": "cancel", "content": [1]}, Cancel()),
        ({"action": "cancel", "reason": "x", "_meta": {}}, Cancel()),
    ],
    ids=str,
)
def test_an_answer_is_one_of_three_and_only_accept_has_content(raw: object, expected: object):
    """Spec-mandated; ``content: null`` is ours."""
    assert decode_response(raw) == expected


@pytest.mark.requirement("M33")
@pytest.mark.parametrize(
    "raw",
    [
        None, 7, [], "accept", {}, {"action": None}, {"action": "reject"}, {"action": "Accept"},
        {"action": ["accept"]}, {"action": {}}, {"action": True},
        {"action": "accept", "content": 7}, {"action": "accept", "content": ["a"]},
        {"action": "accept", "content": "x"}, {"action": "accept", "content": False},
    ],
    ids=str,
)  # fmt: skip
def test_anything_else_is_no_answer(raw: object):
    """Spec-mandated: never a yes, and never a no of the person."""
    with pytest.raises(InvalidResponse):
        decode_response(raw)


@pytest.mark.requirement("M33", "G08")
@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (Accept({"a": 1}), {"action": "accept", "content": {"a": 1}}),
        (Accept({}), {"action": "accept", "content": {}}),
        (Accept(), {"action": "accept"}),
        (Decline(), {"action": "decline"}),
        (Cancel("timed_out"), {"action": "cancel"}),
    ],
    ids=str,
)
def test_an_answer_is_written_without_what_is_ours(response: Any, expected: Mapping[str, object]):
    """Spec-mandated: no null content, no reason."""
    assert encode_response(response) == expected
    assert type(decode_response(expected)) is type(response)


# Capabilities.

NONE: frozenset[str] = frozenset()
F, U, FU = frozenset({"form"}), frozenset({"url"}), frozenset({"form", "url"})


@pytest.mark.requirement("M09", "G40")
@pytest.mark.parametrize(
    ("raw", "old", "new"),
    [
        (None, NONE, NONE),
        (True, NONE, NONE),
        ("form", NONE, NONE),
        ([], NONE, NONE),
        ({}, F, F),
        ({"form": {}}, F, F),
        ({"url": {}}, F, U),
        ({"form": {}, "url": {}}, F, FU),
        ({"form": None, "url": None}, F, NONE),
        ({"form": True}, F, NONE),
        ({"form": {}, "url": None}, F, F),
        ({"form": [], "url": {}}, F, U),
        ({"form": {"applyDefaults": True}, "video": {}}, F, F),
        ({"video": {}}, F, F),
    ],
    ids=str,
)
def test_a_declared_capability_is_read_as_the_dialect_means_it(
    raw: object, old: frozenset[str], new: frozenset[str]
):
    """Spec-mandated; that only objects count is ours."""
    assert [decode_capability(raw, dialect).modes for dialect in MCP] == [old, new, new]


@pytest.mark.requirement("M10")
@pytest.mark.parametrize(
    ("modes", "old", "new"),
    [
        (NONE, None, None),
        (F, {}, {"form": {}}),
        (U, None, {"url": {}}),
        (FU, {}, {"form": {}, "url": {}}),
    ],
    ids=str,
)
def test_what_is_declared_is_what_can_be_shown(modes: Any, old: object, new: object):
    """Spec-mandated: at least one mode, or no declaration."""
    assert [encode_capability(Capability(modes), dialect) for dialect in MCP] == [old, new, new]
    for dialect in MCP:
        declared = encode_capability(Capability(modes), dialect)
        assert decode_capability(declared, dialect).modes == modes & dialect.modes


@pytest.mark.requirement("M72")
def test_a_missing_capability_is_named_as_the_specification_does():
    """Spec-mandated."""
    assert missing_capability("url") == {"requiredCapabilities": {"elicitation": {"url": {}}}}


# Completion and the error that lists url requests.


def test_a_completion_carries_the_id_and_nothing_else():
    """Spec-mandated."""
    assert encode_completion(Completion(elicitation_id="e 🦊")) == {"elicitationId": "e 🦊"}
    assert decode_completion({"elicitationId": "e", "x": 1}) == Completion(elicitation_id="e")
    for raw in (None, {}, {"elicitationId": 7}, "e"):
        with pytest.raises(InvalidRequest):
            decode_completion(raw)


def test_the_error_that_lists_url_requests_is_read_in_order():
    """Spec-mandated."""
    other = URL | {"elicitationId": "f", "url": "https://example.org"}
    found = decode_url_required({"elicitations": [URL, other]}, MCP_2025_11_25)
    assert [one.elicitation_id for one in found] == ["e", "f"]


@pytest.mark.requirement("G34")
@pytest.mark.case("125-url-required-empty-list")
@pytest.mark.case("127-url-required-form-entry")
@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"elicitations": None},
        {"elicitations": {}},
        {"elicitations": []},
        {"elicitations": [{"mode": "form", **FORM}]},
        {"elicitations": [URL, FORM]},
        {"elicitations": [{"message": "m", "url": "https://a.co"}]},
        {"elicitations": [{key: it for key, it in URL.items() if key != "elicitationId"}]},
    ],
    ids=str,
)
def test_a_list_of_anything_but_url_requests_is_refused(data: object):
    """Ours: a protocol error, and nothing is shown."""
    with pytest.raises(InvalidRequest):
        decode_url_required(data, MCP_2025_11_25)


@pytest.mark.requirement("G11")
def test_a_decimal_is_an_answer_in_every_revision():
    """Ours: ``schema.ts`` has number; the published JSON schema of all three lists integer only."""
    assert encode_response(Accept({"n": 1.5})) == {"action": "accept", "content": {"n": 1.5}}
    assert decode_response({"action": "accept", "content": {"n": 1.5}}) == Accept({"n": 1.5})

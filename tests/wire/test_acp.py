"""ACP messages as plain dicts: what is read, what is refused, and what is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.dialects import ACP_V1, ACP_V2, ACP_V2_STRICT, MCP_2025_06_18, Dialect
from elicitkit.core.errors import InvalidRequest, InvalidResponse, SchemaNotExpressible, UsageError
from elicitkit.core.fields import OtherField, RequestedSchema, TextField
from elicitkit.core.model import (
    Accept,
    Cancel,
    Capability,
    Completion,
    Decline,
    FormRequest,
    RequestScope,
    Scope,
    SessionScope,
    UrlRequest,
)
from elicitkit.core.schema import read
from elicitkit.wire import acp
from elicitkit.wire.acp import (
    AcpRequest,
    UnknownAction,
    UnknownModeRequest,
    capability_in,
    decode_cancel,
    decode_capability,
    decode_completion,
    decode_request,
    decode_response,
    encode_cancel,
    encode_capability,
    encode_completion,
    encode_request,
    encode_response,
    undeclared,
    with_capability,
)
from tests.wire.acp_matrix import COLUMNS, FORM, NAMES, OTHER, SCHEMA, URL, without
from tests.wire.any_acp import requests, responses

every_dialect = pytest.mark.parametrize("dialect", COLUMNS, ids=NAMES)
as_published = pytest.mark.parametrize("dialect", COLUMNS[:2], ids=NAMES[:2])

SESSION = SessionScope(session_id="s")
FIELDS = RequestedSchema(fields=(TextField(name="f", required=True),))


def test_the_methods_have_their_names_and_older_ones_are_only_recognised():
    """Spec-mandated names; the older ones are met in other projects."""
    assert (acp.CREATE, acp.COMPLETE, acp.CANCEL) == (
        "elicitation/create",
        "elicitation/complete",
        "$/cancel_request",
    )
    assert acp.REQUEST_CANCELLED == -32800
    assert set(acp.LEGACY.values()) == {acp.CREATE, acp.COMPLETE}
    assert all(name.startswith("session/") for name in acp.LEGACY)


# Requests in.


@every_dialect
def test_a_form_is_read_with_its_scope(dialect: Dialect):
    """Spec-mandated."""
    assert decode_request(FORM, dialect) == AcpRequest(
        request=FormRequest(message="Who?", schema=FIELDS), scope=SESSION
    )


@every_dialect
def test_a_url_request_keeps_its_url_byte_for_byte(dialect: Dialect):
    """Ours: G45 shows what a URL is; a codec changes nothing in it."""
    for url in ("https://Example.com", "https://xn--e1afmkfd.example/é?a=%c3", "javascript:1", ""):
        found = decode_request(URL | {"url": url}, dialect)
        assert found == AcpRequest(
            request=UrlRequest(message="Sign in", url=url, elicitation_id="e"),
            scope=RequestScope(request_id=12),
        )
        assert encode_request(found.request, found.scope, dialect)["url"] == url


@pytest.mark.requirement("A44")
@every_dialect
@pytest.mark.parametrize("id_", ["", " a b ", "🦊", "x" * 10_000, "../e", "\x00"], ids=ascii)
def test_an_elicitation_id_is_opaque(dialect: Dialect, id_: str):
    """Spec-mandated."""
    found = decode_request(URL | {"elicitationId": id_}, dialect)
    assert isinstance(found.request, UrlRequest)
    assert found.request.elicitation_id == id_
    assert encode_request(found.request, found.scope, dialect)["elicitationId"] == id_


@pytest.mark.requirement("A14", "G19", "G20")
@pytest.mark.parametrize(
    ("given", "scope"),
    [
        ({"sessionId": "s"}, SESSION),
        ({"sessionId": ""}, SessionScope(session_id="")),
        ({"sessionId": "s", "toolCallId": "t"}, SessionScope(session_id="s", tool_call_id="t")),
        ({"sessionId": "s", "toolCallId": None}, SESSION),
        ({"sessionId": "s", "toolCallId": ["t"]}, SESSION),
        ({"sessionId": "s", "requestId": 3}, SESSION),
        ({"sessionId": "s", "requestId": None}, SESSION),
        ({"requestId": 0}, RequestScope(request_id=0)),
        ({"requestId": -(2**63)}, RequestScope(request_id=-(2**63))),
        ({"requestId": 3.0}, RequestScope(request_id=3)),
        ({"requestId": "3"}, RequestScope(request_id="3")),
        ({"requestId": 3, "toolCallId": "t"}, RequestScope(request_id=3)),
        ({"requestId": 3, "sessionId": None}, RequestScope(request_id=3)),
        ({"requestId": None}, RequestScope(request_id=None)),
    ],
    ids=str,
)
@as_published
def test_the_scope_of_a_request_is_one_and_the_session_goes_first(
    dialect: Dialect, given: Mapping[str, object], scope: Scope
):
    """Spec-mandated; which of two counts is ours (G19), and so is null (G20)."""
    found = decode_request(without(FORM, "sessionId") | given, dialect)
    assert found.scope == scope
    assert isinstance(found.request, FormRequest)
    assert found.request.extra == {}
    # Told by repr, because True == 1 and 3.0 == 3.
    assert repr(found.scope) == repr(scope)


@pytest.mark.requirement("G19", "G20")
def test_the_newer_v2_takes_exactly_one_scope_and_no_null():
    """Spec-mandated there."""
    with pytest.raises(InvalidRequest, match="exactly one") as caught:
        decode_request(FORM | {"requestId": 3}, ACP_V2_STRICT)
    assert caught.value.code == -32602
    with pytest.raises(InvalidRequest, match="need a scope"):
        decode_request(URL | {"requestId": None}, ACP_V2_STRICT)
    kept = decode_request(FORM | {"requestId": None}, ACP_V2_STRICT)
    assert kept.scope == SESSION


@pytest.mark.requirement("A13", "A14", "G48")
@every_dialect
@pytest.mark.parametrize(
    ("params", "told"),
    [
        (without(FORM, "mode"), r"params\.mode is required on acp-v\d: form, url"),
        (without(URL, "mode"), r"params\.mode is required on acp-v\d: form, url"),
        (without(FORM, "sessionId"), r"sessionId \(a string\) or requestId"),
        (without(FORM, "message"), r"params\.message must be a string"),
        (without(FORM, "requestedSchema"), "requestedSchema: schema"),
        (URL | {"url": None}, r"params\.url must be a string"),
        (URL | {"elicitationId": None}, r"params\.elicitationId must be a string"),
        (None, "params must be an object"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_a_malformed_request_is_refused_by_a_sentence_that_names_the_key(
    dialect: Dialect, params: object, told: str
):
    """Spec-mandated: answered with -32602."""
    with pytest.raises(InvalidRequest, match=told) as caught:
        decode_request(params, dialect)
    assert caught.value.code == -32602


@pytest.mark.requirement("A67")
@every_dialect
def test_meta_is_kept_and_changes_nothing_that_is_shown(dialect: Dialect):
    """Spec-mandated: an SDK lets ``_meta`` replace what the person sees."""
    for params in (FORM, URL, OTHER):
        meta = dict.fromkeys((*params, "title", "requestedSchema", "url"), "no")
        plain = decode_request(params, dialect)
        found = decode_request(params | {"_meta": meta}, dialect)
        assert found.request.meta == meta
        assert found.scope == plain.scope
        for nothing in (None, [1], "x", 7):
            assert decode_request(params | {"_meta": nothing}, dialect) == plain
        assert encode_request(found.request, found.scope, dialect) == params | {"_meta": meta}
    answer = {"action": "decline", "_meta": {"action": "accept", "content": {"f": "x"}}}
    assert decode_response(answer, dialect) == Decline()


@every_dialect
def test_unknown_keys_are_kept_apart(dialect: Dialect):
    """Ours: a bridge hands them on, and none of them is part of the question."""
    found = decode_request(FORM | {"x": 2, "url": "https://x.example"}, dialect)
    assert found.request == FormRequest(message="Who?", schema=FIELDS, extra={"x": 2})


@pytest.mark.requirement("A24")
@every_dialect
@pytest.mark.parametrize("mode", ["_voice", "voice", "", "Form", "URL", "form "])
def test_an_unknown_mode_is_neither_form_nor_url_and_is_kept_as_it_came(
    dialect: Dialect, mode: str
):
    """Spec-mandated."""
    everything = {**URL, **FORM, "mode": mode, "seconds": 9, "_meta": {"a": 1}}
    del everything["requestId"]
    found = decode_request(everything, dialect)
    assert found.scope == SESSION
    assert found.request == UnknownModeRequest(
        mode=mode,
        message="Who?",
        meta={"a": 1},
        extra={
            "requestedSchema": SCHEMA,
            "url": URL["url"],
            "elicitationId": "e",
            "seconds": 9,
        },
    )
    assert encode_request(found.request, found.scope, dialect) == everything


def test_an_unknown_mode_is_refused_with_the_modes_that_are_supported():
    """Spec-mandated code; the data is ours."""
    request = UnknownModeRequest(mode="_" + "v" * 500, message="m")
    refusal = undeclared(request, Capability(frozenset({"url", "form"})))
    assert (refusal.code, refusal.data) == (-32602, {"supportedModes": ["form", "url"]})
    assert str(refusal).endswith("mode was not declared; supported: form, url")
    assert len(str(refusal)) < 200
    assert "supported: none" in str(undeclared(request, Capability()))


@pytest.mark.requirement("A23", "A25", "A26", "G27")
@every_dialect
def test_what_a_form_has_that_is_not_known_is_kept_and_never_a_known_control(dialect: Dialect):
    """Spec-mandated; the list without options is ours (G27)."""
    properties: dict[str, Any] = {
        "stars": {"type": "_stars", "of": 5},
        "place": {"type": "object", "properties": {}},
        "picks": {"type": "array", "items": {"type": "_x", "enum": ["a"]}},
        "free": {"type": "array", "items": {"type": "string"}},
    }
    noted = {"type": "string", "format": "uuid"}
    raw = {"type": "object", "properties": {**properties, "id": noted}}
    found = decode_request(FORM | {"requestedSchema": raw}, dialect)
    assert isinstance(found.request, FormRequest)
    *unknown, known = found.request.schema.fields
    assert unknown == [OtherField(name=name, raw=it) for name, it in properties.items()]
    assert known == TextField(name="id", format="uuid")


# Requests out.


@pytest.mark.requirement("A13", "A14", "A19")
@every_dialect
def test_a_form_is_written_with_mode_scope_type_and_properties(dialect: Dialect):
    """Spec-mandated."""
    empty = FormRequest(message="Go on?", schema=RequestedSchema(fields=()))
    assert encode_request(empty, SESSION, dialect) == {
        "sessionId": "s",
        "mode": "form",
        "message": "Go on?",
        "requestedSchema": {"type": "object", "properties": {}},
    }
    call = SessionScope(session_id="s", tool_call_id="t")
    written = encode_request(FormRequest(message="Who?", schema=FIELDS), call, dialect)
    assert written == FORM | {"toolCallId": "t"}


@pytest.mark.requirement("A13", "A14")
@every_dialect
def test_a_url_request_is_written_with_mode_scope_and_id(dialect: Dialect):
    """Spec-mandated."""
    request = UrlRequest(message="Sign in", url=URL["url"], elicitation_id="e")
    assert encode_request(request, RequestScope(request_id=12), dialect) == URL
    with pytest.raises(UsageError, match="needs an elicitation id"):
        encode_request(UrlRequest(message="m", url="https://a.co"), SESSION, dialect)


@pytest.mark.requirement("A14", "G19", "G20")
@every_dialect
def test_nothing_that_a_request_brings_along_can_add_a_scope_or_replace_what_is_asked(
    dialect: Dialect,
):
    """Ours: a form of an MCP server may bring any keys."""
    extra = {**URL, "sessionId": "theirs", "toolCallId": "theirs", "requestId": None, "x": 1}
    form = FormRequest(message="Who?", schema=FIELDS, extra=extra)
    assert encode_request(form, SESSION, dialect) == FORM | {"x": 1}
    scope = RequestScope(request_id=7)
    assert encode_request(form, scope, dialect) == without(FORM, "sessionId") | {
        "requestId": 7,
        "x": 1,
    }
    unknown = UnknownModeRequest(mode="_voice", message="m", extra={**extra, "_meta": {"a": 1}})
    written = encode_request(unknown, SESSION, dialect)
    assert (written["mode"], written["sessionId"]) == ("_voice", "s")
    assert written.keys().isdisjoint({"toolCallId", "requestId", "_meta"})


@pytest.mark.requirement("G20")
@every_dialect
def test_a_request_scope_without_a_request_never_leaves(dialect: Dialect):
    """Ours."""
    with pytest.raises(UsageError, match="in flight"):
        encode_request(
            FormRequest(message="m", schema=FIELDS), RequestScope(request_id=None), dialect
        )


@pytest.mark.requirement("A24")
@every_dialect
@pytest.mark.parametrize("mode", ["form", "url"])
def test_a_known_mode_cannot_be_written_as_an_unknown_one(dialect: Dialect, mode: str):
    """Ours: it would pass by the checks of its own request."""
    with pytest.raises(UsageError, match="build its own request"):
        encode_request(UnknownModeRequest(mode=mode, message="m"), SESSION, dialect)


@pytest.mark.requirement("A23", "G21")
def test_a_format_outside_the_four_is_written_on_v2_only():
    """Spec-mandated by the schemas."""
    schema = RequestedSchema(fields=(TextField(name="f", format="uuid"),))
    form = FormRequest(message="m", schema=schema)
    with pytest.raises(SchemaNotExpressible, match="acp-v1 knows only"):
        encode_request(form, SESSION, ACP_V1)
    for dialect in (ACP_V2, ACP_V2_STRICT):
        written = encode_request(form, SESSION, dialect)
        assert written["requestedSchema"]["properties"]["f"]["format"] == "uuid"


@every_dialect
@given(data=st.data())
def test_a_request_survives_the_wire(dialect: Dialect, data: st.DataObject):
    """Ours."""
    sent = data.draw(requests(dialect))
    written = encode_request(sent.request, sent.scope, dialect)
    assert decode_request(json.loads(json.dumps(written)), dialect) == sent


# Answers.


@pytest.mark.requirement("A38", "A40")
@every_dialect
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
        ({"action": "cancel", "_meta": {}}, Cancel()),
    ],
    ids=str,
)
def test_null_content_is_absent_and_only_accept_has_any(
    dialect: Dialect, raw: object, expected: object
):
    """Spec-mandated."""
    assert decode_response(raw, dialect) == expected


@pytest.mark.requirement("A28", "G22")
@as_published
@pytest.mark.parametrize("action", ["_x", "later", "reject", "Accept", "ACCEPT", "accept ", ""])
def test_an_unknown_action_is_a_value_of_its_own(dialect: Dialect, action: str):
    """Spec-mandated: never a yes, never a no, and kept as it came."""
    raw = {"action": action, "content": {"a": "private"}}
    found = decode_response(raw, dialect)
    assert found == UnknownAction(action=action, raw=raw)
    assert "private" not in repr(found)


@pytest.mark.requirement("A28", "G22")
@pytest.mark.parametrize("action", ["_x", "later", "Accept", ""])
def test_an_unknown_action_is_a_cancel_on_the_newer_v2(action: str):
    """Spec-mandated there."""
    raw = {"action": action, "content": {"a": 1}}
    assert decode_response(raw, ACP_V2_STRICT) == Cancel("unknown_action")


@every_dialect
@pytest.mark.parametrize(
    "raw",
    [
        None, 7, [], "accept", {}, {"action": None}, {"action": ["accept"]}, {"action": {}},
        {"action": True}, {"action": "accept", "content": 7},
        {"action": "accept", "content": ["a"]}, {"action": "accept", "content": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_anything_else_is_no_answer(dialect: Dialect, raw: object):
    """Spec-mandated."""
    with pytest.raises(InvalidResponse):
        decode_response(raw, dialect)


@pytest.mark.requirement("A38", "A40")
def test_consent_is_written_without_content_and_a_cancel_without_its_reason():
    """Spec-mandated, the reason apart, which is ours and stays here."""
    assert encode_response(Accept()) == {"action": "accept"}
    assert encode_response(Cancel("timed_out")) == {"action": "cancel"}


@every_dialect
@given(response=responses())
def test_an_answer_survives_the_wire(dialect: Dialect, response: Any):
    """Ours."""
    assert decode_response(json.loads(json.dumps(encode_response(response))), dialect) == response


# Capabilities.

NONE: frozenset[Any] = frozenset()
F, U, FU = frozenset({"form"}), frozenset({"url"}), frozenset({"form", "url"})
KEYS = ("clientCapabilities", "capabilities", "capabilities")


@pytest.mark.requirement("A08", "A09", "G40")
@pytest.mark.parametrize(
    ("raw", "modes"),
    [
        (None, NONE), (True, NONE), ("form", NONE), ([], NONE), ([["form", {}]], NONE), ({}, NONE),
        ({"form": {}}, F), ({"url": {}}, U), ({"form": {}, "url": {}}, FU),
        ({"form": None, "url": None}, NONE), ({"form": {}, "url": None}, F),
        ({"form": True}, NONE), ({"form": "yes", "url": []}, NONE), ({"form": [], "url": {}}, U),
        ({"form": {"_meta": {}}, "_meta": {"url": {}}}, F), ({"video": {}}, NONE),
    ],
    ids=str,
)  # fmt: skip
def test_a_mode_is_declared_by_an_object_and_nothing_else(raw: object, modes: frozenset[Any]):
    """Spec-mandated; that only objects count is ours."""
    assert decode_capability(raw) == Capability(modes)
    for dialect, key in zip(COLUMNS, KEYS, strict=True):
        assert capability_in({key: {"elicitation": raw}}, dialect) == Capability(modes)


@pytest.mark.requirement("A08")
@pytest.mark.parametrize(("dialect", "key"), list(zip(COLUMNS, KEYS, strict=True)), ids=NAMES)
def test_a_client_declares_in_the_initialize_of_its_own_version(dialect: Dialect, key: str):
    """Spec-mandated."""
    both = {"elicitation": {"form": {}, "url": {}}}
    other = ({*KEYS} - {key}).pop()
    assert capability_in({key: both}, dialect).modes == FU
    for params in (None, [], {}, {key: None}, {key: True}, {key: {}}, {other: both}, both):
        assert capability_in(params, dialect) == Capability()


@pytest.mark.requirement("A09")
@pytest.mark.parametrize(
    ("modes", "written"),
    [(NONE, None), (F, {"form": {}}), (U, {"url": {}}), (FU, {"form": {}, "url": {}})],
    ids=str,
)
def test_what_is_declared_is_what_can_be_shown(modes: Any, written: Any):
    """Spec-mandated: each mode by itself, and nothing where there is none."""
    assert encode_capability(Capability(modes)) == written
    assert decode_capability(written) == Capability(modes)


@pytest.mark.parametrize(("dialect", "key"), list(zip(COLUMNS, KEYS, strict=True)), ids=NAMES)
def test_a_declaration_replaces_what_stood_there_and_leaves_the_rest(dialect: Dialect, key: str):
    """Ours: a client may not declare what nobody can show."""
    before = {"protocolVersion": 1, key: {"fs": {}, "elicitation": {"url": {}}}}
    form = Capability(F)
    assert with_capability(before, form, dialect) == {
        "protocolVersion": 1,
        key: {"fs": {}, "elicitation": {"form": {}}},
    }
    assert with_capability(before, Capability(), dialect)[key] == {"fs": {}}
    assert with_capability({key: None}, form, dialect) == {key: {"elicitation": {"form": {}}}}
    assert before[key] == {"fs": {}, "elicitation": {"url": {}}}


# Completion and cancelling.


def test_a_completion_carries_the_id_and_nothing_else():
    """Spec-mandated."""
    assert encode_completion(Completion(elicitation_id="e 🦊")) == {"elicitationId": "e 🦊"}
    found = decode_completion({"elicitationId": "e", "_meta": {"elicitationId": "f"}})
    assert found == Completion(elicitation_id="e")
    for raw in (None, {}, {"elicitationId": 7}, "e"):
        with pytest.raises(InvalidRequest):
            decode_completion(raw)


@pytest.mark.parametrize("id_", [0, 12, -1, "", "el-1"])
def test_a_cancellation_names_the_request_by_its_id(id_: int | str):
    """Spec-mandated."""
    assert encode_cancel(id_) == {"requestId": id_}
    assert decode_cancel(encode_cancel(id_)) == id_


@pytest.mark.parametrize(
    "raw", [None, [], {}, {"requestId": None}, {"requestId": True}, {"requestId": 1.5}], ids=str
)
def test_a_cancellation_of_nothing_is_refused(raw: object):
    """Ours: no request of this library has null for an id."""
    with pytest.raises(InvalidRequest):
        decode_cancel(raw)


# Across dialects.


@every_dialect
def test_a_schema_of_mcp_is_written_as_acp_has_it(dialect: Dialect):
    """Ours: a bridge reads by one row of the table and writes by another."""
    legacy = {"type": "string", "enum": ["a", "b"], "enumNames": ["Ay", "Bee"]}
    raw = {"type": "object", "properties": {"f": legacy}}
    form = FormRequest(message="m", schema=read(raw, MCP_2025_06_18))
    written = encode_request(form, SESSION, dialect)["requestedSchema"]["properties"]["f"]
    assert written == {
        "type": "string",
        "oneOf": [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Bee"}],
    }

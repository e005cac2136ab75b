"""What we write and what we read on ACP, held against the schemas that its own SDK ships.

The npm package of the TypeScript SDK brings the schemas of v1 and of the newer v2; the v2 of
the pages is in no package. The schemas say how big a number may be by ``format`` alone, so the
formats of numbers are checked here, too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema  # noqa: TID251 the oracle, in tests only
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elicitkit.core.dialects import ACP_V1, ACP_V2, ACP_V2_STRICT, Dialect
from elicitkit.core.fields import ChoiceField, Option, RequestedSchema
from elicitkit.core.model import Capability, Completion, FormRequest, SessionScope
from elicitkit.core.schema import opened
from elicitkit.wire.acp import (
    encode_cancel,
    encode_capability,
    encode_completion,
    encode_request,
    encode_response,
    with_capability,
)
from tests.wire.acp_matrix import ANSWERS, REQUESTS
from tests.wire.any_acp import requests, responses

Judge: TypeAlias = Callable[[str, str, object], list[str]]

VERSION_OF = {ACP_V1.name: "v1", ACP_V2.name: "v2"}
COLUMN_OF = {"v1": 0, "v2": 2}

every_version = pytest.mark.parametrize("version", list(COLUMN_OF))
every_dialect = pytest.mark.parametrize(
    "dialect", [ACP_V1, ACP_V2, ACP_V2_STRICT], ids=["acp-v1", "acp-v2", "acp-v2-strict"]
)
# The judge is the same for every example.
thorough = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

NUMBERS = jsonschema.FormatChecker(formats=())
for name, low, high in (
    ("uint32", 0, 2**32 - 1),
    ("uint64", 0, 2**64 - 1),
    ("int64", -(2**63), 2**63 - 1),
    ("double", -sys.float_info.max, sys.float_info.max),
):
    NUMBERS.checks(name)(
        lambda it, low=low, high=high: not isinstance(it, int | float) or low <= it <= high
    )


@pytest.fixture(scope="module")
def judge(node_modules: Path) -> Judge:
    """Give a function that lists what a definition of a version says against a value."""
    folder = node_modules / "@agentclientprotocol" / "sdk" / "schema"
    validators: dict[tuple[str, str, bool], Any] = {}

    def judged(version: str, definition: str, value: object, *, sizes: bool = True) -> list[str]:
        key = (version, definition, sizes)
        if key not in validators:
            whole = json.loads((folder / version / "schema.json").read_text("utf-8"))
            schema = {
                "$schema": whole["$schema"],
                "$defs": whole["$defs"],
                "$ref": f"#/$defs/{definition}",
            }
            cls = jsonschema.validators.validator_for(schema)
            validators[key] = cls(schema, format_checker=NUMBERS if sizes else None)
        return [error.message for error in validators[key].iter_errors(value)]

    return judged


@pytest.mark.parametrize("name", REQUESTS)
@every_version
def test_the_matrix_of_requests_says_what_the_schema_says(judge: Any, version: str, name: str):
    """Spec-mandated: a cell that is wrong would have us take or refuse the wrong thing."""
    row = REQUESTS[name]
    found = judge(version, "CreateElicitationRequest", row.message, sizes=False)
    assert ("x" if found else "ok") == row.spec.split()[COLUMN_OF[version]]


@pytest.mark.parametrize("name", ANSWERS)
@every_version
def test_the_matrix_of_answers_says_what_the_schema_says(judge: Any, version: str, name: str):
    """Spec-mandated."""
    row = ANSWERS[name]
    found = judge(version, "CreateElicitationResponse", row.message, sizes=False)
    assert ("x" if found else "ok") == row.spec.split()[COLUMN_OF[version]]


@pytest.mark.requirement("A13", "A14", "A19", "A20")
@every_dialect
@thorough
@given(data=st.data())
def test_every_request_that_is_written_is_one_of_the_schema(
    judge: Any, dialect: Dialect, data: st.DataObject
):
    """Spec-mandated."""
    sent = data.draw(requests(dialect))
    written = json.loads(json.dumps(encode_request(sent.request, sent.scope, dialect)))
    assert judge(VERSION_OF[dialect.name], "CreateElicitationRequest", written) == []


@every_dialect
def test_a_choice_with_a_marked_companion_is_one_of_the_schema(judge: Any, dialect: Dialect):
    """Spec-mandated."""
    choice = ChoiceField(name="room", title="Room", options=(Option("sea", "Sea view"),))
    request = FormRequest(message="?", schema=RequestedSchema(fields=opened(choice, ["room"])))
    written = encode_request(request, SessionScope(session_id="s"), dialect)
    assert "_meta" in written["requestedSchema"]["properties"]["room_custom"]
    version = VERSION_OF[dialect.name]
    assert judge(version, "CreateElicitationRequest", written) == []
    for name, one in written["requestedSchema"]["properties"].items():
        assert judge(version, "StringPropertySchema", one) == [], name


@every_version
@thorough
@given(response=responses())
def test_every_answer_that_is_written_is_one_of_the_schema(judge: Any, version: str, response: Any):
    """Spec-mandated."""
    written = json.loads(json.dumps(encode_response(response)))
    assert judge(version, "CreateElicitationResponse", written) == []


@every_version
def test_the_notifications_that_are_written_are_those_of_the_schema(judge: Any, version: str):
    """Spec-mandated."""
    completion = encode_completion(Completion(elicitation_id="e"))
    assert judge(version, "CompleteElicitationNotification", completion) == []
    for id_ in (7, "el-1"):
        assert judge(version, "CancelRequestNotification", encode_cancel(id_)) == []


@pytest.mark.requirement("A08", "A09")
@every_dialect
@pytest.mark.parametrize("modes", [(), ("form",), ("url",), ("form", "url")], ids=str)
def test_the_capability_that_is_declared_is_one_of_the_schema(
    judge: Any, dialect: Dialect, modes: tuple[Any, ...]
):
    """Spec-mandated."""
    version = VERSION_OF[dialect.name]
    capability = Capability(frozenset(modes))
    declared = encode_capability(capability)
    if declared is not None:
        assert judge(version, "ElicitationCapabilities", declared) == []
    info = {"name": "client", "version": "1"}
    params = {"protocolVersion": int(dialect.revision), "info": info}
    written = with_capability(params, capability, dialect)
    assert judge(version, "InitializeRequest", written) == []
    (where,) = dialect.capabilities
    assert judge(version, "ClientCapabilities", written[where]) == []


def test_a_number_that_is_too_big_would_be_found(judge: Any):
    """Ours: the formats above are really checked."""
    big = {"type": "string", "maxLength": 2**32}
    assert judge("v1", "StringPropertySchema", big) != []
    assert judge("v1", "StringPropertySchema", big | {"maxLength": 2**32 - 1}) == []
    for definition, limit in (("IntegerPropertySchema", 2**63), ("NumberPropertySchema", 10**400)):
        assert judge("v2", definition, {"minimum": limit}) != []

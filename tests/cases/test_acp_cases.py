"""Reports about ACP that its messages alone decide, without an agent or a client."""

from __future__ import annotations

from typing import Any

import pytest

from elicitkit.core.dialects import ACP_V2, ACP_V2_STRICT, Dialect
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Capability, SessionScope
from elicitkit.wire.acp import capability_in, decode_request, with_capability
from tests.cases.replay import Case, load, replays

BOTH = frozenset({"form", "url"})


def acp(*ids: str) -> pytest.MarkDecorator:
    """Replay these cases on their ACP dialects."""
    return replays(map(load, ids), protocol="acp")


def readings(dialect: Dialect) -> tuple[Dialect, ...]:
    """The dialect, and the other reading of its draft where there is one."""
    return (ACP_V2, ACP_V2_STRICT) if dialect is ACP_V2 else (dialect,)


@pytest.mark.requirement("A08", "A09", "G40")
@acp("079-cap-null-modes", "203-acp-malformed-mode-value")
def test_a_capability_counts_by_its_objects(case: Case, dialect: Dialect):
    given = _listed(case.given["client_capabilities"])
    for reading in readings(dialect):
        (key,) = reading.capabilities
        found = [capability_in({key: one}, reading) for one in given]
        for mode in BOTH & set(case.expect):
            assert [mode in one for one in found] == _listed(case.expect[mode])


def _listed(it: Any) -> list[Any]:
    return it if isinstance(it, list) else [it]


MISSING = {
    "092-mode-missing-acp": r"params\.mode",
    "134-elicitation-id-required": r"params\.elicitationId",
    "190-acp-scope-missing": "need a scope",
}


@pytest.mark.requirement("A13", "A14")
@acp(*MISSING)
def test_a_request_without_what_it_needs_is_refused(case: Case, dialect: Dialect):
    # The report about ids is of both protocols, and leaves out the scope, too.
    scope = {} if case.id == "190-acp-scope-missing" else {"sessionId": "s"}
    for reading in readings(dialect):
        with pytest.raises(InvalidRequest, match=MISSING[case.id]) as caught:
            decode_request(case.given["request"] | scope, reading)
        assert caught.value.code == case.expect["error_code"]


@pytest.mark.requirement("A14", "G19")
@acp("191-acp-both-scopes")
def test_of_two_scopes_the_session_counts_unless_exactly_one_is_demanded(
    case: Case, dialect: Dialect
):
    assert case.expect["crash"] is False
    found = decode_request(case.given["request"], dialect)
    assert found.scope == SessionScope(session_id="s")
    with pytest.raises(InvalidRequest, match="exactly one"):
        decode_request(case.given["request"], ACP_V2_STRICT)


@acp("194-acp-v1-capability-key")
def test_a_client_declares_under_the_key_of_its_version(case: Case, dialect: Dialect):
    modes = frozenset(case.given["handler"].split("+"))
    assert modes == BOTH
    assert with_capability({}, Capability(BOTH), dialect) == case.expect["initialize_params"]

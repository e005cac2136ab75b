"""No report lies in ``data`` without a test that replays it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from tests.cases import (
    test_acp_cases,
    test_acp_server_cases,
    test_client_cases,
    test_schema_cases,
    test_server_cases,
    test_ui_cases,
    test_url_cases,
    test_url_client_cases,
    test_validator_cases,
)
from tests.cases.replay import DATA, every_id

TESTS = Path(__file__).parents[1]
MODULES = (
    test_acp_cases,
    test_acp_server_cases,
    test_client_cases,
    test_schema_cases,
    test_server_cases,
    test_ui_cases,
    test_url_cases,
    test_url_client_cases,
    test_validator_cases,
)


def replayed_here() -> Iterator[str]:
    """The ids that the tests of this folder are parametrised with."""
    for module in MODULES:
        functions = [*vars(module).values(), *vars(test_server_cases.TestWithVirtualTime).values()]
        for function in functions:
            for mark in getattr(function, "pytestmark", []):
                if getattr(mark, "name", "") == "parametrize":
                    for row in mark.args[1]:
                        yield from (one.args[0] for one in row.marks if one.name == "case")


def replayed_elsewhere() -> Iterator[str]:
    """The ids in every ``pytest.mark.case("...")`` of the other tests.

    A report that needs HTTP or two users is replayed beside the other tests of its carrier.
    """
    for path in TESTS.rglob("test_*.py"):
        if "node_modules" in path.parts or path.parent == TESTS / "cases":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="case", value=ast.Attribute(attr="mark")),
                    args=[ast.Constant(value=str(id_)), *_],
                ):
                    yield id_
                case _:
                    pass


def test_every_report_is_replayed():
    """Ours."""
    assert set(every_id()) - set(replayed_here()) - set(replayed_elsewhere()) == set()


def test_only_what_needs_more_than_one_exchange_is_replayed_elsewhere():
    """Ours: these need streamable HTTP and two users, or a course of events on one connection."""
    assert set(every_id()) - set(replayed_here()) == {
        "103-human-time-not-counted",
        "104-overlapping-asks-hold-pause",
        "107-parent-cancelled-closes-dialog",
        "109-late-answer-reported",
        "110-single-terminal-outcome",
        "112-disconnect-clears-forms",
        "115-same-id-two-connections",
        "118-no-open-stream-fails-fast",
        "119-ask-on-originating-stream",
        "121-ask-outside-request-client",
        "175-no-state-no-state",
        "176-old-state-not-reused",
        "181-client-rounds-capped",
        "184-state-other-user",
        "187-input-required-on-other-method",
        "188-several-asks-one-round",
    }


def test_every_report_says_where_its_fault_was_met():
    """Ours."""
    for id_ in every_id():
        raw = json.loads((DATA / f"{id_}.json").read_text("utf-8"))
        assert raw["id"] == id_
        assert raw["source_url"].startswith(("https://", "spec:", "measured:")), id_

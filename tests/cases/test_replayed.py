"""No report lies in ``data`` without a test that replays it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.cases import (
    test_acp_cases,
    test_acp_client_cases,
    test_acp_other_cases,
    test_acp_server_cases,
    test_client_cases,
    test_schema_cases,
    test_server_cases,
    test_ui_cases,
    test_url_browser_cases,
    test_url_cases,
    test_url_client_cases,
    test_url_server_cases,
    test_validator_cases,
)
from tests.cases.replay import DATA, every_id, load

TESTS = Path(__file__).parents[1]
MODULES = (
    test_acp_cases,
    test_acp_client_cases,
    test_acp_other_cases,
    test_acp_server_cases,
    test_client_cases,
    test_schema_cases,
    test_server_cases,
    test_ui_cases,
    test_url_browser_cases,
    test_url_cases,
    test_url_client_cases,
    test_url_server_cases,
    test_validator_cases,
)


def rows() -> Iterator[tuple[str, str]]:
    """The reports that the tests of this folder are parametrised with, each with a dialect."""
    for module in MODULES:
        classes = [one for name, one in vars(module).items() if name.startswith("Test")]
        for function in chain(*(vars(one).values() for one in [module, *classes])):
            marks = getattr(function, "pytestmark", [])
            for mark in marks if isinstance(marks, list) else []:
                if mark.name == "parametrize":
                    for row in mark.args[1]:
                        marks_of = getattr(row, "marks", ())
                        ids = [one.args[0] for one in marks_of if one.name == "case"]
                        yield from ((one, row.values[1].name) for one in ids)


def replayed_here() -> set[str]:
    """The ids of those."""
    return {id_ for id_, _ in rows()}


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
    assert set(every_id()) - replayed_here() - set(replayed_elsewhere()) == set()


def test_a_report_is_replayed_on_every_dialect_that_it_names():
    """Ours."""
    here = set(rows())
    elsewhere = set(replayed_elsewhere())
    named = {(id_, dialect.name) for id_ in replayed_here() for dialect in load(id_).dialects}
    assert {one for one in named - here if one[0] not in elsewhere} == set()


def test_only_what_needs_more_than_one_exchange_is_replayed_elsewhere():
    """Ours: these need streamable HTTP and two users, or a course of events on one connection."""
    assert set(every_id()) - replayed_here() == {
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
        "199-acp-session-cancel-cancels-form",
        "200-acp-view-closed",
        "202-acp-late-answer-after-new-prompt",
    }


def test_every_report_says_where_its_fault_was_met():
    """Ours."""
    for id_ in every_id():
        raw = json.loads((DATA / f"{id_}.json").read_text("utf-8"))
        assert raw["id"] == id_
        assert raw["source_url"].startswith(("https://", "spec:", "measured:")), id_

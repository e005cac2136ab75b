"""Reports about content and the schema it must satisfy."""

from __future__ import annotations

import time
from typing import Any

import pytest

from elicitkit.core.check import check
from elicitkit.core.dialects import Dialect
from elicitkit.core.schema import read
from tests.cases.replay import Case, of_role, replays

KEYS = {"valid", "error_fields", "normalised", "completes_within_s"}


@pytest.mark.requirement("M61", "M62", "A29", "A30")
@replays(of_role("validator"))
def test_content_is_judged_as_the_report_demands(case: Case, dialect: Dialect):
    """The report holds the reason, and where the fault was met."""
    assert set(case.expect) <= KEYS
    schema = read(case.given["requestedSchema"], dialect)
    contents: list[Any] = case.given.get("contents") or [case.given["content"]]
    valid = case.expect["valid"]
    began = time.perf_counter()
    for content, wanted in zip(
        contents, valid if "contents" in case.given else [valid], strict=True
    ):
        usable, errors = check(schema, content)
        if wanted != "either":
            assert (errors == ()) is wanted, (content, errors)
        if "error_fields" in case.expect:
            assert [error.field for error in errors] == case.expect["error_fields"]
        if "normalised" in case.expect:
            assert usable == case.expect["normalised"]
            assert [type(it) for it in usable.values()] == [
                type(it) for it in case.expect["normalised"].values()
            ]
    assert time.perf_counter() - began < case.expect.get("completes_within_s", 1)

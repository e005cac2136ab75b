"""What authors' type checkers say about our generics, as pyright strict sees it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MARK = re.compile(r"# pyright: ignore\[([\w, ]+)\]")


@pytest.fixture(scope="module")
def reported() -> list[dict[str, Any]]:
    """Everything pyright reports about the files of this folder, by the project's own settings."""
    files = [str(HERE / name) for name in ("ask.py", "refused.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == 2
    return report["generalDiagnostics"]


def test_every_form_of_ask_has_the_type_it_promises(reported: list[dict[str, Any]]):
    """Ours: ``assert_type`` on each."""
    assert [_line(one) for one in reported if one["file"].endswith("ask.py")] == []


def test_what_must_be_refused_is_refused_by_exactly_the_marked_rules(
    reported: list[dict[str, Any]],
):
    """Ours: an error without a mark is reported, and so is a mark without its error."""
    assert [_line(one) for one in reported if one["file"].endswith("refused.py")] == []
    source = (HERE / "refused.py").read_text("utf-8")
    assert "# pyright: reportUnnecessaryTypeIgnoreComment=true" in source
    rules = {rule.strip() for mark in MARK.findall(source) for rule in mark.split(",")}
    assert rules >= {
        "reportArgumentType",
        "reportAssignmentType",
        "reportCallIssue",
        "reportGeneralTypeIssues",
        "reportMatchNotExhaustive",
    }


def _line(one: dict[str, Any]) -> str:
    return f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"

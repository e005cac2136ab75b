"""The requirements manifest is whole, and agrees with what the tests claim."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from elicitkit.conform import Requirement, load
from elicitkit.core.dialects import DIALECTS
from tests.conform.claims import MANIFEST, claims, claims_in, write_statuses

ROWS = list(load().values())
PLACES = ("https://modelcontextprotocol.io/", "https://agentclientprotocol.com/")


def test_every_claimed_id_is_a_row() -> None:
    unknown = {key: files for key, files in claims().items() if key not in load()}
    assert unknown == {}


def test_every_covered_row_is_claimed_by_a_test() -> None:
    covered = {row.id for row in ROWS if row.status == "covered"}
    assert covered - claims().keys() == set()


def test_the_manifest_holds_every_rule() -> None:
    counted = Counter(row.id[0] for row in ROWS)
    assert counted == {"M": 90, "A": 68, "G": 52}
    for kind, count in counted.items():
        assert [row.id for row in ROWS if row.id[0] == kind] == [
            f"{kind}{n:02}" for n in range(1, count + 1)
        ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_says_who_must_do_what_where_and_by_which_page(row: Requirement) -> None:
    assert row.dialects
    assert set(row.dialects) <= DIALECTS.keys()
    assert row.side in {"asking", "answering", "both"}
    assert row.status in {"covered", "planned"}
    assert row.text
    assert row.level
    assert row.links
    assert all(link.startswith(PLACES) for link in row.links)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_names_rows_that_exist_and_no_file(row: Requirement) -> None:
    text = " ".join(filter(None, (row.text, row.ruling, row.divergence)))
    assert set(re.findall(r"\b[MAG]\d\d\b", text)) <= load().keys()
    assert ".md" not in text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_kind_of_an_id_tells_the_protocol_and_whether_there_is_a_ruling(
    row: Requirement,
) -> None:
    protocols = {DIALECTS[name].protocol for name in row.dialects}
    assert row.id[0] == "G" or protocols == {"mcp" if row.id[0] == "M" else "acp"}
    assert (row.ruling is not None) == (row.level == "ruling") == (row.id[0] == "G")


def test_the_manifest_cannot_be_changed_by_a_reader() -> None:
    with pytest.raises(TypeError):
        load()["M01"] = load()["M02"]  # type: ignore[index]  # that it is refused is the point


def test_claims_are_read_from_every_place_a_mark_can_stand() -> None:
    source = """
import pytest
pytestmark = [pytest.mark.requirement("M01")]
@pytest.mark.requirement("M02", "A03")
class TestIt:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("G04"))])
    def test_it(self, x): ...
    @pytest.mark.other("M05")
    def test_that(self): ...
"""
    assert sorted(claims_in(source)) == ["A03", "G04", "M01", "M02"]


def test_a_claim_that_is_computed_is_refused() -> None:
    with pytest.raises(ValueError, match="line 1"):
        list(claims_in("pytest.mark.requirement(name)"))


def test_the_statuses_can_be_written_from_the_claims(tmp_path: Path) -> None:
    copy = tmp_path / "requirements.toml"
    copy.write_text(MANIFEST.read_text("utf-8"), "utf-8")
    write_statuses(copy, {"M02": 1, "G52": 1})
    text = copy.read_text("utf-8")
    assert re.findall(r'^\[(\w+)\]\n(?:[^\[s].*\n|side.*\n)*status = "covered"', text, re.M) == [
        "M02",
        "G52",
    ]
    assert text.count('status = "planned"') == len(ROWS) - 2


def test_a_run_with_an_unknown_id_is_refused(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        Path(__file__).parents[1].joinpath("conftest.py").read_text("utf-8"), "utf-8"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = requirement(*ids): x\n", "utf-8")
    (tmp_path / "test_it.py").write_text(
        'import pytest\n@pytest.mark.requirement("M999")\ndef test_it(): pass\n', "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "test_it claims 'M999'" in done.stdout + done.stderr

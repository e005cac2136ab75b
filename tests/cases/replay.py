"""Public bug reports as data, and how a test gets them.

Each file of ``data`` is one report: what was given, what is expected, and ``source_url`` where
the fault was met. A report belongs to a role (``schema``: from a Python type to the wire,
``validator``: content against a schema, ``server``: the asking side, ``client``: the answering
side, ``ui``: what a person sees) and names its dialects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from elicitkit.core.dialects import DIALECTS, Dialect

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One report."""

    id: str
    role: str
    given: dict[str, Any]
    expect: dict[str, Any]
    dialects: tuple[Dialect, ...]


def load(id_: str) -> Case:
    """The report of this id."""
    raw = json.loads((DATA / f"{id_}.json").read_text("utf-8"))
    assert raw["id"] == id_
    names = raw["dialect"] if isinstance(raw["dialect"], list) else [raw["dialect"]]
    return Case(
        id=id_,
        role=raw["role"],
        given=raw["given"],
        expect=raw["expect"],
        dialects=tuple(DIALECTS[name] for name in names),
    )


def every_id() -> list[str]:
    """The ids of all reports."""
    return sorted(path.stem for path in DATA.glob("*.json"))


def replays(cases: Iterable[Case], *, protocol: str | None = None) -> pytest.MarkDecorator:
    """Run a test for each of the cases on each of its dialects (of one protocol)."""
    return pytest.mark.parametrize(("case", "dialect"), list(_params(cases, protocol)))


def of_role(role: str) -> list[Case]:
    """All cases of a role."""
    return [case for case in map(load, every_id()) if case.role == role]


def _params(cases: Iterable[Case], protocol: str | None) -> Iterator[Any]:
    for case in cases:
        for dialect in case.dialects:
            if protocol in (None, dialect.protocol):
                marks = pytest.mark.case(case.id)
                yield pytest.param(case, dialect, id=f"{case.id}-{dialect.name}", marks=marks)

"""The requirements manifest: every rule of MCP and ACP elicitation, as data.

``requirements.toml`` holds the rows; a test that proves one names its id with
``@pytest.mark.requirement``. Rows are M for MCP, A for ACP, and G where the texts leave
something open or say it twice; a G row carries the ruling that this library takes.
Nothing here checks anything: the rows are for tests, reports and readers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal

FILE: Final = "requirements.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One rule."""

    id: str
    dialects: tuple[str, ...]
    """Names of the dialects that have the rule, as in ``elicitkit.core.dialects``."""
    side: Literal["asking", "answering", "both"]
    """Who must keep it."""
    level: str
    """The RFC 2119 word, by dialect where they differ; ``ruling`` on a G row."""
    text: str
    """The rule in plain words; on a G row, what the texts leave open."""
    ruling: str | None = None
    """What this library does; on G rows only."""
    divergence: str | None = None
    """Where this library knowingly differs, and why."""
    links: tuple[str, ...]
    """The pages of the specification that say so."""
    status: Literal["covered", "planned"]
    """``covered`` where a test of this release proves it."""


@cache
def load() -> Mapping[str, Requirement]:
    """Every requirement, by its id, in the order of the specifications."""
    text = resources.files("elicitkit.conform").joinpath(FILE).read_text("utf-8")
    rows = tomllib.loads(text)
    return MappingProxyType({key: _requirement(key, row) for key, row in rows.items()})


def _requirement(key: str, row: Mapping[str, Any]) -> Requirement:
    # Any: TOML. The tests of the manifest hold the rows to these types.
    lists: dict[str, Any] = {name: tuple(row[name]) for name in ("dialects", "links")}
    return Requirement(id=key, **{**dict[str, Any](row), **lists})

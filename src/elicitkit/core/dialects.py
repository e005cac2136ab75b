"""The five dialects as five rows of one table.

What differs between revisions is a column here; code that branches on the name of a
dialect is a mistake. Facts: MCP elicitation pages and ``schema.ts`` of 2025-06-18,
2025-11-25 and 2026-07-28; ACP elicitation pages and schemas of v1 and v2.

ACP v2 is a draft that moves: ``ACP_V2`` is its published pages, ``ACP_V2_STRICT`` the newer,
stricter schema that its TypeScript SDK 2.4.0 brings. Both are one dialect by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from elicitkit.core.model import Mode

FORMATS: Final = frozenset({"email", "uri", "date", "date-time"})
"""The string formats every dialect knows; they are checked for real."""

_FORM: Final[frozenset[Mode]] = frozenset({"form"})
_BOTH: Final[frozenset[Mode]] = frozenset({"form", "url"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One protocol revision, as its elicitation rules."""

    name: str
    protocol: Literal["mcp", "acp"]
    revision: str
    """What the handshake or the request metadata calls it."""
    modes: frozenset[Mode]
    delivery: Literal["live", "replay"]
    empty_capability: frozenset[Mode]
    """What ``elicitation: {}`` declares (M09, A09)."""
    capabilities: tuple[str, ...]
    """Where the client's capabilities stand: the keys that lead there from the params of
    ``initialize``, or of every request."""
    mode_key: Literal["absent", "optional", "required"]
    """The ``mode`` key of a form request."""
    elicitation_id: bool
    """A url request carries an id, and a completion may follow."""
    url_required_code: int | None
    """The error that lists url requests to do first (M27)."""
    missing_capability_code: int | None
    """The error of an asking side whose client lacks a mode (M72)."""
    titles: Literal["enumNames", "oneOf"]
    """How a titled single choice is written."""
    legacy_titles: bool
    """``enumNames`` is still in the schema."""
    multi_select: bool
    any_sensitive: bool
    """Forms may ask for nothing sensitive at all, not only for no credentials (G30)."""
    pattern: bool
    """``pattern`` may be written (G23)."""
    open_formats: bool
    """Formats outside the four may be written (G21)."""
    open_properties: bool
    """Property kinds this version does not know are kept, not refused (A25, G27)."""
    lenient_root: bool
    """A reader takes a missing ``type`` or ``properties`` (A21)."""
    lenient_keywords: bool
    """A reader takes null as left out, and drops texts and entries of a default that are of the
    wrong type."""
    schema_texts: bool
    """``title`` and ``description`` of the schema itself may be written."""
    integral_bounds: bool
    """The bounds of an integer must be integers."""
    sized_numbers: bool
    """Lengths are uint32, counts of items uint64, integers int64 and numbers doubles."""
    field_meta: bool
    """A field may carry ``_meta``; of it, only the mark of a companion is read or written."""
    request_meta: bool
    """``_meta`` travels with the request and the answer."""
    scope: Literal["none", "any", "one"]
    """The scope a request carries: none, at least one of two, or exactly one (A14, G19)."""
    null_request_id: bool
    """A reader takes ``requestId: null`` as a scope (G20)."""
    unknown_action: Literal["invalid", "kept", "cancel"]
    """What an answer of another action is (A28, G22)."""


MCP_2025_06_18: Final = Dialect(
    name="mcp-2025-06-18",
    protocol="mcp",
    revision="2025-06-18",
    modes=_FORM,
    delivery="live",
    empty_capability=_FORM,
    capabilities=("capabilities",),
    mode_key="absent",
    elicitation_id=False,
    url_required_code=None,
    missing_capability_code=None,
    titles="enumNames",
    legacy_titles=True,
    multi_select=False,
    any_sensitive=True,
    pattern=False,
    open_formats=False,
    open_properties=False,
    lenient_root=False,
    lenient_keywords=False,
    schema_texts=False,
    integral_bounds=False,
    sized_numbers=False,
    field_meta=False,
    request_meta=True,
    scope="none",
    null_request_id=False,
    unknown_action="invalid",
)
MCP_2025_11_25: Final = replace(
    MCP_2025_06_18,
    name="mcp-2025-11-25",
    revision="2025-11-25",
    modes=_BOTH,
    mode_key="optional",
    elicitation_id=True,
    url_required_code=-32042,
    titles="oneOf",
    multi_select=True,
    any_sensitive=False,
    pattern=True,
)
MCP_2026_07_28: Final = replace(
    MCP_2025_11_25,
    name="mcp-2026-07-28",
    revision="2026-07-28",
    delivery="replay",
    capabilities=("_meta", "io.modelcontextprotocol/clientCapabilities"),
    elicitation_id=False,
    url_required_code=None,
    missing_capability_code=-32021,
    pattern=False,
    request_meta=False,
)
ACP_V1: Final = Dialect(
    name="acp-v1",
    protocol="acp",
    revision="1",
    modes=_BOTH,
    delivery="live",
    empty_capability=frozenset(),
    capabilities=("clientCapabilities",),
    mode_key="required",
    elicitation_id=True,
    url_required_code=None,
    missing_capability_code=None,
    titles="oneOf",
    legacy_titles=False,
    multi_select=True,
    any_sensitive=False,
    pattern=True,
    open_formats=False,
    open_properties=True,
    lenient_root=True,
    lenient_keywords=True,
    schema_texts=True,
    integral_bounds=True,
    sized_numbers=True,
    field_meta=True,
    request_meta=True,
    scope="any",
    null_request_id=True,
    unknown_action="kept",
)
ACP_V2: Final = replace(
    ACP_V1,
    name="acp-v2",
    revision="2",
    capabilities=("capabilities",),
    open_formats=True,
)
ACP_V2_STRICT: Final = replace(
    ACP_V2, lenient_root=False, scope="one", null_request_id=False, unknown_action="cancel"
)

DIALECTS: Final[Mapping[str, Dialect]] = {
    row.name: row for row in (MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28, ACP_V1, ACP_V2)
}


_BY_REVISION: Final[Mapping[tuple[str, str | None], Dialect]] = {
    (row.protocol, row.revision): row for row in DIALECTS.values()
}


_STRICT: Final[Mapping[str, Dialect]] = {ACP_V2_STRICT.name: ACP_V2_STRICT}


def dialect_of(protocol: str, revision: str | None, *, strict: bool = False) -> Dialect | None:
    """The row for a negotiated revision, or None where that revision has no elicitation.

    Args:
        protocol: ``mcp`` or ``acp``.
        revision: What the handshake or the request metadata calls it.
        strict: Take the stricter of two readings where a draft has two (G44).
    """
    found = _BY_REVISION.get((protocol, revision))
    return _STRICT.get(found.name, found) if strict and found else found

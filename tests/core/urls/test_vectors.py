"""The URL vectors: 211 URLs with the verdict, the reasons and the hosts they must get.

Ours, from the public rules of browsers and the MCP and ACP pages on safe URL handling.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elicitkit.core.urls import inspect_url

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "vectors.json").read_text(encoding="utf-8")
)

# A vector names what must be found, or several codes of which one is enough. Where more is
# true of a URL than its vector names, it is here, so that nothing appears unnoticed.
ALSO_TRUE = {
    71: {"idn_restricted_char"},  # U+2044 is not Allowed by UTS #39, whatever it looks like
    73: {"idn_restricted_char"},
    152: {"lookalike"},  # all of these are spoofs of a name on the list
    154: {"lookalike"},
    155: {"lookalike"},
    176: {"lookalike"},
    178: {"lookalike"},
    182: {"lookalike"},
    163: {"idn_mixed_script"},  # U+06F1 is of the Arabic script (scx), beside a Latin letter
    164: {"idn_mixed_script"},  # a digit of Bengali beside one of Gurmukhi
}


@pytest.mark.requirement("G29")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_each_vector_gets_its_verdict_its_reasons_and_its_hosts(vector: dict[str, Any]) -> None:
    found = inspect_url(vector["url"], local=vector.get("context") == "local")
    assert found.verdict == vector["verdict"]
    named = set(vector["reasons"])
    if found.verdict == "ok":
        assert (set(found.notices), found.reasons) == (named, ())
    else:
        assert named & set(found.reasons)
        assert set(found.reasons) - named == ALSO_TRUE.get(vector["id"], set())
    assert found.host_ascii == vector["host_ascii"]
    assert found.host_unicode == vector["host_unicode"]
    assert found.registrable_domain == vector["registrable_domain"]


@pytest.mark.requirement("G45")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_what_is_to_be_opened_is_inert_ascii_and_inspects_to_itself(vector: dict[str, Any]) -> None:
    local = vector.get("context") == "local"
    found = inspect_url(vector["url"], local=local)
    assert (found.received is None) == (found.url == vector["url"])
    if found.url is None:
        assert found.verdict == "refuse"
        return
    assert found.url.isascii()
    assert found.url.isprintable()
    assert " " not in found.url
    assert found.url.startswith(("http://", "https://"))
    again = inspect_url(found.url, local=local)
    assert (again.url, again.received) == (found.url, None)
    assert again.host_ascii == found.host_ascii
    if found.verdict != "refuse":
        assert set(again.reasons) == set(found.reasons) - {"noncanonical_host"}

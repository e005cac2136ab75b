"""The generated tables and what is computed from them, against ICU where it is installed. Ours.

ICU is an oracle, not a dependency. It must be of the Unicode version of the tables.
"""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.urls import unicode_data
from elicitkit.core.urls.spoof import scripts_in
from elicitkit.core.urls.tables import invisible, restricted, scripts_of, skeleton

icu: Any = pytest.importorskip("icu", reason="ICU is not installed")
if icu.UNICODE_VERSION != unicode_data.VERSION:
    pytest.skip(f"ICU is of Unicode {icu.UNICODE_VERSION}", allow_module_level=True)

ROOT = Path(__file__).parents[3]
ALLOWED = sorted(
    code
    for word in unicode_data.ALLOWED.split()
    for first, _, last in [word.partition("-")]
    for code in range(int(first, 16), int(last or first, 16) + 1)
)
# Normalisation is Python's, which may not know the newest letters yet.
KNOWN = [code for code in ALLOWED if unicodedata.category(chr(code)) != "Cn"]
LETTERS = st.one_of(
    st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-"), st.sampled_from(KNOWN).map(chr)
)
LABELS = st.text(LETTERS, min_size=1, max_size=12)


def test_the_tables_are_what_the_generator_writes() -> None:
    script = ROOT / "scripts" / "generate_url_tables"
    done = subprocess.run([sys.executable, str(script), "--check"], timeout=120, check=False)
    assert done.returncode == 0, "run scripts/generate_url_tables and look at what changed"


def test_what_is_allowed_is_what_icu_allows_less_our_exceptions() -> None:
    inclusion = icu.SpoofChecker().getInclusionUnicodeSet()
    recommended = icu.SpoofChecker().getRecommendedUnicodeSet()
    for code in range(0x80, 0x32400):
        theirs = inclusion.contains(chr(code)) or recommended.contains(chr(code))
        assert (code in _ALLOWED) == theirs
        if not theirs and not restricted().search(chr(code)):
            assert icu.Char.hasBinaryProperty(code, icu.UProperty.EXTENDED_PICTOGRAPHIC) or (
                icu.Char.hasBinaryProperty(code, icu.UProperty.EMOJI_PRESENTATION)
            )


_ALLOWED = frozenset(ALLOWED)


def test_what_nobody_can_see_is_what_has_no_glyph_of_its_own() -> None:
    for code in range(0x80, 0x110000, 7):
        if icu.Char.charType(code) in (
            icu.UCharCategory.UNASSIGNED,
            icu.UCharCategory.PRIVATE_USE_CHAR,
            icu.UCharCategory.SURROGATE,
        ):
            assert invisible().search(chr(code))
        elif icu.Char.isalnum(code) and code not in (0x115F, 0x1160, 0x3164, 0xFFA0):
            assert not invisible().search(chr(code))


@given(LABELS)
def test_skeletons_are_those_of_icu(label: str) -> None:
    assert skeleton(label) == icu.SpoofChecker().getSkeleton(icu.USpoofChecks.ANY_CASE, label)


@given(LABELS)
def test_a_label_of_one_script_is_what_icu_finds_of_one_script(label: str) -> None:
    checker = icu.SpoofChecker()
    checker.setChecks(icu.USpoofChecks.RESTRICTION_LEVEL)
    checker.setRestrictionLevel(icu.URestrictionLevel.SINGLE_SCRIPT_RESTRICTIVE)
    scripts = scripts_in(label)
    assert (scripts is None or bool(scripts)) == (checker.check(label) == 0)


@given(st.sampled_from(KNOWN))
def test_every_script_of_a_letter_is_one_that_icu_gives_it(code: int) -> None:
    theirs = {icu.Script(one).getShortName() for one in icu.Script.getScriptExtensions(chr(code))}
    ours = scripts_of(chr(code)) - {"Hanb", "Jpan", "Kore"}
    assert ours == theirs - {"Zyyy", "Zinh"}

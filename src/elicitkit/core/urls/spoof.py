"""The spoof checks on one label: could it be taken for another name?

They are those that browsers apply, written anew from UTS #39 and the published rationale of
Chromium (its page on IDN) and Firefox. An honest name passes in any script: what counts is
mixing, rare characters, and letters of one script that all pass for those of another.
Where a browser is stricter than it need be for names of one script, this is not: a Chinese
word may hold the sign for "one" next to a Latin letter as long as it has a Chinese neighbour.

The likeness to a known name is in ``known``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from elicitkit.core.urls.lookalikes import (
    DIGIT_LOOKALIKES,
    HOME_DOMAINS,
    ORDINARY_WORDS,
    PLAIN_CJK,
    SLASH_KANA,
    STROKES_CJK,
    latin_lookalikes,
)
from elicitkit.core.urls.tables import restricted, scripts_of

_LATIN: Final = frozenset({"Latn"})
_EUROPEAN: Final = frozenset({"Latn", "Grek", "Cyrl"})
_KANAS: Final = frozenset({"Hira", "Kana"})
_JAPANESE: Final = frozenset({"Hira", "Kana", "Hani"})
_CJK: Final = frozenset({"Hira", "Kana", "Hani", "Bopo", "Hang"})
_UNIONS: Final = frozenset({"Hanb", "Jpan", "Kore"})

_DOTTED: Final = re.compile("[ijl][\u0300-\u0339]*\u0307|\u0131[\u0300-\u0339]")
_VOICED: Final = re.compile("[\u3099\u309a]")
_HE_BETWEEN: Final = re.compile(
    "(?<=[\u30a1-\u30fa\u30fc])[\u3078-\u307a](?=[\u30a1-\u30fa\u30fc])"
)
_HE_KATAKANA: Final = re.compile("(?<=[\u3041-\u3096])[\u30d8-\u30da](?=[\u3041-\u3096])")
_KANA: Final = re.compile(
    "(?<![\u30a1-\u30fa\u30fc-\u30fe])[\u30fd\u30fe]"
    "|(?<![\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u309d\u309e])\u30fc"
    "|[a-z]\u30fb|\u30fb[a-z]"
)


def spoof_codes(label: str, top: str) -> Iterator[str]:
    """What is odd about a label beyond ASCII, in the order of the checks.

    Args:
        label: In Unicode, normalised by UTS #46.
        top: The last label of its host, in Unicode.
    """
    scripts = scripts_in(label)
    single = scripts is None or bool(scripts)
    if restricted().search(label):
        yield "idn_restricted_char"
    if not single and not _may_mix(label):
        yield "idn_mixed_script"
    if len(_number_systems(label)) > 1:
        yield "idn_mixed_digits"
    if _has_odd_marks(label, single=single):
        yield "idn_combining"
    if _needs_other_domain(label, top):
        yield "idn_tld_char"
    if _is_whole_script(label, top):
        yield "idn_whole_script"
    if _is_number_like(label):
        yield "idn_digit_lookalike"
    yield from _east_asian_codes(label, single=single)


def scripts_in(label: str) -> frozenset[str] | None:
    """The scripts that alone can write the label; None for any, empty if it takes several."""
    sets = [scripts for char in label if (scripts := scripts_of(char))]
    return sets[0].intersection(*sets) if sets else None


def _may_mix(label: str) -> bool:
    """Highly Restrictive: ASCII letters may stand beside Chinese, Japanese or Korean."""
    others = "".join(char for char in label if scripts_of(char) != _LATIN or not char.isascii())
    return bool((scripts_in(others) or frozenset()) & _UNIONS)


def _number_systems(label: str) -> set[int]:
    return {ord(char) - unicodedata.decimal(char) for char in label if char.isdecimal()}


def _has_odd_marks(label: str, *, single: bool) -> bool:
    if _DOTTED.search(label) or (not single and _VOICED.search(label)):
        return True
    before = base = ""
    for char in unicodedata.normalize("NFD", label):
        if unicodedata.category(char) != "Mn":
            base = char
        elif char == before or (char <= "\u0339" and not scripts_of(base) & _EUROPEAN):
            return True
        before = char
    return False


def _needs_other_domain(label: str, top: str) -> bool:
    """Letters that pass for another where they are not at home."""
    if top not in ("is", "fo") and ("\u00fe" in label or "\u00f0" in label):
        return True
    if top != "az" and "\u0259" in label:
        return True
    dots = label.count("\u00b7")
    return dots > 0 and (top != "cat" or dots != len(re.findall("(?<=l)\u00b7(?=l)", label)))


def _is_whole_script(label: str, top: str) -> bool:
    scripts = scripts_in(label) or frozenset()
    # A letter of several scripts stands for the one that it is at home in.
    for script in sorted(scripts & HOME_DOMAINS.keys()):
        if top in HOME_DOMAINS[script] or any(script in scripts_of(char) for char in top):
            continue
        letters = [char for char in label if scripts_of(char)]
        if all(char in latin_lookalikes(script) for char in letters):
            return label not in ORDINARY_WORDS
    return False


def _is_number_like(label: str) -> bool:
    return all(char in DIGIT_LOOKALIKES or char in "0123456789" for char in label)


def _east_asian_codes(label: str, *, single: bool) -> Iterator[str]:
    if not single and _stands_alone(label, SLASH_KANA, _JAPANESE, both=True):
        yield "idn_slash_like"
    if _has_odd_kana(label, single=single):
        yield "idn_kana"
    if not single and (
        _stands_alone(label, STROKES_CJK, _CJK, both=False)
        or _stands_alone(label, PLAIN_CJK, _CJK, both=True)
    ):
        yield "idn_cjk_like"


def _has_odd_kana(label: str, *, single: bool) -> bool:
    if not single and _KANA.search(label):
        return True
    return _is_foreign_he(label, _HE_BETWEEN) or _is_foreign_he(label, _HE_KATAKANA)


def _is_foreign_he(label: str, pattern: re.Pattern[str]) -> bool:
    """The two kana are drawn alike; in a word all of the one kana the other is no particle."""
    rest = pattern.sub("", label)
    return rest != label and len((scripts_in(rest) or frozenset()) & _KANAS) == 1


def _stands_alone(label: str, signs: str, family: frozenset[str], *, both: bool) -> bool:
    """Whether a sign has foreign neighbours; the end of the label counts as one."""
    for at, char in enumerate(label):
        if char in signs:
            near = (label[at - 1 : at], label[at + 1 : at + 2])
            foreign = [not (one and scripts_of(one) & family) for one in near]
            if all(foreign) if both else any(foreign):
                return True
    return False

"""Which letters pass for which: our own lists, beside the tables of Unicode.

UTS #39 maps only what is drawn the same. At the size of an address bar more passes, and
each list here says what it adds. Where adding would make honest words suspicious, it stops.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from elicitkit.core.urls.tables import prototypes, scripts_of

HOME_DOMAINS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        script: frozenset(domains.split())
        for script, domains in (
            ("Cyrl", "bg by kz pyc ru su ua uz"),
            ("Grek", "gr"),
            ("Armn", "am"),
            ("Geor", "ge"),
            ("Hebr", "il"),
            ("Ethi", "er et"),
            ("Thai", "th"),
            ("Mymr", "mm"),
            *dict.fromkeys(("Beng", "Deva", "Gujr", "Guru", "Knda"), "").items(),
            *dict.fromkeys(("Mlym", "Orya", "Taml", "Telu"), "").items(),
        )
    }
)
"""Scripts with letters that pass for Latin, and where names in them are to be expected."""

_MORE_LATIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Cyrl": "кԁѡѵъьԍ",
        "Grek": "κχω",
        "Armn": "յլ",
        "Geor": "იოძხ",
        "Hebr": "ח",
        "Ethi": "በተፐዘጠ",
        "Thai": "ทนบพรเลปฟ",
        "Mymr": "ငပဂ",
        "Beng": "ড",
        "Deva": "ठ",
        "Gujr": "ટડર",
        "Guru": "ਠ",
        "Knda": "ಠರ",
        "Mlym": "നരഗ",
        "Orya": "ଓ",
        "Taml": "பட",
        "Telu": "రఠ",
    }
)
"""By script, beside UTS #39; not the likes of "п": too many words are made of them."""

_ORDINARY: Final = (
    "курс курсор ресурс сахар сахара сок сорок сорока рок роса рука рог соус сук сухо суха "
    "уха ухо урок срок скоро касса каска краса коса кросс кок кокос кекс карго круг гора "
    "горка горох осока оса ось корь хорь хор хаос хакер сера раса рагу угар аура арка"
)
ORDINARY_WORDS: Final = frozenset(_ORDINARY.split())
"""Words of everyday Russian that happen to be made of such letters only."""

DIGIT_LOOKALIKES: Final = frozenset("২੨૨२೨౨շ೭зҙӡვဒ੩૩౩೩ওउਤ୪丩ㄐ੫პੜбճ৪੪୫৭੧୨൭")
"""For 2 to 9. No zeros: with them every year in Bengali would be suspicious."""

SLASH_KANA: Final = "ノソゾン丶乀乁丿"
"""Kana and strokes that pass for a slash between letters of other scripts."""

STROKES_CJK: Final = "丨丶丿乀乁亅ㄧㄟ"
"""Strokes, which are hardly ever words."""

PLAIN_CJK: Final = "一二工口丁卜十八了匚凵ㄈㄇㄥ"
"""Words, too, that pass for Latin letters, dashes or brackets."""


@cache
def latin_lookalikes(script: str) -> frozenset[str]:
    """The letters of a script that pass for Latin ones."""
    shapes = (
        chr(code)
        for code, shape in prototypes().items()
        if len(shape) == 1 and shape.isascii() and shape.isalpha()
    )
    own = (char for char in shapes if script in scripts_of(char))
    return frozenset(own).union(_MORE_LATIN[script])

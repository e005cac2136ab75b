"""``Catalog``: look a text up by its key; ``catalog``: find the language for a locale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from elicitkit.core.check import FieldError
from elicitkit.core.text import inert
from elicitkit.i18n import en, zh

_PARAM_LIMIT: Final = 300


@dataclass(frozen=True, slots=True)
class Catalog:
    """All texts in one language."""

    lang: str
    """A BCP 47 tag, as for the ``lang`` attribute of a page."""
    texts: Mapping[str, str]

    def t(self, key: str, **params: object) -> str:
        """The text for ``key`` with its ``{named}`` places filled."""
        return self.texts[key].format(**params)

    def error(self, error: FieldError) -> str:
        """What is wrong with a field and how to mend it; parts that a server wrote are inert."""
        params = {
            name: self.inert(value, _PARAM_LIMIT) if isinstance(value, str) else value
            for name, value in error.params.items()
        }
        return self.t(f"error.{error.template}", **params)

    def inert(self, text: str, limit: int, *, multiline: bool = False) -> str:
        """Server text made safe to show, with the notice of a cut in this language."""
        return inert(text, limit, multiline=multiline, cut=self.texts["text.cut"])


_ENGLISH: Final = Catalog("en", en.TEXTS)
_CHINESE: Final = Catalog("zh-Hans", zh.TEXTS)


def catalog(lang: str | None = None) -> Catalog:
    """The catalog for a locale or a language tag: Chinese for any ``zh``, else English."""
    primary = (lang or "").replace("_", "-").partition("-")[0].partition(".")[0]
    return _CHINESE if primary.lower() == "zh" else _ENGLISH


def language_from(environ: Mapping[str, str]) -> str | None:
    """The locale a person set, by the order of POSIX; ``ELICITKIT_LANG`` goes before all."""
    for name in ("ELICITKIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return environ[name]
    return None

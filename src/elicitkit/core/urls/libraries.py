"""The URL parser and the public suffix list, loaded when the first URL is inspected.

Together they take longer to import than the rest of the core, and most programs that
import this package never see a URL. Nothing else in this package names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ada_url import URL

_PRIVATE: Final = "// ===BEGIN PRIVATE DOMAINS==="
_VERSION: Final = re.compile(r"^// VERSION: (\d{4}-\d\d-\d\d)", re.MULTILINE)


@cache
def parser() -> type[URL]:
    """The WHATWG parser; calling it raises ValueError for what is no URL."""
    from ada_url import URL

    return URL


@cache
def to_ascii() -> Callable[[str], bytes]:
    """UTS #46 ToASCII as the URL standard applies it; raises ValueError for no domain."""
    from ada_url import idna_to_ascii

    return idna_to_ascii


@cache
def public_suffix() -> Callable[[str], str | None]:
    """The public suffix of a host in ASCII; that of an unlisted one is its last label."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList().publicsuffix


@cache
def private_rules() -> frozenset[str]:
    """The rules of the list's private section: suffixes of companies that host for others."""
    section = _list().partition(_PRIVATE)[2]
    lines = (line.strip() for line in section.splitlines())
    return frozenset(line for line in lines if line and not line.startswith("//"))


def suffix_list_day() -> date | None:
    """The day of the public suffix list; None where the list does not tell it."""
    found = _VERSION.search(_list())
    return None if found is None else date.fromisoformat(found[1])


def _list() -> str:
    from publicsuffixlist import PSLFILE

    # The bundled list is part of the installed code, as a module is.
    with open(PSLFILE, encoding="utf-8") as file:
        return file.read()

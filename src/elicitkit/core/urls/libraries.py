"""The URL parser and the public suffix list, loaded when the first URL is inspected.

Together they take longer to import than the rest of the core, and most programs that
import this package never see a URL. Nothing else in this package names them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ada_url import URL

_PRIVATE: Final = "// ===BEGIN PRIVATE DOMAINS==="


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
    from publicsuffixlist import PSLFILE

    # The bundled list is part of the installed code, as a module is.
    with open(PSLFILE, encoding="utf-8") as file:
        section = file.read().partition(_PRIVATE)[2]
    lines = (line.strip() for line in section.splitlines())
    return frozenset(line for line in lines if line and not line.startswith("//"))

"""The raw text, before it is parsed: its length, its characters, its scheme and authority.

Refused here is what two parsers, or a parser and a person, could read differently: browsers
drop tabs, turn backslashes round and forgive slashes, and a terminal obeys controls.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from elicitkit.core.urls.tables import invisible

MAX_LENGTH: Final = 8192
LONG: Final = 2048
_MAX_HOST: Final = 1024
"""No host of 253 octets takes more characters than this, however it is spelled. Parsers
take quadratic time for longer ones beyond ASCII."""

_CONTROL: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What nearly every URL looks like; there is nothing to say about the spelling of such a one.
_USUAL: Final = re.compile(r"https?://([a-zA-Z0-9.-]+)(?::[0-9]+)?(?:[/?#](?:[!-\[\]-~])*)?")
_SCHEME: Final = re.compile("([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HEAD: Final = re.compile(r"[a-z]+:[/\\]*[^/?#\\]*", re.IGNORECASE)
_AUTHORITY_END: Final = re.compile(r"[/?#\\]")


class Spelling(NamedTuple):
    """How a URL is spelled."""

    codes: tuple[str, ...]
    host: str = ""
    """The host as written; empty where the text does not get that far."""
    hidden: bool = False
    """One reading of such a text must not be shown as if it were what it says."""


def read(raw: str) -> Spelling:
    """Look at the text itself."""
    usual = _USUAL.fullmatch(raw)
    if usual and len(usual[1]) <= _MAX_HOST:
        return Spelling((), usual[1])
    codes = _characters(raw)
    if "control_char" in codes or "bidi_control" in codes:
        return Spelling(codes, hidden=True)
    scheme = _SCHEME.match(raw)
    if scheme is None:
        return Spelling((*codes, "invalid_url"), hidden=True)
    if scheme[1].lower() not in ("http", "https"):
        return Spelling((*codes, "bad_scheme"), hidden=True)
    return _authority(raw, scheme.end(), codes)


def length(size: int) -> tuple[str, ...]:
    """The code for a URL of this many characters."""
    if size <= LONG:
        return ()
    return ("url_too_long",) if size > MAX_LENGTH else ("long_url",)


def _characters(raw: str) -> tuple[str, ...]:
    checks = (
        ("control_char", raw[:1] == " " or raw[-1:] == " " or _CONTROL.search(raw)),
        ("bidi_control", _BIDI.search(raw)),
        ("invisible_char", not raw.isascii() and invisible().search(raw)),
    )
    return tuple(code for code, found in checks if found)


def _authority(raw: str, start: int, codes: tuple[str, ...]) -> Spelling:
    if "\\" in re.split("[?#]", raw, maxsplit=1)[0]:
        codes = (*codes, "backslash")
    elif not raw.startswith("//", start) or raw[start + 2 : start + 3] == "/":
        return Spelling((*codes, "authority_syntax"), hidden=True)
    authority = _AUTHORITY_END.split(raw[start:].lstrip("/\\"), maxsplit=1)[0]
    if "@" in authority:
        codes = (*codes, "userinfo")
    in_brackets, closing, _ = authority.partition("]")
    host = in_brackets + closing if closing else authority.partition(":")[0]
    if len(authority) > _MAX_HOST:
        return Spelling((*codes, "host_too_long"), hidden=True)
    return Spelling(codes, host)


def head(raw: str) -> str:
    """Scheme and authority of a URL that is too long to be looked at as a whole."""
    found = _HEAD.match(raw)
    return found[0] if found else ""

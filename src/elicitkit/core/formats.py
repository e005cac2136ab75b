"""The four string formats that every dialect knows, checked for real.

JSON Schema leaves ``format`` to the reader, and stock checkers take ``@`` for an e-mail
address, so an answer that passed one of them may still be useless to the side that asked.
Here each format is one function from text to bool: RFC 5321 and 5322 addresses with the
internationalised ones of RFC 6531, RFC 3986 URIs, RFC 3339 dates and times. Deliberately
not here: formats outside the four, which are hints and never checked (A23, G21), and what
a URL may do to a person, which is ``core/urls``.

Every expression is linear: alternatives inside a repetition never begin alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address
from typing import Final

ADDRESS_MAX: Final = 254
"""RFC 5321 section 4.5.3.1.3: a path has 256 octets, two of them the angle brackets."""
LOCAL_MAX: Final = 64
"""RFC 5321 section 4.5.3.1.1, in octets."""
LABEL_MAX: Final = 63
"""RFC 1035 section 2.3.4."""
URI_MAX: Final = 65_536
"""Ours; RFC 9110 section 4.1 asks for at least 8,000 octets."""
TIME_MAX: Final = 64
"""Ours; RFC 3339 sets no end to the digits of a fraction."""

_USUAL: Final = re.compile(
    r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@[A-Za-z0-9]+(?:(?:\.|-+)[A-Za-z0-9]+)*"
)
# Said by what is left out, because a range up to U+10FFFF takes milliseconds to compile.
_ATOM: Final = r'[^\x00-\x20\x7f"(),.:;<>@\[\\\]]+'
_LOCAL: Final = re.compile(
    rf'{_ATOM}(?:\.{_ATOM})*|"(?:[^\x00-\x1f\x7f"\\]|\\[ -~])*"',
)
_LABEL: Final = re.compile(r"(?!-)[^\x00-,./:-@\[-`{-\x7f]+(?<!-)")

_PCT: Final = "%[0-9A-Fa-f]{2}"
_PCHAR: Final = rf"[A-Za-z0-9._~!$&'()*+,;=:@-]|{_PCT}"
_PATH: Final = rf"(?:{_PCHAR}|/)*"
_URI: Final = re.compile(
    rf"""
    [A-Za-z][A-Za-z0-9+.-]*:
    (?: //
        (?: (?:[A-Za-z0-9._~!$&'()*+,;=:-]|{_PCT})* @ )?
        (?: \[ (?P<literal>[^\[\]]*) \] | (?:[A-Za-z0-9._~!$&'()*+,;=-]|{_PCT})* )
        (?: :[0-9]* )?
        (?: /{_PATH} )?
      | (?!//) {_PATH}
    )
    (?: \?(?:{_PCHAR}|[/?])* )?
    (?: \#(?:{_PCHAR}|[/?])* )?
    """,
    re.VERBOSE,
)
_IP_FUTURE: Final = re.compile(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+")

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATE_TIME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]"
    r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)


def is_email(text: str) -> bool:
    """Whether ``text`` is one bare address: no name, no comment, no angle brackets."""
    # Nearly every address is a plain and short one, and this tells it four times as fast.
    if len(text) <= LOCAL_MAX and _USUAL.fullmatch(text):
        return True
    # The last "@" parts the two: a quoted local part may hold others, a domain none.
    local, at, domain = text.rpartition("@")
    if not at:
        return False
    return bool(
        len(text) <= ADDRESS_MAX
        and _LOCAL.fullmatch(local)
        and _is_visible(local)
        and len(local.encode()) <= LOCAL_MAX
        and (_is_literal(domain) if domain.startswith("[") else _is_domain(domain))
    )


def is_uri(text: str) -> bool:
    """Whether ``text`` is a URI with a scheme; a relative reference or an IRI is none."""
    found = _URI.fullmatch(text) if len(text) <= URI_MAX else None
    if found is None:
        return False
    literal = found["literal"]
    return literal is None or _is_ipv6(literal) or _IP_FUTURE.fullmatch(literal) is not None


def is_date(text: str) -> bool:
    """Whether ``text`` is a day of the calendar as ``2026-02-28``."""
    return _day(text) is not None


def is_date_time(text: str) -> bool:
    """Whether ``text`` is a moment with its zone as ``2026-02-28T10:00:00Z``."""
    found = _DATE_TIME.fullmatch(text) if len(text) <= TIME_MAX else None
    if found is None:
        return False
    day = _day(found[1])
    return day is not None and (found[4] != "60" or _is_leap_second(day, found))


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "email": is_email,
    "uri": is_uri,
    "date": is_date,
    "date-time": is_date_time,
}
"""What is checked, by the name that travels."""


def _day(text: str) -> date | None:
    found = _DATE.fullmatch(text)
    try:
        # RFC 3339 writes the year 0000, the calendar of ``datetime`` does not have it.
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def _is_leap_second(day: date, found: re.Match[str]) -> bool:
    """A leap second is the last second of a month in UTC (RFC 3339 section 5.7)."""
    hour, minute, _, sign, east_hours, east_minutes = found.groups()[1:]
    moment = datetime(day.year, day.month, day.day, int(hour), int(minute))
    offset = timedelta(hours=int(east_hours or 0), minutes=int(east_minutes or 0))
    try:
        following = moment + timedelta(minutes=1) - (-offset if sign == "-" else offset)
    except OverflowError:
        return False
    return (following.day, following.hour, following.minute) == (1, 0, 0)


def _is_domain(domain: str) -> bool:
    labels = domain.split(".")
    return all(len(one) <= LABEL_MAX and _LABEL.fullmatch(one) and _is_word(one) for one in labels)


def _is_literal(domain: str) -> bool:
    """An address literal of RFC 5321 section 4.1.3."""
    inner = domain[1:-1]
    if not domain.endswith("]"):
        return False
    if inner[:5].lower() == "ipv6:":
        return _is_ipv6(inner[5:])
    try:
        return inner.isascii() and bool(IPv4Address(inner))
    except ValueError:
        return False


def _is_ipv6(text: str) -> bool:
    try:
        # A zone, as in "fe80::1%eth0", is no part of the address in either RFC.
        return text.isascii() and "%" not in text and bool(IPv6Address(text))
    except ValueError:
        return False


def _is_visible(text: str) -> bool:
    """No control, format or private character, no lone surrogate, no space but the ASCII one."""
    return text.isascii() or all(
        unicodedata.category(char)[0] not in "CZ" for char in text if char > "\x7f"
    )


def _is_word(label: str) -> bool:
    """Letters, marks and digits only beyond ASCII, which is what an IDN label may hold."""
    return label.isascii() or all(
        unicodedata.category(char)[0] in "LMN" for char in label if char > "\x7f"
    )

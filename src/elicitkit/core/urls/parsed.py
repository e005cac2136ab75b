"""The one parse: the serialisation, its parts, and the ports that no browser connects to.

The parts are cut out of the serialisation, so that what is judged is what is opened.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from elicitkit.core.urls.libraries import parser

_PARTS: Final = re.compile(
    r"(https?)://(\[[^\]]*\]|[^/:?#]*)(?::([0-9]+))?(/[^?#]*)(.*)", re.DOTALL
)

_PORTS: Final = (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 "
    "111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 "
    "532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 "
    "5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
)
_BAD_PORTS: Final = frozenset(_PORTS.split())
"""The bad ports of the Fetch standard."""


class Parsed(NamedTuple):
    """A URL as every browser reads it. A tuple, since one is made for each inspection."""

    href: str
    scheme: str
    host: str
    """In ASCII; an IPv6 address with its brackets."""
    port: str
    """Empty for the port of the scheme."""
    path: str
    rest: str
    """Query and fragment with their marks."""


def parse(raw: str) -> Parsed | None:
    """Parse and serialise; None for what is no URL of the web."""
    try:
        url = parser()(raw)
    except ValueError:  # text with lone surrogates has no bytes, and that is one too
        return None
    if "@" in raw:
        # Userinfo is refused, and never shown: it passes for a host.
        url.username = url.password = ""
    found = _PARTS.fullmatch(url.href)
    if found is None:
        return None
    return Parsed(found[0], *found.groups(""))


def is_blocked(port: str) -> bool:
    """Whether no browser connects to this port."""
    return port in _BAD_PORTS

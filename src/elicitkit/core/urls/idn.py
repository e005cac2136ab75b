"""Hosts with labels beyond ASCII: their Unicode form, and whether it may be believed.

A label that begins with ``xn--`` is ASCII, so the URL parser lets it pass whatever it
encodes; here it is decoded, and must encode to itself again under the rules of UTS #46.
The spoof checks on what comes out are in ``spoof``.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from elicitkit.core.urls.libraries import to_ascii
from elicitkit.core.urls.spoof import spoof_codes
from elicitkit.core.urls.tables import delimiter_lookalikes, emoji

_ACE: Final = "xn--"
_MAX_DECODED: Final = 254  # a longer name is refused as it is, and decoding it takes long


def to_unicode(host: str) -> str | None:
    """The host as people write it; None if a label encodes what no label may hold."""
    if _ACE not in host or len(host) > _MAX_DECODED:
        return host
    try:
        readable = ".".join(_decoded(label) for label in host.split("."))
        again = to_ascii()(readable).decode("ascii")
    except ValueError:  # of Punycode, and of UTS #46
        return None
    return readable if again == host else None


def idn_codes(readable: str) -> Iterator[str]:
    """What there is to say about a host that reads beyond ASCII."""
    if delimiter_lookalikes().search(readable):
        yield "delimiter_lookalike"
    if emoji().search(readable):
        yield "idn_emoji"
    top = readable.removesuffix(".").rpartition(".")[2]
    for label in readable.split("."):
        if not label.isascii():
            yield from spoof_codes(label, top)
    yield "idn_notice"


def is_canonical(written: str, host: str, readable: str) -> bool:
    """Whether only case and composition differ between what was spelled and what it is.

    Args:
        written: The host as it was spelled.
        host: The host in ASCII.
        readable: The host in Unicode.
    """
    # Letter by letter: str.lower() makes another letter of a sigma at the end of a word.
    plain = unicodedata.normalize("NFC", "".join(one.lower() for one in written)).split(".")
    forms = (host.split("."), readable.split("."))
    return len(plain) == len(forms[0]) and all(map(_is_one_of, plain, *forms))


def _decoded(label: str) -> str:
    if not label.startswith(_ACE):
        return label
    decoded = label[len(_ACE) :].encode("ascii").decode("punycode")
    if decoded.isascii():
        raise ValueError(f"{label!r} encodes nothing")
    return decoded


def _is_one_of(label: str, *forms: str) -> bool:
    return label in forms

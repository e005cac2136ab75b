"""``CheckedUrl``: a URL that passed the inspection, and the only thing that is ever opened.

A program that opens a text has to trust everybody who handed the text on. One that opens
only what ``checked`` made cannot be given a refused URL, a ``file:`` path or an option by
mistake. It is a fence against mistakes, not against hostile code in the same process.

What is opened is an argument of a program of the system, and some of these build command
lines of it. No shell is ever used here; still, no character is left that one would obey and
that a URL need not have. ``& ; $ ( ) * !`` are left: they have a meaning in URLs of their own.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from elicitkit.core.errors import UsageError
from elicitkit.core.urls.findings import Findings
from elicitkit.core.urls.parsed import Parsed, parse

_HOST: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:]+\]")
_NOT_PLAIN: Final = re.compile("[^!-~]")
_ENCODED: Final = re.compile(r"""["'<>\\^`{|}]""")
"""None of these has a meaning in the path, query or fragment of a URL but itself; the URL
standard leaves some of them as they are, and RFC 3986 allows none but the apostrophe."""


class CheckedUrl:
    """A URL that may be opened; only ``checked`` makes one.

    ``str`` gives the text to open. What is shown of it elsewhere is scheme and host alone:
    the rest may hold a handle or a proof.

    Attributes:
        scheme: ``http`` or ``https``.
        host: In ASCII.
    """

    __slots__ = ("_text", "host", "scheme")

    _text: str
    host: str
    scheme: str

    def __new__(cls, *_: object, **__: object) -> CheckedUrl:
        _only_checked()

    def __init_subclass__(cls) -> None:
        _only_checked()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        _only_checked()

    def __delattr__(self, name: str) -> NoReturn:
        _only_checked()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        # Of copy and of pickle, which would also write the whole text somewhere.
        _only_checked()

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<CheckedUrl {self.scheme}://{self.host}>"


def checked(findings: Findings) -> CheckedUrl:
    """The URL of an inspection as it may be opened.

    Raises:
        UsageError: It is refused, or no such URL comes out of an inspection.
    """
    if findings.verdict == "refuse" or findings.url is None:
        codes = ", ".join(findings.reasons) or "no URL"
        raise UsageError(f"this URL must not be opened ({codes}): show the reasons instead")
    parsed = _own_serialisation(findings.url)
    if parsed is None or parsed.host != findings.host_ascii:
        raise UsageError("this URL is not what inspect_url gives: inspect the text that came")
    if not _HOST.fullmatch(parsed.host):
        raise UsageError("this URL must not be opened: its host holds what no host name has")
    text = _ENCODED.sub(lambda found: f"%{ord(found[0]):02X}", parsed.href)
    return _make(text, parsed.scheme, parsed.host)


def _own_serialisation(text: str) -> Parsed | None:
    """The parts of a text that is printable ASCII, of the web, and already serialised."""
    parsed = None if _NOT_PLAIN.search(text) else parse(text)
    return parsed if parsed is not None and parsed.href == text else None


def _make(text: str, scheme: str, host: str) -> CheckedUrl:
    made = object.__new__(CheckedUrl)
    for name, value in (("_text", text), ("scheme", scheme), ("host", host)):
        object.__setattr__(made, name, value)
    return made


def _only_checked() -> NoReturn:
    raise UsageError("only checked(findings) makes a CheckedUrl, and nothing changes one")

"""What a URL carries behind its host: secrets, personal data, and where it leads on.

Names of parameters are looked up in a table, values are looked at for their shape, once
percent-decoded. Query, fragment (where it has parameters) and matrix parameters count alike.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote, unquote_plus

from elicitkit.core.urls.hosts import site_of
from elicitkit.core.urls.parameters import LEADING, PERSONAL, SECRET
from elicitkit.core.urls.parsed import Parsed, parse

Pairs = list[tuple[str, str]]
"""Names, in lower case and less their joiners, and decoded values, none of them empty."""

_SECRET_SHAPE: Final = re.compile(
    r"""(?:^|[\s:,;/=&?'"])(?:
        eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*          # JSON Web Token
      | gh[opsur]_[A-Za-z0-9]{20} | github_pat_\w{20} | glpat-[\w-]{20}
      | A[KS]IA[A-Z0-9]{16} | AIza[\w-]{35} | ya29\.[\w-]{10}
      | [rs]k_(?:live|test)_[A-Za-z0-9]{10} | sk-(?:ant|proj)-[\w-]{10} | sk-[A-Za-z0-9]{32}
      | xox[abeoprs]-[\w-]{10} | hf_[A-Za-z0-9]{30} | npm_[A-Za-z0-9]{36}
      | pypi-AgE[\w-]{10} | SG\.[\w-]{16,}\.[\w-]{16} | dop_v1_[a-f0-9]{32}
    )""",
    re.VERBOSE | re.ASCII,
)
_SHORTEST_SECRET: Final = 15
_MAIL: Final = re.compile(r"[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}", re.ASCII)
_CARD: Final = re.compile(r"[3-6][0-9](?:[ -]?[0-9]){11,17}")
_PHONE: Final = re.compile(r"\+[0-9](?:[ ().-]{0,2}[0-9]){6,14}")
_ENCODED_CONTROL: Final = re.compile("%(?:[01][0-9a-f]|7f)", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"([a-z][a-z0-9+.-]*):|[/\\]{2}", re.IGNORECASE)
_ACTIVE: Final = frozenset({"javascript", "data", "vbscript", "file", "blob", "view-source"})
# What a browser drops from the start and the inside of a URL.
_DROPPED: Final = re.compile("[\t\n\r]|^[\0- ]+")
_JOINERS: Final = str.maketrans("", "", "_-.[]$")
_BESIDE_CODE: Final = frozenset({"state", "iss", "sessionstate", "scope"})


class Rest(NamedTuple):
    """What stands behind the host."""

    codes: tuple[str, ...]
    returns_to: str | None = None
    """Where an OAuth request sends the browser afterwards, in ASCII."""
    authorizes: bool = False
    """It is an OAuth authorization request."""


NOTHING: Final = Rest(())
"""There is nothing to say."""


def look_behind(url: Parsed, registrable: str | None) -> Rest:
    """Look at path, query and fragment of a URL with this registrable domain."""
    codes: list[str] = []
    if "%" in url.href and _ENCODED_CONTROL.search(url.href):
        codes.append("encoded_control")
    if len(url.path) > _SHORTEST_SECRET or "@" in url.path:
        codes += _path_codes(unquote(url.path) if "%" in url.path else url.path)
    pairs = _parameters(url)
    if not pairs:
        return Rest(tuple(codes)) if codes else NOTHING
    given = dict(pairs)
    codes += _parameter_codes(pairs, given)
    leading = _leading(pairs, given, url.path)
    target = None
    # RFC 6749 section 4.1.1: an authorization request, and one that says where to return.
    authorizes = "clientid" in given and "responsetype" in given
    if "redirecturi" in given and ("clientid" in given or "responsetype" in given):
        target, authorizes = given["redirecturi"], True
        codes.append("oauth_authorize")
        # A page that runs what it is given is no place to return to.
        leading = [value for value in leading if value != target or _is_active(value)]
    if any(_leads_away(value, url.host, registrable) for value in leading):
        codes.append("redirect_param")
    if not codes and not authorizes:
        return NOTHING
    return Rest(tuple(dict.fromkeys(codes)), target and _readable(target), authorizes)


def _path_codes(path: str) -> Iterator[str]:
    segments = path.split("/")
    if any(map(_is_secret_value, segments)):
        yield "credential"
    if "@" in path and any(map(_MAIL.search, segments)):
        yield "pii"


def _parameter_codes(pairs: Pairs, given: Mapping[str, str]) -> Iterator[str]:
    values = [value for _, value in pairs]
    # A code alone may be anything; beside these it is the answer of an OAuth provider.
    answers = "code" in given and not _BESIDE_CODE.isdisjoint(given)
    if answers or not SECRET.isdisjoint(given) or any(map(_is_secret_value, values)):
        yield "credential"
    if not PERSONAL.isdisjoint(given) or any(map(_is_personal_value, values)):
        yield "pii"
    if "usercode" in given:
        yield "device_code_prefilled"


def _readable(target: str) -> str:
    parsed = parse(target)
    return parsed.href if parsed else ascii(target)[1:-1]


def _parameters(url: Parsed) -> Pairs:
    if "=" not in url.rest and ";" not in url.path:
        return []
    query, _, fragment = url.rest.partition("#")
    parts = [query[1:], fragment.rpartition("?")[2]]
    parts += [segment.partition(";")[2] for segment in url.path.split("/")]
    return [pair for part in parts if "=" in part for pair in _pairs(part)]


def _pairs(part: str) -> Iterator[tuple[str, str]]:
    for pair in part.replace(";", "&").split("&"):
        name, _, value = pair.partition("=")
        if value:
            yield _plain(name), unquote_plus(value) if "%" in value or "+" in value else value


@lru_cache(maxsize=512)
def _plain(name: str) -> str:
    return unquote(name).lower().translate(_JOINERS)


def _is_secret_value(text: str) -> bool:
    if len(text) < _SHORTEST_SECRET:
        return False
    return _SECRET_SHAPE.search(text) is not None


def _is_personal_value(value: str) -> bool:
    if "@" in value and "://" not in value and _MAIL.search(value):
        return True
    if value[0] not in "+3456":
        return False
    return bool(_PHONE.fullmatch(value) or (_CARD.fullmatch(value) and _is_luhn(value)))


def _is_luhn(value: str) -> bool:
    digits = [int(char) for char in reversed(value) if char.isdecimal()]
    doubled = (sum(divmod(2 * one, 10)) for one in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _leading(pairs: Pairs, given: Mapping[str, str], path: str) -> list[str]:
    """The values that say where the browser is sent next."""
    if "q" in given and path.endswith(("/url", "/redirect")):
        return [value for name, value in pairs if name in LEADING or name == "q"]
    if LEADING.isdisjoint(given):
        return []
    return [value for name, value in pairs if name in LEADING]


def _leads_away(value: str, host: str, registrable: str | None) -> bool:
    value = _DROPPED.sub("", value)
    found = _ABSOLUTE.match(value)
    if found is None:
        return False
    if _is_active(value):
        return True
    target = parse(value if found[1] else f"https:{value}")
    if target is None:
        return False
    return site_of(target.host) != (registrable or host)


def _is_active(value: str) -> bool:
    found = _ABSOLUTE.match(_DROPPED.sub("", value))
    return found is not None and (found[1] or "").lower() in _ACTIVE

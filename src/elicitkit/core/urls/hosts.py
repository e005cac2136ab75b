"""Everything that is the same for every URL of a host: its names, its class, its codes.

A server sends URL after URL of one host, so the last hosts are remembered. They are facts
of the host alone; what depends on the spelling or on the person is in ``inspection``.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from elicitkit.core.urls.addresses import address_class, is_address, name_class
from elicitkit.core.urls.findings import LEVELS
from elicitkit.core.urls.idn import idn_codes, to_unicode
from elicitkit.core.urls.known import known_codes
from elicitkit.core.urls.names import Name, name_codes, split

_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host and what it says."""

    readable: str
    """In Unicode."""
    name: Name | None
    """None for an address."""
    loopback: bool
    """Whether it is the machine that opens the URL."""
    codes: tuple[str, ...]
    """Up to the first step that refuses, less those that need to know more than the host."""

    @property
    def registrable(self) -> str | None:
        """The registrable domain; None for an address and where nobody can register one."""
        return self.name.registrable if self.name else None


@lru_cache(maxsize=_REMEMBERED)
def look_at(host: str, known_hosts: frozenset[str]) -> Host | None:
    """The facts of a host in ASCII; None if it encodes what no name may hold.

    Args:
        host: As the parser gives it.
        known_hosts: Hosts that the person has used before.
    """
    readable = to_unicode(host)
    if readable is None:
        return None
    name = None if is_address(host) else split(host)
    kind = address_class(host) if name is None else name_class(name.host)
    codes: list[str] = []
    for step in _steps(host, readable, name, kind, known_hosts):
        codes += dict.fromkeys(step)  # two labels may have the same fault
        if any(LEVELS[code] == "refuse" for code in step):
            break
    return Host(
        readable=readable,
        name=name,
        loopback=kind == "loopback",
        codes=tuple(codes),
    )


def site_of(host: str) -> str:
    """The registrable domain of a host in ASCII, or else the host itself."""
    return host if is_address(host) else split(host).registrable or host


def _steps(
    host: str, readable: str, name: Name | None, kind: str, known_hosts: frozenset[str]
) -> Iterator[list[str]]:
    if kind == "loopback":
        return  # one of two codes, by who asks
    if kind:
        yield [kind]
    if name is not None:
        yield list(name_codes(host, name))
        if readable != host:
            yield list(idn_codes(readable))
        yield list(known_codes(name, readable, known_hosts))

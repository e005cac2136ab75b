"""The host as a name of the DNS: its labels, its public suffix, its registrable domain.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from elicitkit.core.urls.libraries import private_rules, public_suffix

_LDH: Final = re.compile(r"(?:(?!-)[a-z0-9-]+(?<!-)\.)*(?!-)[a-z0-9-]+(?<!-)")
_NOT_PUBLIC: Final = (".local", ".internal", ".home.arpa")
_QUAD: Final = re.compile(r"(?:^|(?<=[.-]))(?:[0-9]{1,3}[.-]){3}[0-9]{1,3}(?=[.-]|$)")
# Services that answer for any name with the address written in it, or with 127.0.0.1.
_WILDCARD_DNS: Final = frozenset(
    {"nip.io", "sslip.io", "xip.io", "traefik.me", "lvh.me", "localtest.me", "vcap.me"}
)


class Name(NamedTuple):
    """A host that is no address, split at its registrable domain."""

    host: str
    """In ASCII, less a trailing dot."""
    suffix: str
    """The public suffix; empty where the host has an empty label."""
    registrable: str | None
    own: str
    """The label that somebody chose and registered; empty without one."""
    subdomain: str
    """What stands before the registrable domain, less the dot."""


def split(host: str) -> Name:
    """Find the registrable domain of a host in ASCII."""
    host = host.removesuffix(".")
    suffix = public_suffix()(host) or ""
    if not 0 < len(suffix) < len(host):
        return Name(host, suffix, None, "", "")
    subdomain, _, own = host[: -len(suffix) - 1].rpartition(".")
    return Name(host, suffix, f"{own}.{suffix}", own, subdomain)


def name_codes(host: str, name: Name) -> Iterator[str]:
    """What there is to say about the form of a name.

    Args:
        host: In ASCII, with a trailing dot if it has one.
    """
    labels = name.host.split(".")
    if "" in labels:
        yield "invalid_host"
        return
    if len(name.host) > 253 or max(map(len, labels)) > 63:
        yield "host_too_long"
    if host[-1] == ".":
        yield "trailing_dot"
    if not _LDH.fullmatch(name.host):
        yield "odd_label"
    if len(labels) == 1 or f".{name.host}".endswith(_NOT_PUBLIC):
        yield "non_public_name"
    elif name.suffix == name.host:
        yield "public_suffix"
    if name.registrable in _WILDCARD_DNS or _holds_quad(name.host):
        yield "embedded_ip"


def is_shared(name: Name) -> bool:
    """Whether people who have nothing to do with each other have names under this suffix."""
    rules = private_rules()
    return name.suffix in rules or f"*.{name.suffix.partition('.')[2]}" in rules


def _holds_quad(host: str) -> bool:
    return any(
        all(int(part) < 256 for part in re.split("[.-]", quad)) for quad in _QUAD.findall(host)
    )

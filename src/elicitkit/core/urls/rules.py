"""The hosts that a person allows or denies: how one is written down, and what it covers.

A rule that does not match because of its spelling would forbid nothing in silence, so each
goes through the same parser as a URL, and what is no host is refused.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from elicitkit.core.errors import UsageError
from elicitkit.core.urls.addresses import is_address
from elicitkit.core.urls.hosts import look_at
from elicitkit.core.urls.parsed import parse
from elicitkit.core.urls.spelling import read

_FAULTS: Final = frozenset({"invalid_host", "host_too_long", "delimiter_lookalike"})
_NONE: Final = frozenset[str]()
_WANTED: Final = "write a host name such as 'example.com', without scheme, port or path"


def rule_for(written: str) -> str:
    """A host as a person writes it, in ASCII as the URL parser gives it.

    Args:
        written: A name in Unicode or in ``xn--`` form, or an address (IPv6 in brackets).

    Raises:
        UsageError: It is no host. The message goes on after the name of the place; it does
            not repeat what is there, which may be a whole URL.
    """
    if "*" in written:
        raise UsageError("has a *: a host covers its subdomains without one")
    # A host and nothing else is what still is the whole host between two slashes.
    spelling = read(f"https://{written}/")
    url = None if spelling.codes or spelling.host != written else parse(f"https://{written}/")
    host = None if url is None or "%" in written else look_at(url.host, frozenset[str]())
    if url is None or host is None or not _FAULTS.isdisjoint(host.codes):
        raise UsageError(f"is not a host: {_WANTED}")
    if is_address(url.host) and url.host != written.lower():
        raise UsageError(f"is an address in disguise: write it as {url.host!r}")
    return url.host.removesuffix(".")


def rules(hosts: Collection[str]) -> frozenset[str]:
    """Allowed or denied hosts, each by ``rule_for``.

    Raises:
        UsageError: One is no host, or a single text was given in place of a collection.
    """
    if isinstance(hosts, str):
        raise UsageError("allowed and denied hosts are a list of hosts, not a text")
    return _rules(tuple(hosts)) if hosts else _NONE


def denies(denied: frozenset[str], host: str) -> bool:
    """Whether a host, or what it is a subdomain of, is denied."""
    return any(one in denied for one in _upwards(host))


def allows(allowed: frozenset[str], host: str, registrable: str | None) -> bool:
    """Whether a host, or what it is a subdomain of, is allowed.

    A suffix under which others register, such as ``com``, allows nothing but itself: those
    who have names there have nothing to do with each other.

    Args:
        allowed: What ``rules`` gave.
        host: In ASCII, as the parser gives it.
        registrable: The registrable domain of the host.
    """
    if registrable is None:
        return host.removesuffix(".") in allowed
    return any(one in allowed for one in _upwards(host) if len(one) >= len(registrable))


@lru_cache(maxsize=64)
def _rules(hosts: tuple[str, ...]) -> frozenset[str]:
    try:
        return frozenset(map(rule_for, hosts))
    except UsageError as error:
        raise UsageError(f"an allowed or denied host {error}") from None


def _upwards(host: str) -> Iterator[str]:
    """The host and the domains above it, from the longest."""
    labels = host.removesuffix(".").split(".")
    return (".".join(labels[start:]) for start in range(len(labels)))

"""The checks in their order, from the raw text to the verdict.

The first step that refuses is the last: what comes after it would judge a host that nobody
is going to see. A rate limit for a URL that comes again after a decline needs memory, and is
the policy's; so is what happens after the verdict.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from elicitkit.core.urls.findings import LEVELS, Findings, Level, Verdict
from elicitkit.core.urls.hosts import Host, look_at, site_of
from elicitkit.core.urls.idn import is_canonical
from elicitkit.core.urls.parsed import Parsed, is_blocked, parse
from elicitkit.core.urls.query import NOTHING, look_behind
from elicitkit.core.urls.rules import allows, denies, rules
from elicitkit.core.urls.spelling import MAX_LENGTH, head, length, read

_LEVELS: Final[Mapping[tuple[bool, bool], Mapping[str, Level]]] = {
    (strict, strict_punycode): {
        **LEVELS,
        "insecure_http": "refuse" if strict else "warn",
        "idn_notice": "warn" if strict_punycode else "notice",
    }
    for strict in (False, True)
    for strict_punycode in (False, True)
}
"""The levels of every code under each pair of options."""


def inspect_url(
    raw: str,
    *,
    local: bool = False,
    strict: bool = False,
    strict_punycode: bool = False,
    known_hosts: Collection[str] = (),
    server: str | None = None,
    seen_hosts: Collection[str] | None = None,
    allowed_hosts: Collection[str] = (),
    denied_hosts: Collection[str] = (),
) -> Findings:
    """Tell what a URL is before anybody opens it. Any string will do; nothing is resolved.

    Args:
        local: The asking side runs on the machine of the person, so that a URL of that
            machine is its own.
        strict: Refuse ``http`` beyond this machine instead of warning, as it always is for an
            OAuth authorization request.
        strict_punycode: Warn of every name beyond ASCII, honest ones too.
        known_hosts: Hosts in ASCII that the person has used before: they are exempt from the
            checks for lookalikes, and what looks like them is found.
        server: The host in ASCII that the asking side is connected through.
        seen_hosts: Hosts in ASCII that the asking side has sent before.
        allowed_hosts: Hosts, and with each its subdomains, that are neither ``other_site`` nor
            ``new_host``, and are known hosts. Every other check holds for them.
        denied_hosts: Hosts, and with each its subdomains, that are refused.

    Raises:
        UsageError: An allowed or denied host is no host.
    """
    levels = _LEVELS[strict, strict_punycode]
    allowed, denied = rules(allowed_hosts), rules(denied_hosts)
    spelling = read(raw)
    url = None if spelling.hidden else parse(raw if len(raw) <= MAX_LENGTH else head(raw))
    known = allowed.union(known_hosts) if known_hosts else allowed
    host = look_at(url.host, known) if url else None
    codes = [*length(max(len(raw), len(url.href) if url else 0)), *spelling.codes]
    if url is None or host is None:
        fault = "invalid_url" if url is None else "invalid_idn"
        return _without_url(raw, codes if _refuse(codes, levels) else [*codes, fault])
    if not _refuse(codes, levels):
        codes += _host_codes(spelling.host, url, host, local=local)
    if denied and not _refuse(codes, levels) and denies(denied, url.host):
        codes.append("host_denied")
    rest = NOTHING
    if not _refuse(codes, levels):
        if url.scheme == "http" and not host.loopback:
            codes.append("insecure_http")
        rest = look_behind(url, host.registrable)
        codes += rest.codes
        if rest.authorizes:
            # M84: what is granted there would be granted to whoever reads along.
            levels = _LEVELS[True, strict_punycode]
        if server is not None or seen_hosts is not None:
            codes += _context_codes(url.host, host.registrable, server, seen_hosts, allowed)
    reasons = tuple([code for code in codes if levels[code] != "notice"])
    verdict: Verdict = "refuse" if _refuse(reasons, levels) else "warn" if reasons else "ok"
    return Findings(
        verdict=verdict,
        reasons=reasons,
        notices=tuple([code for code in codes if levels[code] == "notice"]),
        url=None if "url_too_long" in reasons else url.href,
        received=None if raw == url.href else raw,
        host_ascii=url.host,
        host_unicode=host.readable,
        registrable_domain=host.registrable,
        returns_to=rest.returns_to,
    )


def _refuse(codes: Sequence[str], levels: Mapping[str, Level]) -> bool:
    return bool(codes) and "refuse" in [levels[code] for code in codes]


def _host_codes(written: str, url: Parsed, host: Host, *, local: bool) -> Iterator[str]:
    """Steps 4 to 8, up to the first that refuses."""
    if "%" in written:
        yield "percent_host"
        return
    if is_blocked(url.port):
        yield "blocked_port"
        return
    if host.name is None and url.host[0] != "[" and written != url.host:
        yield "ip_obfuscated"
        return
    if host.loopback:
        # On the machine itself no port is the usual one.
        yield "loopback" if local else "loopback_remote"
    elif url.port:
        yield "nonstandard_port"
    yield from host.codes
    if host.name and written != url.host and not is_canonical(written, url.host, host.readable):
        yield "noncanonical_host"


def _context_codes(
    host: str,
    registrable: str | None,
    server: str | None,
    seen_hosts: Collection[str] | None,
    allowed: frozenset[str],
) -> Iterator[str]:
    """Step 11, as far as it needs no memory."""
    if allowed and allows(allowed, host, registrable):
        return
    if server is not None and (registrable or host) != site_of(server):
        yield "other_site"
    if seen_hosts is not None and host not in seen_hosts:
        yield "new_host"


def _without_url(raw: str, codes: Iterable[str]) -> Findings:
    return Findings(
        verdict="refuse",
        reasons=tuple(codes),
        notices=(),
        url=None,
        received=raw,
        host_ascii=None,
        host_unicode=None,
        registrable_domain=None,
    )

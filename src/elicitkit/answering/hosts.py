"""Where the URLs of one server may lead, by what the person wrote in the configuration.

A denied host cannot be opened. An allowed one spares the person the news that it is another
site or a new one, and is known to the check for lookalikes. It is no consent, and whatever
else warns of a URL or refuses it still does. ``strict`` and ``strict_punycode`` make the
inspection stricter than the program asked for, never laxer.

What the hosts cover is ``elicitkit.core.urls.rules``; the codes are in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from elicitkit.answering.tables import Table, kind
from elicitkit.core import urls
from elicitkit.core.errors import UsageError
from elicitkit.core.urls import Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRules:
    """The rules for one server."""

    allowed: frozenset[str] = frozenset()
    """In ASCII; each covers its subdomains."""
    denied: frozenset[str] = frozenset()
    """In ASCII; each covers its subdomains, and goes before what is allowed."""
    strict: bool = False
    """Refuse ``http`` beyond this machine."""
    strict_punycode: bool = False
    """Warn of every host beyond ASCII."""

    def inspect(
        self,
        raw: str,
        *,
        local: bool = False,
        strict: bool = False,
        strict_punycode: bool = False,
        known_hosts: Collection[str] = (),
        server: str | None = None,
        seen_hosts: Collection[str] | None = None,
    ) -> Findings:
        """``inspect_url`` under these rules, at least as strict as the program asks."""
        return urls.inspect_url(
            raw,
            local=local,
            strict=strict or self.strict,
            strict_punycode=strict_punycode or self.strict_punycode,
            known_hosts=known_hosts,
            server=server,
            seen_hosts=seen_hosts,
            allowed_hosts=self.allowed,
            denied_hosts=self.denied,
        )

    def narrowed(self, more: HostRules) -> HostRules:
        """These rules and more; whatever either denies or is strict about stays so."""
        return HostRules(
            allowed=self.allowed | more.allowed,
            denied=self.denied | more.denied,
            strict=self.strict or more.strict,
            strict_punycode=self.strict_punycode or more.strict_punycode,
        )


def host_rules(table: Table) -> HostRules:
    """Read a ``urls`` table.

    Raises:
        UsageError: It says what it may not; the message names the file and the key.
    """
    table.only("allow", "deny", "strict", "strict_punycode")
    return HostRules(
        allowed=frozenset(_hosts(table, "allow")),
        denied=frozenset(_hosts(table, "deny")),
        strict=table.flag("strict"),
        strict_punycode=table.flag("strict_punycode"),
    )


def _hosts(table: Table, key: str) -> Iterator[str]:
    for place, written in enumerate(table.listed(key) or [], 1):
        if not isinstance(written, str):
            table.refuse(key, f"must hold host names, not {kind(written)}")
        try:
            yield urls.rule_for(written)
        except UsageError as error:
            table.refuse(key, f"entry {place} {error}")

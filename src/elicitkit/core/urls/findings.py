"""The findings about one URL: reason codes, their levels, and the verdict they add up to.

Codes and levels are public API: a surface explains them, a log keeps them, a policy tests
for them. ``notice`` is a neutral fact, ``warn`` asks for a second deliberate step, and
after ``refuse`` there is no way to open the URL. Texts for people are not here.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Level = Literal["notice", "warn", "refuse"]
Verdict = Literal["ok", "warn", "refuse"]

_REFUSE: Final = (
    "url_too_long control_char bidi_control invisible_char invalid_url bad_scheme backslash "
    "authority_syntax userinfo percent_host blocked_port ip_obfuscated metadata link_local "
    "unspecified_addr reserved_addr invalid_host host_too_long invalid_idn delimiter_lookalike "
    "host_denied"
)
_WARN: Final = (
    "long_url private_network ip_literal loopback_remote trailing_dot odd_label "
    "non_public_name public_suffix embedded_ip idn_emoji idn_restricted_char "
    "idn_mixed_script idn_mixed_digits idn_combining idn_tld_char idn_whole_script "
    "idn_digit_lookalike idn_slash_like idn_kana idn_cjk_like noncanonical_host lookalike "
    "subdomain_spoof long_host shortener insecure_http credential pii device_code_prefilled "
    "redirect_param encoded_control"
)
_NOTICE: Final = (
    "nonstandard_port loopback idn_notice shared_hosting oauth_authorize other_site new_host"
)

LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        **dict.fromkeys(_REFUSE.split(), "refuse"),
        **dict.fromkeys(_WARN.split(), "warn"),
        **dict.fromkeys(_NOTICE.split(), "notice"),
    }
)
"""Every reason code with its level where no option changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is known about one URL before anybody opens it."""

    verdict: Verdict
    reasons: tuple[str, ...]
    """The codes that warn or refuse, in the order of the checks; empty if and only if ok."""
    notices: tuple[str, ...]
    """The codes that only tell something."""
    url: str | None
    """The serialisation: ASCII, and the only string to show or to open. None where the text
    is no URL, is too long, or is spelled so that showing one reading of it would mislead."""
    received: str | None
    """The string as it came, where it differs from ``url``; it may hold control characters."""
    host_ascii: str | None
    """The host as it stands in ``url``."""
    host_unicode: str | None
    """The same host as people write it; show it only beside ``host_ascii``."""
    registrable_domain: str | None
    """The part of the host that somebody registered, in ASCII; None for addresses and for
    names nobody can register."""
    returns_to: str | None = None
    """Where an OAuth request sends the browser afterwards."""

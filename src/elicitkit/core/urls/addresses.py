"""Hosts that are IP addresses, and names that stand for the machine itself.

The classes are tables of networks, read from the top: the first that holds the address
names it. Nothing is resolved: a name may still lead to any address, and that is for the
browser to find out.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

_NETWORKS: Final = (
    ("metadata", "169.254.169.254 169.254.170.2 100.100.100.200 fd00:ec2::254"),
    ("unspecified_addr", "0.0.0.0/8 ::"),
    ("loopback", "127.0.0.0/8 ::1"),
    # IPv4 in disguise: mapped, compatible, NAT64 (both prefixes), 6to4, Teredo.
    ("ip_obfuscated", "::ffff:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48 2002::/16 2001::/32"),
    ("link_local", "169.254.0.0/16 fe80::/10"),
    ("reserved_addr", "224.0.0.0/4 240.0.0.0/4 ff00::/8"),
    ("private_network", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7 fec0::/10"),
    ("ip_literal", "0.0.0.0/0 ::/0"),
)
_IPV4: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")


def is_address(host: str) -> bool:
    """Whether a host is an IP address, which the parser has made canonical."""
    return host.startswith("[") or _IPV4.fullmatch(host) is not None


def address_class(host: str) -> str:
    """The class of an address: a reason code, or ``loopback``."""
    address = ip_address(host.strip("[]"))
    return next(code for code, networks in _networks() for one in networks if address in one)


def name_class(name: str) -> str:
    """The class of a name that is not one of the public DNS; empty for any other."""
    if name == "localhost" or name.endswith(".localhost"):
        return "loopback"
    return "metadata" if name == "metadata.google.internal" else ""


@cache
def _networks() -> tuple[tuple[str, tuple[IPv4Network | IPv6Network, ...]], ...]:
    return tuple(
        (code, tuple(ip_network(one) for one in networks.split())) for code, networks in _NETWORKS
    )

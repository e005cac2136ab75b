"""English for what a URL really is; a part of the texts of ``en.py``.

The codes and what exactly each of them means are in ``docs/urls.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # What comes of an inspection.
    "url.verdict.ok": "Nothing speaks against it.",
    "url.verdict.warn": "Look twice before you open it.",
    "url.verdict.refuse": "Do not open it.",
    # What else ``elicitkit url inspect`` tells of it.
    "url.inspect.host": "host: {readable} ({ascii})",
    "url.inspect.received": "received as: {received}",
    "url.inspect.returns": "returns to: {url}",
    # Every reason code.
    "url.reason.url_too_long": "It is longer than any honest URL (more than 8,192 characters).",
    "url.reason.control_char": "It holds a control character, or begins or ends with a space.",
    "url.reason.bidi_control": "It holds a character that turns the direction of the text around.",
    "url.reason.invisible_char": "It holds a character that nobody can see.",
    "url.reason.invalid_url": "It is not a URL that a browser could open.",
    "url.reason.bad_scheme": "It begins with something else than http or https.",
    "url.reason.backslash": "It holds a backslash where a browser reads a slash.",
    "url.reason.authority_syntax": "It does not have exactly two slashes before the host.",
    "url.reason.userinfo": "It has an @ before the host: what stands in front of it is no address.",
    "url.reason.percent_host": "Its host is written in percent codes.",
    "url.reason.blocked_port": "Its port belongs to another service, and browsers refuse it.",
    "url.reason.ip_obfuscated": "Its host is an IP address in disguise.",
    "url.reason.metadata": (
        "It leads to the service that hands out the credentials of a cloud machine."
    ),
    "url.reason.link_local": "It leads to a link-local address.",
    "url.reason.unspecified_addr": "It leads to an address that stands for no machine.",
    "url.reason.reserved_addr": "It leads to a reserved or multicast address.",
    "url.reason.invalid_host": "Its host has an empty part.",
    "url.reason.host_too_long": "Its host is longer than the DNS allows.",
    "url.reason.invalid_idn": "Its host encodes what no domain name may hold.",
    "url.reason.delimiter_lookalike": (
        "Its host holds a character that passes for a slash, dot or the like."
    ),
    "url.reason.host_denied": "Your own settings do not allow this host.",
    "url.reason.long_url": "It is unusually long (more than 2,048 characters).",
    "url.reason.private_network": "It leads into a private network.",
    "url.reason.ip_literal": "Its host is a bare IP address, so nobody can tell whose it is.",
    "url.reason.loopback_remote": "A server elsewhere sends you to a program on your own machine.",
    "url.reason.trailing_dot": "Its host ends with a dot.",
    "url.reason.odd_label": (
        "Its host has a part with a character or a hyphen that no host name has."
    ),
    "url.reason.non_public_name": "Its host is a name of a local network.",
    "url.reason.public_suffix": "Its host is a suffix under which others register, not a site.",
    "url.reason.embedded_ip": "Its host name stands for an IP address.",
    "url.reason.idn_emoji": "Its host holds a pictograph.",
    "url.reason.idn_restricted_char": "Its host holds a character that is hardly used in names.",
    "url.reason.idn_mixed_script": "Its host mixes letters of scripts that do not go together.",
    "url.reason.idn_mixed_digits": "Its host mixes digits of different scripts.",
    "url.reason.idn_combining": "Its host holds accents in unusual places.",
    "url.reason.idn_tld_char": "Its host holds a letter that is not at home in this domain.",
    "url.reason.idn_whole_script": "Every letter of its host passes for a Latin one, and none is.",
    "url.reason.idn_digit_lookalike": "Its host passes for a number, and is none.",
    "url.reason.idn_slash_like": "Its host holds a sign that passes for a slash.",
    "url.reason.idn_kana": "Its host holds Japanese signs where they do not belong.",
    "url.reason.idn_cjk_like": "Its host holds a sign that passes for a letter or a line.",
    "url.reason.noncanonical_host": "Its host is spelled in characters that stand for others.",
    "url.reason.lookalike": "Its domain looks like a well-known one, and is another.",
    "url.reason.subdomain_spoof": "A well-known name stands in front; the domain is another.",
    "url.reason.long_host": "Its host is so long that its end, which counts, may go unseen.",
    "url.reason.shortener": "It is a short link: where it leads is not to be seen.",
    "url.reason.insecure_http": "The connection is not encrypted.",
    "url.reason.credential": "It carries what looks like a password, a key or a token.",
    "url.reason.pii": "It carries what looks like personal data.",
    "url.reason.device_code_prefilled": "It has the code of a device sign-in filled in already.",
    "url.reason.redirect_param": "It sends the browser on to another site.",
    "url.reason.encoded_control": "It holds an encoded control character.",
    "url.reason.nonstandard_port": "It uses a port of its own.",
    "url.reason.loopback": "It leads to a program on your own machine.",
    "url.reason.idn_notice": "Its host is written in other letters than a to z.",
    "url.reason.shared_hosting": "Anybody can have a name under this domain.",
    "url.reason.oauth_authorize": "It is a sign-in that sends the browser on afterwards.",
    "url.reason.other_site": "It leads to another site than the server itself.",
    "url.reason.new_host": "The server sends you to this host for the first time.",
}

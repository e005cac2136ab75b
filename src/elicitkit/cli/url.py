"""``elicitkit url inspect``: what a URL really is, before anybody opens it.

Nothing is opened, fetched or resolved. The JSON shape and the reason codes are public API.
A warning is no "no": it asks a person for a second step, and only a person can take it, so
the exit code is 1 for what must not be opened at all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from elicitkit.cli.exits import Exit, WrongUse
from elicitkit.core.text import inert

if TYPE_CHECKING:
    from elicitkit.core.urls import Findings

_SHOWN: Final = 10_000
"""The most characters of the string as it was received; longer ones are refused anyway."""

_VERDICTS: Final[Mapping[str, str]] = {
    "ok": "ok: nothing speaks against it",
    "warn": "warn: look twice before you open it",
    "refuse": "refuse: do not open it",
}

WORDS: Final[Mapping[str, str]] = {
    "url_too_long": "It is longer than any honest URL (more than 8,192 characters).",
    "control_char": "It holds a control character, or begins or ends with a space.",
    "bidi_control": "It holds a character that turns the direction of the text around.",
    "invisible_char": "It holds a character that nobody can see.",
    "invalid_url": "It is not a URL that a browser could open.",
    "bad_scheme": "It begins with something else than http or https.",
    "backslash": "It holds a backslash where a browser reads a slash.",
    "authority_syntax": "It does not have exactly two slashes before the host.",
    "userinfo": "It has an @ before the host: what stands in front of it is no address.",
    "percent_host": "Its host is written in percent codes.",
    "blocked_port": "Its port belongs to another service, and browsers refuse it.",
    "ip_obfuscated": "Its host is an IP address in disguise.",
    "metadata": "It leads to the service that hands out the credentials of a cloud machine.",
    "link_local": "It leads to a link-local address.",
    "unspecified_addr": "It leads to an address that stands for no machine.",
    "reserved_addr": "It leads to a reserved or multicast address.",
    "invalid_host": "Its host has an empty part.",
    "host_too_long": "Its host is longer than the DNS allows.",
    "invalid_idn": "Its host encodes what no domain name may hold.",
    "delimiter_lookalike": "Its host holds a character that passes for a slash, dot or the like.",
    "long_url": "It is unusually long (more than 2,048 characters).",
    "private_network": "It leads into a private network.",
    "ip_literal": "Its host is a bare IP address, so nobody can tell whose it is.",
    "loopback_remote": "A server elsewhere sends you to a program on your own machine.",
    "trailing_dot": "Its host ends with a dot.",
    "odd_label": "Its host has a part with a character or a hyphen that no host name has.",
    "non_public_name": "Its host is a name of a local network.",
    "public_suffix": "Its host is a suffix under which others register, not a site.",
    "embedded_ip": "Its host name stands for an IP address.",
    "idn_emoji": "Its host holds a pictograph.",
    "idn_restricted_char": "Its host holds a character that is hardly used in names.",
    "idn_mixed_script": "Its host mixes letters of scripts that do not go together.",
    "idn_mixed_digits": "Its host mixes digits of different scripts.",
    "idn_combining": "Its host holds accents in unusual places.",
    "idn_tld_char": "Its host holds a letter that is not at home in this domain.",
    "idn_whole_script": "Every letter of its host passes for a Latin one, and none is.",
    "idn_digit_lookalike": "Its host passes for a number, and is none.",
    "idn_slash_like": "Its host holds a sign that passes for a slash.",
    "idn_kana": "Its host holds Japanese signs where they do not belong.",
    "idn_cjk_like": "Its host holds a sign that passes for a letter or a line.",
    "noncanonical_host": "Its host is spelled in characters that stand for others.",
    "lookalike": "Its domain looks like a well-known one, and is another.",
    "subdomain_spoof": "A well-known name stands in front; the domain is another.",
    "long_host": "Its host is so long that its end, which counts, may go unseen.",
    "shortener": "It is a short link: where it leads is not to be seen.",
    "insecure_http": "The connection is not encrypted.",
    "credential": "It carries what looks like a password, a key or a token.",
    "pii": "It carries what looks like personal data.",
    "device_code_prefilled": "It has the code of a device sign-in filled in already.",
    "redirect_param": "It sends the browser on to another site.",
    "encoded_control": "It holds an encoded control character.",
    "nonstandard_port": "It uses a port of its own.",
    "loopback": "It leads to a program on your own machine.",
    "idn_notice": "Its host is written in other letters than a to z.",
    "shared_hosting": "Anybody can have a name under this domain.",
    "oauth_authorize": "It is a sign-in that sends the browser on afterwards.",
    "other_site": "It leads to another site than the server itself.",
    "new_host": "The server sends you to this host for the first time.",
}
"""Every reason code in plain words."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = "Tell what a URL really is. Nothing is opened, fetched or resolved."
    tasks = parser.add_subparsers(metavar="TASK", required=True)
    inspect = tasks.add_parser(
        "inspect",
        help="show where a URL leads and what is odd about it",
        description="Show where a URL leads and what is odd about it.",
        epilog="Exit code: 0 for ok and for warn, which is a person's to decide; 1 for refuse; "
        "2 for wrong use. A URL that begins with - goes after --.",
    )
    inspect.set_defaults(takes_command=True)
    inspect.add_argument("url", metavar="URL", nargs="?", help="the URL, as one argument")
    inspect.add_argument(
        "--local",
        action="store_true",
        help="the server that sends it runs on this machine, so that its loopback is yours",
    )
    inspect.add_argument(
        "--strict-punycode",
        action="store_true",
        help="warn of every host beyond ASCII, honest ones too",
    )
    inspect.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Inspect the URL and print what was found."""
    from elicitkit.core.urls import inspect_url

    given = [*([] if args.url is None else [args.url]), *args.command]
    if len(given) != 1:
        raise WrongUse("name one URL; quote it, for a shell takes & and # for its own")
    found = inspect_url(given[0], local=args.local, strict_punycode=args.strict_punycode)
    print(json.dumps(_row(found)) if args.json else "\n".join(_lines(found)))
    return Exit.NO if found.verdict == "refuse" else Exit.DONE


def _row(found: Findings) -> dict[str, object]:
    return {
        "verdict": found.verdict,
        "reasons": list(found.reasons),
        "notices": list(found.notices),
        "url": found.url,
        "host_ascii": found.host_ascii,
        "host_unicode": found.host_unicode,
        "registrable_domain": found.registrable_domain,
    }


def _lines(found: Findings) -> Iterator[str]:
    # The part somebody registered comes first and alone: it is what trust is about.
    if found.host_ascii is not None:
        yield found.registrable_domain or found.host_ascii
        if found.host_unicode != found.host_ascii:
            yield inert(f"  host: {found.host_unicode} ({found.host_ascii})", _SHOWN)
    if found.url is not None:
        yield f"  {found.url}"
    if found.received is not None:
        yield inert(f"  received as: {found.received}", _SHOWN)
    if found.returns_to is not None:
        yield f"  returns to: {found.returns_to}"
    yield _VERDICTS[found.verdict]
    yield from (f"- {code}: {WORDS[code]}" for code in (*found.reasons, *found.notices))

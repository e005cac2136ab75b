"""``elicitkit url inspect``: what a URL really is, before anybody opens it.

Nothing is opened, fetched or resolved. The JSON shape and the reason codes are public API.
A warning is no "no": it asks a person for a second step, and only a person can take it, so
the exit code is 1 for what must not be opened at all.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from elicitkit.cli.exits import Exit, WrongUse
from elicitkit.core.errors import UsageError

if TYPE_CHECKING:
    from elicitkit.answering.hosts import HostRules
    from elicitkit.core.urls import Findings
    from elicitkit.i18n import Catalog

_SHOWN: Final = 10_000
"""The most characters of the string as it was received; longer ones are refused anyway."""
_OLD: Final = 365
"""Days after which a list of public suffixes may miss too much of what was registered."""


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
    inspect.add_argument(
        "--server", metavar="NAME", help="obey what you allow and deny the server of that name"
    )
    inspect.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="where you do so, in place of your own configuration",
    )
    inspect.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Inspect the URL and print what was found."""
    from elicitkit.i18n import catalog, language_from

    given = [*([] if args.url is None else [args.url]), *args.command]
    if len(given) != 1:
        raise WrongUse("name one URL; quote it, for a shell takes & and # for its own")
    rules = _rules(args.server, args.config)
    found = rules.inspect(given[0], local=args.local, strict_punycode=args.strict_punycode)
    texts = catalog(language_from(os.environ))
    print(json.dumps(_row(found)) if args.json else "\n".join(_lines(found, texts)))
    _tell_age(date.today())
    return Exit.NO if found.verdict == "refuse" else Exit.DONE


def _rules(server: str | None, config: Path | None) -> HostRules:
    from elicitkit.answering.config import load
    from elicitkit.answering.hosts import HostRules

    if server is None:
        if config is not None:
            raise WrongUse("--config needs --server, the name of the server that it is about")
        return HostRules()
    try:
        servers = load(config).servers
    except UsageError as error:
        raise WrongUse(str(error)) from error
    if server not in servers:
        # What it would have denied must not pass by a typo.
        named = ", ".join(map(repr, servers)) or "none"
        raise WrongUse(f"your configuration names no server {server!r}; it names {named}")
    return servers[server].urls


def _tell_age(today: date) -> None:
    from elicitkit.core.urls.libraries import suffix_list_day

    day = suffix_list_day()
    if day is not None and (today - day).days > _OLD:
        print(
            f"note: the list of public suffixes is of {day}; update publicsuffixlist",
            file=sys.stderr,
        )


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


def _lines(found: Findings, texts: Catalog) -> Iterator[str]:
    # The part somebody registered comes first and alone: it is what trust is about.
    if found.host_ascii is not None:
        yield found.registrable_domain or found.host_ascii
        if found.host_unicode != found.host_ascii:
            names = {"readable": found.host_unicode, "ascii": found.host_ascii}
            yield _line(texts, "url.inspect.host", **names)
    if found.url is not None:
        yield f"  {found.url}"
    if found.received is not None:
        yield _line(texts, "url.inspect.received", received=found.received)
    if found.returns_to is not None:
        yield _line(texts, "url.inspect.returns", url=found.returns_to)
    yield f"{found.verdict}: {texts.t(f'url.verdict.{found.verdict}')}"
    for code in (*found.reasons, *found.notices):
        yield f"- {code}: {texts.t(f'url.reason.{code}')}"


def _line(texts: Catalog, key: str, **params: str | None) -> str:
    return f"  {texts.inert(texts.t(key, **params), _SHOWN)}"

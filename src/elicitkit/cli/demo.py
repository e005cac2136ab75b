"""``elicitkit demo``: a server that asks, started here and answered at your terminal.

The first thing to try, so it needs nothing: no network, no account, no file. Without a
terminal it runs by itself, on answers that come with the package.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import textwrap
from typing import Final

from elicitkit.cli.exits import Exit

PROTOCOLS: Final = ("2026-07-28", "2025-11-25", "2025-06-18")
"""The revisions of MCP that have elicitation, the newest first."""

_DESCRIPTION = """\
See an elicitation from both sides: this starts a small MCP server on your machine,
calls its tool book_stay, and lets you answer what the tool asks. Nothing leaves your
machine: the one page it asks you to open is served here. Without a terminal the answers
come from a file of this package."""
_EPILOG = "Exit code: 0 done, also if you decline; 3 the server failed."
_OPENING = (
    'A small MCP server is started on this machine under the name "demo", and its tool '
    "book_stay is called. The tool asks for what it does not know. The house is made up, "
    "and nothing leaves this machine."
)
_NOBODY = "There is no terminal here, so the answers come from a file: elicitkit/demo/{file}"
_CLOSING = """
To call it yourself:
  elicitkit call --tool book_stay -- python -m elicitkit.demo
How the tool is written:
  {source}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = _DESCRIPTION
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default=PROTOCOLS[0],
        metavar="REVISION",
        help=f"the revision of MCP to speak: {', '.join(PROTOCOLS)} (default: {PROTOCOLS[0]})",
    )


def run(args: argparse.Namespace) -> int:
    """Take the tour."""
    if not args.json:
        columns = shutil.get_terminal_size().columns
        # At once: what comes next takes a moment to load.
        print(textwrap.fill(_OPENING, columns), flush=True)
    # The SDK logs what goes wrong together with tracebacks; here it becomes one sentence.
    logging.getLogger().addHandler(logging.NullHandler())
    return _tour(args.protocol, as_json=args.json)


def _tour(protocol: str, *, as_json: bool) -> int:
    import anyio

    from elicitkit.cli.report import JsonReport
    from elicitkit.demo.story import Story
    from elicitkit.demo.tour import Guide, Script, answers, answers_file, tour
    from elicitkit.terminal import Terminal

    terminal = Terminal(stdout=sys.stderr if as_json else None)
    scripted = not terminal.modes
    if scripted:
        print(_NOBODY.format(file=answers_file(protocol)), file=sys.stderr if as_json else None)
    report = JsonReport() if as_json else Story(questions=scripted)
    guide = Guide(Script(answers(protocol)) if scripted else terminal)
    try:
        done = anyio.run(lambda: tour(guide.telling(report), report, protocol=protocol))
    except Exception as error:
        print(f"error: the demo server failed: {error}", file=sys.stderr)
        return Exit.PEER_FAILED
    if not as_json:
        from elicitkit.demo import server

        print(_CLOSING.format(source=server.__file__))
    return Exit.DONE if done else Exit.PEER_FAILED

"""``elicitkit call``: what it is told on the command line.

What the options mean is ``elicitkit.cli.options``; the work is ``elicitkit.cli.calling``.
"""

from __future__ import annotations

import argparse

from elicitkit.cli.options import answering_arguments, options_from

_TIMEOUT = 60.0
_DESCRIPTION = """\
Start or reach an MCP server, call one of its tools, and answer the questions that the
tool asks: yourself at this terminal, or by a file of answers. Without --tool, list the
tools."""
_EPILOG = """\
An answers file is a JSON list of {"action": "accept", "content": {...}}, or of
{"action": "decline"} or {"action": "cancel"}, used in order. Content is sent as it
stands: defaults of the form are not filled in.

Exit code: 0 done; 1 a question was not accepted or had no answer left, or the tool
reports an error; 2 wrong use; 3 the server failed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.usage = "elicitkit call [options] (--url URL | -- COMMAND [ARGUMENT ...])"
    parser.description = _DESCRIPTION
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(takes_command=True)
    parser.add_argument("--url", help="the server's URL (streamable HTTP)")
    parser.add_argument("--tool", metavar="NAME", help="the tool to call")
    parser.add_argument("--args", metavar="JSON", default="{}", help="its arguments, an object")
    answering_arguments(parser, "server")
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        default=_TIMEOUT,
        help="seconds to wait for the server, not counting the time you take to answer "
        f"(default: {_TIMEOUT:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Call the tool."""
    options = options_from(args)
    from elicitkit.cli.calling import call

    return call(options)

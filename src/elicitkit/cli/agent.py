"""``elicitkit agent``: what it is told on the command line.

What the options mean is ``elicitkit.cli.options``; the work is ``elicitkit.cli.prompting``.
"""

from __future__ import annotations

import argparse

from elicitkit.cli.options import agent_options_from, answering_arguments

_TIMEOUT = 300.0
_DESCRIPTION = """\
Start an ACP agent, send it one prompt in a new session in this folder, print what it
says, and answer what it asks: yourself at this terminal, or by a file of answers. The
agent gets no files and no terminal of yours from this client."""
_EPILOG = """\
The prompt is --prompt TEXT, else the line you type, else all of the standard input.

An answers file is a JSON list of {"action": "accept", "content": {...}}, or of
{"action": "decline"} or {"action": "cancel"}, used in order. A request for permission
takes one, too: {"action": "accept", "content": {"option": "ID"}}, where ID is the
optionId of one of its options; a decline rejects it once.

Exit code: 0 the agent ended its turn and every question was accepted; 1 one was not or
had no answer left, or the agent stopped for another reason; 2 wrong use; 3 the agent
failed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.usage = "elicitkit agent [options] -- COMMAND [ARGUMENT ...]"
    parser.description = _DESCRIPTION
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(takes_command=True)
    parser.add_argument("--prompt", metavar="TEXT", help="what to ask of the agent")
    answering_arguments(parser, "agent")
    parser.add_argument(
        "--protocol",
        type=int,
        choices=(1, 2),
        default=1,
        help="the version of ACP to speak; 2 is a draft (default: 1)",
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        default=_TIMEOUT,
        help="seconds that the agent may say nothing, not counting the time you take to answer "
        f"(default: {_TIMEOUT:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Prompt the agent."""
    options = agent_options_from(args)
    from elicitkit.cli.prompting import prompt

    return prompt(options)

"""The ``elicitkit`` command: which commands there are, and how one is run.

A command is a module with ``arguments(parser)`` and ``run(args)``, and one line in
``COMMANDS``. Such a module imports nothing heavy at its top, and this one only the
standard library, so that every ``--help`` is quick; ``run`` loads what it needs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, Protocol, cast

from elicitkit.cli.exits import Exit, WrongUse

__all__ = ["COMMANDS", "main"]

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "agent": ("elicitkit.cli.agent", "prompt an ACP agent and answer what it asks"),
    "call": ("elicitkit.cli.call", "call a tool of an MCP server and answer what it asks"),
    "demo": ("elicitkit.cli.demo", "see it work: a server that asks, answered at your terminal"),
    "schema": ("elicitkit.cli.schema", "check a requested schema or an answer, or derive one"),
    "url": ("elicitkit.cli.url", "tell what a URL really is, before anybody opens it"),
}
"""Each command's module and its line in the help."""


class Command(Protocol):
    """What a module of a command offers."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the command and its options.

        With ``parser.set_defaults(takes_command=True)`` what follows ``--`` arrives as the
        list ``args.command``.
        """

    def run(self, args: argparse.Namespace) -> int:
        """Do it, and return the exit code; ``WrongUse`` becomes a message and code 2."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    mark = given.index("--") if "--" in given else len(given)
    own, trailing = given[:mark], given[mark + 1 :]
    name = next((word for word in own if not word.startswith("-")), None)
    command = _load(name) if name in COMMANDS else None
    parser = _parser(name, command)
    try:
        args = parser.parse_args(own)
        if command is None:
            parser.error(f"name a command: {', '.join(COMMANDS)}")
        if trailing and not getattr(args, "takes_command", False):
            parser.error("this command takes nothing after --")
        args.command = trailing
        return command.run(args)
    except SystemExit as asked:
        return asked.code if isinstance(asked.code, int) else Exit.DONE
    except WrongUse as error:
        return _wrong(name, error)
    except ImportError as error:
        from elicitkit.versions import UnfitSdk  # it reads what is installed, which takes a moment

        if not isinstance(error, UnfitSdk):
            raise
        return _wrong(name, error)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # Nobody reads the output any more; without this, closing it would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.NO


def _wrong(name: str | None, error: Exception) -> int:
    print(f"elicitkit {name}: {error}", file=sys.stderr)
    return Exit.WRONG_USE


def _load(name: str | None) -> Command:
    return cast("Command", import_module(COMMANDS[cast("str", name)][0]))  # a module is one


def _parser(chosen: str | None, command: Command | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="elicitkit",
        description="Ask people typed questions over MCP and ACP, and answer them.",
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (_, summary) in COMMANDS.items():
        own = commands.add_parser(name, help=summary)
        if command is not None and name == chosen:
            command.arguments(own)
    return parser

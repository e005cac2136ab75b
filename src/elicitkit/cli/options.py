"""What the options of the commands that answer mean, checked before anything is started.

Those commands are ``elicitkit call`` and ``elicitkit agent``.
"""

from __future__ import annotations

import argparse
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from elicitkit.cli.exits import WrongUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Who answers, and how it is told."""

    label: str
    """What the person calls the one who asks."""
    answers: list[Any] | None
    """The answers file as it was read; what an answer is, the reader of the list knows."""
    as_json: bool
    timeout: float
    config: Path | None
    """What the person allows each server; None for the usual place."""
    audit: Path | None
    """Where to keep what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Answering):
    """One call, as asked for on the command line."""

    target: str | list[str]
    """A URL, or a command."""
    tool: str | None
    arguments: dict[str, Any]
    """The arguments of the tool, which is JSON of any shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions(Answering):
    """One prompt, as asked for on the command line."""

    command: list[str]
    prompt: str | None
    """None: it is read from the standard input."""
    protocol: Literal[1, 2]


def answering_arguments(parser: argparse.ArgumentParser, peer: str) -> None:
    """Describe who answers and how it is told.

    Args:
        parser: That of the command.
        peer: What to call the one who asks.
    """
    parser.add_argument("--answers", metavar="FILE", type=Path, help="answer from this file")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--name", "--label", metavar="LABEL", help=f"what you call this {peer}")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help=f"what you allow the {peer} of that name, in place of your own configuration",
    )
    parser.add_argument("--audit", metavar="FILE", type=Path, help="keep what was asked in FILE")


def options_from(args: argparse.Namespace) -> Options:
    """The options of one call.

    Raises:
        WrongUse: They contradict each other, or hold what is not what they should.
    """
    if bool(args.url) == bool(args.command):
        raise WrongUse("name one server: --url URL, or a command after --")
    _check_timeout(args)
    called = _json("--args", args.args)
    if not isinstance(called, dict):
        raise WrongUse('--args takes a JSON object, such as \'{"city": "Rome"}\'')
    return Options(
        target=args.url or args.command,
        label=args.name or _label(args.url, args.command),
        tool=args.tool,
        arguments=cast("dict[str, Any]", called),  # the keys of a JSON object
        answers=None if args.answers is None else _answers(args.answers),
        as_json=args.json,
        timeout=args.timeout,
        config=args.config,
        audit=args.audit,
    )


def agent_options_from(args: argparse.Namespace) -> AgentOptions:
    """The options of one prompt.

    Raises:
        WrongUse: They hold what is not what they should.
    """
    if not args.command:
        raise WrongUse("name the agent: a command after --")
    _check_timeout(args)
    return AgentOptions(
        command=args.command,
        label=args.name or _label(None, args.command),
        prompt=args.prompt,
        protocol=args.protocol,
        answers=None if args.answers is None else _answers(args.answers),
        as_json=args.json,
        timeout=args.timeout,
        config=args.config,
        audit=args.audit,
    )


def _check_timeout(args: argparse.Namespace) -> None:
    if not args.timeout > 0:
        raise WrongUse("--timeout takes a number of seconds above 0")


def _answers(file: Path) -> list[Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"cannot read the answers file {str(file)!r}: {error}") from error
    answers = _json(f"the answers file {str(file)!r}", text)
    if not isinstance(answers, list):
        raise WrongUse(f"the answers file {str(file)!r} must hold a JSON list of answers")
    return cast("list[Any]", answers)  # what json gives


def _json(what: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise WrongUse(f"{what} is not JSON: {error}") from error


def _label(url: str | None, command: list[str]) -> str:
    if url is None:
        return shlex.join(command)
    # Never the whole URL: it may hold a password or a token.
    return urlsplit(url).netloc.rpartition("@")[2] or "the server"

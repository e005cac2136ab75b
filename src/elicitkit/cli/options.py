"""What the options of ``elicitkit call`` mean, checked before anything is started."""

from __future__ import annotations

import argparse
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from elicitkit.cli.exits import WrongUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One call, as asked for on the command line."""

    target: str | list[str]
    """A URL, or a command."""
    label: str
    tool: str | None
    arguments: dict[str, Any]
    """The arguments of the tool, which is JSON of any shape."""
    answers: list[Any] | None
    """The answers file as it was read; what an answer is, the reader of the list knows."""
    as_json: bool
    timeout: float
    config: Path | None
    """What the person allows each server; None for the usual place."""
    audit: Path | None
    """Where to keep what was asked."""


def options_from(args: argparse.Namespace) -> Options:
    """The options of one call.

    Raises:
        WrongUse: They contradict each other, or hold what is not what they should.
    """
    if bool(args.url) == bool(args.command):
        raise WrongUse("name one server: --url URL, or a command after --")
    if not args.timeout > 0:
        raise WrongUse("--timeout takes a number of seconds above 0")
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

"""JSON that a command is given: in a file, on the standard input, or on the command line.

Read strictly, because what is checked must be what a peer would see: a key named twice, a
NaN or a byte order mark means one thing to one reader and another to the next.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

from elicitkit.cli.exits import WrongUse

MAX_BYTES: Final = 16 * 1024 * 1024
"""No request that anybody answers comes near it."""

_BOM: Final = "\ufeff"


def read_document(source: str, what: str) -> Any:
    """The JSON value that an argument names: ``-``, a path, or the JSON itself.

    Args:
        source: The argument; JSON itself starts with a brace or a bracket.
        what: What to call the argument in messages.

    Raises:
        WrongUse: It cannot be read, or is no JSON that every reader reads alike.
    """
    if source.lstrip().startswith(("{", "[")):
        return _parsed(source, what)
    return _parsed(_text(_bytes(source, what), what), what)


def _bytes(source: str, what: str) -> bytes:
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        # ValueError is a path that holds a null character.
        raise WrongUse(f"cannot read {what}: {error}") from error
    if len(data) > MAX_BYTES:
        raise WrongUse(f"{what} is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return data


def _text(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WrongUse(f"{what} is not UTF-8, which JSON is: {error}") from error


def _parsed(text: str, what: str) -> Any:
    if text.startswith(_BOM):
        raise WrongUse(f"{what} starts with a byte order mark: save it as UTF-8 without one")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_number,
            parse_float=_number,
        )
    except ValueError as error:
        raise WrongUse(f"{what} is not JSON: {error}") from error
    except RecursionError as error:
        raise WrongUse(f"{what} is nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"the key {name[:100]!r} stands twice in one object")
        made[name] = value
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:100]} is too large a number")
    return number

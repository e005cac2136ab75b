"""One table of a configuration file, read key by key.

Every value is checked where it is read, and what is wrong is told with the file, the key
and the way out. What the keys mean is for those who read them: ``config.py``, ``hosts.py``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NoReturn, cast

from elicitkit.core.errors import UsageError

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Table:
    """One table, which knows its place for the sake of error messages."""

    file: Path
    place: tuple[str, ...]
    values: Mapping[str, object]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def only(self, *known: str) -> None:
        """Refuse every key but these."""
        for key, value in self.values.items():
            if key in known:
                continue
            if len(self.place) == 2 and isinstance(value, dict):
                self.refuse(key, "is unknown: a server's name that has a dot goes in quotes")
            close = get_close_matches(key, known, 1)
            self.refuse(key, f"is unknown: {use(close or known)}")

    def table(self, key: str) -> Table:
        """A table inside this one; an empty one where there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, f"must be a table, not {kind(value)}")
        # TOML keys are strings.
        return Table(self.file, (*self.place, key), cast("dict[str, object]", value))

    def line(self, key: str) -> str | None:
        """One line of text."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.refuse(key, f"must be one line of text, not {kind(value)}")
        return value

    def listed(self, key: str) -> list[object] | None:
        """A list of whatever."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            self.refuse(key, f"must be a list, not {kind(value)}")
        return cast("list[object]", value)  # what TOML gives

    def flag(self, key: str) -> bool:
        """True or false; false where nothing is said."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            self.refuse(key, f"must be true or false, not {kind(value)}")
        return value

    def count(self, key: str, most: int) -> int | None:
        """A whole number from 1 on."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self.refuse(key, f"must be a whole number above 0, not {kind(value)}")
        if value > most:
            self.refuse(key, f"must not be {value}: a file only lowers a limit, at most {most}")
        return value

    def seconds(self, key: str) -> float | None:
        """A time above zero that ends."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.refuse(key, f"must be a number of seconds, not {kind(value)}")
        if not 0 < value < math.inf:
            self.refuse(key, f"must be above 0, not {value}; without the line there is no limit")
        return value

    def refuse(self, key: str, what: str) -> NoReturn:
        """Raise ``UsageError`` about one key."""
        names = (*self.place, key)
        dotted = ".".join(one if _BARE_KEY.fullmatch(one) else json.dumps(one) for one in names)
        raise UsageError(f"the configuration {str(self.file)!r}: {dotted} {what}")


def refuse(file: Path, what: str) -> NoReturn:
    """Raise ``UsageError`` about a file as a whole."""
    raise UsageError(f"the configuration {str(file)!r} {what}")


def use(names: Iterable[str]) -> str:
    """What to write instead."""
    return f"use {' or '.join(names)}"


def kind(value: object) -> str:
    """A value of the file as an error tells it: shown where short, else by its type."""
    return repr(value) if isinstance(value, str | int | float) else f"a {type(value).__name__}"

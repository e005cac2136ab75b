"""The requirement ids that tests claim, read from the source of the test files.

Run as a script it lists where claims and manifest disagree; with ``--write`` it sets each
row's status to what the tests claim:

    python tests/conform/claims.py [--write]
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

TESTS = Path(__file__).parents[1]
MANIFEST = TESTS.parent / "src" / "elicitkit" / "conform" / "requirements.toml"


def claims(root: Path = TESTS) -> Mapping[str, frozenset[str]]:
    """Which test files claim each id; the whole tree, whatever was collected."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(root.rglob("*.py")):
        if "node_modules" in path.parts:
            continue  # installed peers bring Python files of their own
        for one in claims_in(path.read_text("utf-8")):
            found[one].add(path.relative_to(root).as_posix())
    return {key: frozenset(paths) for key, paths in sorted(found.items())}


def claims_in(source: str) -> Iterator[str]:
    """The ids in every ``pytest.mark.requirement(...)`` of this source."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="requirement", value=ast.Attribute(attr="mark")),
                args=arguments,
            ):
                yield from map(_literal, arguments)
            case _:
                pass


def _literal(argument: ast.expr) -> str:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    raise ValueError(f"line {argument.lineno}: a requirement id must be a plain string")


def write_statuses(manifest: Path, claimed: Mapping[str, object]) -> None:
    """Set the status of every row to what the tests claim."""

    def row(match: re.Match[str]) -> str:
        status = "covered" if match["id"] in claimed else "planned"
        return f'{match["head"]}status = "{status}"'

    text = manifest.read_text("utf-8")
    rows = re.compile(r'(?P<head>^\[(?P<id>\w+)\]\n(?:(?!\[|status).*\n)*)status = "\w+"', re.M)
    manifest.write_text(rows.sub(row, text), "utf-8")


def main() -> None:
    from elicitkit.conform import load

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        write_statuses(MANIFEST, claims())
    claimed, manifest = claims(), load()
    covered = {key for key, row in manifest.items() if row.status == "covered"}
    print("covered:", len(covered), "of", len(manifest))
    print("claimed but planned:", *sorted(claimed.keys() & manifest.keys() - covered))
    print("covered but unclaimed:", *sorted(covered - claimed.keys()))
    print("claimed but unknown:", *sorted(claimed.keys() - manifest.keys()))


if __name__ == "__main__":
    main()

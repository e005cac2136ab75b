"""``elicitkit schema``: check a requested schema, check an answer, or derive one from a type.

Everything is local and nothing is asked. The JSON shapes are public API.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from typing import Any, Final, cast

from elicitkit.cli.documents import read_document
from elicitkit.cli.exits import Exit, WrongUse
from elicitkit.cli.shapes import Row, field_row
from elicitkit.core.dialects import DIALECTS, MCP_2025_11_25
from elicitkit.core.errors import (
    InvalidRequest,
    Problem,
    SchemaNotExpressible,
    SensitiveField,
    UsageError,
)
from elicitkit.core.fields import UNSET, RequestedSchema
from elicitkit.core.text import inert

_LINE: Final = 1_000
"""The most characters of one line that may hold what somebody else wrote."""
_SOURCE: Final = "a path, - for the standard input, or the JSON itself"
_EPILOG: Final = (
    "Exit code: 0 it is fine; 1 it is not, and each problem is a line; 2 wrong use, such as "
    "a file that is no JSON."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = "Look at requested schemas and at answers to them."
    parser.epilog = _EPILOG
    tasks = parser.add_subparsers(metavar="TASK", required=True)

    check = _task(tasks, "check", _check, "tell what in a requested schema is wrong")
    check.add_argument(
        "file",
        metavar="FILE",
        help=f"the schema, or a whole elicitation/create request: {_SOURCE}",
    )

    validate = _task(tasks, "validate", _validate, "check the content of an answer")
    validate.add_argument("schema", metavar="SCHEMA", help=f"as FILE of check: {_SOURCE}")
    validate.add_argument("content", metavar="CONTENT", help=f"the content: {_SOURCE}")
    validate.add_argument(
        "--defaults",
        action="store_true",
        help="fill what is missing from the schema's defaults first",
    )

    derive = _task(tasks, "derive", _derive, "show the form of a Python type")
    derive.add_argument(
        "type", metavar="MODULE:TYPE", help="such as app.forms:Trip, found from this directory"
    )


def run(args: argparse.Namespace) -> int:
    """Do one of the three and print what came of it."""
    row, lines = args.task(args)
    print(json.dumps(row) if args.json else "\n".join(lines))
    return Exit.DONE if row["ok"] else Exit.NO


def _task(
    tasks: Any, name: str, task: Callable[[argparse.Namespace], tuple[Row, list[str]]], summary: str
) -> argparse.ArgumentParser:
    # ``tasks`` is of a class that argparse keeps private.
    parser: argparse.ArgumentParser = tasks.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=_EPILOG
    )
    parser.set_defaults(task=task)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=MCP_2025_11_25.name,
        metavar="D",
        help=f"one of {', '.join(DIALECTS)} (default: {MCP_2025_11_25.name})",
    )
    return parser


def _check(args: argparse.Namespace) -> tuple[Row, list[str]]:
    from elicitkit.core.schema import inspect, problems_in, write

    dialect = DIALECTS[args.dialect]
    reading = inspect(_schema(args.file, "FILE"), dialect)
    problems = [*reading.problems, *reading.ignored]
    unwritable = () if reading.schema is None else problems_in(reading.schema, dialect)
    problems += unwritable
    fields = [field_row(one) for one in reading.schema.fields] if reading.schema else []
    row: Row = {
        "ok": not problems,
        "dialect": dialect.name,
        "problems": _rows(problems),
        "fields": fields,
        "normalized": (
            None if reading.schema is None or unwritable else write(reading.schema, dialect)
        ),
    }
    return row, _problem_lines(problems) or [f"ok: {len(fields)} field(s) of {dialect.name}"]


def _validate(args: argparse.Namespace) -> tuple[Row, list[str]]:
    from elicitkit.core.check import check
    from elicitkit.core.schema import read

    if args.schema == args.content == "-":
        raise WrongUse("SCHEMA and CONTENT cannot both come from the standard input")
    try:
        schema = read(_schema(args.schema, "SCHEMA"), DIALECTS[args.dialect])
    except InvalidRequest as error:
        raise WrongUse(f"no answer can be checked: {error}") from error
    content = read_document(args.content, "CONTENT")
    usable, errors = check(schema, _with_defaults(schema, content) if args.defaults else content)
    row: Row = {
        "ok": not errors,
        "errors": [
            {"field": one.field, "code": one.code, "message": one.message} for one in errors
        ],
        "content": usable,
    }
    lines = [f"{one.field or 'content'}: {one.message}" for one in errors]
    return row, _inert(lines) or [json.dumps(usable, indent=2)]


def _derive(args: argparse.Namespace) -> tuple[Row, list[str]]:
    from elicitkit.core.derive import derive
    from elicitkit.core.schema import write

    form = _imported(args.type)
    written, problems = None, list[Problem]()
    try:
        written = write(derive(form).with_initial(), DIALECTS[args.dialect])
    except SchemaNotExpressible as error:
        problems += error.problems
    except SensitiveField as error:
        problems.append(Problem(f"properties.{error.where}", "sensitive_field", str(error)))
    except UsageError as error:
        problems.append(Problem("", "bad_default", str(error)))
    row: Row = {"ok": not problems, "schema": written, "problems": _rows(problems)}
    return row, _problem_lines(problems) or [json.dumps(written, indent=2)]


def _schema(source: str, what: str) -> object:
    """The requested schema in a document, which may be a whole request or its params."""
    found: object = read_document(source, what)
    if not isinstance(found, dict) or "properties" in found:
        return cast("object", found)  # isinstance leaves the keys open
    request = cast("Row", found)
    params = request["params"] if isinstance(request.get("params"), dict) else request
    if "requestedSchema" in params:
        return params["requestedSchema"]
    if "message" in params or "method" in request:
        raise WrongUse(f"{what} is a request without a requestedSchema")
    return request


def _with_defaults(schema: RequestedSchema, content: Any) -> Any:
    if not isinstance(content, Mapping | None):
        return content
    filled: Row = {
        one.name: list(one.default) if isinstance(one.default, tuple) else one.default
        for one in schema.fields
        if one.default is not UNSET
    }
    return filled | dict(cast("Mapping[str, Any]", content or {}))


def _imported(name: str) -> Any:
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise WrongUse("name a type as MODULE:TYPE, such as app.forms:Trip")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as ``python -m`` does
    try:
        # What a module prints when it is imported is no output of ours.
        with redirect_stdout(sys.stderr):
            found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except AttributeError as error:
        raise WrongUse(f"{module!r} has no {path!r}") from error
    except (Exception, SystemExit) as error:
        raise WrongUse(f"cannot import {module!r}: {type(error).__name__}: {error}") from error
    return found


def _rows(problems: Iterable[Problem]) -> list[Row]:
    return [{"path": one.path, "code": one.code, "message": one.message} for one in problems]


def _problem_lines(problems: Iterable[Problem]) -> list[str]:
    return _inert(f"{one.path or 'schema'}: {one.message}" for one in problems)


def _inert(lines: Iterable[str]) -> list[str]:
    return [inert(line, _LINE) for line in lines]

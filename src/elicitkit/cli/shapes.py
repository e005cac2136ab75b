"""The JSON shapes that several commands print; they are public API."""

from __future__ import annotations

from typing import Any

from elicitkit.core.fields import UNSET, ChoiceField, ChoicesField, Field, Option, kind_of

Row = dict[str, Any]
"""One JSON object."""


def field_row(field: Field) -> Row:
    """A field of a form: its name, kind and whether it is required, and what else is known."""
    row: Row = {"name": field.name, "kind": kind_of(field), "required": field.required}
    if field.title is not None:
        row["title"] = field.title
    if field.description is not None:
        row["description"] = field.description
    if isinstance(field, ChoiceField | ChoicesField):
        row["options"] = [_option_row(option) for option in field.options]
    if field.default is not UNSET:
        default = field.default
        row["default"] = list(default) if isinstance(default, tuple) else default
    return row


def _option_row(option: Option) -> Row:
    row: Row = {"const": option.const}
    if option.title is not None:
        row["title"] = option.title
    return row

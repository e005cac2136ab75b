"""Any requested schema, for property tests, and what of it a dialect has words for."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from elicitkit.core.dialects import FORMATS, Dialect
from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    RequestedSchema,
    TextField,
)
from elicitkit.core.schema import opened

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
NAMES = st.one_of(TEXTS, st.sampled_from(["__proto__", "self", "model_config", "", "🦊"]))
NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.just(10**400)
)
COUNTS = st.none() | st.integers(0, 20)


def options() -> st.SearchStrategy[tuple[Option, ...]]:
    one = st.builds(Option, TEXTS, st.none() | TEXTS, st.none() | TEXTS)
    return st.lists(one, min_size=1, max_size=6, unique_by=lambda it: it.const).map(tuple)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    base: dict[str, Any] = {
        "name": draw(NAMES),
        "title": draw(st.none() | TEXTS),
        "description": draw(st.none() | TEXTS),
        "required": draw(st.booleans()),
    }
    kind = draw(st.sampled_from(["text", "number", "integer", "boolean", "choice", "choices"]))
    one: Field
    match kind:
        case "text":
            one = TextField(
                **base,
                min_length=draw(COUNTS),
                max_length=draw(COUNTS),
                pattern=draw(st.none() | TEXTS),
                format=draw(st.none() | st.sampled_from(sorted(FORMATS)) | TEXTS),
                default=draw(st.just(UNSET) | TEXTS),
            )
        case "number":
            low, high = draw(st.none() | NUMBERS), draw(st.none() | NUMBERS)
            default = draw(st.just(UNSET) | NUMBERS)
            one = NumberField(**base, minimum=low, maximum=high, default=default)
        case "integer":
            low, high = draw(st.none() | NUMBERS), draw(st.none() | NUMBERS)
            default = draw(st.just(UNSET) | st.integers())
            one = IntegerField(**base, minimum=low, maximum=high, default=default)
        case "boolean":
            one = BooleanField(**base, default=draw(st.just(UNSET) | st.booleans()))
        case "choice":
            listed = draw(options())
            default = draw(st.just(UNSET) | st.sampled_from([it.const for it in listed]))
            one = ChoiceField(**base, options=listed, default=default)
        case _:
            listed = draw(options())
            chosen = st.lists(st.sampled_from([it.const for it in listed]), max_size=3)
            one = ChoicesField(
                **base,
                options=listed,
                min_items=draw(COUNTS),
                max_items=draw(COUNTS),
                default=draw(st.just(UNSET) | chosen.map(tuple)),
            )
    return one


@st.composite
def forms(draw: st.DrawFn) -> tuple[Field, ...]:
    """Fields with names of their own, some choices open to an answer that is no option."""
    listed = draw(st.lists(fields(), max_size=4, unique_by=lambda it: it.name))
    names = {it.name for it in listed}
    made: list[Field] = []
    for one in listed:
        if isinstance(one, ChoiceField) and draw(st.booleans()):
            made += opened(one, names)
            names.add(made[-1].name)
        else:
            made.append(one)
    return tuple(made)


def schemas() -> st.SearchStrategy[RequestedSchema]:
    return st.builds(
        RequestedSchema,
        fields=forms(),
        title=st.none() | TEXTS,
        description=st.none() | TEXTS,
    )


def sayable(schema: RequestedSchema, dialect: Dialect) -> RequestedSchema:
    """The schema as far as the dialect has words for it."""
    texts = dialect.protocol == "acp"
    return replace(
        schema,
        fields=tuple(_sayable(one, dialect) for one in schema.fields),
        title=schema.title if texts else None,
        description=schema.description if texts else None,
    )


def _sayable(one: Field, dialect: Dialect) -> Field:
    if isinstance(one, ChoiceField):
        other = one.other if dialect.protocol == "acp" else None
        return replace(one, options=_sayable_options(one.options, dialect), other=other)
    if isinstance(one, ChoicesField):
        return replace(one, options=_sayable_options(one.options, dialect))
    if isinstance(one, TextField) and one.pattern is not None and not dialect.pattern:
        told = f"{one.description or ''} (must match {one.pattern})".strip()
        return replace(one, pattern=None, description=told)
    if dialect.protocol == "acp" and isinstance(one, IntegerField | NumberField):
        return _sayable_number(one)
    return one


def _sayable_number(one: IntegerField | NumberField) -> Field:
    low, high, default = one.minimum, one.maximum, one.default
    most: float = sys.float_info.max
    if isinstance(one, IntegerField):
        most = 2**63 - 1
        low = None if low is None else math.ceil(low)
        high = None if high is None else math.floor(high)
    return replace(
        one,
        minimum=low if low is None or abs(low) <= most else None,
        maximum=high if high is None or abs(high) <= most else None,
        default=default if default is UNSET or abs(default) <= most else UNSET,
    )


def _sayable_options(listed: tuple[Option, ...], dialect: Dialect) -> tuple[Option, ...]:
    if not any(it.title or it.description for it in listed):
        return tuple(Option(it.const) for it in listed)
    if dialect.protocol == "acp":
        return tuple(Option(it.const, it.label, it.description) for it in listed)
    return tuple(
        Option(it.const, f"{it.label} ({it.description})" if it.description else it.label)
        for it in listed
    )

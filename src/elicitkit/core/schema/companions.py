"""The free text beside a single choice: how two fields on the wire say that they are one.

No dialect has a field that is a choice and open at once. Agents of ACP send two, a choice and
a text, and mark the text in its own ``_meta``. Nothing else in ``_meta`` means anything (A67),
and the mark never changes what is asked: a text that is needed, restricted or marked for a
field that is no optional choice stays a field of its own, and so does one that shares its
choice with another. A multi choice takes a free text beside its ticks, not in their place, so
there the two stay two.

Not here: dialects without ``_meta`` on fields, where both are fields like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from elicitkit.core.fields import ChoiceField, Field, RequestedSchema, TextField

Raw = Mapping[str, Any]

_MARKS: Final[Mapping[str, str]] = {
    "_askUserQuestionCustomAnswer": "isCustomAnswer",
    "codex": "isOtherAnswer",
}
"""The key in ``_meta`` under which agents mark a companion, and its flag. The first is the one
that more than one agent sends and every client that knows any reads, so it is written."""
_WRITTEN: Final = "_askUserQuestionCustomAnswer"
_SUFFIX: Final = "_custom"
_TITLE: Final = "Other"
_DESCRIPTION: Final = "Only if none of the options fits."


def opened(one: ChoiceField, names: Iterable[str]) -> tuple[ChoiceField, TextField]:
    """The choice as one that takes an answer of one's own, and its companion.

    Both are optional: an answer is one or the other, and no schema can say so.

    Args:
        one: The choice.
        names: The fields of the form; the companion is none of them.
    """
    name, taken = one.name + _SUFFIX, frozenset(names)
    while name in taken:
        name += "_"
    title = _TITLE if one.title is None else f"{_TITLE}: {one.title}"
    text = TextField(name=name, title=title, description=_DESCRIPTION)
    return replace(one, required=False, other=name), text


def paired(fields: tuple[Field, ...], properties: Raw) -> tuple[Field, ...]:
    """The fields, each choice with the name of the text that is marked as its companion."""
    marked: dict[str, list[str]] = {}
    for one in fields:
        choice = _choice_of(properties[one.name]) if _is_plain(one) else None
        if choice is not None:
            marked.setdefault(choice, []).append(one.name)
    found = {choice: names[0] for choice, names in marked.items() if len(names) == 1}
    return tuple(
        replace(one, other=found.get(one.name))
        if isinstance(one, ChoiceField) and not one.required
        else one
        for one in fields
    )


def marks(schema: RequestedSchema) -> Mapping[str, Raw]:
    """What is written beside each companion, by its name."""
    return {
        text.name: {"_meta": {_WRITTEN: {"questionId": choice, _MARKS[_WRITTEN]: True}}}
        for choice, text in schema.companions().items()
    }


def _is_plain(one: Field) -> bool:
    """A text that anything may stand in, and nothing has to."""
    # What restricts it would have to be said and checked for one half of the control alone.
    return one == TextField(
        name=one.name, title=one.title, description=one.description, default=cast(Any, one.default)
    )


def _choice_of(prop: Raw) -> str | None:
    """The one choice that a property says it belongs to."""
    named = set(_named(_object(prop.get("_meta"))))
    return named.pop() if len(named) == 1 else None


def _named(meta: Raw) -> Iterator[str]:
    for key, flag in _MARKS.items():
        mark = _object(meta.get(key))
        choice = mark.get("questionId")
        if mark.get(flag) is True and isinstance(choice, str):
            yield choice


def _object(raw: object) -> Raw:
    return cast(Raw, raw) if isinstance(raw, Mapping) else {}

"""One thing that is wrong with one field of an answer, and its words.

An error says what was asked and never what was typed, so that it may be logged, sent back
with the question, or shown to somebody else. That makes it a constant of the field:
``core/check.py`` builds each one when it compiles a schema. Every error is made from a
template, its ``params`` are all that went in, and catalogs in other languages hold the
same keys. Text of the other side goes in only where it is short and printable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from decimal import Decimal
from typing import Final

from elicitkit.core.fields import Field, Option, kind_of

MESSAGES: Final[Mapping[str, str]] = {
    "required": "An answer is needed.",
    "required.other": "Choose an option, or write an answer of your own.",
    "wrong_type.content": "The answer must be an object that holds one value for each field.",
    "wrong_type.text": "This must be text.",
    "wrong_type.number": "This must be a number.",
    "wrong_type.integer": "This must be a whole number.",
    "wrong_type.boolean": "This must be yes or no.",
    "wrong_type.choice": "This must be one of the options.",
    "wrong_type.choices": "This must be a list of options.",
    "not_integer": "This must be a whole number, without a fraction.",
    "not_finite": "This must be a finite number.",
    "too_short": "Write at least {limit} characters.",
    "too_short.one": "Write at least one character.",
    "too_long": "Write at most {limit} characters.",
    "too_long.one": "Write at most one character.",
    "too_small": "This must be {limit} or more.",
    "too_large": "This must be {limit} or less.",
    "bad_format.email": "This must be an e-mail address, such as name@example.com.",
    "bad_format.uri": "This must be a full web address or other URI, such as https://example.com.",
    "bad_format.date": "This must be a date of the calendar, such as 2026-02-28.",
    "bad_format.date-time": (
        "This must be a date and a time with its zone, such as 2026-02-28T10:00:00Z."
    ),
    "no_match": "This must match the pattern {pattern}",
    "no_match.long": "This does not match the pattern that is asked for.",
    "not_an_option": "Choose one of: {options}.",
    "not_an_option.many": "Choose one of the {count} options.",
    "not_an_option.choices": "Choose only from: {options}.",
    "not_an_option.choices_many": "Choose only from the {count} options.",
    "too_few": "Choose at least {limit} options.",
    "too_few.one": "Choose at least one option.",
    "too_many": "Choose at most {limit} options.",
    "too_many.one": "Choose at most one option.",
    "unknown_field": "No such field was asked for; leave it out.",
}
"""The English template of every error, by code, or by code and variant."""

OPTIONS_SHOWN: Final = 10
TEXT_SHOWN: Final = 200
"""More options, or text of the other side longer than this, is not put into a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """One thing that is wrong with one field."""

    field: str
    """The property key; ``""`` for the content as a whole."""
    code: str
    """Stable, machine-readable kind."""
    message: str
    """What is wrong and how to mend it, in English; never what was typed."""
    params: Mapping[str, object] = data_field(default_factory=dict[str, object], hash=False)
    """What the message was made from; ``variant`` where the code has several templates."""

    @property
    def template(self) -> str:
        """The key of this error's template in ``MESSAGES`` and in every catalog."""
        variant = self.params.get("variant")
        return f"{self.code}.{variant}" if variant else self.code


def make_error(name: str, code: str, *, variant: str = "", **params: object) -> FieldError:
    """The error of this code, in the words of its template."""
    template = MESSAGES[f"{code}.{variant}" if variant else code]
    shown = {key: _shown(value) for key, value in params.items()}
    message = template.format(**shown)
    return FieldError(
        field=name,
        code=code,
        message=message,
        params=shown | {"variant": variant} if variant else shown,
    )


def wrong_type(one: Field) -> FieldError:
    """The value is of another JSON type than the field."""
    return make_error(one.name, "wrong_type", variant=kind_of(one))


def sized(name: str, code: str, limit: int) -> FieldError:
    """Too short, too long, too few or too many, in the singular or the plural."""
    return make_error(name, code, variant="one" if limit == 1 else "", limit=limit)


def no_match(name: str, pattern: str) -> FieldError:
    """The text is not what the pattern asks for."""
    variant = "" if _is_showable(pattern) else "long"
    return make_error(name, "no_match", variant=variant, pattern=pattern)


def not_an_option(name: str, options: tuple[Option, ...], few: str, many: str) -> FieldError:
    """The value is none of the options, which are named in the variant ``few``.

    What travels is named beside its title: a title sent as the answer is the usual fault.
    """
    words = [
        f"{one.const} ({one.title})" if one.title and one.title != one.const else one.const
        for one in options[:OPTIONS_SHOWN]
    ]
    shown = ", ".join(words)
    if len(options) > OPTIONS_SHOWN or not _is_showable(shown):
        return make_error(name, "not_an_option", variant=many, count=len(options))
    return make_error(name, "not_an_option", variant=few, options=shown)


def _is_showable(text: str) -> bool:
    # ``isprintable`` is false for controls, line ends and what turns the reading direction.
    return len(text) <= TEXT_SHOWN and text.isprintable()


def _shown(value: object) -> object:
    """The value itself, or short where Python would refuse to write out all its digits."""
    if isinstance(value, int) and value.bit_length() > 1_024:
        return f"{Decimal(value):.3E}"
    return value

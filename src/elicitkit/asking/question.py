"""A question before it is put: what to ask, and how answers become values.

``Question`` is what an author writes for ``ask.all``; ``Prepared`` is what every form of
``ask`` is turned into, so that one path puts them all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, cast

from pydantic_core import to_json
from typing_extensions import TypedDict, TypeForm, Unpack

from elicitkit.core.derive import SCALAR, InvalidContent, derive
from elicitkit.core.dialects import MCP_2025_11_25, Dialect
from elicitkit.core.errors import SchemaNotExpressible, UsageError
from elicitkit.core.field_error import make_error
from elicitkit.core.fields import (
    UNSET,
    ChoiceField,
    ChoicesField,
    Field,
    Option,
    Other,
    RequestedSchema,
    Value,
)
from elicitkit.core.schema import inspect, opened, problems_in, write

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

Content = Mapping[str, Value]


class Terms(TypedDict, Generic[T], total=False):
    """What every form of ``ask`` takes beside its message and type."""

    key: str | None
    """Names the question where its message or form differs between rounds."""
    timeout: float | None
    """Seconds of human time; on expiry the outcome is ``Cancelled("timed_out")``."""
    fallback: Callable[[], Awaitable[T]] | None
    """Gives the value where the client cannot be asked."""
    allow_urls: Collection[str]
    """Fields (or ``"message"``) whose text holds a URL that is not meant to be opened."""
    allow_sensitive: Collection[str]
    """Fields (or ``"message"``) that only look as if they asked for a secret."""


class Question(Generic[T]):
    """One question of ``ask.all``; its arguments are those of ``ask``."""

    __slots__ = ("form", "initial", "message", "terms")

    def __init__(
        self,
        message: str,
        form: TypeForm[T],
        *,
        initial: object = UNSET,
        **terms: Unpack[Terms[T]],
    ) -> None:
        self.message = message
        self.form = form
        self.initial = initial
        self.terms = terms

    def prepared(self) -> Prepared[T]:
        """The question as a form."""
        return from_type(self.message, self.form, self.initial)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared(Generic[T]):
    """A question as a form, with the way from content to value and back."""

    message: str
    schema: RequestedSchema
    decode: Callable[[Content], T]
    """Raises InvalidContent when a validator of the type refuses checked content."""
    encode: Callable[[object], dict[str, Value]]
    """The content that would give a value; for scripted answers."""
    digest: str
    """Names the question by what it asks, the same in every round."""


def from_type(message: str, form: TypeForm[T], initial: object = UNSET) -> Prepared[T]:
    """A question for a Python type.

    Raises:
        SchemaNotExpressible: The type is not expressible as a form.
        UsageError: ``initial`` does not fit it.
    """
    derived = derive(form)
    return Prepared(
        message=message,
        schema=derived.with_initial(initial),
        decode=derived.decode,
        encode=derived.encode,
        digest=_digest(message, derived.schema),
    )


def from_options(
    message: str, options: Mapping[K, str] | Sequence[T], label: Callable[[T], str] | None
) -> Prepared[K | T]:
    """One of several: the keys of a mapping to titles, or the items of a sequence."""
    titled = _titled(options, label)
    one = ChoiceField(name=SCALAR, required=True, options=tuple(titled))
    return _chosen(message, one, lambda content: titled.value(str(content[SCALAR])), titled.const)


def from_options_or_other(
    message: str, options: Mapping[K, str] | Sequence[T], label: Callable[[T], str] | None
) -> Prepared[K | T | Other]:
    """One of several, or an answer of one's own, which goes before an option given beside it.

    Who writes something means it, while an option may only have stood there at first. A blank
    text is none.
    """
    titled = _titled(options, label)
    choice, text = opened(ChoiceField(name=SCALAR, options=tuple(titled)), ())

    def decode(content: Content) -> K | T | Other:
        own = str(content.get(text.name, ""))
        if own.strip():
            return Other(own)
        if SCALAR not in content:
            raise InvalidContent((make_error(SCALAR, "required", variant="other"),))
        return titled.value(str(content[SCALAR]))

    def encode(value: object) -> dict[str, Value]:
        own = isinstance(value, Other)
        return {text.name: value.text} if own else {SCALAR: titled.const(value)}

    schema = RequestedSchema(fields=(choice, text))
    return Prepared(
        message=message,
        schema=schema,
        decode=decode,
        encode=encode,
        digest=_digest(message, schema),
    )


def from_options_many(
    message: str,
    options: Mapping[K, str] | Sequence[T],
    label: Callable[[T], str] | None,
    at_least: int | None,
    at_most: int | None,
) -> Prepared[list[K | T]]:
    """Several of several."""
    titled = _titled(options, label)
    one = ChoicesField(
        name=SCALAR, required=True, options=tuple(titled), min_items=at_least, max_items=at_most
    )
    return _chosen(
        message,
        one,
        lambda content: [titled.value(const) for const in cast("list[str]", content[SCALAR])],
        lambda values: [titled.const(value) for value in cast("list[object]", values)],
    )


def from_raw(
    message: str, raw: Mapping[str, object], dialect: Dialect
) -> Prepared[dict[str, Value]]:
    """A requested schema as the author wrote it.

    Raises:
        SchemaNotExpressible: It is not one of the dialect; every problem is named.
    """
    reading = inspect(raw, dialect)
    problems = [*reading.problems, *reading.ignored]
    if reading.schema is not None:
        problems += problems_in(reading.schema, dialect)
    if problems or reading.schema is None:
        raise SchemaNotExpressible(problems)
    schema = replace(reading.schema, fields=tuple(_as_spelled(reading.schema, raw)))
    return Prepared(
        message=message,
        schema=schema,
        decode=dict,
        encode=lambda value: dict(cast("Mapping[str, Value]", value)),
        digest=_digest(message, schema),
    )


def _as_spelled(schema: RequestedSchema, raw: Mapping[str, Any]) -> Iterator[Field]:
    """The fields, with titles to be written as ``enumNames`` where the author did."""
    for one in schema.fields:
        spelled = isinstance(one, ChoiceField) and "oneOf" not in raw["properties"][one.name]
        yield replace(one, legacy=True) if isinstance(one, ChoiceField) and spelled else one


def _chosen(
    message: str,
    one: ChoiceField | ChoicesField,
    decode: Callable[[Content], T],
    encode: Callable[[object], Value],
) -> Prepared[T]:
    schema = RequestedSchema(fields=(one,))
    return Prepared(
        message=message,
        schema=schema,
        decode=decode,
        encode=lambda value: {SCALAR: encode(value)},
        digest=_digest(message, schema),
    )


class _Titled(list[Option]):
    """Options with the Python value behind each constant."""

    def __init__(self, pairs: Sequence[tuple[str, str, object]]) -> None:
        if not pairs:
            raise UsageError("a choice needs at least one option")
        super().__init__(
            Option(const, title if title != const else None) for const, title, _ in pairs
        )
        self._values = {const: value for const, _, value in pairs}
        if len(self._values) != len(pairs):
            raise UsageError("two options have the same text: give each its own")

    def value(self, const: str) -> Any:
        return self._values[const]

    def const(self, value: object) -> str:
        for const, own in self._values.items():
            if own == value:
                return const
        raise UsageError("a scripted answer is not one of the options")


def _titled(
    options: Mapping[Any, str] | Sequence[Any], label: Callable[[Any], str] | None
) -> _Titled:
    if isinstance(options, Mapping):
        return _Titled([(str(key), title, key) for key, title in options.items()])
    if label is None:
        return _Titled([(str(item), str(item), item) for item in options])
    return _Titled([(str(at), label(item), item) for at, item in enumerate(options)])


_DIGEST_LENGTH: Final = 16


def _digest(message: str, schema: RequestedSchema) -> str:
    """Message and schema without run-time defaults, which may differ from round to round."""
    named = schema.memo.get("digest")
    if named is None:
        named = schema.memo["digest"] = hashlib.sha256(_canonical(schema)).digest()
    joined = hashlib.sha256(named + message.encode("utf-8", "surrogatepass"))
    return joined.hexdigest()[:_DIGEST_LENGTH]


def _canonical(schema: RequestedSchema) -> bytes:
    # Any row that can say everything will do; the digest is never compared across rows.
    if not problems_in(schema, MCP_2025_11_25):
        return to_json(write(schema, MCP_2025_11_25))
    return repr(schema).encode("utf-8", "surrogatepass")

"""Python types as requested schemas, and content as typed values.

Pydantic renders the type and validates the answer; this module turns the rendering into
the flat subset that forms may have, or refuses it with the field and the way out. What
is derived from a type is derived once. Spelling is ``core/schema``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import PydanticSchemaGenerationError, PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import SchemaError, to_jsonable_python
from typing_extensions import TypeForm

from elicitkit.core.check import FieldError, check_value
from elicitkit.core.dialects import MCP_2025_11_25
from elicitkit.core.errors import Problem, SchemaNotExpressible, SensitiveField, UsageError
from elicitkit.core.field_error import make_error
from elicitkit.core.fields import UNSET, ChoiceField, Field, RequestedSchema, Unset, Value
from elicitkit.core.rendering import (
    CHOICES,
    FACTORY,
    NULLABLE,
    OTHER,
    SECRET,
    Rendering,
    Schema,
    render,
)
from elicitkit.core.schema import inspect, opened, problems_in

T = TypeVar("T")

SCALAR: Final = "value"
"""The one property of a form that asks for a single value."""


class InvalidContent(Exception):
    """Content that fits the schema and is refused by the type's own validators."""

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        self.errors = errors
        super().__init__(", ".join(error.field for error in errors))


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived(Generic[T]):
    """A type as a form: its schema, and the way back from content to a value."""

    schema: RequestedSchema
    scalar: bool
    adapter: TypeAdapter[T]
    factories: Mapping[str, Callable[[], object]]
    """Defaults to make anew for every question, by property key."""
    values: Mapping[str, Mapping[str, object]]
    """For choices whose Python values are no strings: constant to value, by property key."""
    nullable: frozenset[str] = frozenset()
    """Fields that must be there and may be None: what a person leaves out is None."""
    either: frozenset[str] = frozenset()
    """Choices that need an option or an answer of one's own, which no schema can say."""

    def decode(self, content: Mapping[str, Value]) -> T:
        """The typed value of checked content.

        Raises:
            InvalidContent: A validator of the type refused it, or a choice has no answer.
        """
        content = self._folded(content)
        raw: dict[str, object] = {name: None for name in self.nullable if name not in content}
        raw |= {name: self._python(name, value) for name, value in content.items()}
        try:
            # Types were checked as JSON has them; a strict model would refuse every date and Enum.
            return self.adapter.validate_python(
                raw.get(SCALAR) if self.scalar else raw, strict=False
            )
        except ValidationError as error:
            raise InvalidContent(_field_errors(error, scalar=self.scalar)) from None

    def _folded(self, content: Mapping[str, Value]) -> Mapping[str, Value]:
        """The content with one value a choice: the person's own words, where there are any."""
        folded = dict(content)
        for name, companion in self.schema.companions().items():
            own = str(folded.pop(companion.name, ""))
            if own.strip():
                folded[name] = own
        missing = [one.name for one in self.schema.fields if one.name in self.either - set(folded)]
        if missing:
            raise InvalidContent(
                tuple(make_error(name, "required", variant="other") for name in missing)
            )
        return folded

    def _python(self, name: str, value: Value) -> object:
        known = self.values.get(name)
        if known is None:
            return value
        return [known[one] for one in value] if isinstance(value, list) else known[str(value)]

    def encode(self, value: object) -> dict[str, Value]:
        """The content that decodes to ``value``; what is None is left out."""
        plain = to_jsonable_python(value, by_alias=True)
        named = {SCALAR: plain} if self.scalar else plain
        return dict(
            self._placed(name, one)
            for name, one in cast("dict[str, Any]", named).items()
            if one is not None
        )

    def _placed(self, name: str, plain: Any) -> tuple[str, Any]:
        """What travels for a value, and under which name."""
        companion = self.schema.companions().get(name)
        if companion is not None and not _is_option(self.schema[name], plain):
            return companion.name, plain
        return name, self._wire(name, plain)

    def _wire(self, name: str, plain: Any) -> Any:
        known = self.values.get(name)
        if known is None:
            return plain
        return _constant(plain, {value: const for const, value in known.items()})

    def with_initial(self, initial: object = UNSET) -> RequestedSchema:
        """The schema with run-time defaults: ``initial`` first, then default factories.

        ``initial`` is a mapping of property keys to values, or for a single value the
        value itself.

        Raises:
            UsageError: A value is for no field, or does not fit its field.
        """
        given: dict[str, object] = {name: make() for name, make in self.factories.items()}
        if initial is not UNSET:
            given |= (
                {SCALAR: initial}
                if self.scalar
                else cast("Mapping[str, object]", _mapping_of(initial))
            )
        return self._with_defaults(given) if given else self.schema

    def _with_defaults(self, given: Mapping[str, object]) -> RequestedSchema:
        known, companions = self.schema.by_name(), self.schema.companions()
        defaults: dict[str, object] = {}
        for name, value in given.items():
            if name not in known:
                raise UsageError(f"initial names {name!r}, which is no field of the form")
            if value is None:
                continue
            if name in companions:
                # Of the two halves only one may suggest anything.
                defaults |= {name: UNSET, companions[name].name: UNSET}
            defaults |= dict([self._placed(name, to_jsonable_python(value))])
        fields = tuple(
            self._with_default(one, defaults[one.name]) if one.name in defaults else one
            for one in self.schema.fields
        )
        return replace(self.schema, fields=fields)

    def _with_default(self, one: Field, plain: object) -> Field:
        if plain is UNSET:
            return replace(one, default=UNSET)
        checked, errors = check_value(one, plain)
        if errors:
            raise UsageError(f"the default of {one.name!r} does not fit: {errors[0].message}")
        default = tuple(checked) if isinstance(checked, list) else checked
        return replace(one, default=cast(Any, default))  # the check above vouches for the kind


def derive(form: TypeForm[T]) -> Derived[T]:
    """The form of a Python type.

    What a type may be: a pydantic model, dataclass or TypedDict whose fields are, or by
    itself one of: ``str``, ``int``, ``float``, ``bool``, ``date``, ``datetime``,
    ``EmailStr``, ``AnyUrl``, an ``Enum`` or ``Literal``, a list of an Enum or Literal,
    and ``Optional`` or ``Annotated`` of these.

    Raises:
        SchemaNotExpressible: No form can ask for this; every field is named with the way out.
        SensitiveField: A field is of a secret type.
    """
    try:
        hash(form)
    except TypeError:
        return _derive(form)
    return cast("Derived[T]", _derived(form))


@lru_cache(maxsize=1024)
def _derived(form: Any) -> Derived[Any]:
    return _derive(form)


def _derive(form: Any) -> Derived[Any]:
    try:
        adapter = TypeAdapter[Any](form)
        rendering = render(adapter)
    except (PydanticUserError, PydanticSchemaGenerationError, SchemaError) as error:
        told = " ".join(str(error).split())
        raise SchemaNotExpressible([Problem("", "not_a_type", f"{form!r}: {told}")]) from error
    scalar = not rendering.is_form
    properties = {SCALAR: rendering.root} if scalar else rendering.root["properties"]
    schema = _schema(rendering, properties, scalar=scalar)
    open_to = {name: _own_default(prop) for name, prop in properties.items() if OTHER in prop}
    return Derived(
        schema=_with_companions(schema, open_to),
        either=frozenset(one.name for one in schema.fields if one.required and one.name in open_to),
        scalar=scalar,
        adapter=adapter,
        factories=_factories(rendering, properties),
        values={
            name: {const: value for const, _, value in choices}
            for name, prop in properties.items()
            if (choices := _choices_of(prop)) and any(c != value for c, _, value in choices)
        },
        nullable=frozenset(
            name for name in rendering.root.get("required", ()) if NULLABLE in properties[name]
        ),
    )


def _with_companions(
    schema: RequestedSchema, open_to: Mapping[str, str | Unset]
) -> RequestedSchema:
    """The schema with a text after every choice that takes an answer of one's own."""
    fields: list[Field] = []
    for one in schema.fields:
        if isinstance(one, ChoiceField) and one.name in open_to:
            choice, text = opened(one, schema.by_name())
            fields += [choice, replace(text, default=open_to[one.name])]
        else:
            fields.append(one)
    return replace(schema, fields=tuple(fields))


def _own_default(prop: Schema) -> str | Unset:
    """The default of a choice where it is a text and none of the options."""
    default = prop.get("default")
    known = {const for const, _, _ in prop[CHOICES]}
    return default if isinstance(default, str) and default not in known else UNSET


def _is_option(one: Field, plain: object) -> bool:
    return isinstance(one, ChoiceField) and any(it.const == plain for it in one.options)


def _factories(
    rendering: Rendering, properties: Mapping[str, Schema]
) -> dict[str, Callable[[], object]]:
    return {
        name: rendering.factories[prop[FACTORY]]
        for name, prop in properties.items()
        if FACTORY in prop
    }


def _schema(
    rendering: Rendering, properties: Mapping[str, Schema], *, scalar: bool
) -> RequestedSchema:
    for name, prop in properties.items():
        if SECRET in prop or (prop.get("format") == "password" and prop.get("writeOnly")):
            raise SensitiveField(name, "a secret type", overridable=False)
        if OTHER in prop.get("items", ()):
            raise SchemaNotExpressible([Problem(f"properties.{name}", "other_of_many", _ONE_ONLY)])
    raw: Schema = {
        "type": "object",
        "properties": {name: _as_field(prop) for name, prop in properties.items()},
        "required": [
            name
            for name in (properties if scalar else rendering.root.get("required", ()))
            if NULLABLE not in properties[name]
        ],
    }
    if not scalar and rendering.root.get("additionalProperties") is False:
        raw["additionalProperties"] = False
    reading = inspect(raw, MCP_2025_11_25)
    problems = [*reading.problems, *reading.ignored]
    if reading.schema is not None:
        problems += problems_in(reading.schema, MCP_2025_11_25)
    if problems or reading.schema is None:
        raise SchemaNotExpressible(_in_python(one) for one in problems)
    return reading.schema


_ONE_ONLY: Final = "other=True is for one choice: ask for a list and for a text beside it"


def _in_python(problem: Problem) -> Problem:
    """The way out in the words of somebody who writes types."""
    return replace(problem, message=_WAYS_OUT.get(problem.code, problem.message))


_WAYS_OUT: Final[Mapping[str, str]] = {
    "repeated_option": "two options look alike as text: change one",
    "free_list": "a list needs closed options: use list[Literal[...]] or a list of an Enum",
    "unsupported_type": (
        "this is none of the types a form can ask for: use str, int, float, bool, date, datetime, "
        "EmailStr, AnyUrl, an Enum or Literal of strings or whole numbers, or a list of those"
    ),
    "unknown_format": (
        "forms know no such kind of text: ask for str and convert it in your handler or a validator"
    ),
}


def _choices_of(prop: Schema) -> list[tuple[str, str | None, object]] | None:
    return prop.get(CHOICES, prop.get("items", {}).get(CHOICES))


def _as_field(prop: Schema) -> Schema:
    """One rendered property without what the subset has no word for."""
    made = {key: value for key, value in prop.items() if not key.startswith("x-")}
    made.pop("uniqueItems", None)
    if made.get("default", UNSET) is None:
        del made["default"]
    if made.get("format") == "uri" and made.get("minLength") == 1:
        del made["minLength"]  # pydantic says it of every URL type; no URI is shorter
    _exclusive_bounds(made)
    choices = _choices_of(prop)
    if choices is None:
        return made
    spelled = _spelled(choices, "anyOf" if "items" in made else "oneOf")
    if "items" in made:
        made["items"] = spelled
    else:
        made = {**made, "type": "string", **spelled}
    if OTHER in prop and _own_default(prop) is not UNSET:
        del made["default"]
    if "default" in made:
        made["default"] = _constant(made["default"], {value: const for const, _, value in choices})
    return made


def _constant(plain: object, constants: Mapping[object, str]) -> object:
    """What travels for a default of a choice."""
    if isinstance(plain, list):
        return [_constant(one, constants) for one in cast("list[object]", plain)]
    # What is no option must not look like one, as "1" would beside the number 1; False never does.
    return constants.get(plain, False) if isinstance(plain, Hashable) else False


def _spelled(choices: list[tuple[str, str | None, object]], titled: str) -> Schema:
    if not any(title for _, title, _ in choices):
        return {"type": "string", "enum": [const for const, _, _ in choices]}
    return {titled: [{"const": const, "title": title or const} for const, title, _ in choices]}


def _exclusive_bounds(made: Schema) -> None:
    # For integers an exclusive bound has an exact equal in the subset.
    if made.get("type") != "integer":
        return
    for exclusive, inclusive, step in (
        ("exclusiveMinimum", "minimum", 1),
        ("exclusiveMaximum", "maximum", -1),
    ):
        bound = made.get(exclusive)
        if isinstance(bound, int):
            del made[exclusive]
            made[inclusive] = bound + step


def _mapping_of(initial: object) -> object:
    if isinstance(initial, Mapping):
        return cast(object, initial)
    plain = to_jsonable_python(initial, by_alias=True)
    if not isinstance(plain, dict):
        raise UsageError("initial= takes a mapping of field names to values, or an instance")
    return cast(object, plain)


def _field_errors(error: ValidationError, *, scalar: bool) -> tuple[FieldError, ...]:
    return tuple(
        FieldError(
            field=SCALAR if scalar else str(one["loc"][0]) if one["loc"] else "",
            code="refused",
            message=one["msg"].removeprefix("Value error, "),
            params={},
        )
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    )

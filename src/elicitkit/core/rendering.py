"""A pydantic type rendered as JSON Schema, with what JSON Schema loses kept beside it.

Lost there: the titles and Python values of Enum and Literal members, that ``None`` was
allowed, default factories, and secret types. They ride under ``x-`` keys that
``core/derive.py`` takes off again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, cast

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

Schema = dict[str, Any]

CHOICES: Final = "x-choices"
"""A list of [constant, title, Python value]."""
FACTORY: Final = "x-factory"
"""Index of the default factory in ``Rendering.factories``."""
NULLABLE: Final = "x-nullable"
OTHER: Final = "x-other"
"""An answer that is none of the options is one, too."""
SECRET: Final = "x-secret"  # noqa: S105 a key, no password
"""The field is of a secret type, whatever its JSON Schema says."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Titled options for a ``str`` or ``list[str]``, as ``Annotated`` metadata.

    >>> Priority = Annotated[str, Choices({"low": "Can wait", "high": "Today"})]

    With ``other``, a person may also write an answer of their own to the one choice; the value
    is that text then, and the option where the text is blank.
    """

    titles: Mapping[str, str] = field(hash=False)
    other: bool = field(default=False, kw_only=True)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._known, handler(source))

    def _known(self, value: Any) -> Any:
        if self.other and isinstance(value, str):
            return value
        given: Iterable[Any] = [value] if value is None or isinstance(value, str) else value
        if not all(one is None or one in self.titles for one in given):
            raise ValueError("not one of the options")
        return value

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        rendered = handler(schema)
        options = [[const, title, const] for const, title in self.titles.items()]
        told: Schema = {CHOICES: options, OTHER: True} if self.other else {CHOICES: options}
        return rendered | ({"items": told} if rendered.get("type") == "array" else told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A rendered type with its references resolved one level deep."""

    root: Schema
    factories: list[Callable[[], object]]

    @property
    def is_form(self) -> bool:
        """The type has fields of its own, so it is the form and not one value in it."""
        return self.root.get("type") == "object" and "properties" in self.root


def render(adapter: TypeAdapter[Any]) -> Rendering:
    """The type of an adapter as a flat JSON Schema, definitions inlined where they are fields."""
    generator = _Generator(by_alias=True)
    rendered = generator.generate(adapter.core_schema, mode="validation")
    definitions = rendered.get("$defs", {})
    root = _resolved(rendered, definitions)
    if "properties" in root:
        root["properties"] = {
            name: {"title": name.replace("_", " ").title(), **_resolved_field(prop, definitions)}
            for name, prop in root["properties"].items()
        }
    else:
        root = _marked(_resolved_field(root, definitions), adapter.core_schema)
    return Rendering(root=root, factories=generator.factories)


def _resolved_field(prop: Schema, definitions: Schema) -> Schema:
    resolved = _resolved(prop, definitions)
    if isinstance(resolved.get("items"), dict):
        resolved["items"] = _resolved(resolved["items"], definitions)
    return resolved


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    found = dict(schema)
    for _ in definitions:
        reference = found.pop("$ref", None)
        if reference is None:
            break
        target = definitions[reference.removeprefix("#/$defs/")]
        # The name and docstring of a class say what it is, not what is asked here.
        shared = target if "properties" in target else _without_texts(target)
        found = {**shared, **found}
    found.pop("$defs", None)
    return found


def _without_texts(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in ("title", "description")}


class _Generator(GenerateJsonSchema):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.factories: list[Callable[[], object]] = []

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        members = cast("list[Enum]", schema["members"])
        return self._choices([(member.value, _title(member)) for member in members])

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        expected = [one for one in schema["expected"] if one is not None]
        rendered = self._choices(
            [(one.value, _title(one)) if isinstance(one, Enum) else (one, None) for one in expected]
        )
        return (
            rendered if len(expected) == len(schema["expected"]) else {**rendered, NULLABLE: True}
        )

    def _choices(self, members: list[tuple[Any, str | None]]) -> JsonSchemaValue:
        if not all(isinstance(v, str | int) and not isinstance(v, bool) for v, _ in members):
            return {"enum": [value for value, _ in members]}
        return {
            "type": "string",
            CHOICES: [[str(value), _unlike(title, str(value)), value] for value, title in members],
        }

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return {**self.generate_inner(schema["schema"]), NULLABLE: True}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        factory = schema.get("default_factory")
        if factory is None or schema.get("default_factory_takes_data"):
            return super().default_schema(schema)
        self.factories.append(cast("Callable[[], object]", factory))
        return {**self.generate_inner(schema["schema"]), FACTORY: len(self.factories) - 1}

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        return _marked(super().model_field_schema(schema), schema)

    def dataclass_field_schema(self, schema: core_schema.DataclassField) -> JsonSchemaValue:
        return _marked(super().dataclass_field_schema(schema), schema)

    def typed_dict_field_schema(self, schema: core_schema.TypedDictField) -> JsonSchemaValue:
        return _marked(super().typed_dict_field_schema(schema), schema)


def _marked(rendered: Schema, schema: object) -> Schema:
    # ``Secret[str]`` renders as any text does, and ``WithJsonSchema`` hides the others. What all
    # secret types of pydantic share is how they are serialised.
    return {**rendered, SECRET: True} if "_serialize_secret" in repr(schema) else rendered


def _title(member: Enum) -> str:
    for attribute in ("label", "title"):
        own = getattr(member, attribute, None)
        if isinstance(own, str):
            return own
    words = member.name.replace("_", " ").strip()
    return words.capitalize() if member.name.isupper() else words


def _unlike(title: str | None, const: str) -> str | None:
    return title if title is not None and title.casefold() != const.casefold() else None

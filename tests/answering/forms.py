"""Forms and origins that the tests of the answering side ask with."""

from __future__ import annotations

from elicitkit.core.fields import BooleanField, Field, IntegerField, RequestedSchema, TextField
from elicitkit.core.model import FormRequest, Origin, UrlRequest

ORIGIN = Origin(label="my server", claimed="srv", request="book")


def form(*fields: Field, message: str = "Who are you?", closed: bool = False) -> FormRequest:
    return FormRequest(message=message, schema=RequestedSchema(fields=fields, closed=closed))


NAME = form(TextField(name="name", required=True))
DEFAULTS = form(
    TextField(name="s", default="x"),
    IntegerField(name="i", default=0),
    BooleanField(name="b", default=False),
)
PAGE = UrlRequest(message="Sign in", url="https://x.example", elicitation_id="1")

"""How much a question may be before it is refused instead of shown (G17).

What no person would fill in or read, or what only costs memory, is an invalid request: it
is refused whole, never cut down to what fits. The number of questions that may wait is
not here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NoReturn, assert_never

from elicitkit.core.errors import InvalidRequest
from elicitkit.core.fields import ChoiceField, ChoicesField
from elicitkit.core.model import FormRequest, Request, UrlRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a reader takes; more is refused with -32602."""

    properties: int = 64
    """Fields of one form."""
    options: int = 1_000
    """Options of one field."""
    message: int = 16 * 1024
    """Bytes of the message in UTF-8."""
    url: int = 8 * 1024
    """Bytes of a URL in UTF-8."""
    request: int = 256 * 1024
    """Bytes of one question as JSON in UTF-8."""


def check_size(raw: object, limits: Limits) -> int:
    """Refuse a question that is too big to look at; the carrier calls this before it decodes.

    Returns:
        Its size in bytes.

    Raises:
        InvalidRequest: It takes more bytes than ``limits.request``.
    """
    size = len(json.dumps(raw, ensure_ascii=False).encode(errors="surrogatepass"))
    if size > limits.request:
        _refuse("the question", size, "bytes", limits.request)
    return size


def check_question(request: Request, limits: Limits) -> None:
    """Refuse a question with more in it than a reader takes.

    Raises:
        InvalidRequest: Too many fields or options, or a message or URL that is too long.
    """
    _check_text("the message", request.message, limits.message)
    match request:
        case FormRequest():
            _check_form(request, limits)
        case UrlRequest(url=url):
            _check_text("the URL", url, limits.url)
        case _ as unreachable:
            assert_never(unreachable)


def _check_text(what: str, text: str, most: int) -> None:
    size = len(text.encode(errors="surrogatepass"))
    if size > most:
        _refuse(what, size, "bytes", most)


def _check_form(form: FormRequest, limits: Limits) -> None:
    if len(form.schema.fields) > limits.properties:
        _refuse("the form", len(form.schema.fields), "fields", limits.properties)
    for field in form.schema.fields:
        if isinstance(field, ChoiceField | ChoicesField) and len(field.options) > limits.options:
            _refuse(f"the field {field.name!r}", len(field.options), "options", limits.options)


def _refuse(what: str, found: int, unit: str, limit: int) -> NoReturn:
    raise InvalidRequest(f"{what} has {found} {unit}, and this client takes {limit}")

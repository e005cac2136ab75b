"""What may not be asked, checked before anything is sent (M01, M19, M49, M51, M52).

An author may overrule a false alarm about a form by name; secret types are refused where
the type is derived and cannot be overruled. Neither can be what is said of a url: a person
is going to open it.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from elicitkit.core import urls
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import ClickableUrl, SensitiveField, UnsafeUrl
from elicitkit.core.fields import RequestedSchema
from elicitkit.core.model import FormRequest
from elicitkit.core.sensitive import Finding, secrets_in, urls_in

_NEVER_SENT: Final = frozenset({"credential", "pii", "insecure_http"})
"""What only warns a person who is asked, and is a mistake of whoever asks (URLS section 2)."""

_NO_FIELDS: Final = RequestedSchema(fields=())


def guard_form(
    request: FormRequest,
    dialect: Dialect,
    *,
    allow_sensitive: Collection[str] = (),
    allow_urls: Collection[str] = (),
) -> None:
    """Let a form pass, or refuse it.

    Args:
        request: The form.
        dialect: Some forbid anything sensitive, not only credentials (G30).
        allow_sensitive: Field names, or ``"message"``, whose alarm is false.
        allow_urls: Field names, or ``"message"``, whose URL is not meant to be opened.

    Raises:
        SensitiveField: It asks for a secret.
        ClickableUrl: One of its texts holds a URL.
    """
    wide = dialect.any_sensitive
    for found in (*_in_message(request.message, wide), *_in_fields(request.schema, wide)):
        if found.where not in allow_sensitive:
            raise SensitiveField(found.where, found.word, overridable=True)
    for where in (*_urls_in_message(request.message), *_urls_in_fields(request.schema)):
        if where not in allow_urls:
            raise ClickableUrl(where)


def guard_url(url: str) -> str:
    """Let a url pass and give its host in ASCII, or refuse it.

    Raises:
        UnsafeUrl: It is none, may not be opened, holds a secret or personal data, or is plain
            http beyond this machine.
    """
    found = urls.inspect_url(url)
    codes = [code for code in found.reasons if urls.LEVELS[code] == "refuse" or code in _NEVER_SENT]
    if codes or found.host_ascii is None:
        raise UnsafeUrl(codes)
    return found.host_ascii


@lru_cache(maxsize=256)
def _in_message(message: str, wide: bool) -> tuple[Finding, ...]:
    return secrets_in(message, _NO_FIELDS, wide=wide)


@lru_cache(maxsize=256)
def _urls_in_message(message: str) -> tuple[str, ...]:
    return urls_in(message, _NO_FIELDS)


def _in_fields(schema: RequestedSchema, wide: bool) -> tuple[Finding, ...]:
    key = ("secrets", wide)
    if key not in schema.memo:
        schema.memo[key] = secrets_in("", schema, wide=wide)
    return schema.memo[key]


def _urls_in_fields(schema: RequestedSchema) -> tuple[str, ...]:
    if "urls" not in schema.memo:
        schema.memo["urls"] = urls_in("", schema)
    return schema.memo["urls"]

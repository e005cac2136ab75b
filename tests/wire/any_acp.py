"""Any message of ACP, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import (
    Accept,
    Cancel,
    Decline,
    FormRequest,
    RequestScope,
    Response,
    Scope,
    SessionScope,
    UrlRequest,
)
from elicitkit.core.schema import problems_in
from elicitkit.wire.acp import AcpRequest, UnknownModeRequest
from tests.core.any_schema import sayable, schemas

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
COMMON = ("_meta", "mode", "message", "sessionId", "toolCallId", "requestId")
KNOWN = (*COMMON, "requestedSchema", "url", "elicitationId")
METAS = st.dictionaries(TEXTS | st.sampled_from(KNOWN), JSON, max_size=3)


def scopes() -> st.SearchStrategy[Scope]:
    return st.builds(SessionScope, session_id=TEXTS, tool_call_id=st.none() | TEXTS) | st.builds(
        RequestScope, request_id=TEXTS | st.integers(-(2**63), 2**63 - 1)
    )


def extras(reserved: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(TEXTS.filter(lambda key: key not in reserved), JSON, max_size=3)


def requests(dialect: Dialect) -> st.SearchStrategy[AcpRequest]:
    """A request as far as the dialect has words for it."""
    said = (
        schemas()
        .filter(lambda schema: not problems_in(schema, dialect))
        .map(lambda schema: sayable(schema, dialect))
    )
    form = st.builds(FormRequest, message=TEXTS, schema=said, meta=METAS, extra=extras(KNOWN))
    url = st.builds(
        UrlRequest,
        message=TEXTS,
        url=TEXTS,
        elicitation_id=TEXTS,
        meta=METAS,
        extra=extras(KNOWN),
    )
    unknown = st.builds(
        UnknownModeRequest,
        mode=TEXTS.filter(lambda mode: mode not in ("form", "url")),
        message=TEXTS,
        meta=METAS,
        extra=extras(COMMON),
    )
    return st.builds(AcpRequest, request=form | url | unknown, scope=scopes())


def responses() -> st.SearchStrategy[Response]:
    values = (
        TEXTS
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.booleans()
        | st.lists(TEXTS, max_size=3)
    )
    contents = st.none() | st.dictionaries(TEXTS, values, max_size=4)
    return st.builds(Accept, contents) | st.just(Decline()) | st.just(Cancel())

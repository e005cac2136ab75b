"""One question, from being prepared to its outcome.

The only order of steps on the asking side: still in a request, capability, guard,
delivery, check, decode; an answer that does not fit is asked for again with the errors,
and never reaches the author (M62, G05, G07).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, assert_never, cast

from elicitkit.asking.call import Call
from elicitkit.asking.guard import guard_form
from elicitkit.asking.question import Prepared, Terms
from elicitkit.asking.scripted import Script
from elicitkit.asking.signal import Signal
from elicitkit.core.check import FieldError, check
from elicitkit.core.derive import InvalidContent
from elicitkit.core.fields import Field, OtherField, Value
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest
from elicitkit.core.outcome import Accepted, Cancelled, Declined, Outcome, Unavailable
from elicitkit.core.ports import Undeliverable
from elicitkit.observe import Observed

T = TypeVar("T")

TRIES: Final = 3
"""How often one question is put until its answer fits (G05)."""


async def put(
    call: Call, prepared: Prepared[T], terms: Terms[T], *, alone: bool = True
) -> Outcome[T]:
    """Put one question and give its outcome, or the fallback's value where nobody can be asked.

    Args:
        call: The call it belongs to.
        prepared: The question.
        terms: What its author said beside it.
        alone: No other question goes out with it, so that its signal may leave the task.

    Raises:
        UsageError: The question may not be asked like this.
        Signal: The client must answer before this call can go on.
    """
    request = _admitted(call, prepared, terms)
    dialect = call.delivery.dialect
    if request.mode not in call.delivery.modes:
        outcome = Unavailable(call.unavailable)
    else:
        key = call.name(terms.get("key"), prepared.digest)
        timeout = terms.get("timeout") or call.timeout
        try:
            with Observed(dialect.name, request.mode) as observed:
                outcome = await _tried(call, key, request, prepared, timeout)
                observed.ends(outcome)
        except Signal:
            if alone:
                await call.settle()
            raise
    fallback = terms.get("fallback")
    if isinstance(outcome, Unavailable) and fallback is not None:
        return Accepted(await fallback())
    return outcome


async def together(
    call: Call, puts: Sequence[Callable[[], Awaitable[Outcome[T]]]]
) -> list[Outcome[T]]:
    """Put several questions in one round and give the outcome of each.

    Args:
        call: The call they belong to.
        puts: Each puts one, with ``alone=False``.

    Raises:
        Signal: The client must answer before this call can go on.
    """
    outcomes: list[Outcome[T]] = []
    signal: Signal | None = None
    for put_one in puts:
        try:
            outcomes.append(await put_one())
        except Signal as raised:
            signal = raised
    if signal is not None:
        await call.settle()
        raise signal
    return outcomes


def _admitted(call: Call, prepared: Prepared[T], terms: Terms[T]) -> FormRequest:
    """The question as a request that may be sent, if anybody can be asked."""
    call.require_open()
    request = FormRequest(message=prepared.message, schema=prepared.schema)
    guard_form(
        request,
        call.delivery.dialect,
        allow_sensitive=terms.get("allow_sensitive", ()),
        allow_urls=terms.get("allow_urls", ()),
    )
    if isinstance(call.delivery, Script):
        call.delivery.expect(prepared.encode)
    return request


async def _tried(
    call: Call, key: str, request: FormRequest, prepared: Prepared[T], timeout: float | None
) -> Outcome[T]:
    put = request
    for _ in range(TRIES):
        call.awaits(request.message)
        try:
            response = await call.delivery.deliver(key, put, timeout=timeout)
        except Undeliverable as undeliverable:
            return Unavailable(undeliverable.reason)
        finally:
            call.awaits_no_more(request.message)
        match response:
            case Decline():
                return Declined()
            case Cancel(reason):
                return Cancelled(reason)
            case Accept(content):
                checked, errors = check(prepared.schema, content or {})
                decoded = errors or _decoded(prepared, checked)
                if isinstance(decoded, Accepted):
                    return decoded
                put = _again(request, checked, decoded)
            case _ as unreachable:
                assert_never(unreachable)
    return Cancelled("invalid_answer")


def _decoded(
    prepared: Prepared[T], content: dict[str, Value]
) -> Accepted[T] | tuple[FieldError, ...]:
    try:
        return Accepted(prepared.decode(content))
    except InvalidContent as refused:
        return refused.errors


def _again(
    request: FormRequest, content: dict[str, Value], errors: Sequence[FieldError]
) -> FormRequest:
    """The question with what was wrong, and with what was right as suggestions (UX10)."""
    fields = request.schema.by_name()
    wrong = {error.field for error in errors}
    kept = tuple(
        _suggesting(one, content[one.name])
        if one.name in content and one.name not in wrong
        else one
        for one in request.schema.fields
    )
    lines = [
        f"- {fields[error.field].label}: {error.message}"
        if error.field in fields
        else f"- {error.message}"
        for error in errors
    ]
    return FormRequest(
        message="\n".join([request.message, "", "Please correct:", *lines]),
        schema=replace(request.schema, fields=kept),
    )


def _suggesting(one: Field, value: Value) -> Field:
    if isinstance(one, OtherField):
        return one
    default = tuple(value) if isinstance(value, list) else value
    return replace(one, default=cast(Any, default))  # the check vouches for the kind

"""One url question, from a page to its outcome, and several that a call cannot go on without.

The order of steps is that of ``put.py``: still in a request, guard, capability, delivery.
There is no form in place of a page, and no fallback (A34, G31). Where a revision has an
error that lists pages to visit first, a call that cannot ask ends with that (G02, M30).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

import anyio

from elicitkit.asking.call import Call
from elicitkit.asking.guard import guard_url
from elicitkit.asking.interaction import Interaction
from elicitkit.asking.put import together
from elicitkit.asking.scripted import Script
from elicitkit.asking.signal import Signal
from elicitkit.asking.visit import Page, Visit
from elicitkit.core.errors import NotAccepted, UsageError
from elicitkit.core.model import Accept, Cancel, Decline, UrlRequest
from elicitkit.core.outcome import Accepted, Cancelled, Declined, Outcome, Unavailable
from elicitkit.core.ports import Undeliverable
from elicitkit.observe import Observed

_NO_WAY: Final = "no_back_channel"


class Asked:
    """One url question on its way; its ``visit`` is the author's at consent."""

    __slots__ = ("interaction", "key", "request", "timeout", "visit")

    def __init__(self, call: Call, page: Page, timeout: float | None) -> None:
        self.key = call.name(page.key, page.digest())
        self.interaction = _interaction(call, page, self.key)
        self.request = UrlRequest(
            message=page.message,
            url=self.interaction.url,
            elicitation_id=self.interaction.elicitation_id,
        )
        self.timeout = timeout or call.timeout
        self.visit = Visit(call, self.key, page.message, self.interaction)


def admitted(call: Call, page: Page, timeout: float | None) -> Asked:
    """A page as a question that may be put, if anybody can be asked.

    Raises:
        UsageError: It may not be asked like this.
    """
    call.require_open()
    if isinstance(call.delivery, Script):
        call.delivery.expect_consent()
    return Asked(call, page, timeout)


async def put_visit(call: Call, asked: Asked, *, alone: bool = True) -> Outcome[Visit]:
    """Put one url question and give its outcome.

    Args:
        call: The call it belongs to.
        asked: The question.
        alone: As for ``put``.

    Raises:
        Signal: The client must answer before this call can go on.
    """
    reason = _unavailable(call)
    if call.url_required and (reason == _NO_WAY or asked.interaction.completed):
        return Accepted((await _listed(call, [asked]))[0])
    if reason is not None:
        return Unavailable(reason)
    call.book.enter(asked.interaction)
    try:
        with Observed(call.delivery.dialect.name, "url") as observed:
            outcome = await _delivered(call, asked)
            observed.ends(outcome)
    except Signal:
        if alone:
            await call.settle()
        raise
    except BaseException:
        asked.interaction.withdraw()
        raise
    if isinstance(outcome, Accepted):
        asked.interaction.consented = True
    else:
        asked.interaction.withdraw()
    return outcome


async def require(call: Call, pages: Sequence[Page], timeout: float | None) -> tuple[Visit, ...]:
    """Go on only once every page was visited, as far as a revision can say so.

    Raises:
        NotAccepted: One was not accepted, or nobody can be asked.
        Signal: The client must do something before this call can go on.
    """
    asked = [admitted(call, page, timeout) for page in pages]
    if not asked:
        return ()
    if call.url_required:
        return await _listed(call, asked)
    outcomes = await together(
        call, [lambda one=one: put_visit(call, one, alone=False) for one in asked]
    )
    for one, outcome in zip(asked, outcomes, strict=True):
        if not isinstance(outcome, Accepted):
            raise NotAccepted(
                outcome, question=one.request.message, others=tuple(outcomes), mode="url"
            )
    return tuple(one.visit for one in asked)


def _unavailable(call: Call) -> str | None:
    """Why no url question can be put."""
    if "url" in call.delivery.modes:
        return None
    return call.unavailable if "url" in call.delivery.dialect.modes else "not_in_dialect"


def _interaction(call: Call, page: Page, key: str) -> Interaction:
    own = page.elicitation_id
    elicitation_id = call.ids(key) if own is None else own
    known = call.book.claim(elicitation_id)
    if known is None:
        url = page.url(elicitation_id) if callable(page.url) else page.url
        return Interaction(
            elicitation_id=elicitation_id,
            url=url,
            host=guard_url(url),
            delivery=call.delivery if call.delivery.dialect.elicitation_id else None,
        )
    if not callable(page.url) and page.url != known.url:
        raise UsageError(
            "one visit cannot have two urls: keep its url the same whenever the call is made "
            "again, or pass a callable that makes it from the elicitation id"
        )
    return known


async def _delivered(call: Call, asked: Asked) -> Outcome[Visit]:
    message = asked.request.message
    call.awaits(message)
    try:
        response = await call.delivery.deliver(asked.key, asked.request, timeout=asked.timeout)
    except Undeliverable as undeliverable:
        if undeliverable.reason == _NO_WAY and call.url_required:
            return Accepted((await _listed(call, [asked]))[0])
        return Unavailable(undeliverable.reason)
    finally:
        call.awaits_no_more(message)
    match response:
        case Accept():  # consent has no content, whatever came with it
            return Accepted(asked.visit)
        case Decline():
            return Declined()
        case Cancel(reason):
            return Cancelled(reason)
        case _ as unreachable:
            assert_never(unreachable)


async def _listed(call: Call, asked: Sequence[Asked]) -> tuple[Visit, ...]:
    """End the call with the list of what is not done (M28), unless all of it is.

    The client makes the call again, and finds done what was completed meanwhile.
    """
    left = [one for one in asked if not one.interaction.completed]
    for one in left:
        call.book.enter(one.interaction)
        call.book.keep(one.interaction)
        call.required[one.key] = one.request
    if left:
        await call.settle()
        raise Signal(anyio.get_current_task().id)
    for one in asked:
        call.book.leave(one.interaction)  # what was done is good for one call
        call.used.append(one.interaction)
    return tuple(one.visit for one in asked)

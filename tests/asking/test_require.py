"""Pages that a call cannot go on without: a list in an error, or a round, and never nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from elicitkit import (
    Accepted,
    Ask,
    Declined,
    NotAccepted,
    Page,
    QuestionSwallowed,
    Unavailable,
    UnsafeUrl,
    UsageError,
    Visit,
)
from elicitkit.asking.call import Call, Finished, Required, run
from elicitkit.asking.outstanding import Book, Outstanding
from elicitkit.core.model import Accept, Decline, UrlRequest
from elicitkit.core.ports import Undeliverable
from tests.asking.doubles import BOTH, FORM, Caller, FakeDelivery, Handler

pytestmark = pytest.mark.anyio

PAGES = [Page(f"Sign in to {name}", f"https://{name}.example/in") for name in ("a", "b", "c")]


class Client:
    """A client of a revision whose calls may end with a list of pages."""

    def __init__(self, *answers: Any, modes: Any = BOTH, reason: str = "not_declared") -> None:
        self.outstanding = Outstanding()
        self.delivery = FakeDelivery(*answers, modes=modes)
        self.ids: dict[str, str] = {}
        self.reason = reason

    async def call(self, handler: Handler) -> Any:
        call = Call(
            delivery=self.delivery,
            book=Book(outstanding=self.outstanding, owner="client"),
            ids=lambda key: self.ids.setdefault(key, f"{key}-{len(self.ids)}"),
            unavailable=self.reason,
            url_required=True,
        )
        return await run(call, handler(Ask(call)))

    async def told(self, handler: Handler) -> Sequence[UrlRequest]:
        """The pages that ended a call."""
        ended = await self.call(handler)
        assert isinstance(ended, Required)
        return list(ended.requests.values())


async def three(ask: Ask) -> int:
    visits = await ask.require(*PAGES)
    with anyio.fail_after(1):
        for visit in visits:
            await visit.wait()
    return len(visits)


class TestList:
    @pytest.mark.requirement("M28", "M29")
    async def test_it_names_every_page(self) -> None:
        client = Client()
        listed = await client.told(three)
        assert [(one.message, one.url) for one in listed] == [(p.message, p.url) for p in PAGES]
        assert len({one.elicitation_id for one in listed}) == 3
        assert client.delivery.asked == []

    @pytest.mark.requirement("M28")
    async def test_when_all_are_done_the_call_goes_on_once(self) -> None:
        client = Client()
        for one in await client.told(three):
            assert await client.outstanding.complete(one.elicitation_id or "")
        assert await client.call(three) == Finished(3)
        assert len(client.outstanding) == 0
        assert len(await client.told(three)) == 3, "what was done is good for one call"

    async def test_what_is_done_is_not_listed_again(self) -> None:
        client = Client()
        first, second, third = await client.told(three)
        await client.outstanding.complete(second.elicitation_id or "")
        assert await client.told(three) == [first, third]
        await client.outstanding.complete(first.elicitation_id or "")
        assert await client.told(three) == [third]
        await client.outstanding.complete(third.elicitation_id or "")
        assert await client.call(three) == Finished(3)

    async def test_what_two_questions_wait_for_is_kept_until_both_are_done(self) -> None:
        """Ours: otherwise two tasks could send a client from page to page for ever."""
        client = Client()

        async def handler(ask: Ask) -> str:
            await ask.require(PAGES[0])
            await ask.require(PAGES[1])
            return "done"

        for _ in range(2):
            (one,) = await client.told(handler)
            await client.outstanding.complete(one.elicitation_id or "")
        assert await client.call(handler) == Finished("done")

    async def test_what_is_done_is_good_for_one_of_two_calls_at_once(self) -> None:
        client = Client()
        for one in await client.told(three):
            await client.outstanding.complete(one.elicitation_id or "")
        ends: list[Any] = []

        async def call() -> None:
            ends.append(await client.call(three))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            group.start_soon(call)
        assert sorted(type(one).__name__ for one in ends) == ["Finished", "Required"]

    @pytest.mark.requirement("M27")
    async def test_without_pages_there_is_no_error(self) -> None:
        async def handler(ask: Ask) -> object:
            return await ask.require()

        for client in (Client(), Client(modes=FORM)):
            assert await client.call(handler) == Finished(())
            assert client.delivery.asked == []

    async def test_tasks_that_require_together_are_told_together(self) -> None:
        async def handler(ask: Ask) -> None:
            async with anyio.create_task_group() as group:
                for page in PAGES:
                    group.start_soon(ask.require, page)

        assert len(await Client().told(handler)) == 3

    async def test_a_step_that_has_begun_is_not_cut_short_by_it(self) -> None:
        steps: list[str] = []

        async def step() -> None:
            steps.append("begun")
            for _ in range(20):
                await anyio.lowlevel.checkpoint()
            steps.append("done")

        async def handler(ask: Ask) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: ask.once("step", step, type(None)))
                await anyio.lowlevel.checkpoint()
                await anyio.lowlevel.checkpoint()
                await ask.require(*PAGES)

        assert len(await Client().told(handler)) == 3
        assert steps == ["begun", "done"]

    async def test_except_exception_does_not_catch_it(self) -> None:
        async def handler(ask: Ask) -> str:
            try:
                await ask.require(*PAGES)
            except Exception:
                return "caught"
            return "done"

        assert len(await Client().told(handler)) == 3

    async def test_whoever_catches_more_loses_the_result(self) -> None:
        async def handler(ask: Ask) -> str:
            try:
                await ask.require(*PAGES)
            except BaseException:
                return "caught"
            return "done"

        with pytest.raises(QuestionSwallowed, match="Sign in to a"):
            await Client().call(handler)

    async def test_an_error_beside_it_is_the_handlers_own(self) -> None:
        async def fails() -> None:
            raise ValueError("mine")

        async def handler(ask: Ask) -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(ask.require, *PAGES)
                group.start_soon(fails)

        with pytest.raises(ExceptionGroup):
            await Client().call(handler)

    async def test_an_authors_own_id_is_listed_and_found_again(self) -> None:
        client = Client()

        async def handler(ask: Ask) -> str:
            (visit,) = await ask.require(Page("In", "https://a.example/", elicitation_id="mine"))
            return visit.elicitation_id

        (one,) = await client.told(handler)
        assert one.elicitation_id == "mine"
        assert await client.told(handler) == [one]
        assert await client.outstanding.complete("mine")
        assert not await client.outstanding.complete("mine")
        assert await client.call(handler) == Finished("mine")

    async def test_an_unsafe_page_is_the_authors_mistake(self) -> None:
        async def handler(ask: Ask) -> None:
            await ask.require(PAGES[0], Page("In", "http://a.example/"))

        with pytest.raises(UnsafeUrl):
            await Client().call(handler)

    async def test_the_text_of_a_page_does_not_tell_its_url(self) -> None:
        assert repr(Page("In", "https://a.example/secret", elicitation_id="handle")) == (
            "Page(message='In', key=None)"
        )


class TestNoBackChannel:
    """A live visit that nobody can be asked about ends the call with its one page (G02)."""

    async def visit(self, ask: Ask) -> str:
        visit = await ask.visit("Sign in", lambda id: f"https://a.example/{id}")
        await visit.wait()
        return "in"

    @pytest.mark.requirement("G02", "M30")
    @pytest.mark.parametrize("noticed", ["before", "when it is sent"])
    async def test_it_is_listed_and_found_done(self, noticed: str) -> None:
        if noticed == "before":
            client = Client(modes=frozenset(), reason="no_back_channel")
        else:
            client = Client(*[Undeliverable("no_back_channel")] * 2)
        (one,) = await client.told(self.visit)
        assert one.url == f"https://a.example/{one.elicitation_id}"
        assert await client.told(self.visit) == [one]
        assert await client.outstanding.complete(one.elicitation_id or "")
        assert await client.call(self.visit) == Finished("in")

    async def test_any_other_reason_is_an_outcome(self) -> None:
        client = Client(Undeliverable("client_refused"))
        with pytest.raises(NotAccepted) as error:
            await client.call(self.visit)
        assert error.value.outcome == Unavailable("client_refused")


class TestRound:
    @pytest.mark.requirement("M31")
    async def test_where_no_error_lists_pages_they_are_asked_in_one_round(self) -> None:
        async def handler(ask: Ask) -> tuple[Visit, ...]:
            return await ask.require(*PAGES)

        client = Caller(answers=lambda _: Accept(), modes=BOTH)
        visits = await client.call(handler)
        assert [one.url for one in visits] == [page.url for page in PAGES]
        assert client.messages == [[page.message for page in PAGES]]

    async def test_one_that_was_not_accepted_is_raised_with_the_others(self) -> None:
        answers = {"a": Accept(), "b": Decline(), "c": Accept()}
        client = Caller(answers=lambda asked: answers[asked.message[-1]], modes=BOTH)

        async def handler(ask: Ask) -> None:
            await ask.require(*PAGES)

        with pytest.raises(NotAccepted) as error:
            await client.call(handler)
        refused = error.value
        assert (refused.outcome, refused.question) == (Declined(), PAGES[1].message)
        assert refused.mode == "url"
        assert [type(one) for one in refused.others] == [Accepted, Declined, Accepted]

    @pytest.mark.requirement("M72", "A34")
    async def test_without_the_mode_nothing_is_sent(self) -> None:
        client = Caller(answers=lambda _: Accept(), modes=FORM)

        async def handler(ask: Ask) -> None:
            await ask.require(*PAGES)

        with pytest.raises(NotAccepted) as error:
            await client.call(handler)
        assert error.value.outcome == Unavailable("not_declared")
        assert client.rounds == []

    async def test_a_script_answers_each_page(self) -> None:
        ask = Ask.scripted(None, None, None)
        visits = await ask.require(*PAGES, timeout=5)
        assert [one.url for one in visits] == [page.url for page in PAGES]
        ask.refuse_unused()

    async def test_a_key_names_a_page(self) -> None:
        ask = Ask.scripted(None)
        with pytest.raises(UsageError, match="key='k' names two questions"):
            await ask.require(
                Page("In", "https://a.example/", key="k"), Page("In", "https://b.example/", key="k")
            )

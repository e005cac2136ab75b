"""A page to visit, asked live: consent, completion, and what is never in its place."""

from __future__ import annotations

import logging
import re
from typing import Any

import anyio
import pytest

from elicitkit import (
    Ask,
    Cancelled,
    Declined,
    NoRequestInFlight,
    NotAccepted,
    QuestionSwallowed,
    Unavailable,
    UnsafeUrl,
    UsageError,
    Visit,
)
from elicitkit.asking.call import Call, Finished, run
from elicitkit.asking.outstanding import Book, Outstanding
from elicitkit.core.dialects import ACP_V1, MCP_2025_06_18, MCP_2025_11_25
from elicitkit.core.model import Accept, Cancel, Decline, Request, Response, UrlRequest
from elicitkit.core.ports import Undeliverable
from tests.asking.doubles import BOTH, FORM, FakeDelivery, live

pytestmark = pytest.mark.anyio

MESSAGE = "Sign in to Example"
URL = "https://id.example/connect/x1?lang=en#top"


def asked(*answers: Response | Exception, **options: Any) -> tuple[Ask, FakeDelivery, Outstanding]:
    """An Ask on a connection, the connection, and what its server remembers."""
    delivery = FakeDelivery(*answers, modes=BOTH, **options)
    outstanding = Outstanding()
    book = Book(outstanding=outstanding, owner="client")
    return Ask(Call(delivery=delivery, book=book)), delivery, outstanding


async def refused(ask: Ask, url: Any = URL, **terms: Any) -> NotAccepted:
    with pytest.raises(NotAccepted) as error:
        await ask.visit(MESSAGE, url, **terms)
    return error.value


class TestConsent:
    @pytest.mark.requirement("M17")
    async def test_a_visit_is_what_was_sent(self) -> None:
        ask, delivery, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        assert isinstance(visit, Visit)
        assert visit.url == URL
        assert delivery.asked == [
            UrlRequest(message=MESSAGE, url=URL, elicitation_id=visit.elicitation_id)
        ]

    @pytest.mark.requirement("M21", "G32", "A43")
    async def test_ids_are_random_and_never_the_same(self) -> None:
        ids: set[str] = set()
        for _ in range(20):
            ask, _, _ = asked(*[Accept()] * 20)
            ids |= {(await ask.visit(MESSAGE, URL)).elicitation_id for _ in range(20)}
        assert len(ids) == 400
        assert all(re.fullmatch("[0-9a-f]{40}", one) for one in ids)
        for at in range(40):
            assert len({one[at] for one in ids}) == 16

    async def test_a_callable_makes_the_url_from_the_id(self) -> None:
        ask, delivery, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, lambda id: f"https://id.example/c/{id}")
        assert visit.url == f"https://id.example/c/{visit.elicitation_id}"
        assert delivery.asked[0].url == visit.url

    async def test_an_authors_own_id_is_used(self) -> None:
        ask, _, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, lambda id: f"https://id.example/{id}", elicitation_id="me")
        assert (visit.elicitation_id, visit.url) == ("me", "https://id.example/me")

    @pytest.mark.case("076-url-accept-with-content")
    async def test_content_of_consent_means_nothing(self) -> None:
        ask, _, _ = asked(Accept({"value": "x"}))
        assert (await ask.visit(MESSAGE, URL)).url == URL

    async def test_neither_text_of_a_visit_tells_where_the_page_is(self) -> None:
        ask, _, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        for text in (repr(visit), str(visit)):
            assert text == "<Visit of 'id.example'>"

    @pytest.mark.requirement("M42")
    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [
            (Decline(), Declined()),
            (Cancel(), Cancelled()),
            (Cancel("timed_out"), Cancelled("timed_out")),
            (Undeliverable("client_refused"), Unavailable("client_refused")),
        ],
    )
    async def test_anything_else_is_raised_and_forgotten(
        self, answer: Response | Exception, outcome: object
    ) -> None:
        ask, _, outstanding = asked(answer)
        error = await refused(ask)
        assert (error.outcome, error.question, error.mode) == (outcome, MESSAGE, "url")
        assert len(outstanding) == 0

    async def test_time_is_the_questions_own_or_that_of_the_call(self) -> None:
        delivery = FakeDelivery(Accept(), Accept(), modes=BOTH)
        ask = Ask(Call(delivery=delivery, timeout=5))
        await ask.visit(MESSAGE, URL)
        await ask.visit(MESSAGE, URL, timeout=3)
        assert delivery.timeouts == [5, 3]

    async def test_a_form_that_is_refused_says_form(self) -> None:
        ask, _ = live(Decline())
        with pytest.raises(NotAccepted) as error:
            await ask("?", str)
        assert error.value.mode == "form"

    async def test_operators_see_the_mode_and_the_outcome_only(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "elicitkit")
        ask, _, _ = asked(Accept(), Decline())
        visit = await ask.visit(MESSAGE, URL)
        await refused(ask)
        told = [record.getMessage() for record in caplog.records]
        assert [one.split()[0] for one in told] == ["asked", "outcome"] * 2
        assert all("mode=url" in one for one in told)
        assert ["outcome=accepted" in told[1], "outcome=declined" in told[3]] == [True, True]
        for secret in (MESSAGE, "example", visit.elicitation_id):
            assert secret not in str(told)


class TestNoWay:
    @pytest.mark.requirement("A34", "M72")
    async def test_a_client_without_url_mode_is_sent_nothing(self) -> None:
        delivery = FakeDelivery(modes=FORM)
        error = await refused(Ask(Call(delivery=delivery)))
        assert error.outcome == Unavailable("not_declared")
        assert delivery.asked == []

    @pytest.mark.requirement("G31")
    async def test_a_revision_without_url_mode_is_never_sent_a_form(self) -> None:
        delivery = FakeDelivery(modes=FORM, dialect=MCP_2025_06_18)
        error = await refused(Ask(Call(delivery=delivery)))
        assert error.outcome == Unavailable("not_in_dialect")
        assert delivery.asked == []

    async def test_no_way_back_is_unavailable_where_no_error_lists_pages(self) -> None:
        delivery = FakeDelivery(modes=frozenset(), dialect=ACP_V1)
        error = await refused(Ask(Call(delivery=delivery, unavailable="no_back_channel")))
        assert error.outcome == Unavailable("no_back_channel")

    @pytest.mark.requirement("M19", "A53")
    async def test_the_url_is_judged_before_the_client(self) -> None:
        delivery = FakeDelivery(modes=frozenset())
        with pytest.raises(UnsafeUrl):
            await Ask(Call(delivery=delivery)).visit(MESSAGE, "not a url")

    async def test_so_is_what_a_callable_makes(self) -> None:
        ask, delivery, _ = asked()
        with pytest.raises(UnsafeUrl):
            await ask.visit(MESSAGE, lambda id: f"http://id.example/{id}")
        assert delivery.asked == []

    @pytest.mark.requirement("M89")
    async def test_nothing_is_asked_or_waited_for_after_the_handler(self) -> None:
        kept: list[Any] = []

        async def handler(ask: Ask) -> None:
            kept.extend([ask, await ask.visit(MESSAGE, URL)])

        call = Call(delivery=FakeDelivery(Accept(), modes=BOTH))
        assert await run(call, handler(Ask(call))) == Finished(None)
        with pytest.raises(NoRequestInFlight):
            await kept[0].visit(MESSAGE, URL)
        with pytest.raises(NoRequestInFlight):
            await kept[1].wait()
        assert await kept[1].complete()


class TestNames:
    @pytest.mark.parametrize("url", [URL, lambda id: f"https://id.example/{id}"])
    async def test_the_same_page_twice_is_two_questions(self, url: Any) -> None:
        ask, delivery, _ = asked(Accept(), Accept())
        first, second = await ask.visit(MESSAGE, url), await ask.visit(MESSAGE, url)
        assert first.elicitation_id != second.elicitation_id
        assert [one.split(".")[1] for one in delivery.keys] == ["1", "2"]
        assert len({one.split(".")[0] for one in delivery.keys}) == 1

    async def test_message_and_url_name_a_question_unless_a_key_does(self) -> None:
        ask, delivery, _ = asked(*[Accept()] * 4)
        await ask.visit(MESSAGE, URL)
        await ask.visit(MESSAGE, "https://id.example/other")
        await ask.visit("Sign in again", URL)
        await ask.visit(MESSAGE, URL, key="sign-in")
        assert len({one.split(".")[0] for one in delivery.keys}) == 4
        assert delivery.keys[-1] == "sign-in"

    async def test_a_key_names_one_question_only(self) -> None:
        ask, _, _ = asked(Accept())
        await ask.visit(MESSAGE, URL, key="k")
        with pytest.raises(UsageError, match="key='k' names two questions"):
            await ask.visit("Another", URL, key="k")

    async def test_an_id_that_is_outstanding_elsewhere_is_refused_without_being_told(self) -> None:
        ask, _, outstanding = asked(Accept())
        await ask.visit(MESSAGE, URL, elicitation_id="my-handle")
        delivery = FakeDelivery(modes=BOTH)
        other = Ask(Call(delivery=delivery, book=Book(outstanding=outstanding, owner="other")))
        with pytest.raises(UsageError, match="outstanding for somebody else") as error:
            await other.visit(MESSAGE, URL, elicitation_id="my-handle")
        assert "my-handle" not in str(error.value)
        assert delivery.asked == []

    @pytest.mark.requirement("M43")
    async def test_so_is_one_of_another_principal(self) -> None:
        ask, _, outstanding = asked(Accept())
        await ask.visit(MESSAGE, URL, elicitation_id="id")
        book = Book(outstanding=outstanding, owner="client", principal="eve")
        with pytest.raises(UsageError, match="outstanding for somebody else"):
            await Ask(Call(delivery=FakeDelivery(modes=BOTH), book=book)).visit(
                MESSAGE, URL, elicitation_id="id"
            )

    async def test_one_id_has_one_url(self) -> None:
        ask, _, _ = asked(Accept())
        await ask.visit(MESSAGE, URL, elicitation_id="id")
        with pytest.raises(UsageError, match="one visit cannot have two urls"):
            await ask.visit(MESSAGE, "https://id.example/other", elicitation_id="id")

    async def test_the_same_id_and_url_again_is_the_same_visit(self) -> None:
        ask, delivery, outstanding = asked(Accept(), Accept())
        first = await ask.visit(MESSAGE, URL, elicitation_id="id")
        second = await ask.visit(MESSAGE, URL, elicitation_id="id")
        assert await first.complete()
        assert not await second.complete()
        assert delivery.completions == ["id"]
        assert len(outstanding) == 0

    async def test_a_refusal_does_not_end_what_was_consented_to_before(self) -> None:
        ask, _, _ = asked(Accept(), Decline())
        first = await ask.visit(MESSAGE, URL, elicitation_id="id")
        await refused(ask, elicitation_id="id")
        assert await first.complete()

    async def test_an_id_is_free_again_once_it_is_completed(self) -> None:
        ask, delivery, _ = asked(Accept(), Accept())
        for _ in range(2):
            visit = await ask.visit(MESSAGE, URL, elicitation_id="id")
            assert await visit.complete()
        assert delivery.completions == ["id", "id"]


class TestCompletion:
    @pytest.mark.requirement("M22", "M23", "G33", "A46")
    async def test_it_is_told_once_with_the_id(self) -> None:
        ask, delivery, outstanding = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        assert await visit.complete() is True
        assert await visit.complete() is False
        assert await outstanding.complete(visit.elicitation_id) is False
        assert delivery.completions == [visit.elicitation_id]

    @pytest.mark.requirement("G33")
    async def test_two_at_the_same_moment_are_one(self) -> None:
        ask, delivery, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        got: list[bool] = []

        async def complete() -> None:
            got.append(await visit.complete())

        async with anyio.create_task_group() as group:
            group.start_soon(complete)
            group.start_soon(complete)
        assert sorted(got) == [False, True]
        assert len(delivery.completions) == 1

    @pytest.mark.requirement("G33")
    @pytest.mark.case("136-complete-before-accept")
    async def test_it_may_come_before_consent(self) -> None:
        class Slow(FakeDelivery):
            async def deliver(
                self, key: str, request: Request, *, timeout: float | None = None
            ) -> Response:
                assert isinstance(request, UrlRequest)
                assert await outstanding.complete(request.elicitation_id or "")
                return Accept()

        outstanding = Outstanding()
        delivery = Slow(modes=BOTH)
        book = Book(outstanding=outstanding, owner="client")
        visit = await Ask(Call(delivery=delivery, book=book)).visit(MESSAGE, URL)
        with anyio.fail_after(1):
            await visit.wait()
        assert delivery.completions == [visit.elicitation_id]
        assert not await visit.complete()

    @pytest.mark.requirement("G33")
    @pytest.mark.parametrize(
        "answer", [Decline(), Cancel(), Cancel("timed_out"), Undeliverable("client_refused")]
    )
    async def test_there_is_none_after_a_refusal(self, answer: Response | Exception) -> None:
        ask, delivery, outstanding = asked(answer)
        await refused(ask, elicitation_id="id")
        assert await outstanding.complete("id") is False
        assert delivery.completions == []

    async def test_nor_after_a_call_that_was_cancelled_while_it_asked(self) -> None:
        class Never(FakeDelivery):
            async def deliver(
                self, key: str, request: Request, *, timeout: float | None = None
            ) -> Response:
                await anyio.sleep_forever()
                raise AssertionError

        outstanding = Outstanding()
        delivery = Never(modes=BOTH)
        book = Book(outstanding=outstanding, owner="client")
        async with anyio.create_task_group() as group:
            ask = Ask(Call(delivery=delivery, book=book))
            group.start_soon(lambda: ask.visit(MESSAGE, URL, elicitation_id="id"))
            await anyio.wait_all_tasks_blocked()
            assert "id" in outstanding
            group.cancel_scope.cancel()
        assert await outstanding.complete("id") is False

    @pytest.mark.requirement("G15")
    async def test_a_client_that_is_gone_is_told_nothing(self) -> None:
        ask, delivery, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        delivery.there = False
        assert await visit.complete() is False
        delivery.there = True
        assert await visit.complete() is True

    async def test_one_that_is_cut_short_counts_as_told(self) -> None:
        class Stuck(FakeDelivery):
            async def complete(self, completion: Any) -> bool:
                self.completions.append(completion.elicitation_id)
                await anyio.sleep_forever()
                raise AssertionError

        delivery = Stuck(Accept(), modes=BOTH)
        visit = await Ask(Call(delivery=delivery)).visit(MESSAGE, URL)
        with anyio.move_on_after(0.01):
            await visit.complete()
        assert await visit.complete() is False
        assert len(delivery.completions) == 1
        with anyio.fail_after(1):
            await visit.wait()


class TestWait:
    async def test_it_returns_when_the_visit_is_completed(self) -> None:
        ask, _, outstanding = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        done: list[str] = []

        async def wait() -> None:
            await visit.wait()
            done.append("waited")

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            assert done == []
            assert await outstanding.complete(visit.elicitation_id)
        assert done == ["waited", "waited"]
        await visit.wait()

    async def test_when_the_time_is_over_it_raises_and_the_page_stays_open(self) -> None:
        ask, _, _ = asked(Accept())
        visit = await ask.visit(MESSAGE, URL)
        with pytest.raises(NotAccepted) as error:
            await visit.wait(timeout=0.01)
        assert error.value.outcome == Cancelled("timed_out")
        assert (error.value.question, error.value.mode) == (MESSAGE, "url")
        assert await visit.complete()

    async def test_a_handler_that_leaves_its_wait_behind_fails(self) -> None:
        """Ours: as with a question that nobody waited for."""
        call = Call(delivery=FakeDelivery(Accept(), modes=BOTH))

        async with anyio.create_task_group() as tasks:

            async def handler(ask: Ask) -> str:
                visit = await ask.visit(MESSAGE, URL)
                tasks.start_soon(visit.wait)
                await anyio.wait_all_tasks_blocked()
                return "connected"

            with pytest.raises(QuestionSwallowed, match=MESSAGE):
                await run(call, handler(Ask(call)))
            tasks.cancel_scope.cancel()


class TestScript:
    async def test_consent_is_none_and_nobody_waits(self) -> None:
        ask = Ask.scripted(None, None)
        visit = await ask.visit(MESSAGE, URL)
        await visit.wait()
        assert await visit.complete() is True
        assert await visit.complete() is False
        again = await ask.visit(MESSAGE, lambda id: f"https://id.example/{id}")
        assert again.url.endswith(again.elicitation_id)
        ask.refuse_unused()

    @pytest.mark.parametrize(
        "outcome", [Declined(), Cancelled("dismissed"), Unavailable("client_refused")]
    )
    async def test_outcomes_are_scripted_as_for_any_question(self, outcome: object) -> None:
        assert (await refused(Ask.scripted(outcome))).outcome == outcome

    async def test_a_value_is_no_answer_to_a_visit(self) -> None:
        with pytest.raises(AssertionError, match="a scripted answer for a visit is None"):
            await Ask.scripted(True).visit(MESSAGE, URL)

    async def test_a_script_has_the_modes_of_its_dialect(self) -> None:
        assert Ask.scripted().modes == BOTH
        error = await refused(Ask.scripted(None, dialect=MCP_2025_06_18))
        assert error.outcome == Unavailable("not_in_dialect")

    async def test_a_script_with_pages_and_forms(self) -> None:
        ask = Ask.scripted(None, 3, dialect=MCP_2025_11_25)
        await (await ask.visit(MESSAGE, URL)).wait()
        assert await ask("How many?", int) == 3
        ask.refuse_unused()

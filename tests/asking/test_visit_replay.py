"""A page to visit on a revision where the call is made again: held open, put again, found done.

Time is virtual: minutes pass at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest

from elicitkit import (
    Ask,
    Cancelled,
    Declined,
    NotAccepted,
    QuestionSwallowed,
    Unavailable,
    UsageError,
    Visit,
)
from elicitkit.asking import replay
from elicitkit.asking.call import Finished
from elicitkit.asking.journal import Journal
from elicitkit.asking.outstanding import Outstanding
from elicitkit.asking.pulse import PULSE
from elicitkit.asking.replay import Replay
from elicitkit.core.dialects import MCP_2026_07_28
from elicitkit.core.model import Accept, Cancel, Completion, Decline, Request, Response, UrlRequest
from tests.asking.doubles import BOTH, FORM, Caller
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

MESSAGE = "Sign in to Example"


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def page(id: str) -> str:
    return f"https://id.example/connect/{id}"


def consents(request: Request) -> Response:
    """Somebody who agrees to every page, and whose name is Ann."""
    return Accept() if isinstance(request, UrlRequest) else Accept({"value": "Ann"})


def said(*answers: Response | None) -> Callable[[Request], Response | None]:
    """Answers in order."""
    left = list(answers)
    return lambda _: left.pop(0)


def caller(answers: Callable[[Request], Response | None] = consents, **options: Any) -> Caller:
    return Caller(answers=answers, modes=BOTH, **options)


def urls(client: Caller) -> list[list[str]]:
    """The urls of every round."""
    return [
        [one.url for one in asked.values() if isinstance(one, UrlRequest)]
        for asked in client.rounds
    ]


async def visits(ask: Ask) -> str:
    return (await ask.visit(MESSAGE, page)).elicitation_id


async def waits(ask: Ask) -> str:
    visit = await ask.visit(MESSAGE, page)
    await visit.wait()
    return f"connected {await ask('Who are you?', str)}"


async def completing(client: Caller, handler: Any, *, after: float) -> Any:
    """What a call gives whose page is done some seconds after its url went out."""
    result: list[Any] = []

    async def call() -> None:
        result.append(await client.call(handler))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.sleep(after)
        (asked,) = client.rounds[0].values()
        assert isinstance(asked, UrlRequest)
        assert await client.outstanding.complete(asked.elicitation_id or "")
    return result[0]


class TestConsent:
    @pytest.mark.requirement("M18", "G32")
    async def test_the_id_is_the_same_in_every_round_and_another_in_every_call(self) -> None:
        made: list[str] = []

        def make(id: str) -> str:
            made.append(id)
            return page(id)

        async def handler(ask: Ask) -> Visit:
            visit = await ask.visit(MESSAGE, make)
            await ask("Who are you?", str)
            return visit

        ids: set[str] = set()
        for name in ("one", "two"):
            for outstanding in (Outstanding(), Outstanding()):
                client = caller(name=name, outstanding=outstanding)
                visit = await client.call(handler)
                assert urls(client) == [[visit.url], []]
                ids.add(visit.elicitation_id)
        assert len(ids) == 2
        assert all(len(one) == 40 for one in ids)
        assert len(made) == 4, "once for each call and process"

    async def test_the_id_does_not_travel_in_the_clear_part_of_the_state(self) -> None:
        """Ours: whoever reads a state that is not sealed still does not know the handle."""
        client = caller()
        visited = await client.call(visits)
        entry = client.outstanding.find(visited)
        assert entry is not None
        assert entry.interaction.delivery is None, "what is kept for a day holds no answers"
        assert all(visited not in state for state in client.states)

    @pytest.mark.requirement("M42")
    @pytest.mark.parametrize(
        ("answer", "outcome"), [(Decline(), Declined()), (Cancel(), Cancelled())]
    )
    async def test_a_refusal_is_raised_and_nothing_is_left_to_complete(
        self, answer: Response, outcome: object
    ) -> None:
        client = caller(said(answer))
        with pytest.raises(NotAccepted) as error:
            await client.call(visits)
        assert (error.value.outcome, error.value.mode) == (outcome, "url")
        assert len(client.outstanding) == 0

    async def test_a_person_who_was_too_slow_to_consent_did_not(self) -> None:
        async def handler(ask: Ask) -> Any:
            return await ask.visit(MESSAGE, page, timeout=60)

        with pytest.raises(NotAccepted) as error:
            await caller(pause=61).call(handler)
        assert error.value.outcome == Cancelled("timed_out")

    @pytest.mark.requirement("M72")
    async def test_without_the_mode_nothing_goes_out(self) -> None:
        client = Caller(answers=consents, modes=FORM)
        with pytest.raises(NotAccepted) as error:
            await client.call(visits)
        assert (error.value.outcome, error.value.mode) == (Unavailable("not_declared"), "url")
        assert client.rounds == []

    async def test_except_exception_does_not_catch_what_ends_the_round(self) -> None:
        async def handler(ask: Ask) -> str:
            try:
                await ask.visit(MESSAGE, page)
            except Exception:
                return "caught"
            return "visited"

        assert await caller().call(handler) == "visited"

    async def test_whoever_catches_more_loses_the_result(self) -> None:
        async def handler(ask: Ask) -> str:
            try:
                await ask.visit(MESSAGE, page)
            except BaseException:
                return "caught"
            return "visited"

        with pytest.raises(QuestionSwallowed, match=MESSAGE):
            await caller().call(handler)

    async def test_a_key_does_not_let_a_visit_change_its_url(self) -> None:
        """Ours: the person consented to one page, so another one cannot take its place."""
        offers = iter("ab")

        async def handler(ask: Ask) -> None:
            await ask.visit(MESSAGE, f"https://id.example/{next(offers)}", key="sign-in")

        with pytest.raises(UsageError, match="one visit cannot have two urls"):
            await caller().call(handler)

    async def test_a_callable_that_gives_another_url_each_time_is_called_once(self) -> None:
        handles = iter("abc")
        client = caller()

        async def handler(ask: Ask) -> str:
            return (await ask.visit(MESSAGE, lambda id: f"https://id.example/{next(handles)}")).url

        assert await client.call(handler) == "https://id.example/a"
        assert urls(client) == [["https://id.example/a"]]

    async def test_tasks_that_ask_together_share_a_round(self) -> None:
        async def handler(ask: Ask) -> str:
            async with anyio.create_task_group() as group:
                group.start_soon(ask.visit, MESSAGE, page)
                group.start_soon(ask, "Who are you?", str)
            return "done"

        client = caller()
        assert await client.call(handler) == "done"
        assert [len(one) for one in client.rounds] == [2]


class TestHold:
    @pytest.mark.requirement("G04")
    async def test_the_call_is_held_and_the_url_not_sent_again_meanwhile(self) -> None:
        client = caller()
        assert await completing(client, waits, after=49) == "connected Ann"
        assert [len(one) for one in urls(client)] == [1, 0]

    @pytest.mark.requirement("G04")
    async def test_when_that_has_been_long_enough_the_same_url_goes_out_again(self) -> None:
        client = caller()
        assert await completing(client, waits, after=120) == "connected Ann"
        sent = urls(client)
        assert [len(one) for one in sent] == [1, 1, 1, 0]
        assert sent[0] == sent[1] == sent[2]
        assert len({next(iter(asked)) for asked in client.rounds[:3]}) == 1

    @pytest.mark.requirement("G04")
    async def test_a_caller_that_is_told_meanwhile_is_held_longer(self) -> None:
        pulses = 0

        async def pulse() -> None:
            nonlocal pulses
            pulses += 1

        client = caller(pulse=pulse)
        assert await completing(client, waits, after=299) == "connected Ann"
        assert [len(one) for one in urls(client)] == [1, 0]
        assert pulses == 29

    async def test_a_state_does_not_grow_with_the_wait(self) -> None:
        client = caller()
        await completing(client, waits, after=1000)
        held = [json.loads(state[4:])["a"] for state in client.states[1:-1]]
        assert len(held) > 15
        assert all(len(answers) == 1 for one in held for answers in one.values())

    async def test_done_before_the_retry_is_done_at_once(self) -> None:
        client = caller(pause=20)
        outstanding = client.outstanding

        def answers(request: Request) -> Response:
            if isinstance(request, UrlRequest):
                completed.append(request.elicitation_id or "")
            return consents(request)

        completed: list[str] = []
        client.answers = answers
        real = client.round

        async def round_(handler: Any, state: str | None, responses: Mapping[str, object]) -> Any:
            for one in completed:
                await outstanding.complete(one)
            return await real(handler, state, responses)

        client.round = round_  # type: ignore[method-assign]
        began = anyio.current_time()
        assert await client.call(waits) == "connected Ann"
        assert anyio.current_time() == began

    async def test_that_it_is_over_is_known_to_every_process_afterwards(self) -> None:
        """Ours: the round after the wait may meet another replica."""
        client = caller()

        async def handler(ask: Ask) -> str:
            got = await waits(ask)
            client.outstanding = Outstanding()
            return got

        def forgetful(request: Request) -> Response:
            if not isinstance(request, UrlRequest):
                client.outstanding = Outstanding()
            return consents(request)

        client.answers = forgetful
        assert await completing(client, handler, after=10) == "connected Ann"

    @pytest.mark.parametrize(
        ("answer", "outcome"), [(Decline(), Declined()), (Cancel(), Cancelled())]
    )
    async def test_a_person_who_gives_up_ends_the_wait(
        self, answer: Response, outcome: object
    ) -> None:
        held: list[Visit] = []

        async def handler(ask: Ask) -> object:
            visit = await ask.visit(MESSAGE, page)
            held.append(visit)
            try:
                await visit.wait()
            except NotAccepted as error:
                ended = error.outcome
            else:
                raise AssertionError
            await ask("Who are you?", str)
            return ended

        client = caller(said(Accept(), Accept(), answer, Accept({"value": "Ann"})))
        assert await client.call(handler) == outcome
        assert [len(one) for one in urls(client)] == [1, 1, 1, 0]
        assert not await held[-1].complete()

    async def test_a_retry_that_leaves_the_url_out_is_held_again(self) -> None:
        client = caller(said(Accept(), None, None, Accept(), Accept({"value": "Ann"})))
        assert await completing(client, waits, after=180) == "connected Ann"
        assert [len(one) for one in urls(client)] == [1, 1, 1, 1, 0]

    async def test_the_time_of_a_wait_is_counted_over_the_rounds(self) -> None:
        async def handler(ask: Ask) -> object:
            visit = await ask.visit(MESSAGE, page)
            try:
                await visit.wait(timeout=120)
            except NotAccepted as error:
                return error.outcome, await ask("Who are you?", str)
            raise AssertionError

        client = caller()
        assert await client.call(handler) == (Cancelled("timed_out"), "Ann")
        assert [len(one) for one in urls(client)] == [1, 1, 1, 0]
        assert 120 <= client.now <= 124

    async def test_a_short_time_is_over_within_a_round(self) -> None:
        async def handler(ask: Ask) -> None:
            await (await ask.visit(MESSAGE, page)).wait(timeout=5)

        client = caller()
        with pytest.raises(NotAccepted):
            await client.call(handler)
        assert len(client.rounds) == 1

    async def test_a_wait_that_is_swallowed_loses_the_result(self) -> None:
        async def handler(ask: Ask) -> str:
            visit = await ask.visit(MESSAGE, page)
            try:
                await visit.wait()
            except BaseException:
                return "connected anyway"
            return "connected"

        with pytest.raises(QuestionSwallowed, match=MESSAGE):
            await caller().call(handler)

    async def test_two_waits_in_tasks_share_their_rounds(self) -> None:
        async def one(ask: Ask, name: str) -> None:
            visit = await ask.visit(name, page)
            await visit.wait()

        async def handler(ask: Ask) -> str:
            async with anyio.create_task_group() as group:
                group.start_soon(one, ask, "a")
                group.start_soon(one, ask, "b")
            return "both"

        client = caller()
        result: list[Any] = []

        async def call() -> None:
            result.append(await client.call(handler))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await anyio.sleep(60)
            for asked in client.rounds[0].values():
                assert isinstance(asked, UrlRequest)
                await client.outstanding.complete(asked.elicitation_id or "")
                await anyio.sleep(60)
        assert result == ["both"]
        assert max(len(one) for one in urls(client)) == 2

    async def test_a_call_that_was_made_anew_is_another_wait(self) -> None:
        """Ours: what one call completed does not let the next one through."""
        client = caller(principal="ann")

        async def handler(ask: Ask) -> str:
            visit = await ask.visit(MESSAGE, page, elicitation_id="mine")
            await visit.wait()
            return "connected"

        assert await completing(client, handler, after=10) == "connected"
        again = caller(principal="ann", name="call-2", outstanding=client.outstanding)
        assert await completing(again, handler, after=10) == "connected"
        assert again.now >= 10

    async def test_two_calls_of_a_principal_share_what_is_not_over(self) -> None:
        outstanding = Outstanding()

        async def handler(ask: Ask) -> str:
            await (await ask.visit(MESSAGE, page, elicitation_id="mine")).wait()
            return "connected"

        got: list[Any] = []

        async def call(name: str) -> None:
            client = caller(principal="ann", name=name, outstanding=outstanding)
            got.append(await client.call(handler))

        async with anyio.create_task_group() as group:
            group.start_soon(call, "one")
            group.start_soon(call, "two")
            await anyio.sleep(20)
            assert await outstanding.complete("mine")
        assert got == ["connected", "connected"]

    async def test_the_wait_is_kept_in_a_state_of_a_known_shape(self) -> None:
        client = caller()
        await completing(client, waits, after=60)
        waiting = [json.loads(state[4:])["w"] for state in client.states]
        (key,) = waiting[1]
        assert waiting == [{}, {key: client.pause}, {key: None}]


def test_the_times_are_those_of_the_ruling() -> None:
    assert (replay.HOLD, replay.HOLD_WITH_PULSES, PULSE) == (50, 300, 10)


async def test_nothing_is_told_of_a_completion() -> None:
    client = caller()
    seen: list[bool] = []

    async def handler(ask: Ask) -> None:
        visit = await ask.visit(MESSAGE, page)
        seen.extend([await visit.complete(), await visit.complete()])

    assert isinstance(await _last(client, handler), Finished)
    assert seen == [True, False]


async def test_there_is_nobody_to_tell() -> None:
    client = Replay(dialect=MCP_2026_07_28, modes=BOTH, journal=Journal(call="c"), now=0)
    assert await client.complete(Completion(elicitation_id="a")) is True


async def test_what_comes_with_a_consent_does_not_travel_in_the_state() -> None:
    """Ours: a client may send a secret there, and consent has no content."""
    client = caller(said(Accept({"token": "hunter2"}), Accept({"value": "Ann"})))

    async def handler(ask: Ask) -> str:
        await ask.visit(MESSAGE, page)
        return await ask("Who are you?", str)

    assert await client.call(handler) == "Ann"
    assert len(client.states) == 2
    assert "hunter2" not in "".join(client.states)


async def _last(client: Caller, handler: Any) -> Any:
    first = await client.round(handler, None, {})
    ((key, _),) = first.requests.items()
    return await client.round(handler, first.state, {key: {"action": "accept"}})

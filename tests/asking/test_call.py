"""One client request that asks: names, single-use steps and the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import pytest
from pydantic import SecretStr

from elicitkit import Ask, NoRequestInFlight, NotAccepted, OutcomeUnknown, UsageError
from elicitkit.asking.call import Call, Finished, run
from elicitkit.asking.signal import Signal
from elicitkit.core.errors import InvalidResponse
from elicitkit.core.model import Accept, Cancel, Decline, Response
from elicitkit.core.outcome import Cancelled, Declined
from elicitkit.stores import MemoryRecords
from tests.asking.doubles import Caller, FakeDelivery, echo, live

pytestmark = pytest.mark.anyio


def accepted(value: object) -> Response:
    return Accept({"value": value})


@pytest.mark.requirement("M89")
async def test_nothing_can_be_asked_after_the_handler_returned() -> None:
    kept: list[Ask] = []

    async def handler(ask: Ask) -> str:
        kept.append(ask)
        return "done"

    call = Call(delivery=FakeDelivery())
    assert await run(call, handler(Ask(call))) == Finished("done")
    with pytest.raises(NoRequestInFlight, match="has ended"):
        await kept[0]("Still there?", str)
    with pytest.raises(NoRequestInFlight):
        await kept[0].once("step", anyio.lowlevel.checkpoint, type(None))


async def test_a_key_names_one_question_only() -> None:
    ask, _ = live(accepted("a"), accepted("b"))
    await ask("A?", str, key="k")
    with pytest.raises(UsageError, match="key='k' names two questions"):
        await ask("B?", str, key="k")


async def test_an_error_of_the_handler_is_its_own() -> None:
    async def handler() -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        await run(Call(delivery=FakeDelivery()), handler())


async def test_a_group_with_an_error_that_is_not_ours_stays_a_group() -> None:
    async def handler() -> None:
        raise ExceptionGroup("", [ValueError("mine"), NotAccepted(Declined())])

    with pytest.raises(ExceptionGroup):
        await run(Call(delivery=FakeDelivery()), handler())


async def test_a_mistake_comes_out_of_a_group_before_an_outcome() -> None:
    outcome, mistake = NotAccepted(Declined()), UsageError("mistake")

    async def handler() -> None:
        raise ExceptionGroup("", [outcome, ExceptionGroup("", [mistake])])

    with pytest.raises(UsageError, match="mistake"):
        await run(Call(delivery=FakeDelivery()), handler())


@pytest.mark.parametrize("answer", [Decline(), Cancel("disconnected")])
async def test_an_outcome_comes_out_of_a_group_on_a_connection_too(answer: Response) -> None:
    call = Call(delivery=FakeDelivery(answer))

    async def handler(ask: Ask) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)

    with pytest.raises(NotAccepted):
        await run(call, handler(Ask(call)))


async def test_a_broken_answer_comes_out_of_a_group() -> None:
    call = Call(delivery=FakeDelivery(InvalidResponse("broken")))

    async def handler(ask: Ask) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)

    with pytest.raises(InvalidResponse):
        await run(call, handler(Ask(call)))


def step_that(done: list[int]) -> Callable[[], Awaitable[int]]:
    async def step() -> int:
        await anyio.lowlevel.checkpoint()
        done.append(1)
        return len(done)

    return step


@pytest.mark.requirement("M71")
async def test_once_runs_in_the_first_round_only_and_its_result_rides_in_the_journal() -> None:
    done: list[int] = []

    async def handler(ask: Ask) -> tuple[int, str, str]:
        number = await ask.once("reserve", step_that(done), int)
        return number, await ask("a", str), await ask("b", str)

    caller = Caller(answers=echo)
    assert await caller.call(handler) == (1, "a", "b")
    assert done == [1]
    assert len(caller.rounds) == 2


@pytest.mark.requirement("M71", "G39")
@pytest.mark.case("176-old-state-not-reused")
async def test_an_old_state_sent_again_runs_nothing_twice() -> None:
    done: list[int] = []

    async def handler(ask: Ask) -> int:
        await ask("Go?", str, key="go")
        number = await ask.once("pay", step_that(done), int)
        await ask("More?", str)
        return number

    caller = Caller(answers=echo)
    assert await caller.call(handler) == 1
    answer = {"go": {"action": "accept", "content": {"value": "x"}}}
    for _ in range(3):
        await caller.round(handler, caller.states[0], answer)
    assert done == [1]


async def test_parallel_retries_of_one_state_run_a_step_once() -> None:
    done: list[int] = []
    release = anyio.Event()
    ended: list[object] = []

    async def step() -> int:
        done.append(1)
        await release.wait()
        return 7

    async def handler(ask: Ask) -> int:
        await ask("Go?", str, key="go")
        return await ask.once("pay", step, int)

    caller = Caller(answers=echo)
    state = (await caller.round(handler, None, {})).state
    answer = {"go": {"action": "accept", "content": {"value": "x"}}}

    async def retry() -> None:
        try:
            ended.append((await caller.round(handler, state, answer)).value)
        except OutcomeUnknown as error:
            ended.append(error.name)
            release.set()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(retry)
            group.start_soon(retry)
    assert done == [1]
    assert ended == ["pay", 7]


async def test_a_step_that_never_reported_is_not_run_again() -> None:
    done: list[int] = []

    async def crashes() -> int:
        done.append(1)
        raise RuntimeError("the process died here")

    async def handler(ask: Ask) -> int:
        await ask("Go?", str, key="go")
        return await ask.once("pay", crashes, int)

    caller = Caller(answers=echo)
    with pytest.raises(RuntimeError):
        await caller.call(handler)
    answer = {"go": {"action": "accept", "content": {"value": "x"}}}
    with pytest.raises(OutcomeUnknown, match="'pay'") as error:
        await caller.round(handler, caller.states[0], answer)
    assert error.value.name == "pay"
    assert done == [1]


async def test_two_calls_and_two_principals_do_not_share_steps() -> None:
    records = MemoryRecords()
    done: list[int] = []
    for identity in ("alice\0call", "bob\0call", "alice\0other"):
        call = Call(delivery=FakeDelivery(), records=records, identity=identity)
        await call.do_once("pay", step_that(done), int)
    assert len(done) == 3


async def test_on_a_connection_once_gives_the_first_result_again() -> None:
    done: list[int] = []
    ask, _ = live()
    assert await ask.once("s", step_that(done), int) == 1
    assert await ask.once("s", step_that(done), int) == 1


async def test_tasks_that_reach_the_same_step_wait_for_the_one_run() -> None:
    done: list[int] = []
    got: list[int] = []
    ask, _ = live()

    async def use() -> None:
        got.append(await ask.once("s", step_that(done), int))

    async with anyio.create_task_group() as group:
        group.start_soon(use)
        group.start_soon(use)
    assert (done, got) == ([1], [1, 1])


async def test_the_end_of_a_round_waits_for_a_step_of_a_parallel_task() -> None:
    done: list[int] = []
    asked = anyio.Event()

    async def step() -> int:
        with anyio.move_on_after(0.01):
            await asked.wait()
        done.append(1)
        return 7

    async def handler(ask: Ask) -> int:
        results: list[int] = []

        async def works() -> None:
            results.append(await ask.once("pay", step, int))

        async with anyio.create_task_group() as group:
            group.start_soon(works)
            await anyio.lowlevel.checkpoint()
            await ask("Go?", str)
        return results[0]

    caller = Caller(answers=echo)
    assert await caller.call(handler) == 7
    assert done == [1]


async def test_a_result_comes_back_as_its_type() -> None:
    async def step() -> tuple[int, str]:
        return 1, "x"

    ask, _ = live()
    assert await ask.once("s", step, tuple[int, str]) == (1, "x")


async def test_a_secret_may_not_travel_in_the_state() -> None:
    async def step() -> SecretStr:
        raise AssertionError("never run")

    ask, _ = live()
    with pytest.raises(UsageError, match="holds a secret"):
        await ask.once("token", step, SecretStr)


async def test_a_step_may_not_ask() -> None:
    ask, delivery = live(accepted("x"))

    async def step() -> str:
        return await ask("Really?", str)

    with pytest.raises(UsageError, match="the step 'pay' may not ask"):
        await ask.once("pay", step, str)
    assert delivery.asked == []


async def test_a_step_may_use_another_call() -> None:
    outer, _ = live()
    inner, _ = live(accepted("x"))

    async def step() -> str:
        return await inner("Really?", str)

    assert await outer.once("s", step, str) == "x"


async def test_the_outcome_of_a_group_keeps_its_reason() -> None:
    call = Call(delivery=FakeDelivery(Cancel("timed_out")))

    async def handler(ask: Ask) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)

    with pytest.raises(NotAccepted) as refused:
        await run(call, handler(Ask(call)))
    assert refused.value.outcome == Cancelled("timed_out")


async def test_on_a_connection_there_is_nothing_else_to_wait_for() -> None:
    call = Call(delivery=FakeDelivery())
    with anyio.fail_after(5):
        await call.settle()
    with pytest.raises(Signal):
        await call.do_once("s", anyio.lowlevel.checkpoint, type(None))

"""A handler that is run again on every round: each sentence of how that is sound.

Ours, on top of MCP basic/patterns/mrtr; the carriers' tests show the same on the wire.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from elicitkit import (
    Ask,
    NotAccepted,
    NotDeterministic,
    QuestionSwallowed,
)
from elicitkit.asking import replay as replay_module
from elicitkit.core.model import Accept, Decline, Request, Response
from tests.asking.doubles import Caller, echo, says

pytestmark = pytest.mark.anyio


async def test_n_questions_in_a_row_take_n_plus_one_runs() -> None:
    runs = 0

    async def handler(ask: Ask) -> list[str]:
        nonlocal runs
        runs += 1
        return [await ask(text, str) for text in ("a", "b", "c")]

    caller = Caller(answers=echo)
    assert await caller.call(handler) == ["a", "b", "c"]
    assert runs == 4
    assert caller.messages == [["a"], ["b"], ["c"]]


async def test_the_same_question_twice_is_two_questions_by_occurrence() -> None:
    values = iter([1, 2])

    async def handler(ask: Ask) -> tuple[int, int]:
        return await ask("Number?", int), await ask("Number?", int)

    caller = Caller(answers=lambda _: Accept({"value": next(values)}))
    assert await caller.call(handler) == (1, 2)
    first, second = (next(iter(one)) for one in caller.rounds)
    assert first.split(".")[0] == second.split(".")[0]
    assert [first.split(".")[1], second.split(".")[1]] == ["1", "2"]


async def test_a_key_holds_where_the_message_changes_between_rounds() -> None:
    prices = iter([10, 11, 12])

    async def handler(ask: Ask) -> bool:
        return await ask.confirm(f"Pay {next(prices)}?", key="pay")

    caller = Caller(answers=says(True))
    assert await caller.call(handler) is True
    assert [list(one) for one in caller.rounds] == [["pay"]]


async def test_run_time_defaults_do_not_change_a_question() -> None:
    counter = iter(range(10))

    async def handler(ask: Ask) -> int:
        return await ask("How many?", int, initial=next(counter))

    caller = Caller(answers=says(7))
    assert await caller.call(handler) == 7
    assert len(caller.rounds) == 1


@pytest.mark.parametrize("seed", range(30))
async def test_tasks_that_swap_their_order_never_cross_answers(seed: int) -> None:
    order = random.Random(seed)

    async def one(ask: Ask, name: str, got: dict[str, list[str]]) -> None:
        for _ in range(order.randrange(4)):
            await anyio.lowlevel.checkpoint()
        first = await ask(f"{name} first", str)
        for _ in range(order.randrange(4)):
            await anyio.lowlevel.checkpoint()
        got[name] = [first, await ask(f"{name} second", str)]

    async def handler(ask: Ask) -> dict[str, list[str]]:
        got: dict[str, list[str]] = {}
        names = ["a", "b", "c"]
        order.shuffle(names)
        async with anyio.create_task_group() as group:
            for name in names:
                group.start_soon(one, ask, name, got)
        return got

    caller = Caller(answers=echo, shuffle=order)
    got = await caller.call(handler)
    assert got == {name: [f"{name} first", f"{name} second"] for name in ("a", "b", "c")}


async def test_two_tasks_that_ask_at_once_share_a_round() -> None:
    async def handler(ask: Ask) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)
            group.start_soon(ask, "b", str)

    caller = Caller(answers=echo)
    await caller.call(handler)
    assert caller.messages == [["a", "b"]]


async def test_a_task_that_is_a_little_late_does_not_cost_a_round() -> None:
    rounds = 0

    async def pair(ask: Ask, name: str, late: int) -> None:
        for _ in range(late):
            await anyio.lowlevel.checkpoint()
        await ask(f"{name} 1", str)
        await ask(f"{name} 2", str)

    async def handler(ask: Ask) -> None:
        nonlocal rounds
        rounds += 1
        async with anyio.create_task_group() as group:
            group.start_soon(pair, ask, "slow", 5 if rounds > 1 else 0)
            group.start_soon(pair, ask, "fast", 0)

    caller = Caller(answers=echo)
    await caller.call(handler)
    assert caller.messages == [["fast 1", "slow 1"], ["fast 2", "slow 2"]]


async def test_a_question_left_out_beside_a_new_one_is_an_error_that_names_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_module, "_GRACE", 0.0)
    texts = iter(["first 1", "first 2"])

    async def handler(ask: Ask) -> None:
        await ask(next(texts), str)

    with pytest.raises(NotDeterministic) as error:
        await Caller(answers=echo).call(handler)
    assert error.value.asked == ("first 2",)
    assert error.value.missing == ("first 1",)
    assert "'first 2'" in str(error.value)
    assert "'first 1'" in str(error.value)
    assert "ask.once" in str(error.value)


async def test_a_task_that_is_late_once_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_module, "_GRACE", 0.0)
    rounds = 0

    async def slow(ask: Ask, late: bool) -> None:
        if late:
            await anyio.sleep_forever()
        await ask("slow", str)

    async def handler(ask: Ask) -> str:
        nonlocal rounds
        rounds += 1
        async with anyio.create_task_group() as group:
            group.start_soon(slow, ask, rounds == 2)
            await ask("fast 1", str)
            await ask("fast 2", str)
        return "done"

    caller = Caller(answers=echo)
    assert await caller.call(handler) == "done"
    assert caller.messages == [["fast 1", "slow"], ["fast 2"]]


async def test_an_open_question_whose_task_is_late_is_asked_in_a_later_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_module, "_GRACE", 0.0)
    rounds = 0

    async def slow(ask: Ask, late: bool) -> None:
        if late:
            await anyio.sleep_forever()
        await ask("slow", str)

    async def handler(ask: Ask) -> str:
        nonlocal rounds
        rounds += 1
        async with anyio.create_task_group() as group:
            group.start_soon(slow, ask, rounds == 2)
            await ask("fast 1", str)
            await ask("fast 2", str)
        return "done"

    unanswered = iter(["slow"])

    def answers(request: Request) -> Response | None:
        if request.message == "slow" and next(unanswered, None):
            return None
        return echo(request)

    caller = Caller(answers=answers)
    assert await caller.call(handler) == "done"
    assert caller.messages == [["fast 1", "slow"], ["fast 2"], ["slow"]]


async def test_nested_task_groups_wrap_the_signal_and_it_is_found() -> None:
    async def handler(ask: Ask) -> str:
        async with anyio.create_task_group(), anyio.create_task_group():
            return await ask("deep", str)

    assert await Caller(answers=echo).call(handler) == "deep"


async def test_an_error_beside_the_signal_is_raised() -> None:
    async def handler(ask: Ask) -> None:
        async def fails() -> None:
            raise ValueError("mine")

        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)
            group.start_soon(fails)

    with pytest.raises(ExceptionGroup) as error:
        await Caller(answers=echo).call(handler)
    assert error.group_contains(ValueError, match="mine")
    assert not error.group_contains(BaseException, match="Signal")


async def test_a_decline_beside_an_open_question_ends_the_call() -> None:
    async def handler(ask: Ask) -> None:
        async def more() -> None:
            await ask("b", str)
            await ask("c", str)

        async with anyio.create_task_group() as group:
            group.start_soon(more)
            group.start_soon(ask, "a", str)

    def answers(request: Request) -> Response:
        return Decline() if request.message == "a" else Accept({"value": "x"})

    with pytest.raises(NotAccepted) as refused:
        await Caller(answers=answers).call(handler)
    assert refused.value.question == "a"


async def test_two_declines_out_of_one_group_are_the_first() -> None:
    async def handler(ask: Ask) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "a", str)
            group.start_soon(ask, "b", str)

    with pytest.raises(NotAccepted) as refused:
        await Caller(answers=lambda _: Decline()).call(handler)
    assert refused.value.question in {"a", "b"}


async def test_except_exception_lets_the_signal_pass() -> None:
    async def handler(ask: Ask) -> str:
        try:
            return await ask("a", str)
        except Exception:
            return "swallowed"

    assert await Caller(answers=echo).call(handler) == "a"


async def by_finally(ask: Ask) -> str:
    try:
        return await ask("Really?", str)
    finally:
        return "done"  # noqa: B012, SIM107 - the mistake under test


async def by_except(ask: Ask) -> str:
    try:
        return await ask("Really?", str)
    except BaseException:
        return "done"


async def by_suppressed_group(ask: Ask) -> str:
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "Really?", str)
    except BaseExceptionGroup:
        pass
    return "done"


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("handler", [by_finally, by_except, by_suppressed_group])
async def test_a_swallowed_question_throws_the_value_away(
    handler: Callable[[Ask], Awaitable[str]],
) -> None:
    with pytest.raises(QuestionSwallowed, match="'Really\\?'") as error:
        await Caller(answers=echo).call(handler)
    assert error.value.questions == ("Really?",)


async def test_a_swallowed_question_starts_no_single_use_step() -> None:
    done: list[str] = []

    async def pay() -> str:
        done.append("paid")
        return "receipt"

    async def handler(ask: Ask) -> str:
        with contextlib.suppress(BaseException):
            await ask.confirm("Pay?")
        return await ask.once("pay", pay, str)

    caller = Caller(answers=lambda _: Decline())
    assert await caller.call(handler) == "receipt"
    assert done == ["paid"], "in the round with the answer only"
    assert len(caller.rounds) == 1


async def test_an_error_in_place_of_the_signal_is_the_end() -> None:
    async def handler(ask: Ask) -> str:
        try:
            return await ask("a", str)
        except BaseException:
            raise ValueError("mine") from None

    with pytest.raises(ValueError, match="mine"):
        await Caller(answers=echo).call(handler)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
class TestUnderAsyncio:
    """What only asyncio has."""

    async def test_gather_asks_everything_in_one_round(self, anyio_backend: str) -> None:
        async def handler(ask: Ask) -> list[str]:
            return await asyncio.gather(*(ask(text, str) for text in "abc"))

        caller = Caller(answers=echo)
        assert await caller.call(handler) == ["a", "b", "c"]
        assert caller.messages == [["a", "b", "c"]]

    async def test_gather_with_a_late_task_is_no_error(
        self, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(replay_module, "_GRACE", 0.0)
        rounds = 0
        waiting: list[asyncio.Task[Any]] = []

        async def slow(ask: Ask, late: bool) -> str:
            if late:
                waiting.append(asyncio.current_task())
                await asyncio.Event().wait()
            return await ask("slow", str)

        async def fast(ask: Ask) -> str:
            return await ask("fast 1", str) + await ask("fast 2", str)

        async def handler(ask: Ask) -> list[str]:
            nonlocal rounds
            rounds += 1
            return await asyncio.gather(fast(ask), slow(ask, rounds == 2))

        caller = Caller(answers=echo)
        assert await caller.call(handler) == ["fast 1fast 2", "slow"]
        waiting[0].cancel()

    async def test_gather_that_returns_exceptions_swallows(self, anyio_backend: str) -> None:
        async def handler(ask: Ask) -> object:
            return await asyncio.gather(ask("a", str), return_exceptions=True)

        with pytest.raises(QuestionSwallowed):
            await Caller(answers=echo).call(handler)

    async def test_a_task_group_of_asyncio_shares_a_round(self, anyio_backend: str) -> None:
        async def handler(ask: Ask) -> list[str]:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(ask(text, str)) for text in "ab"]
            return [task.result() for task in tasks]

        caller = Caller(answers=echo)
        assert await caller.call(handler) == ["a", "b"]
        assert caller.messages == [["a", "b"]]

    async def test_wait_for_around_a_question_works(self, anyio_backend: str) -> None:
        async def handler(ask: Ask) -> str:
            return await asyncio.wait_for(ask("a", str), 5)

        assert await Caller(answers=echo).call(handler) == "a"

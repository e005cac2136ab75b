"""What every store of single-use records must do, as one suite.

A test module provides ``records``, a store with ``clock`` as its time.
"""

from __future__ import annotations

import anyio
import pytest

from elicitkit.core.ports import Records


class Clock:
    """Seconds that only a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class RecordsContract:
    """The suite; the event loop is the module's."""

    pytestmark = pytest.mark.anyio

    async def test_a_free_record_is_taken_and_then_holds_nothing(self, records: Records) -> None:
        assert await records.take("k", ttl=10) is None
        assert await records.take("k", ttl=10) == ""

    async def test_a_finished_record_gives_its_result_to_everyone(self, records: Records) -> None:
        await records.take("k", ttl=10)
        await records.finish("k", '"paid"')
        assert await records.take("k", ttl=10) == '"paid"'
        assert await records.take("k", ttl=10) == '"paid"'

    async def test_records_are_apart(self, records: Records) -> None:
        await records.take("a", ttl=10)
        await records.finish("a", "1")
        assert await records.take("b", ttl=10) is None

    async def test_an_expired_record_is_free_again(self, records: Records, clock: Clock) -> None:
        await records.take("k", ttl=10)
        await records.finish("k", "1")
        clock.now += 9.9
        assert await records.take("k", ttl=10) == "1"
        clock.now += 0.1
        assert await records.take("k", ttl=10) is None

    async def test_a_result_for_a_record_that_is_gone_is_dropped(self, records: Records) -> None:
        await records.finish("k", "1")
        assert await records.take("k", ttl=10) is None

    async def test_a_result_of_any_text_comes_back_whole(self, records: Records) -> None:
        result = '{"city": "Z\u00fcrich \u2603", "n": [1, 2]}' * 500
        await records.take("k", ttl=10)
        await records.finish("k", result)
        assert await records.take("k", ttl=10) == result

    @pytest.mark.requirement("M71")
    async def test_of_fifty_takers_at_once_one_gets_it(self, records: Records) -> None:
        got: list[str | None] = []

        async def take() -> None:
            got.append(await records.take("k", ttl=10))

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(take)
        assert sorted(got, key=str) == [""] * 49 + [None]

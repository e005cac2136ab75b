"""Single-use records in this process."""

from __future__ import annotations

import pytest

from elicitkit.stores import MemoryRecords, memory
from tests.stores.contract import Clock, RecordsContract


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def records(clock: Clock) -> MemoryRecords:
    return MemoryRecords(clock=clock)


class TestMemoryRecords(RecordsContract):
    """The contract of every store."""


@pytest.mark.anyio
async def test_a_flood_drops_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST", 3)
    records = MemoryRecords()
    for key in "abcd":
        assert await records.take(key, ttl=10) is None
    assert await records.take("d", ttl=10) == ""
    assert await records.take("a", ttl=10) is None


@pytest.mark.anyio
async def test_expired_records_do_not_pile_up(clock: Clock, records: MemoryRecords) -> None:
    for key in "abc":
        await records.take(key, ttl=10)
    clock.now += 20
    await records.take("d", ttl=10)
    assert list(records._held) == ["d"]

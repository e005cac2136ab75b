"""Single-use records in SQL, on SQLite files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from elicitkit.core.errors import UsageError
from elicitkit.stores.sql import SqlRecords
from tests.stores.contract import Clock, RecordsContract


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """SQLAlchemy runs on asyncio only."""
    return "asyncio"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def records(anyio_backend: str, clock: Clock, tmp_path: Path) -> AsyncGenerator[SqlRecords]:
    store = SqlRecords(f"sqlite:///{tmp_path / 'once.db'}", clock=clock)
    yield store
    await store.aclose()


class TestSqlRecords(RecordsContract):
    """The contract of every store."""


@pytest.mark.anyio
async def test_two_stores_on_one_file_see_each_other(
    anyio_backend: str, clock: Clock, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'once.db'}"
    one, two = SqlRecords(url, clock=clock), SqlRecords(url, clock=clock)
    got: list[str | None] = []

    async def take(store: SqlRecords) -> None:
        got.append(await store.take("k", ttl=10))

    async with anyio.create_task_group() as group:
        for store in (one, two) * 10:
            group.start_soon(take, store)
    assert sorted(got, key=str) == [""] * 19 + [None]
    await one.finish("k", "1")
    assert await two.take("k", ttl=10) == "1"
    await one.aclose()
    await two.aclose()


TAKER = """
import asyncio, sys
from elicitkit.stores.sql import SqlRecords

async def main() -> None:
    records = SqlRecords(sys.argv[1])
    print("ready", flush=True)
    sys.stdin.readline()
    taken = [await records.take(f"k{n}", ttl=600) for n in range(40)]
    await records.aclose()
    print(*[n for n, held in enumerate(taken) if held is None])

asyncio.run(main())
"""


@pytest.mark.requirement("M71")
def test_two_processes_never_take_the_same_record(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKER, f"sqlite:///{tmp_path / 'once.db'}"]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    taken = [process.communicate(timeout=30)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(map(int, taken[0] + taken[1])) == list(range(40))


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_trio_gets_a_clear_error(anyio_backend: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs asyncio"):
        await SqlRecords(f"sqlite:///{tmp_path / 'once.db'}").take("k", ttl=10)


@pytest.mark.anyio
async def test_other_drivers_are_taken_as_named(anyio_backend: str, tmp_path: Path) -> None:
    store = SqlRecords(f"sqlite+aiosqlite:///{tmp_path / 'once.db'}")
    assert await store.take("k", ttl=10) is None
    await store.aclose()


def test_without_sqlalchemy_the_extra_is_named() -> None:
    """Ours."""
    program = "import sys; sys.modules['sqlalchemy'] = None; import elicitkit.stores.sql"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert ran.stderr.splitlines()[-1].endswith("pip install 'elicitkit[sql]'")

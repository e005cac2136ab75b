"""Signs of life while a call waits, in virtual time."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from elicitkit.asking.pulse import kept_alive
from elicitkit.core.ports import Undeliverable
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


class Told:
    """Counts the signs."""

    def __init__(self) -> None:
        self.count = 0

    async def __call__(self) -> None:
        self.count += 1


async def slow() -> str:
    await anyio.sleep(35)
    return "done"


async def test_there_is_one_every_ten_seconds_and_none_afterwards() -> None:
    told = Told()
    assert await kept_alive(slow, told) == "done"
    assert told.count == 3
    await anyio.sleep(60)
    assert told.count == 3


async def test_nobody_is_told_who_does_not_want_to_know() -> None:
    assert await kept_alive(slow, None) == "done"


async def test_what_is_raised_comes_out_as_it_is() -> None:
    async def fails() -> None:
        raise Undeliverable("no_back_channel")

    with pytest.raises(Undeliverable):
        await kept_alive(fails, Told())


async def test_a_result_is_not_lost_to_a_call_that_ends_in_the_same_moment() -> None:
    got: list[str] = []
    with anyio.CancelScope() as scope:

        async def last() -> str:
            scope.cancel()
            return "done"

        got.append(await kept_alive(last, Told()))
    assert got == ["done"]


async def test_a_wait_that_is_cut_short_ends_the_signs() -> None:
    told = Told()
    with anyio.move_on_after(15):
        await kept_alive(slow, told)
    await anyio.sleep(60)
    assert told.count == 1

"""What a process remembers of pages that are open: no more than it must, for nobody else."""

from __future__ import annotations

import pytest

from elicitkit.asking import outstanding as module
from elicitkit.asking.interaction import Interaction
from elicitkit.asking.outstanding import DAY, Book, Outstanding
from tests.asking.doubles import FakeDelivery

pytestmark = pytest.mark.anyio


def interaction(name: str) -> Interaction:
    return Interaction(
        elicitation_id=name, url=f"https://a.example/{name}", host="a.example", delivery=None
    )


def call(outstanding: Outstanding, name: str, now: float = 0.0) -> Book:
    return Book(outstanding=outstanding, owner=name, call=name, fades=True, now=now)


async def test_what_has_no_connection_is_forgotten_after_a_day() -> None:
    outstanding = Outstanding()
    call(outstanding, "old").enter(interaction("old"))
    call(outstanding, "young", DAY - 1).enter(interaction("young"))
    assert "old" in outstanding
    call(outstanding, "new", DAY).enter(interaction("new"))
    assert ("old" in outstanding, "young" in outstanding, "new" in outstanding) == (
        False,
        True,
        True,
    )
    assert await outstanding.complete("old") is False


async def test_what_has_one_is_not() -> None:
    outstanding = Outstanding()
    Book(outstanding=outstanding, owner="client").enter(interaction("old"))
    call(outstanding, "new", 2 * DAY).enter(interaction("new"))
    assert await outstanding.complete("old") is True


async def test_what_left_before_its_day_came_is_passed_over() -> None:
    outstanding = Outstanding()
    first = interaction("a")
    book = call(outstanding, "a")
    book.enter(first)
    book.leave(first)
    call(outstanding, "a", 1).enter(interaction("a"))
    call(outstanding, "b", DAY).enter(interaction("b"))
    assert "a" in outstanding


async def test_there_is_room_for_so_many_and_the_oldest_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PER_OWNER", 3)
    outstanding = Outstanding()
    one, other = (Book(outstanding=outstanding, owner=name) for name in ("one", "other"))
    for name in "abcd":
        one.enter(interaction(name))
    other.enter(interaction("e"))
    assert [name for name in "abcde" if name in outstanding] == ["b", "c", "d", "e"]


async def test_also_over_all_that_have_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGING", 2)
    outstanding = Outstanding()
    for name in "abcd":
        call(outstanding, name).enter(interaction(name))
    assert [name for name in "abcd" if name in outstanding] == ["b", "c", "d"]


@pytest.mark.requirement("G15")
async def test_what_belongs_to_a_connection_dies_with_it() -> None:
    outstanding = Outstanding()
    delivery = FakeDelivery()
    mine = Interaction(elicitation_id="a", url="u", host="h", delivery=delivery)
    gone, other = (Book(outstanding=outstanding, owner=name) for name in ("gone", "other"))
    gone.enter(mine)
    done = interaction("b")
    gone.enter(done)
    gone.keep(done)
    assert await done.complete()
    other.enter(interaction("c"))
    outstanding.drop("gone")
    outstanding.drop("gone")
    assert [name for name in "abc" if name in outstanding] == ["c"]
    assert await mine.complete() is False
    assert delivery.completions == []


async def test_nothing_is_left_of_an_owner_without_any() -> None:
    outstanding = Outstanding()
    book = Book(outstanding=outstanding, owner="client")
    one = interaction("a")
    book.enter(one)
    await one.complete()
    book.leave(one)
    book.keep(one)
    assert len(outstanding) == 0
    assert outstanding._owned == {}


async def test_what_another_took_the_place_of_is_not_forgotten_with_it() -> None:
    outstanding = Outstanding()
    book = Book(outstanding=outstanding, owner="client")
    first, second = interaction("a"), interaction("a")
    book.enter(first)
    await first.complete()
    book.enter(second)
    book.leave(first)
    first.end()
    assert book.claim("a") is second


async def test_an_id_that_is_unknown_completes_nothing() -> None:
    assert await Outstanding().complete("unknown") is False

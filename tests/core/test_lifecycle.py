"""The state table of a form elicitation, walked at random and read as a whole."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.errors import UsageError
from elicitkit.core.lifecycle import (
    FINAL,
    PAGE_TABLE,
    TABLE,
    Event,
    IllegalTransition,
    Lifecycle,
    PageEvent,
    PageState,
    State,
    after,
)

EVENTS: tuple[Event, ...] = get_args(Event)
STATES: tuple[State, ...] = get_args(State)


def test_the_table_is_the_whole_machine() -> None:
    assert set(TABLE) == set(STATES)
    assert set(STATES) - {"offered", "shown"} == FINAL
    assert {(state, event) for state, ways in TABLE.items() for event in ways} == {
        ("offered", "show"),
        ("offered", "cancel"),
        ("offered", "withdraw"),
        ("shown", "accept"),
        ("shown", "decline"),
        ("shown", "cancel"),
        ("shown", "withdraw"),
    }


@given(st.lists(st.sampled_from(EVENTS)))
def test_a_random_walk_ends_at_most_once_and_illegal_steps_change_nothing(
    events: list[Event],
) -> None:
    life = Lifecycle()
    ends = 0
    for event in events:
        before = life.state
        if event in TABLE[before]:
            assert life.on(event) == TABLE[before][event]
            ends += life.ended
        else:
            with pytest.raises(IllegalTransition):
                life.on(event)
            assert life.state == before
    assert ends == (1 if life.ended else 0)


@pytest.mark.parametrize("event", ["accept", "decline"])
def test_nobody_answers_what_was_never_shown(event: Event) -> None:
    with pytest.raises(UsageError, match="'offered' knows no"):
        after(TABLE, "offered", event)


@pytest.mark.case("110-single-terminal-outcome")
@pytest.mark.parametrize("state", sorted(FINAL))
@pytest.mark.parametrize("event", EVENTS)
def test_a_late_answer_meets_a_final_state(state: State, event: Event) -> None:
    with pytest.raises(IllegalTransition, match="its outcome stands") as caught:
        after(TABLE, state, event)
    assert (caught.value.state, caught.value.event) == (state, event)


def test_the_table_of_a_page_is_its_whole_machine() -> None:
    assert set(PAGE_TABLE) == set(get_args(PageState))
    assert {event for ways in PAGE_TABLE.values() for event in ways} == set(get_args(PageEvent))
    assert {state for state, ways in PAGE_TABLE.items() if not ways} == {
        "completed",
        "given_up",
        "over",
    }


@pytest.mark.requirement("M24", "G33")
@given(st.lists(st.sampled_from(get_args(PageEvent))))
def test_a_page_ends_at_most_once_however_often_it_is_completed(events: list[PageEvent]) -> None:
    state: PageState = "open"
    ends = 0
    for event in events:
        if event in PAGE_TABLE[state]:
            state = after(PAGE_TABLE, state, event)
            ends += not PAGE_TABLE[state]
        else:
            with pytest.raises(IllegalTransition):
                after(PAGE_TABLE, state, event)
    assert ends == (0 if PAGE_TABLE[state] else 1)

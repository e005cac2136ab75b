"""What rides in requestState: it survives the way out and back, or is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.asking.journal import Asked, Journal
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Accept, Cancel, Decline, Response

VALUES = st.one_of(
    st.text(), st.integers(), st.booleans(), st.lists(st.text(max_size=3), max_size=3)
)
RESPONSES: st.SearchStrategy[Response] = st.one_of(
    st.builds(Accept, st.none() | st.dictionaries(st.text(max_size=5), VALUES, max_size=3)),
    st.builds(Decline),
    st.builds(Cancel, st.text(max_size=10)),
)


@given(
    answers=st.dictionaries(st.text(max_size=5), st.lists(RESPONSES, max_size=3), max_size=3),
    once=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
    labels=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
)
def test_a_journal_survives_being_text(
    answers: dict[str, list[Response]], once: dict[str, str], labels: dict[str, str]
) -> None:
    journal = Journal(
        call="c",
        answers=answers,
        once=once,
        asked={"q": Asked(label="How?", at=1.5)},
        labels=labels,
    )
    assert Journal.load(journal.dump()) == journal


def test_the_time_of_the_first_asking_stays() -> None:
    journal = Journal(call="c")
    journal.ask("k", "x" * 100, now=1.0)
    journal.ask("k", "again", now=9.0)
    assert journal.asked == {"k": Asked(label="x" * 60, at=1.0)}
    journal.record("k", Decline())
    assert journal.asked == {}
    assert journal.labels == {"k": "x" * 60}


@pytest.mark.requirement("M69")
@pytest.mark.parametrize(
    "state",
    [
        "",
        "something else",
        "ek1:",
        "ek1:not json",
        "ek1:[]",
        "ek1:null",
        "ek1:{}",
        "ek1:" + json.dumps({"c": "c", "t": 0, "a": {"k": [["x"]]}, "o": {}, "q": {}, "l": {}}),
        "ek1:" + json.dumps({"c": "c", "t": 0, "a": {"k": [["a", 3]]}, "o": {}, "q": {}, "l": {}}),
        "ek1:" + json.dumps({"c": "c", "t": 0, "a": {"k": 3}, "o": {}, "q": {}, "l": {}}),
        "ek1:" + json.dumps({"c": "c", "t": 0, "a": {}, "o": {}, "q": {"k": ["only"]}, "l": {}}),
    ],
)
def test_a_state_that_is_not_ours_is_refused_with_invalid_params(state: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        Journal.load(state)
    assert refused.value.code == -32602

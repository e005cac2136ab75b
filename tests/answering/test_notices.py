"""Notices of completion that find no open page."""

from __future__ import annotations

import pytest

from elicitkit.answering.notices import Notices


@pytest.mark.requirement("G33")
def test_a_notice_that_came_early_is_taken_once() -> None:
    notices = Notices()
    notices.came("e1")
    notices.came("e1")
    assert [notices.take("e1"), notices.take("e1")] == [True, False]


@pytest.mark.requirement("M24", "A47")
def test_a_notice_for_what_was_open_before_is_no_news() -> None:
    notices = Notices()
    assert notices.take("e1") is False
    notices.came("e1")
    assert notices.take("e1") is False


def test_only_so_many_are_remembered() -> None:
    notices = Notices()
    for number in range(300):
        notices.came(f"e{number}")
    assert [notices.take("e299"), notices.take("e0")] == [True, False]
    for number in range(300):
        notices.take(f"f{number}")
    notices.came("e299")
    assert notices.take("e299") is True

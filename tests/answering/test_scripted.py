"""Answers from a list are as honest as those of a person."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from elicitkit.answering import Scripted
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Accept, Cancel, Decline, Response, UrlRequest
from elicitkit.core.open_page import OpenPage
from elicitkit.core.ports import Surface
from elicitkit.core.urls import inspect_url
from tests.answering.forms import DEFAULTS, NAME, ORIGIN, PAGE

pytestmark = pytest.mark.anyio


def test_a_list_of_answers_is_a_surface_for_forms_only() -> None:
    surface = Scripted([])
    assert isinstance(surface, Surface)
    assert surface.modes == {"form"}


async def test_answers_are_used_in_order_and_the_questions_are_kept() -> None:
    surface = Scripted(
        [
            {"action": "accept", "content": {"name": "Ann"}},
            {"action": "decline"},
            {"action": "cancel"},
        ]
    )
    answers = [await surface.fill(one, ORIGIN) for one in (NAME, DEFAULTS, NAME)]
    assert answers == [Accept({"name": "Ann"}), Decline(), Cancel()]
    assert surface.asked == [NAME, DEFAULTS, NAME]
    assert (surface.unused, surface.exhausted, surface.errors) == (0, False, [])


async def test_a_question_too_many_is_cancelled_and_remembered() -> None:
    surface = Scripted([{"action": "decline"}])
    await surface.fill(NAME, ORIGIN)
    assert await surface.fill(NAME, ORIGIN) == Cancel("no_answer_left")
    assert surface.exhausted
    assert surface.errors == ["question 2 has no answer left"]


async def test_answers_that_nobody_asked_for_are_counted() -> None:
    surface = Scripted([{"action": "decline"}, {"action": "decline"}, {"action": "cancel"}])
    await surface.fill(NAME, ORIGIN)
    assert surface.unused == 2


async def test_defaults_of_the_form_are_not_made_up_for_missing_keys() -> None:
    surface = Scripted([{"action": "accept", "content": {"i": 3}}, {"action": "accept"}])
    assert await surface.fill(DEFAULTS, ORIGIN) == Accept({"i": 3})
    assert await surface.fill(DEFAULTS, ORIGIN) == Accept({})


@pytest.mark.requirement("M61")
async def test_content_that_does_not_fit_is_cancelled_and_the_error_names_the_field() -> None:
    surface = Scripted([{"action": "accept", "content": {"name": 5}}, {"action": "accept"}])
    assert await surface.fill(NAME, ORIGIN) == Cancel("invalid_answer")
    assert await surface.fill(NAME, ORIGIN) == Cancel("invalid_answer")
    assert surface.errors == [
        "answer 1 does not fit the form: name: This must be text.",
        "answer 2 does not fit the form: name: An answer is needed.",
    ]


@pytest.mark.requirement("G09")
async def test_keys_that_nobody_asked_for_are_not_sent() -> None:
    surface = Scripted([{"action": "accept", "content": {"name": "Ann", "age": 3}}])
    assert await surface.fill(NAME, ORIGIN) == Accept({"name": "Ann"})


async def test_an_answer_that_names_a_url_is_no_answer_to_a_form() -> None:
    surface = Scripted([{"action": "accept", "url": "https://x.example"}])
    assert await surface.fill(NAME, ORIGIN) == Cancel("invalid_answer")
    assert surface.errors == ["answer 1 is meant for a url question, and a form was asked"]


def test_url_mode_is_declared_only_by_an_answer_that_names_a_url() -> None:
    assert Scripted([{"action": "decline", "url": PAGE.url}]).modes == {"form", "url"}


async def consented(surface: Scripted, url: str = PAGE.url) -> Response:
    return await surface.consent(UrlRequest(message="", url=url), inspect_url(url), ORIGIN)


@pytest.mark.requirement("M54")
async def test_a_url_is_accepted_only_by_an_answer_that_names_exactly_it() -> None:
    surface = Scripted(
        [
            {"action": "accept", "url": PAGE.url},
            {"action": "accept", "url": PAGE.url + "/"},
            {"action": "accept"},
            {"action": "decline", "url": PAGE.url},
            {"action": "cancel"},
        ]
    )
    assert not surface.opens
    answers = [await consented(surface) for _ in range(6)]
    invalid = Cancel("invalid_answer")
    assert answers == [Accept(), invalid, invalid, Decline(), Cancel(), Cancel("no_answer_left")]
    assert surface.errors == [
        "answer 2 names another URL than the one that was asked",
        "answer 3 accepts a URL without naming it",
        "question 6 has no answer left",
    ]


@pytest.mark.requirement("M54", "G29")
async def test_a_url_that_must_not_be_opened_is_accepted_by_no_script() -> None:
    hostile = "https://bank.example@evil.example/"
    surface = Scripted([{"action": "accept", "url": hostile}])
    assert await consented(surface, hostile) == Cancel("url_refused")
    assert surface.errors == ["answer 1 accepts a URL that must not be opened: userinfo"]


async def test_a_page_counts_as_finished_once_and_then_nobody_is_there() -> None:
    surface = Scripted([], patience=0.01)
    page = OpenPage(request=PAGE, findings=inspect_url(PAGE.url), origin=ORIGIN, opening="by_hand")
    assert await surface.wait(page) == "finished"
    page.pending = True
    with anyio.move_on_after(0.05) as waited:
        await surface.wait(page)
    assert waited.cancelled_caught
    page.ending = "completed"
    assert await surface.wait(page) == "finished"


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("yes", "answer 2 must be an object with an action, not str"),
        ({}, "answer 2 needs an action: accept, decline, cancel, not None"),
        ({"action": "reject"}, "answer 2 needs an action: accept, decline, cancel, not 'reject'"),
        ({"action": "accept", "values": {}}, "answer 2 has unknown keys: values"),
        ({"action": "accept", "content": []}, "the content of answer 2 must be an object"),
        ({"action": "decline", "content": {}}, "answer 2 has content, which only an accept"),
        ({"action": "accept", "url": 5}, "the url of answer 2 must be a text"),
    ],
)
def test_an_entry_that_is_no_answer_is_refused_by_its_number(answer: Any, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        Scripted([{"action": "cancel"}, answer])

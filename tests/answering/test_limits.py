"""What is too much is refused whole, before anything is shown."""

from __future__ import annotations

import pytest

from elicitkit.answering.limits import Limits, check_question, check_size
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.fields import ChoiceField, ChoicesField, Option, TextField
from elicitkit.core.model import UrlRequest
from tests.answering.forms import form

LIMITS = Limits()
OPTIONS = tuple(Option(str(number)) for number in range(1_001))

pytestmark = pytest.mark.requirement("G17")


def test_a_form_at_every_limit_is_taken() -> None:
    fields = [TextField(name=f"f{number}") for number in range(62)]
    choice = ChoiceField(name="one", options=OPTIONS[:1_000])
    choices = ChoicesField(name="many", options=OPTIONS[:1_000])
    check_question(form(*fields, choice, choices, message="é" * 8 * 1024), LIMITS)
    check_size({"message": "x" * (256 * 1024 - len('{"message": ""}'))}, LIMITS)


def test_a_field_too_many_is_refused() -> None:
    fields = [TextField(name=f"f{number}") for number in range(65)]
    with pytest.raises(InvalidRequest, match="the form has 65 fields, and this client takes 64"):
        check_question(form(*fields), LIMITS)


@pytest.mark.parametrize("kind", [ChoiceField, ChoicesField])
def test_an_option_too_many_is_refused_by_the_name_of_its_field(
    kind: type[ChoiceField] | type[ChoicesField],
) -> None:
    with pytest.raises(InvalidRequest, match="the field 'city' has 1001 options"):
        check_question(form(kind(name="city", options=OPTIONS)), LIMITS)


def test_a_message_is_measured_in_bytes() -> None:
    with pytest.raises(InvalidRequest, match="the message has 16386 bytes"):
        check_question(form(message="é" * (8 * 1024 + 1)), LIMITS)


def test_a_question_that_is_too_big_is_refused_before_it_is_read() -> None:
    with pytest.raises(InvalidRequest, match="and this client takes 262144"):
        check_size({"message": "x" * 256 * 1024}, LIMITS)


def test_a_lone_surrogate_does_not_break_the_measure() -> None:
    check_size({"message": "\ud800"}, LIMITS)
    check_question(form(message="\ud800"), LIMITS)


def test_limits_can_be_set() -> None:
    with pytest.raises(InvalidRequest, match="takes 1"):
        check_question(form(TextField(name="a"), TextField(name="b")), Limits(properties=1))


def test_a_url_may_be_so_long_and_no_longer() -> None:
    longest = "https://x.example/" + "é" * ((8 * 1024 - 18) // 2)
    check_question(UrlRequest(message="", url=longest), LIMITS)
    with pytest.raises(InvalidRequest, match="the URL has 8194 bytes, and this client takes 8192"):
        check_question(UrlRequest(message="", url=longest + "é"), LIMITS)

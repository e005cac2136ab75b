"""Every row of the acceptance matrix of ACP, read by each reading of the dialects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from elicitkit.core.check import check
from elicitkit.core.dialects import Dialect
from elicitkit.core.errors import InvalidRequest, InvalidResponse
from elicitkit.core.model import Accept, FormRequest
from elicitkit.core.schema import read
from elicitkit.wire.acp import decode_request, decode_response
from tests.wire.acp_matrix import ANSWERS, CHECKED, COLUMNS, FORM, REQUESTS, SCHEMA


def judged(decode: Callable[[object, Dialect], object], message: object) -> str:
    return " ".join("x" if _refused(decode, message, dialect) else "ok" for dialect in COLUMNS)


def _refused(
    decode: Callable[[object, Dialect], object], message: object, dialect: Dialect
) -> bool:
    try:
        decode(message, dialect)
    except (InvalidRequest, InvalidResponse):
        return True
    return False


@pytest.mark.requirement("A13", "A14", "A20", "A21", "G19", "G20", "G28", "G48")
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_read_or_refused_as_its_row_says(name: str):
    """Spec-mandated, with our own rulings where the row names one."""
    assert judged(decode_request, REQUESTS[name].message) == REQUESTS[name].ours


@pytest.mark.requirement("A38")
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_read_or_refused_as_its_row_says(name: str):
    """Spec-mandated, with our own rulings where the row names one."""
    assert judged(decode_response, ANSWERS[name].message) == ANSWERS[name].ours


def test_every_listed_difference_from_the_schemas_is_one_and_says_why():
    """Ours: the list of divergences may not rot."""
    for row in (*REQUESTS.values(), *ANSWERS.values()):
        assert (row.ours != row.spec) is bool(row.why)


@pytest.mark.parametrize("name", [name for name, row in ANSWERS.items() if row.why == CHECKED])
@pytest.mark.parametrize("dialect", COLUMNS)
def test_what_no_field_can_hold_is_refused_by_the_check_and_named(name: str, dialect: Dialect):
    """Spec-mandated on the newer v2, where any JSON may come and the agent validates."""
    answer = decode_response(ANSWERS[name].message, dialect)
    assert isinstance(answer, Accept)
    content, errors = check(read(SCHEMA, dialect), answer.content)
    assert (content, [error.field for error in errors]) == ({}, ["f"])


def test_the_forms_of_the_matrix_are_forms():
    """Ours: a row that fell into an unknown mode would prove nothing."""
    for row in REQUESTS.values():
        if "x" not in row.ours and row.message["mode"] == FORM["mode"]:
            for dialect in COLUMNS:
                assert isinstance(decode_request(row.message, dialect).request, FormRequest)

"""How the demo tells its questions and answers to a person who reads along."""

from __future__ import annotations

import pytest

from elicitkit.core.fields import BooleanField, RequestedSchema, TextField
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Response
from elicitkit.demo.story import Story

FORM = FormRequest(
    message="Who is it?\x1b[2J",
    schema=RequestedSchema(fields=(TextField(name="name", title="Name"), BooleanField(name="new"))),
)


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (Accept({"name": "Ada"}), "  Name: Ada\n  new: not sent\n"),
        (Decline(), "  Declined.\n"),
        (Cancel("no_answer_left"), "  Cancelled (no_answer_left).\n"),
    ],
)
def test_each_question_is_told_with_its_outcome_and_without_escape_sequences(
    response: Response, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    story = Story(questions=True)
    story.question(1, FORM)
    story.outcome(1, response)
    assert capsys.readouterr().out == "\nQuestion 1: Who is it?\\x1b[2J\n" + told


def test_at_a_terminal_only_the_end_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    story = Story(questions=False)
    story.question(1, FORM)
    story.outcome(1, Decline())
    story.result(False, [{"type": "text", "text": "Bye."}], None)
    assert capsys.readouterr().out == "\nThe tool says:\n  Bye.\n"

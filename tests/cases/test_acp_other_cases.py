"""Reports about agents of ACP whose choices take an answer of a person's own."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field, create_model

from elicitkit import Ask, Choices
from elicitkit.asking.call import Call
from elicitkit.core.dialects import Dialect
from elicitkit.core.form import Form
from elicitkit.core.model import Accept, FormRequest, Request, Response, SessionScope
from elicitkit.wire.acp import decode_request, encode_request
from tests.asking.doubles import FakeDelivery, live
from tests.cases.replay import Case, load, replays

pytestmark = pytest.mark.anyio

SESSION = SessionScope(session_id="s")


def acp(id_: str) -> pytest.MarkDecorator:
    """Replay this case on its dialects."""
    return replays([load(id_)], protocol="acp")


def open_to(*options: str) -> Any:
    """A choice of these, or an answer of one's own."""
    return Annotated[str, Choices({one: one for one in options}, other=True)]


class Person(FakeDelivery):
    """Reads each question from the wire, and writes an answer of their own to every field."""

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        assert isinstance(request, FormRequest)
        self.asked.append(request)
        params = encode_request(request, SESSION, self.dialect)
        shown = decode_request(params, self.dialect).request
        assert isinstance(shown, FormRequest)
        form = Form(shown)
        for one in form.fields:
            form.set_other(one.name, f"my {one.name}")
        return Accept(form.content())


@acp("196-acp-other-per-question")
async def test_every_question_has_a_box_of_its_own(case: Case, dialect: Dialect):
    questions = {f"question_{at}": one for at, one in enumerate(case.given["questions"])}
    assert all(one["other"] for one in questions.values())
    fields: dict[str, Any] = {
        name: (open_to(*one["options"]), Field(title=one["q"])) for name, one in questions.items()
    }
    person = Person(dialect=dialect)
    answer = await Ask(Call(delivery=person))("Please answer", create_model("Form", **fields))
    assert answer.model_dump() == {name: f"my {name}" for name in questions}
    assert case.expect["answers_map_back_per_question"] is True

    (request,) = person.asked
    assert isinstance(request, FormRequest)
    properties = encode_request(request, SESSION, dialect)["requestedSchema"]["properties"]
    marked = [one for one in properties.values() if "_meta" in one]
    assert len(properties) == case.expect["properties"]
    assert len(marked) == case.expect["other_fields"]


@acp("197-acp-option-kept-with-empty-note")
async def test_an_option_beside_an_empty_box_is_kept(case: Case, dialect: Dialect):
    # The box is called otherwise here; the report is about what stands in it.
    given = {name.replace("_other", "_custom"): one for name, one in case.given["answer"].items()}
    assert given == {"question_0": "x", "question_0_custom": ""}
    ask, delivery = live(Accept(given), dialect=dialect)
    answer = await ask("Which?", create_model("Form", question_0=open_to("x", "y")))
    assert answer.model_dump() == case.expect["result"]
    assert len(delivery.asked) == 1

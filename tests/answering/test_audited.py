"""Every question that came is in the audit log with its ending, and no value is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import anyio
import pytest

from elicitkit.answering import Answerer, Arrival, Pace
from elicitkit.answering.audit import AuditLog
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Accept, Cancel, Decline, Response
from tests.answering.forms import NAME, ORIGIN, PAGE
from tests.answering.surfaces import Screen, Shown

pytestmark = pytest.mark.anyio

CAME = Arrival(dialect="mcp-2025-11-25", size=77, request_id="q1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def text(file: Path) -> str:
    return file.read_text("utf-8")


def entries(file: Path, *keys: str) -> list[Any]:
    rows = [json.loads(line) for line in text(file).splitlines()]
    return [tuple(row[key] for key in keys) for row in rows]


def answerer(file: Path, response: Response, **options: Any) -> Answerer:
    async def person(shown: Shown) -> Response:
        return response

    return Answerer(Screen(person), audit=AuditLog(file), **options)


async def test_an_answer_is_kept_with_who_asked_and_how_it_came_and_without_its_values(
    file: Path,
) -> None:
    await answerer(file, Accept({"name": "CANARY"})).answer(NAME, ORIGIN, arrival=CAME)
    keys = ("label", "claimed", "dialect", "mode", "message", "fields", "outcome", "sent", "size")
    assert entries(file, *keys) == [
        (
            "my server",
            "srv",
            "mcp-2025-11-25",
            "form",
            "Who are you?",
            ["name"],
            "accept",
            ["name"],
            77,
        )
    ]
    ((hashed,),) = entries(file, "request")
    assert len(hashed) == 16
    assert "CANARY" not in text(file)


@pytest.mark.parametrize(
    ("response", "kept"),
    [
        (Decline(), ("decline", None)),
        (Cancel("dismissed"), ("cancel", "dismissed")),
        (Accept({"name": 5}), ("cancel", "invalid_answer")),
    ],
)
async def test_every_outcome_is_kept_with_its_reason(
    file: Path, response: Response, kept: tuple[str, str | None]
) -> None:
    await answerer(file, response).answer(NAME, ORIGIN)
    assert entries(file, "outcome", "reason") == [kept]


async def test_what_was_cancelled_unseen_is_kept_too(file: Path) -> None:
    asked = answerer(file, Decline(), pace=Pace(per_minute=1))
    for _ in range(3):
        await asked.answer(NAME, ORIGIN)
    assert entries(file, "outcome", "reason") == [
        ("decline", None),
        ("cancel", "rate_limited"),
        ("cancel", "rate_limited"),
    ]


async def test_a_question_that_was_withdrawn_is_kept(file: Path) -> None:
    asked = Answerer(Screen(), audit=AuditLog(file))
    with anyio.move_on_after(0):
        await asked.answer(NAME, ORIGIN)
    assert entries(file, "outcome", "reason") == [("cancel", "withdrawn")]


async def test_a_question_that_was_refused_is_kept(file: Path) -> None:
    asked = answerer(file, Decline())
    with pytest.raises(InvalidRequest):
        await asked.answer(PAGE, ORIGIN, arrival=CAME)
    asked.refused(None, ORIGIN, CAME)
    assert entries(file, "mode", "message", "outcome", "reason") == [
        ("url", "Sign in", "refused", "invalid_request"),
        (None, "", "refused", "invalid_request"),
    ]


async def test_a_log_that_cannot_be_written_does_not_change_the_answer(file: Path) -> None:
    asked = answerer(file, Decline())
    os.chmod(file, 0o644)
    assert await asked.answer(NAME, ORIGIN) == Decline()


async def test_without_a_log_nothing_is_kept_of_what_was_refused() -> None:
    Answerer(Screen()).refused(None, ORIGIN, CAME)

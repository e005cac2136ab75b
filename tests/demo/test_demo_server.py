"""The demo server, called in process as any client would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from mcp_types import CallToolResult, TextContent

from elicitkit import Answerer
from elicitkit.answering import Scripted
from elicitkit.core.fields import ChoiceField, Field, TextField, kind_of
from elicitkit.core.formats import FORMATS
from elicitkit.demo.server import server
from elicitkit.demo.tour import answers
from elicitkit.mcp import connect

pytestmark = pytest.mark.anyio

NEWEST = "2026-07-28"
PROTOCOLS = ["2025-06-18", "2025-11-25", NEWEST]
ACCEPT_ALL = answers(NEWEST)
DECLINE = {"action": "decline"}
CANCEL = {"action": "cancel"}


async def book(script: Scripted, protocol: str = NEWEST) -> CallToolResult:
    async with connect(
        server, name="demo", answerer=Answerer(script), protocol_version=protocol
    ) as client:
        result = await client.call_tool("book_stay", {})
    assert script.errors == []
    assert script.unused == 0
    return result


def said(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert not result.is_error
    return block.text


def accept(**content: Any) -> Mapping[str, object]:
    return {"action": "accept", "content": content}


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_answers_that_come_with_the_package_book_a_stay_on_every_revision(
    protocol: str,
) -> None:
    script = Scripted(answers(protocol))
    text = said(await book(script, protocol))
    assert text == (
        "Booked for Ada Lovelace: 2027-06-18 to 2027-06-21, 431 euros. "
        "We meet you at the station at 17:40. The confirmation goes to ada@example.com."
    )


async def test_the_questions_hold_every_kind_of_field_and_every_known_format() -> None:
    script = Scripted(ACCEPT_ALL)
    await book(script, "2025-11-25")
    fields: list[Field] = [one for form in script.asked for one in form.schema.fields]
    texts = [one for one in fields if isinstance(one, TextField)]
    titled = {bool(one.options[0].title) for one in fields if isinstance(one, ChoiceField)}
    assert {kind_of(one) for one in fields} == {
        "text", "number", "integer", "boolean", "choice", "choices",
    }  # fmt: skip
    assert {one.format for one in texts} == {None, *FORMATS}
    assert any(one.pattern for one in texts)
    assert any(one.min_length and one.max_length for one in texts)
    assert titled == {True, False}


async def test_bikes_are_asked_about_only_where_they_are_wanted() -> None:
    guest, stay, _, _, yes = ACCEPT_ALL
    script = Scripted([guest, stay, accept(extras=["sauna"]), yes])
    assert "375 euros" in said(await book(script))
    assert not any("Bikes, then" in form.message for form in script.asked)


async def test_a_suggested_extra_that_the_guest_leaves_out_is_not_charged() -> None:
    guest, stay, _, _, yes = ACCEPT_ALL
    script = Scripted([guest, stay, accept(), yes])
    assert "350 euros" in said(await book(script))


async def test_a_voucher_that_breaks_its_pattern_is_asked_again() -> None:
    """2026-07-28 forms have no pattern, so only the asking side can notice."""
    guest, *rest = ACCEPT_ALL
    wrong = accept(name="Ada Lovelace", email="ada@example.com", voucher="sea 2048")
    script = Scripted([wrong, guest, *rest])
    said(await book(script))
    assert "Please correct:\n- Voucher" in script.asked[1].message


@pytest.mark.requirement("M42")
@pytest.mark.parametrize("protocol", ["2025-11-25", NEWEST])
@pytest.mark.parametrize("place", range(len(ACCEPT_ALL)))
async def test_a_decline_at_any_question_ends_politely_and_books_nothing(
    place: int, protocol: str
) -> None:
    script = Scripted([*ACCEPT_ALL[:place], DECLINE])
    text = said(await book(script, protocol))
    assert "nothing is booked" in text.lower()
    assert len(script.asked) == place + 1


@pytest.mark.requirement("M42")
@pytest.mark.parametrize("place", range(len(ACCEPT_ALL)))
async def test_a_cancel_at_any_question_books_nothing_for_now(place: int) -> None:
    script = Scripted([*ACCEPT_ALL[:place], CANCEL])
    text = said(await book(script))
    assert text == "Then not now: nothing is booked. Come back whenever you like."


async def test_a_no_at_the_confirmation_books_nothing() -> None:
    script = Scripted([*ACCEPT_ALL[:-1], accept(value=False)])
    assert said(await book(script)) == "Nothing is booked. Come back whenever you like."

"""Questions of an agent before a person at a real terminal, behind the client."""

from __future__ import annotations

import pytest

from elicitkit.core.dialects import Dialect
from tests.acp.client_rig import PAGE, URL_QUESTION, VERSIONS
from tests.acp.rig import Wire
from tests.cases.raw_server import at_a_terminal

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("dialect", VERSIONS, ids=["v1", "v2"])
TRIP: Wire = {
    "message": "Where to?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "title": "City", "default": "Rome"},
            "nights": {"type": "integer", "title": "Nights", "default": 2},
            "seat": {"type": "string", "enum": ["window", "aisle"], "default": "aisle"},
            "late": {"type": "boolean", "title": "Late", "default": True},
        },
        "required": ["city"],
    },
}
DEFAULTS: Wire = {"city": "Rome", "nights": 2, "seat": "aisle", "late": True}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"  # as the ACP SDK needs it


@both
@pytest.mark.requirement("A31")
async def test_declared_defaults_are_filled_in_and_sent_as_they_stand(dialect: Dialect) -> None:
    sitting = await at_a_terminal(dialect, TRIP, ":review", "s")
    assert sitting.answer == {"action": "accept", "content": DEFAULTS}
    for shown in ("Rome", "2", "aisle", "yes"):
        assert shown in sitting.seen


@both
@pytest.mark.requirement("A04")
async def test_what_was_answered_is_reviewed_and_can_be_changed_before_it_leaves(
    dialect: Dialect,
) -> None:
    sitting = await at_a_terminal(dialect, TRIP, "Oslo", ":review", "1", "Bergen", "s")
    assert sitting.answer == {"action": "accept", "content": DEFAULTS | {"city": "Bergen"}}
    reviews = sitting.seen.split("Review")[1:]
    assert len(reviews) >= 2
    assert "Oslo" in reviews[0]
    assert "Bergen" in reviews[-1]


@both
@pytest.mark.requirement("A01", "A03", "A05", "A07", "A57", "A59")
@pytest.mark.parametrize(("typed", "action"), [(":decline", "decline"), (":cancel", "cancel")])
async def test_a_page_is_told_by_its_host_and_whole_address_and_may_be_refused(
    dialect: Dialect, typed: str, action: str
) -> None:
    sitting = await at_a_terminal(dialect, URL_QUESTION, typed)
    assert sitting.answer == {"action": action}
    for shown in (
        "Question from mine",
        "Sign in",
        "DOMAIN: example.com",
        "https://example.com/connect?handle=1#%C3%A9",
        PAGE,
        ":decline",
        ":cancel",
    ):
        assert shown in sitting.seen

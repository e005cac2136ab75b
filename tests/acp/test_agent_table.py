"""The table of handlers that asking servers are held to, played by agents of ACP.

The handlers and the answers are those of ``tests/mcp/table.py``. A result that tells of an
error is an error of JSON-RPC here, or the end of a turn; ``LEFT_OUT`` says of every row that
is not played why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import SessionScope
from elicitkit.wire.acp import decode_request
from tests.acp.asked_client import BOTH, DIALECT, Client, Person, Wire, asked, on_stdio
from tests.acp.tool_agent import VERSIONS, Version
from tests.core.strict_schema import require_strict
from tests.mcp.table import ROWS, Answer, Done, Failed, Row, Withdrawn

pytestmark = pytest.mark.anyio

LEFT_OUT = {"state expired": "only a call that is made again has a state, and none of ACP is"}
PLAYED = [row for row in ROWS if row.name not in LEFT_OUT]
NOT_DONE = -32010
MISTAKE = -32603


def person_of(row: Row) -> Person:
    """Answers by the first line of the message; what is late or never comes is never sent."""
    left: dict[str, list[Answer]] = {line: list(given) for line, given in row.answers.items()}

    def answer(params: Wire) -> Wire | None:
        given = left[next(known for known in left if params["message"].startswith(known))]
        said = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(said, str):
            return {"action": said} if said in ("decline", "cancel") else None
        return {"action": "accept", "content": dict(said)}

    return answer


async def played(row: Row, client: Client) -> None:
    """Play a row, and hold what came of it against the table."""
    asked_before, said_before = len(client.questions), client.text
    arguments = {
        name: uuid4().hex if given == "{new}" else given for name, given in row.arguments.items()
    }
    if isinstance(row.gives, Withdrawn):
        ended = await stopped(client, row.tool)
    else:
        ended = await client.turn(row.tool, session=uuid4().hex, **arguments)
    match row.gives:
        case Done(text):
            assert ended["result"] == {"stopReason": "end_turn"}
            assert client.text.removeprefix(said_before) == text
        case Failed(text):
            assert text in ended["error"]["message"]
            code = NOT_DONE if ": the question" in ended["error"]["message"] else MISTAKE
            assert ended["error"]["code"] == code
        case other:
            assert isinstance(other, Withdrawn)
    assert len(client.questions) - asked_before == row.questions


async def stopped(client: Client, tool: str) -> Wire:
    """Cancel a prompt while its question is open."""
    id_ = await client.prompted(tool)
    question = await client.question(len(client.questions) + 1)
    if client.version == "acp-v1":
        await client.tell("$/cancel_request", {"requestId": id_})
    else:
        await client.tell("session/cancel", {"sessionId": "s"})
    ended = await client.over(id_)
    assert question["id"] in client.cancelled
    if client.version == "acp-v1":
        assert ended["error"]["code"] == -32800
    else:
        assert ended["result"] == {"stopReason": "cancelled"}
    return ended


@pytest.mark.requirement(
    "A11", "A12", "A13", "A14", "A19", "A20", "A30", "A41", "A42", "G05", "G16"
)
@pytest.mark.parametrize("row", PLAYED, ids=lambda row: row.name.replace(" ", "_"))
@pytest.mark.parametrize("version", VERSIONS)
async def test_in_memory(version: Version, row: Row) -> None:
    declared: Any = BOTH if row.declares else None
    async with asked(version, person_of(row), elicitation=declared) as client:
        await played(row, client)
        for question in client.questions:
            require_exact(question, DIALECT[version])


def require_exact(question: Wire, dialect: Dialect) -> None:
    """Fail unless a question has what its dialect demands and nothing else."""
    assert set(question) == {"jsonrpc", "id", "method", "params"}
    params = question["params"]
    assert set(params) == {"sessionId", "mode", "message", "requestedSchema"}
    assert isinstance(params["sessionId"], str)
    require_strict(params["requestedSchema"], dialect)
    assert isinstance(decode_request(params, dialect).scope, SessionScope)


@pytest.mark.parametrize("version", VERSIONS)
async def test_on_stdio(version: Version) -> None:
    rows: Sequence[Row] = [row for row in PLAYED if row.declares]
    async with on_stdio(version) as client:
        for row in rows:
            client.person = person_of(row)
            # On ACP v2 the end of one turn is told like that of any other.
            client.received.clear()
            await played(row, client)


def test_every_row_is_played_or_has_a_reason() -> None:
    assert len(PLAYED) == len(ROWS) - len(LEFT_OUT)
    assert {row.name for row in ROWS} >= set(LEFT_OUT)

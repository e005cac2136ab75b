"""Whatever a peer sends: nothing hangs, nothing crosses, and the connection goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anyio
from acp.agent.connection import AgentSideConnection
from acp.connection import Connection
from acp.schema import InitializeResponse
from hypothesis import given, settings
from hypothesis import strategies as st

from elicitkit.acp import ElicitationTransport
from tests.acp.rig import ACCEPT, Wire, echo
from tests.acp.streams import BytePeer, byte_streams

CREATE = "elicitation/create"
LIMIT = 2000
"""Bytes of a line."""

finite = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
ids = (
    st.sampled_from([None, 0, 1, -1, 2**70, 1.0, 1.5, True, "", "ek-1", "a", [], {}]) | json_values
)
methods = st.sampled_from(
    [CREATE, "elicitation/complete", "$/cancel_request", "echo", "initialize", "session/new",
     "session/prompt", "session/cancel", "_ext", "", None, [], 1]
)  # fmt: skip
params = json_values | st.fixed_dictionaries({"requestId": ids}) | st.just({"hang for ever": True})
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", None, 2.0]),
        "id": ids,
        "method": methods,
        "params": params,
        "result": json_values,
        "error": json_values | st.fixed_dictionaries({"code": json_values, "message": json_values}),
    },
)
values = json_values | envelopes | st.lists(envelopes | json_values, max_size=4)


def cut(value: Any, end: int) -> bytes:
    """A value as one line, and often as less than that."""
    line = json.dumps(value).encode().replace(b"\n", b" ")
    return line[:end] if end else line


lines = (
    st.builds(cut, values, st.integers(-30, 30) | st.just(0) | st.just(0))
    | st.binary(max_size=40).map(lambda data: data.replace(b"\n", b""))
    | st.sampled_from(
        [b"x" * (LIMIT + 1), b"[" * LIMIT, b'{"a":' * 300, b"\xff", b"\x00", b"\r", b"[NaN]"]
    )
)


async def create(params: Wire, id_: Any) -> Wire:
    if "hang for ever" in params:
        await anyio.sleep_forever()
    return ACCEPT


class Agent:
    async def initialize(self, **_: Any) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)


async def fuzzed(sent: list[bytes], side: Any) -> None:
    with anyio.fail_after(10):
        async with byte_streams(max_bytes=LIMIT) as (wire, peer):
            transport = ElicitationTransport(wire, create=create, complete=lambda _: None)
            async with side(transport) as connection:
                transport.watch(connection)
                for line in sent:
                    await peer.write(line + b"\n")
                await check_alive(peer, transport)


async def check_alive(peer: BytePeer, transport: ElicitationTransport) -> None:
    """A question is answered, one of ours gets its own answer, and a hanging one can end."""
    await peer.ask("the probe", CREATE, {"message": "still there?"})
    assert (await peer.hear_answer_to("the probe"))["result"] == ACCEPT
    await peer.ask("the open one", CREATE, {"hang for ever": True})
    cancel = {
        "jsonrpc": "2.0",
        "method": "$/cancel_request",
        "params": {"requestId": "the open one"},
    }
    await peer.write(json.dumps(cancel).encode() + b"\n")
    assert (await peer.hear_answer_to("the open one"))["error"]["code"] == -32800
    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(transport.request("m", {}))
        question = await peer.hear()
        while question.get("method") != "m":
            question = await peer.hear()
        answer = {"id": question["id"], "result": {"to": "this"}}
        await peer.write(json.dumps(answer).encode() + b"\n")
        assert await asked == {"to": "this"}


@settings(max_examples=500)
@given(st.lists(lines, max_size=8))
def test_no_bytes_of_a_peer_hang_or_end_a_connection(sent: list[bytes]) -> None:
    asyncio.run(fuzzed(sent, lambda transport: Connection(echo, transport)))


@settings(max_examples=100)
@given(st.lists(lines, max_size=8))
def test_no_bytes_of_a_client_hang_or_end_an_agent_of_the_sdk(sent: list[bytes]) -> None:
    asyncio.run(fuzzed(sent, lambda transport: AgentSideConnection(Agent(), transport)))


requests = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": methods, "id": st.integers() | st.text(max_size=3)},
    optional={"params": json_values},
)


async def answers_to(sent: list[Wire]) -> list[Wire]:
    with anyio.fail_after(10):
        async with byte_streams() as (wire, peer):
            transport = ElicitationTransport(wire, create=create, complete=lambda _: None)
            async with Connection(echo, transport):
                answers: list[Wire] = []
                for number, message in enumerate(sent):
                    await peer.write(json.dumps(message).encode() + b"\n")
                    await peer.ask(f"after {number}", "echo")
                    while (answer := await peer.hear())["id"] != f"after {number}":
                        answers.append(answer)
                return answers


@settings(max_examples=100)
@given(st.lists(requests, max_size=8))
def test_every_request_gets_exactly_one_answer(sent: list[Wire]) -> None:
    answers = asyncio.run(answers_to(sent))
    assert [one["id"] for one in answers] == [one["id"] for one in sent]

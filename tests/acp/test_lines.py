"""One JSON value a line: broken lines are told and survived, lengths are bounded."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import anyio
import pytest

from elicitkit.acp.messages import BadMessage
from tests.acp.streams import byte_streams, wired

pytestmark = pytest.mark.anyio

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


async def received(data: bytes, **options: Any) -> list[Any]:
    """What comes of these bytes, with the code of the answer in place of what is no message."""
    with anyio.fail_after(5):
        async with byte_streams(**options) as (lines, peer):
            await peer.write(data)
            peer.writer.write_eof()
            values: list[Any] = []
            while True:
                try:
                    value = await lines.receive()
                except BadMessage as error:
                    values.append(error.answer["error"]["code"])
                else:
                    if value is None:
                        return values
                    values.append(value)


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"", []),
        (b'{"a": 1}\n', [{"a": 1}]),
        (b'{"a": 1}\r\n\n   \n[2]\n', [{"a": 1}, [2]]),
        (b'"last"', ["last"]),
        ('{"a": "é\\ud800"}\n'.encode(), [{"a": "é\ud800"}]),
    ],
)
async def test_lines_are_values(data: bytes, values: list[Any]) -> None:
    assert await received(data) == values


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no", PARSE_ERROR),
        (b'{"a": }', PARSE_ERROR),
        (b'{"a": NaN}', PARSE_ERROR),
        (b'{"a": -Infinity}', PARSE_ERROR),
        (b"\xff\xfe{}", PARSE_ERROR),
        (b"[" * 200_000, PARSE_ERROR),
        (b"9" * 5_000, PARSE_ERROR),
        (b"null", INVALID_REQUEST),
    ],
)
async def test_a_line_that_is_no_message_is_told_and_the_next_is_read(
    line: bytes, code: int
) -> None:
    assert await received(line + b'\n{"a": 1}\n') == [code, {"a": 1}]


@pytest.mark.parametrize("length", [11, 12, 70_000, 200_000])
@pytest.mark.parametrize("end", [b"\n[2]\n", b""])
async def test_a_line_too_long_is_told_and_skipped(length: int, end: bytes) -> None:
    values = await received(b"1" * length + end, max_bytes=10)
    assert values == [INVALID_REQUEST, *([[2]] if end else [])]


async def test_a_line_just_short_enough_is_read() -> None:
    assert await received(b"[123456789]\n[2]\n", max_bytes=11) == [[123456789], [2]]


async def test_a_line_too_long_is_not_kept() -> None:
    async with byte_streams(max_bytes=1000) as (lines, peer):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(peer.write, b"1" * 5_000_000 + b"\n")
            with anyio.fail_after(5), pytest.raises(BadMessage):
                await lines.receive()
        assert len(lines._buffer) < 100_000


async def test_a_peer_that_breaks_off_ends_the_stream() -> None:
    reader = asyncio.StreamReader()
    async with byte_streams() as (lines, _):
        lines._reader = reader
        reader.feed_data(b"[1]\n")
        assert await lines.receive() == [1]
        reader.set_exception(ConnectionResetError())
        assert await lines.receive() is None


@pytest.mark.parametrize("message", [{"a": float("nan")}, {"a": object()}])
async def test_what_json_cannot_say_is_not_sent_in_part(message: Any) -> None:
    async with byte_streams() as (lines, peer):
        with pytest.raises((TypeError, ValueError)):
            await lines.send(message)
        await lines.send({"b": 1})
        assert await peer.hear() == {"b": 1}


BIG = {"a": "x" * 4_000_000}


async def test_a_sender_that_is_cancelled_leaves_the_others_and_its_line_whole() -> None:
    async with byte_streams() as (lines, peer):
        peer.stop_reading()
        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lines.send, BIG)
                async with anyio.create_task_group() as cancelled:
                    cancelled.start_soon(lines.send, BIG)
                    await anyio.wait_all_tasks_blocked()
                    cancelled.cancel_scope.cancel()
                tasks.start_soon(lines.send, {"b": 1})
                await anyio.wait_all_tasks_blocked()
                peer.read_on()
                assert await peer.hear() == BIG
                assert await peer.hear() == BIG
                assert await peer.hear() == {"b": 1}


async def test_whoever_waits_for_a_peer_that_does_not_read_is_told_of_the_end() -> None:
    told: list[str] = []

    async def send(name: str) -> None:
        with pytest.raises(ConnectionError):
            await lines.send(BIG)
        told.append(name)

    async with byte_streams() as (lines, peer):
        peer.stop_reading()
        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks:
                for name in "ab":
                    tasks.start_soon(send, name)
                await anyio.wait_all_tasks_blocked()
                await lines.close()
                assert lines._drain is not None
                assert lines._drain.done()
        assert sorted(told) == ["a", "b"]
        with pytest.raises(ConnectionError):
            await lines.send({})
        await lines.close()


async def test_lines_over_which_nothing_went_can_be_closed() -> None:
    async with byte_streams() as (lines, _):
        await lines.close()
        with pytest.raises(ConnectionError):
            await lines.send({})


async def test_a_peer_that_is_gone_is_told_to_every_sender() -> None:
    async with byte_streams() as (lines, peer):
        peer.stop_reading()
        with anyio.fail_after(5):
            async with anyio.create_task_group() as cancelled:
                cancelled.start_soon(lines.send, BIG)
                await anyio.wait_all_tasks_blocked()
                cancelled.cancel_scope.cancel()
            peer.writer.transport.abort()
            for _ in range(2):
                with pytest.raises(ConnectionError):
                    await lines.send(BIG)


async def test_a_write_that_fails_after_its_sender_was_cancelled_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with byte_streams() as (lines, peer):
        peer.stop_reading()
        with anyio.fail_after(5):
            async with anyio.create_task_group() as cancelled:
                cancelled.start_soon(lines.send, BIG)
                await anyio.wait_all_tasks_blocked()
                cancelled.cancel_scope.cancel()
            peer.writer.transport.abort()
            assert lines._drain is not None
            await asyncio.wait({lines._drain})
            lines._drain = None
            gc.collect()
    assert caplog.messages == []


async def test_a_parse_error_is_answered_and_the_connection_goes_on() -> None:
    async with wired() as (_, peer, _):
        await peer.write(b"{oops\n")
        assert await peer.hear() == {
            "jsonrpc": "2.0",
            "id": None,
            "error": {"code": PARSE_ERROR, "message": "Parse error"},
        }
        await peer.ask(1, "echo", {"a": 1})
        assert (await peer.hear())["result"] == {"echo": {"a": 1}}


async def test_a_message_too_long_is_answered_and_the_connection_goes_on() -> None:
    async with wired(max_bytes=100) as (_, peer, _):
        await peer.write(json.dumps({"id": 1, "method": "echo", "params": "x" * 200}).encode())
        await peer.write(b"\n")
        assert (await peer.hear())["error"]["code"] == INVALID_REQUEST
        await peer.ask(1, "echo")
        assert (await peer.hear())["id"] == 1


async def test_a_message_from_a_gone_peer_ends_the_connection() -> None:
    async with wired() as (transport, peer, _):
        peer.writer.write_eof()
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(ConnectionError):
            await transport.request("m", {})

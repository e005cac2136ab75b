"""One connection over byte streams: ``Lines`` on our end, bare bytes on the other."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from acp.connection import Connection

from elicitkit.acp import ElicitationTransport, Lines
from tests.acp.rig import Handler, Wire, echo


class BytePeer:
    """The other end, which writes and reads bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def stop_reading(self) -> None:
        self.writer.transport.pause_reading()

    def read_on(self) -> None:
        self.writer.transport.resume_reading()

    async def ask(self, id_: Any, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        await self.write(json.dumps(message).encode() + b"\n")

    async def hear(self) -> Wire:
        """The message on the next line."""
        return json.loads(await self.reader.readline())

    async def hear_answer_to(self, id_: Any) -> Wire:
        """Read on to the answer with this id."""
        while True:
            message = await self.hear()
            if message.get("id") == id_:
                return message


@asynccontextmanager
async def byte_streams(**options: Any) -> AsyncGenerator[tuple[Lines, BytePeer]]:
    """Lines on our end and bytes on the other."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    peer_reader, peer_writer = await asyncio.open_connection(sock=theirs, limit=2**26)
    try:
        yield Lines(reader, writer, **options), BytePeer(peer_reader, peer_writer)
    finally:
        for one in (writer, peer_writer):
            one.transport.abort()
        # Both ends tell their protocols that they are closed.
        await asyncio.gather(
            writer.wait_closed(), peer_writer.wait_closed(), return_exceptions=True
        )


@asynccontextmanager
async def wired(
    handler: Handler = echo, *, max_bytes: int = 2**20, **options: Any
) -> AsyncGenerator[tuple[ElicitationTransport, BytePeer, Connection]]:
    """As ``rig.connected``, over byte streams."""
    with anyio.fail_after(10):
        async with byte_streams(max_bytes=max_bytes) as (lines, peer):
            transport = ElicitationTransport(lines, **options)
            async with Connection(handler, transport) as connection:
                transport.watch(connection)
                yield transport, peer, connection

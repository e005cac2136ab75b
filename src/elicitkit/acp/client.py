"""Clients of an ACP agent that answer its questions: ``connect``.

What it yields is the SDK's own connection, on ACP v1. Differences to a bare one: it declares
exactly what its answerer can show, answers every question of the agent, malformed ones too, and
only those that belong to its own sessions and requests. The SDK knows no other version, so on
the v2 draft, which has to be asked for, it is a connection of plain dicts (G44).

How a question is answered is ``elicitkit.acp.exchange``. asyncio only, as the SDK is.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast, overload

from acp import connect_to_agent
from acp.client.connection import ClientSideConnection
from acp.connection import Connection
from acp.interfaces import Client
from typing_extensions import Unpack

from elicitkit._version import __version__
from elicitkit.acp._sdk import AnyConnection, Handler, stand_around_handler
from elicitkit.acp.answering import AnsweringTransport, TransportOptions, answering_transport
from elicitkit.acp.lines import spawned
from elicitkit.acp.raw import RawAgent
from elicitkit.acp.transport import Frames
from elicitkit.answering import Answerer
from elicitkit.core.errors import UsageError

Target: TypeAlias = Sequence[str] | Frames
"""A command as a list, or a transport of the SDK."""

_INFO: Final = {"name": "elicitkit", "version": __version__}


@overload
def connect(
    target: Target,
    *,
    name: str,
    answerer: Answerer,
    client: Client | None = None,
    protocol_version: Literal[1] = 1,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    **options: Unpack[TransportOptions],
) -> AbstractAsyncContextManager[ClientSideConnection]: ...
@overload
def connect(
    target: Target,
    *,
    name: str,
    answerer: Answerer,
    client: Handler | None = None,
    protocol_version: Literal[2],
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    **options: Unpack[TransportOptions],
) -> AbstractAsyncContextManager[RawAgent]: ...
def connect(
    target: Target,
    *,
    name: str,
    answerer: Answerer,
    client: Client | Handler | None = None,
    protocol_version: Literal[1, 2] = 1,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    **options: Unpack[TransportOptions],
) -> AbstractAsyncContextManager[ClientSideConnection] | AbstractAsyncContextManager[RawAgent]:
    """Connect to an agent and answer what it asks for as long as the block runs.

    Args:
        target: The agent: a command, or what carries the messages.
        name: What the person calls this agent; shown as the one who asks (A01).
        answerer: Answers the questions; what it can serve is what is declared.
        client: Your ``Client`` of the SDK, or on version 2 a function that serves a method by
            its raw params. By default nothing of the machine is served, and permission is
            asked of the person.
        protocol_version: 1; or 2, a draft, whose connection is a ``RawAgent``.
        env: For a command: variables beside the few that are inherited.
        cwd: For a command: where to start it.
        options: As for ``answering_transport``.

    Raises:
        UsageError: The options contradict each other, or there is no asyncio event loop.
    """
    if protocol_version == 1:
        # The overloads say which of the two kinds it is.
        served = cast("Client | None", client)
        return _connected(target, name, answerer, served, env, cwd, options)
    handler = cast("Handler | None", client)  # as above
    return raw_agent(
        target,
        name=name,
        answerer=answerer,
        handler=handler,
        protocol_version=protocol_version,
        env=env,
        cwd=cwd,
        **options,
    )


@asynccontextmanager
async def _connected(
    target: Target,
    name: str,
    answerer: Answerer,
    client: Client | None,
    env: Mapping[str, str] | None,
    cwd: str | Path | None,
    options: TransportOptions,
) -> AsyncGenerator[ClientSideConnection]:
    async with AsyncExitStack() as stack:
        frames, local = await _frames(target, env, cwd, stack)
        transport = answering_transport(
            frames, name=name, answerer=answerer, local=local, **options
        )
        # A client that serves nothing has none of the methods of the protocol.
        connection = connect_to_agent(client or cast("Client", object()), transport)
        if client is None:
            stand_around_handler(connection, lambda _: transport.serve)
        await stack.enter_async_context(_used(transport, connection))
        yield connection


@asynccontextmanager
async def raw_agent(
    target: Target,
    *,
    name: str,
    answerer: Answerer,
    handler: Handler | None = None,
    protocol_version: Literal[1, 2] = 1,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    **options: Unpack[TransportOptions],
) -> AsyncGenerator[RawAgent]:
    """As ``connect``, on either version of ACP by plain dicts.

    Args:
        target: As for ``connect``.
        name: As for ``connect``.
        answerer: As for ``connect``.
        handler: Serves a method of the agent: name, raw params, and whether it is a
            notification. By default as for ``connect``.
        protocol_version: 1, or 2, a draft.
        env: As for ``connect``.
        cwd: As for ``connect``.
        options: As for ``answering_transport``.

    Raises:
        UsageError: As for ``connect``.
    """
    async with AsyncExitStack() as stack:
        frames, local = await _frames(target, env, cwd, stack)
        options.setdefault("client_info", _INFO)
        transport = answering_transport(
            frames,
            name=name,
            answerer=answerer,
            local=local,
            protocol_version=protocol_version,
            **options,
        )
        connection = Connection(handler or transport.serve, transport)
        await stack.enter_async_context(_used(transport, connection))
        yield RawAgent(connection, transport)


@asynccontextmanager
async def _used(transport: AnsweringTransport, connection: AnyConnection) -> AsyncGenerator[None]:
    """A connection over a transport, closed at the end of the block."""
    transport.watch(connection)
    try:
        yield
    finally:
        await connection.close()


async def _frames(
    target: Target,
    env: Mapping[str, str] | None,
    cwd: str | Path | None,
    stack: AsyncExitStack,
) -> tuple[Frames, bool]:
    """What carries the messages, and whether the agent runs on this machine."""
    if not isinstance(target, Sequence):
        if env is not None or cwd is not None:
            raise UsageError("env and cwd are for a command, and the agent is a transport")
        return target, False
    if isinstance(target, str) or not target:
        raise UsageError("an agent is started by a command as a list, such as ['my-agent', 'acp']")
    lines, _ = await stack.enter_async_context(spawned(*target, env=env, cwd=cwd))
    return lines, True

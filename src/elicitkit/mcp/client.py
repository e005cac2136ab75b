"""A client of an MCP server that answers elicitations: ``connect``.

What it yields is an ``mcp.Client``, on every revision from 2025-06-18 to 2026-07-28 and
on every transport. Differences to a bare one: it declares exactly what its answerer can
show, only asks a person what belongs to a call of this client, never charges a person's
time to a time limit, waits for the pages that a person visits, and runs the rounds of
2026-07-28 itself.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias, TypedDict, cast

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client import CacheConfig, ClientExtension, Transport
from mcp.client.session import ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer, Server
from mcp_types import Implementation, LoggingLevel, SamplingCapability
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from typing_extensions import Unpack

from elicitkit.answering import Answerer
from elicitkit.answering.config import Config
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Origin
from elicitkit.core.urls.addresses import address_class, is_address, name_class
from elicitkit.core.urls.parsed import parse
from elicitkit.mcp.rounds import RoundLimits
from elicitkit.mcp.wrap import Seat, answering

Target: TypeAlias = (
    Sequence[str] | str | StdioServerParameters | Transport | Server[Any] | MCPServer
)
"""A command as a list, a URL of streamable HTTP, or what ``mcp.Client`` takes."""

_HTTP_SECONDS: Final = 30.0
_IDLE_CONNECTIONS: Final = 20


class ClientOptions(TypedDict, total=False):
    """What is handed to ``mcp.Client`` as it is."""

    sampling_callback: SamplingFnT | None
    sampling_capabilities: SamplingCapability | None
    list_roots_callback: ListRootsFnT | None
    logging_callback: LoggingFnT | None
    log_level: LoggingLevel | None
    message_handler: MessageHandlerFnT | None
    extensions: Sequence[ClientExtension] | None
    cache: CacheConfig | None


@asynccontextmanager
async def connect(
    target: Target,
    *,
    name: str,
    answerer: Answerer,
    config: Config | None = None,
    client_info: Implementation | None = None,
    read_timeout: float | None = None,
    max_rounds: int = 50,
    max_idle: float = 900,
    max_unattended: float = 600,
    mode: str = "auto",
    protocol_version: str | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    http_client: httpx2.AsyncClient | None = None,
    **options: Unpack[ClientOptions],
) -> AsyncGenerator[Client]:
    """Connect to a server and answer what it asks for as long as the block runs.

    An error of the block leaves as itself; the SDK's own client would wrap it in groups.

    Args:
        target: The server.
        name: What the person calls this server; shown as the one who asks (G12).
        answerer: Answers the questions; what it can serve is what is declared.
        config: What the person allows this server, beside what the answerer knows of it.
        client_info: What this client calls itself.
        read_timeout: Seconds to wait for a result, in which no question and no page is open.
        max_rounds: Rounds of one call that may ask something, on MCP 2026-07-28.
        max_idle: Seconds that rounds which ask nothing may take in a row, on MCP 2026-07-28.
        max_unattended: Seconds without a sign of the person, after which a page that they
            opened is given up. While its wait is on their screen, there is no limit.
        mode: As for ``mcp.Client``: ``auto``, ``legacy`` or ``2026-07-28``.
        protocol_version: Offer this revision and no other, in place of ``mode``.
        env: For a command: variables beside the few that are inherited.
        cwd: For a command: where to start it.
        http_client: For a URL: an HTTP client of your own, whose read timeout then holds
            for human time as well, and its limit of connections for open calls.

    Raises:
        UsageError: The options contradict each other.
    """
    failure: Exception | None = None
    pinned, offered = _revision(mode, protocol_version)
    try:
        async with AsyncExitStack() as stack:
            client = Client(
                await _server(target, env, cwd, http_client, stack),
                client_info=client_info,
                read_timeout_seconds=read_timeout,
                mode=pinned,
                **options,
            )
            limits = RoundLimits(rounds=max_rounds, idle=max_idle, unattended=max_unattended)
            who = _who(name, target)
            seat = Seat(who, answerer, config=config, limits=limits, offered=offered)
            await stack.enter_async_context(answering(client, seat))
            try:
                yield client
            except Exception as error:
                # Past this point the task groups of the SDK would wrap it.
                failure = error
    except BaseExceptionGroup as group:
        raise failure or _only(group) from group
    if failure is not None:
        raise failure


def _revision(mode: str, version: str | None) -> tuple[str, str | None]:
    """The SDK's mode, and the revision to offer in the handshake."""
    if version is None:
        return mode, None
    if mode != "auto":
        raise UsageError("pass mode or protocol_version, not both")
    return ("legacy", version) if version in HANDSHAKE_PROTOCOL_VERSIONS else (version, None)


async def _server(
    target: Target,
    env: Mapping[str, str] | None,
    cwd: str | Path | None,
    http_client: httpx2.AsyncClient | None,
    stack: AsyncExitStack,
) -> StdioServerParameters | Transport | Server[Any] | MCPServer:
    if isinstance(target, str):
        if env is not None or cwd is not None:
            raise UsageError("env and cwd are for a command, and the server is a URL")
        http = http_client or await stack.enter_async_context(_patient_http_client())
        return streamable_http_client(target, http_client=http)
    if http_client is not None:
        raise UsageError("http_client is for a URL")
    if isinstance(target, Sequence):
        if not target:
            raise UsageError("the command is empty: name the program that runs the server")
        command = StdioServerParameters(
            command=target[0],
            args=list(target[1:]),
            env=None if env is None else dict(env),
            cwd=cwd,
        )
        # The SDK's default is the standard error as it was when the SDK was imported.
        return stdio_client(command, errlog=sys.stderr)
    return target


def _who(name: str, target: Target) -> Origin:
    """Who asks, by what is known of a server before it says anything."""
    if isinstance(target, str):
        # The host that is connected to, spelled as those of the URLs are to which it is compared.
        host = httpx2.URL(target).raw_host.decode()
        url = parse(f"http://[{host}]/" if ":" in host else f"http://{host}/")
        if url is None:
            return Origin(label=name)
        name_of = url.host.removesuffix(".")
        kind = address_class(url.host) if is_address(url.host) else name_class(name_of)
        return Origin(label=name, local=kind == "loopback", host=url.host)
    started_here = isinstance(target, Sequence | StdioServerParameters | Server | MCPServer)
    return Origin(label=name, local=started_here)


def _patient_http_client() -> httpx2.AsyncClient:
    """An HTTP client that leaves a stream open while a person thinks (G16, G52)."""

    async def bound_the_goodbye(request: httpx2.Request) -> None:
        if request.method == "DELETE":
            request.extensions["timeout"]["read"] = _HTTP_SECONDS

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(_HTTP_SECONDS, read=None),
        # Each open call holds a connection, and its answer needs one more to come through.
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE_CONNECTIONS),
        event_hooks={"request": [bound_the_goodbye]},
    )


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error in the group, or the group."""
    if len(group.exceptions) != 1:
        return group
    inner = group.exceptions[0]
    if not isinstance(inner, BaseExceptionGroup):
        return inner
    return _only(cast("BaseExceptionGroup[BaseException]", inner))  # isinstance drops the type

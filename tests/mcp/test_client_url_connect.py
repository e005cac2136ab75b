"""Pages by real servers on every transport, where servers stand, and what touches no network."""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from elicitkit.answering import Answerer
from elicitkit.core.errors import NotAccepted
from elicitkit.core.model import Accept, Decline, Origin
from elicitkit.mcp import connect, wrap
from tests.mcp import url_server
from tests.mcp.client_peer import DONE, Wire, wired
from tests.mcp.url_desk import PAGE, Visitor, at, calling, online, settled, url_params
from tests.peers.serving import served

pytestmark = [
    pytest.mark.anyio,
    # On trio the SDK's HTTP transport leaves response iterators to the garbage collector.
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <async_generator:pytest.PytestUnraisableExceptionWarning"
    ),
]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tests.mcp.url_server"]
TRANSPORTS = ["memory", "stdio", "http"]


@pytest.fixture(autouse=True)
def collected() -> Generator[None]:
    """What the SDK leaves behind is collected here, and not in some later test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with served("tests.mcp.url_server:app") as base:
        yield f"{base}/mcp"


def options(transport: str, url: str, version: str) -> dict[str, Any]:
    target: dict[str, Any] = {
        "memory": {"target": url_server.server},
        "stdio": {"target": COMMAND, "cwd": ROOT},
        "http": {"target": url},
    }[transport]
    return {"name": "mine", "protocol_version": version, "read_timeout": 20, **target}


def text_of(result: Any) -> str:
    return "".join(block.text for block in result.content)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.requirement("M06", "M25", "G46")
async def test_a_live_page_is_opened_and_ends_with_its_completion(transport: str, url: str) -> None:
    visitor = Visitor()
    answerer, browser = at(visitor)
    with anyio.fail_after(30):
        async with connect(answerer=answerer, **options(transport, url, "2025-11-25")) as client:
            assert text_of(await client.call_tool("visit")) == "accept"
            while "told" not in visitor.log[-1]:
                await settled()
    assert browser.opened == [PAGE]
    assert visitor.log[-1] == "told completed"
    assert [origin.request for origin in visitor.origins] == ["visit"]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.requirement("G35")
async def test_a_call_is_sent_again_after_its_page(transport: str, url: str) -> None:
    visitor = Visitor()
    visitor.say("finished")
    answerer, browser = at(visitor)
    with anyio.fail_after(30):
        async with connect(answerer=answerer, **options(transport, url, "2025-11-25")) as client:
            result = await client.call_tool("require", {"key": uuid4().hex})
    assert text_of(result) == "served"
    assert browser.opened == [PAGE]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.requirement("G04")
async def test_a_page_in_rounds_is_opened_once(transport: str, url: str) -> None:
    visitor = Visitor()
    visitor.say("finished")
    answerer, browser = at(visitor)
    with anyio.fail_after(30):
        async with connect(answerer=answerer, **options(transport, url, "2026-07-28")) as client:
            assert text_of(await client.call_tool("visit")) == "accept"
    assert (browser.opened, len(visitor.consents)) == ([PAGE], 1)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_call_is_given_up_with_its_page(transport: str, url: str) -> None:
    visitor = Visitor()
    with anyio.fail_after(30):
        async with connect(
            answerer=at(visitor)[0], **options(transport, url, "2025-11-25")
        ) as client:
            visitor.say("give_up")
            with pytest.raises(NotAccepted, match="given_up"):
                await client.call_tool("linger")
            # The connection still serves.
            assert (await client.list_tools()).tools


async def test_over_http_the_call_whose_page_is_given_up_is_the_one_that_is_cancelled(
    url: str,
) -> None:
    visitor = Visitor()
    with anyio.fail_after(30):
        async with (
            connect(answerer=at(visitor)[0], **options("http", url, "2025-11-25")) as client,
            calling(client, "linger") as linger,
            calling(client, "stay") as stay,
        ):
            calls = {"linger": linger, "stay": stay}
            while visitor.log.count("consent") < 2 or visitor.log[-1] != "wait":
                await settled()
            shown = calls.pop(visitor.pages[-1].origin.request or "")
            ((_, other),) = calls.items()
            visitor.say("give_up")
            await shown.ended.wait()
            assert isinstance(shown.error, NotAccepted)
            assert not other.ended.is_set()
            other.scope.cancel()


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_script_accepts_the_url_that_it_names(version: str) -> None:
    answerer = Answerer.scripted([{"action": "accept", "url": PAGE}])
    with anyio.fail_after(30):
        async with connect(answerer=answerer, **options("memory", "", version)) as client:
            assert text_of(await client.call_tool("visit")) == "accept"


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_wrapped_client_visits_as_well(version: str) -> None:
    visitor = Visitor()
    visitor.say("finished")
    mode = version if version == "2026-07-28" else "legacy"
    client = wrap(Client(url_server.server, mode=mode), name="mine", answerer=at(visitor)[0])
    with anyio.fail_after(30):
        async with client:
            assert text_of(await client.call_tool("visit")) == "accept"
    assert visitor.log[:2] == ["consent", "open"]


# Where a server stands.


async def origin_at(target: Any, **more: Any) -> Origin:
    visitor = Visitor(Decline())
    with anyio.fail_after(30):
        async with connect(
            target, name="mine", answerer=at(visitor)[0], protocol_version="2025-11-25", **more
        ) as client:
            await client.call_tool("visit")
    return visitor.origins[0]


async def test_a_server_that_is_started_here_stands_on_this_machine() -> None:
    for target, more in (
        (COMMAND, {"cwd": ROOT}),
        (StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], cwd=ROOT), {}),
        (url_server.server, {}),
    ):
        origin = await origin_at(target, **more)
        assert (origin.local, origin.host) == (True, None)


async def test_a_server_behind_a_url_stands_where_its_host_is(url: str) -> None:
    origin = await origin_at(url)
    assert (origin.local, origin.host) == (True, "127.0.0.1")


async def test_of_another_transport_nobody_knows_where_it_leads(url: str) -> None:
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], cwd=ROOT)
    for transport in (stdio_client(parameters), streamable_http_client(url)):
        origin = await origin_at(transport)
        assert (origin.local, origin.host) == (False, None)


@pytest.mark.parametrize(
    ("target", "local", "host"),
    [
        ("https://MCP.Example.com:8443/mcp?x=1", False, "mcp.example.com"),
        ("https://bücher.example/", False, "xn--bcher-kva.example"),
        ("http://LOCALHOST:3000/mcp", True, "localhost"),
        ("http://mcp.localhost/", True, "mcp.localhost"),
        ("http://mcp.localhost./", True, "mcp.localhost."),
        ("http://127.8.9.10/", True, "127.8.9.10"),
        ("http://127.1/", True, "127.0.0.1"),
        ("http://[::1]:3000/", True, "[::1]"),
        ("http://[2001:DB8::1]/", False, "[2001:db8::1]"),
        ("http://10.0.0.1/", False, "10.0.0.1"),
        ("http://0.0.0.0/", False, "0.0.0.0"),
        ("http://localhost.example.com/", False, "localhost.example.com"),
        ("http://notlocalhost/", False, "notlocalhost"),
        ("http://localhost@example.com/", False, "example.com"),
        ("nowhere", False, None),
    ],
)
async def test_only_a_loopback_host_is_this_machine(
    target: str, local: bool, host: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    visitor = Visitor(Decline())
    async with wired() as (transport, peer):

        def over_memory(url: str, **_: Any) -> Any:
            asked.append(url)
            return transport

        monkeypatch.setattr("elicitkit.mcp.client.streamable_http_client", over_memory)
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(peer.shake_hands, "2025-11-25")
                async with (
                    connect(
                        target,
                        name="mine",
                        answerer=at(visitor)[0],
                        protocol_version="2025-11-25",
                    ) as client,
                    calling(client),
                ):
                    call = await peer.receive("tools/call")
                    await peer.ask(url_params())
                    await peer.reply(call, DONE)
    (origin,) = visitor.origins
    assert (asked, origin.local, origin.host) == ([target], local, host)


@pytest.mark.parametrize(
    ("said", "reasons"),
    [({}, ("loopback_remote",)), ({"local": True, "host": "mcp.example"}, ())],
)
async def test_who_wraps_a_client_may_say_where_its_server_stands(
    said: Wire, reasons: tuple[str, ...]
) -> None:
    visitor = Visitor(Decline())
    async with wired() as (transport, peer):
        client = wrap(
            Client(transport, mode="legacy"), name="mine", answerer=at(visitor)[0], **said
        )
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(peer.shake_hands, "2025-11-25")
                async with client, calling(client):
                    call = await peer.receive("tools/call")
                    await peer.ask(url_params("http://localhost:3000/"))
                    await peer.reply(call, DONE)
    ((_, findings, _),) = visitor.consents
    (origin,) = visitor.origins
    assert (origin.local, origin.host) == (said.get("local", False), said.get("host"))
    assert tuple(code for code in findings.reasons if code.startswith("loopback")) == reasons


# The network.


@pytest.mark.requirement("M53", "M54")
@pytest.mark.parametrize("response", [Accept(), Decline()])
async def test_nothing_is_looked_up_or_fetched_of_a_url(
    response: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor(response)
    answerer, browser = at(visitor)
    touched: list[Any] = []

    def touch(*arguments: Any, **_: Any) -> Any:
        touched.append(arguments)
        raise OSError("no network here")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, touch)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, touch)
    async with online(answerer, "2025-11-25") as (client, peer), calling(client):
        call = await peer.receive("tools/call")
        await peer.ask(url_params())
        await settled()
        assert browser.opened == ([PAGE] if isinstance(response, Accept) else [])
        await peer.reply(call, DONE)
    with pytest.raises(OSError, match="no network here"):
        socket.getaddrinfo("x.example", 443)
    assert touched == [("x.example", 443)]  # the spy works, and saw nothing else

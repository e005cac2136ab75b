"""A person who visits pages, played by the test, and both ends of a client's connection."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp import Client

from elicitkit.answering import Answerer
from elicitkit.core.model import Accept, FormRequest, Origin, Response, UrlRequest
from elicitkit.core.open_page import Opening
from elicitkit.core.ports import Turn
from elicitkit.core.urls import Findings
from elicitkit.mcp import connect
from tests.answering.surfaces import Browser, Window
from tests.mcp.client_peer import Peer, Wire, wired

PAGE = "https://x.example/connect?handle=1"
OTHER = "https://y.example/"
COMPLETE = "notifications/elicitation/complete"
PATIENCE = 100_000
"""Seconds of virtual time after which a test is stuck."""


def url_params(url: str = PAGE, elicitation_id: str | None = "e1") -> Wire:
    """The params of a url question; without an id as on 2026-07-28."""
    params = {"mode": "url", "message": f"Visit {url.split('?')[0]}", "url": url}
    return params if elicitation_id is None else params | {"elicitationId": elicitation_id}


class Visitor(Window):
    """Consents at once, or with ``held`` as soon as the test says so; fills every form.

    Attributes:
        origins: Who asked, for each URL.
    """

    def __init__(self, *responses: Response, held: bool = False) -> None:
        super().__init__(*responses)
        self.origins: list[Origin] = []
        self.decided = anyio.Event()
        if not held:
            self.decided.set()

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        await super().fill(form, origin, turn)
        return Accept({"name": "Ann"})

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        self.origins.append(origin)
        response = await super().consent(request, findings, origin, turn, opening=opening)
        await self.decided.wait()
        return response

    async def hears(self, event: str) -> None:
        """Wait until this has happened as the last thing."""
        while not self.log or self.log[-1] != event:
            await anyio.lowlevel.checkpoint()


def at(visitor: Visitor, **options: Any) -> tuple[Answerer, Browser]:
    """An answerer whose person is a visitor, and their browser."""
    browser = Browser(visitor)
    return Answerer(visitor, opener=browser, **options), browser


@asynccontextmanager
async def online(
    answerer: Answerer, version: str, **options: Any
) -> AsyncGenerator[tuple[Client, Peer]]:
    """A client that is connected to a server which the test speaks for."""
    with anyio.fail_after(PATIENCE):
        async with wired() as (transport, peer), bare_group() as tasks:
            if version != "2026-07-28":
                tasks.start_soon(peer.shake_hands, version)
            async with connect(
                transport,
                name="mine",
                answerer=answerer,
                protocol_version=version,
                **options,
            ) as client:
                yield client, peer


@asynccontextmanager
async def bare_group() -> AsyncGenerator[TaskGroup]:
    """A task group that does not wrap the error of its block."""
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        try:
            yield tasks
        except Exception as error:
            failure = error
            tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


class Calling:
    """A call in a task of its own, and what came of it."""

    def __init__(self) -> None:
        self.result: Any = None
        self.error: Exception | None = None
        self.ended = anyio.Event()
        self.scope = anyio.CancelScope()
        self.at = 0.0

    async def run(self, call: Any) -> None:
        try:
            with self.scope:
                self.result = await call()
        except Exception as error:
            self.error = error
        finally:
            self.at = anyio.current_time()
            self.ended.set()


@asynccontextmanager
async def calling(client: Client, tool: str = "book") -> AsyncGenerator[Calling]:
    """Call a tool while the block runs, and wait for it at the end."""
    async with calling_by(lambda: client.call_tool(tool)) as call:
        yield call


@asynccontextmanager
async def calling_by(function: Any) -> AsyncGenerator[Calling]:
    call = Calling()
    async with bare_group() as tasks:
        tasks.start_soon(call.run, function)
        yield call
        await call.ended.wait()


async def settled() -> None:
    """Let everybody do what they can."""
    await anyio.wait_all_tasks_blocked()

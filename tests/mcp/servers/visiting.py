"""A server that sends people to pages; run as a program it serves on stdio.

    python -m tests.mcp.servers.visiting mcp|fastmcp

The tool ``finish`` stands for the page's own web handler: it completes a visit by its id.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, NamedTuple

from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer

import elicitkit.fastmcp
import elicitkit.mcp
from elicitkit import Ask, NotAccepted, Page, Visit
from tests.mcp.servers.build import NAME, Sdk, lasting
from tests.mcp.servers.handlers import named

MESSAGE = "Sign in to Example"
PAGES = [Page(f"Sign in to {name}", f"https://{name}.example/in") for name in ("a", "b", "c")]


def page(id: str) -> str:
    return f"https://id.example/connect/{id}"


class Visiting(NamedTuple):
    """The server and what its author holds."""

    server: Any
    asks: elicitkit.mcp.Asks
    visits: list[Visit]
    """What was consented to, in order."""


def visiting(sdk: Sdk, *, asks: dict[str, Any] | None = None, **options: Any) -> Visiting:
    """A server with every handler that has to do with pages."""
    options.setdefault("request_state_security", lasting())
    asking: Any
    server: Any
    if sdk == "mcp":
        asking, server = elicitkit.mcp.Asks(**(asks or {})), MCPServer(NAME, **options)
    else:
        asking, server = elicitkit.fastmcp.Asks(**(asks or {})), FastMCP(NAME, **options)
    visits: list[Visit] = []

    async def consent(ask: Ask) -> str:
        visits.append(await ask.visit(MESSAGE, page))
        return "consented"

    async def connect(ask: Ask) -> str:
        visits.append(await ask.visit(MESSAGE, page))
        await visits[-1].wait()
        return "connected"

    async def outcome(ask: Ask) -> str:
        try:
            await ask.visit(MESSAGE, page, timeout=0.2)
        except NotAccepted as refused:
            return f"{refused.mode} {named(refused.outcome)}"
        return "accepted"

    async def impatient(ask: Ask) -> str:
        visit = await ask.visit(MESSAGE, page)
        visits.append(visit)
        try:
            await visit.wait(timeout=0.05)
        except NotAccepted as refused:
            return named(refused.outcome)
        return "connected"

    async def careless(ask: Ask) -> str:
        try:
            await ask.visit(MESSAGE, page)
        except Exception:
            return "connected anyway"
        return "connected"

    async def swallowed(ask: Ask) -> str:
        try:
            await ask.visit(MESSAGE, page)
        except BaseException:
            return "connected anyway"
        return "connected"

    async def unsafe(ask: Ask) -> str:
        await ask.visit(MESSAGE, "https://id.example/?token=hunter2hunter2")
        return "never"

    async def needs(ask: Ask) -> str:
        for visit in await ask.require(*PAGES):
            visits.append(visit)
            await visit.wait()
        return "ready"

    async def needs_swallowed(ask: Ask) -> str:
        try:
            await ask.require(*PAGES)
        except BaseException:
            return "ready anyway"
        return "ready"

    async def needs_nothing(ask: Ask) -> str:
        return f"ready {await ask.require()}"

    async def finish(elicitation_id: str) -> bool:
        return await asking.complete(elicitation_id)

    async def guide(city: str, ask: Ask) -> str:
        """A prompt."""
        return f"{city} {await needs(ask)}"

    for function in (
        consent,
        connect,
        outcome,
        impatient,
        careless,
        swallowed,
        unsafe,
        needs,
        needs_swallowed,
        needs_nothing,
    ):
        server.tool()(asking(function))
    server.tool()(finish)
    server.prompt()(asking(guide))
    server.resource("rates://{city}")(asking(guide))
    return Visiting(server, asking, visits)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    served = visiting("mcp" if sys.argv[1] == "mcp" else "fastmcp").server
    if isinstance(served, FastMCP):
        served.run(transport="stdio", show_banner=False)
    else:
        served.run(transport="stdio")

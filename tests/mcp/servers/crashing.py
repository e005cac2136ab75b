"""A server on stdio whose tool does something once, and can be killed while it does.

    python -m tests.mcp.servers.crashing mcp|fastmcp DATABASE EFFECTS

It appends its process id to EFFECTS each time the step runs, and while ``EFFECTS.hold`` exists the
step never reports.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

import anyio
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer

import elicitkit.fastmcp
import elicitkit.mcp
from elicitkit import Ask
from elicitkit.stores.sql import SqlRecords
from tests.mcp.servers.build import lasting


def serve(sdk: str, database: str, effects: Path) -> None:
    records = SqlRecords(f"sqlite:///{database}")

    async def charge() -> int:
        with effects.open("a") as file:
            file.write(f"{os.getpid()}\n")
        if effects.with_suffix(".hold").exists():
            await anyio.sleep_forever()
        return 42

    async def pay(ask: Ask) -> str:
        await ask("How much?", int)
        number = await ask.once("charge", charge, int)
        await ask.confirm("Send a receipt?")
        return f"receipt {number}"

    server: Any
    if sdk == "mcp":
        server = MCPServer("pay", request_state_security=lasting())
        server.tool()(elicitkit.mcp.Asks(store=records)(pay))
        server.run(transport="stdio")
    else:
        server = FastMCP("pay", request_state_security=lasting())
        server.tool(elicitkit.fastmcp.Asks(store=records)(pay))
        server.run(transport="stdio", show_banner=False)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    serve(sys.argv[1], sys.argv[2], Path(sys.argv[3]))

"""An MCP server over HTTP that may restart between a question and its answer.

Run: STATE_KEY=$(python -c "import secrets; print(secrets.token_hex(32))") \
     python examples/http_replicas.py 8000
Any number of these may stand behind one address: they share the key and the database.
"""

import os
import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

from elicitkit import Ask
from elicitkit.mcp import Asks, request_state
from elicitkit.stores.sql import SqlRecords

server = MCPServer("tickets", request_state_security=request_state([os.environ["STATE_KEY"]]))
asks = Asks(store=SqlRecords(os.environ.get("DATABASE_URL", "sqlite:///tickets.db")))


async def print_ticket() -> int:
    """Stands for what must happen once, however often the handler runs."""
    return 4711


@server.tool()
@asks
async def buy(concert: str, ask: Ask) -> str:
    """Buy a ticket."""
    row = await ask.choose(f"Where do you want to sit at {concert}?", ["front", "back"])
    if not await ask.confirm(f"Buy a ticket in the {row} for {concert}?"):
        return "No ticket was bought."
    number = await ask.once("print", print_ticket, int)
    sent = await ask.confirm("Shall we mail it to you as well?")
    return f"Ticket {number}, {row}{', on its way' if sent else ''}."


if __name__ == "__main__":
    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]))

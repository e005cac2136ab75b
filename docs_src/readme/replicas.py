import os

from mcp.server.mcpserver import MCPServer

from elicitkit.mcp import Asks, request_state
from elicitkit.stores.sql import SqlRecords

server = MCPServer(
    "booking",
    request_state_security=request_state([os.environ["STATE_KEY"]]),
)
asks = Asks(store=SqlRecords(os.environ["DATABASE_URL"]))

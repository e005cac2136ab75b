from mcp.server.mcpserver import MCPServer

from elicitkit import Ask
from elicitkit.mcp import asks

server = MCPServer("payments")


async def charge() -> str:
    """Stands for a payment provider: it must never run twice."""
    return "receipt 4711"


@server.tool()
@asks
async def pay(ask: Ask) -> str:
    if not await ask.confirm("Pay 40 EUR?"):
        return "Not paid."
    receipt = await ask.once("charge", charge, str)
    copy = await ask.choose("Send the receipt?", {"mail": "By mail", "no": "No"})
    return f"{receipt}, copy: {copy}"

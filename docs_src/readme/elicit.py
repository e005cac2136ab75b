from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("booking")


class Trip(BaseModel):
    nights: int


@server.tool()
async def book(city: str, ctx: Context) -> str:
    answer = await ctx.elicit(f"Your stay in {city}?", Trip)
    return f"Booked {answer.data.nights} nights." if answer.action == "accept" else "No."

from typing import Literal

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

from elicitkit import Ask
from elicitkit.mcp import asks

server = MCPServer("booking")


class Trip(BaseModel):
    nights: int = Field(ge=1, le=30, description="How long you stay")
    meals: Literal["none", "breakfast", "all"] = "breakfast"


@server.tool()
@asks
async def book(city: str, ask: Ask) -> str:
    trip = await ask(f"Your stay in {city}?", Trip)
    if not await ask.confirm(f"Book {trip.nights} nights with {trip.meals} meals?"):
        return "Nothing was booked."
    return f"Booked {trip.nights} nights in {city}."


if __name__ == "__main__":
    server.run()

"""What a question costs: ours against the SDK's own ways, in one process and one run.

Client and server share this process, so CPU time is that of both sides together.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import anyio
import mcp_types as types
from mcp import Client
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from pydantic import BaseModel, Field

sys.path.insert(0, str(Path(__file__).parent))
from pairs import compare, report

from elicitkit import Ask
from elicitkit.core.derive import derive
from elicitkit.core.dialects import MCP_2025_11_25
from elicitkit.core.schema import write
from elicitkit.mcp.server import asks

ASKS = 10


class Trip(BaseModel):
    """Six fields, as forms in the wild have."""

    city: str = Field(min_length=1, max_length=80)
    nights: int = Field(ge=1, le=30)
    budget: float = 100.0
    sea: bool = False
    email: str | None = None
    note: str = ""


SCHEMA = write(derive(Trip).schema, MCP_2025_11_25)
CONTENT: dict[str, Any] = {"city": "Rome", "nights": 3, "budget": 99.5, "sea": True, "note": "-"}


def renderings() -> int:
    """How often the form of ``Trip`` was rendered for any dialect in this run."""
    return sum(key[0] == "write" for key in derive(Trip).schema.memo if isinstance(key, tuple))


async def answer(context: object, params: object) -> types.ElicitResult:
    """The client's part, as cheap as it can be."""
    return types.ElicitResult(action="accept", content=CONTENT)


def _servers() -> MCPServer:
    server = MCPServer("bench", log_level="WARNING")

    @server.tool()
    @asks
    async def ours(times: int, ask: Ask) -> int:
        for _ in range(times):
            await ask("When do you leave?", Trip)
        return times

    @server.tool()
    async def theirs(times: int, ctx: Context) -> int:
        for _ in range(times):
            await ctx.elicit("When do you leave?", Trip)
        return times

    @server.tool()
    async def bare(times: int, ctx: Context) -> int:
        for _ in range(times):
            await ctx.session.elicit_form("When do you leave?", SCHEMA, ctx.request_id)
        return times

    async def resolver() -> Elicit[Trip]:
        return Elicit("When do you leave?", Trip)

    @server.tool()
    async def resolved(times: int, trip: Annotated[Trip, Resolve(resolver)]) -> int:
        return times

    @server.tool()
    @asks
    async def chain(times: int, ask: Ask) -> int:
        for at in range(times):
            await ask(f"Question {at}?", Trip)
        return times

    return server


async def main() -> None:
    """Print every comparison."""
    server = _servers()
    async with Client(server, mode="legacy", elicitation_callback=answer) as client:

        async def call(tool: str, times: int = ASKS) -> object:
            return await client.call_tool(tool, {"times": times})

        pair = await compare(lambda: call("ours"), lambda: call("theirs"), times=20)
        report(f"live: {ASKS} asks against ctx.elicit", pair, "<= 0.5")
        pair = await compare(lambda: call("ours"), lambda: call("bare"), times=20)
        over = (pair.ours - pair.theirs) / ASKS * 1e6
        print(
            f"{'live: our layer over session.elicit_form':<48} {over:9.1f} us an ask   aim < 100 us"
        )
    async with Client(server, mode="2026-07-28", elicitation_callback=answer) as client:

        async def replayed(tool: str, times: int = 1) -> object:
            return await client.call_tool(tool, {"times": times})

        pair = await compare(lambda: replayed("ours"), lambda: replayed("resolved"), times=40)
        report("replay: one ask against Resolve", pair, "<= 0.5")
        print(f"{'replay: schema renderings so far':<48} {renderings():9d}")
        for length in (1, 2, 4, 8):
            pair = await compare(
                lambda length=length: replayed("chain", length),
                lambda: replayed("chain", 1),
                times=20,
            )
            print(
                f"{f'replay: chain of {length}':<48} {pair.ours * 1e6:9.1f} us   "
                f"{pair.ours / length * 1e6:9.1f} us a question"
            )


if __name__ == "__main__":
    anyio.run(main)

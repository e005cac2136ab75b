"""Bytes per open question, ours on top of the SDK's: N calls wait for a person at once."""

import gc
import sys
import tracemalloc
from pathlib import Path

import anyio
import mcp_types as types
from mcp import Client

sys.path.insert(0, str(Path(__file__).parent))
from asking import CONTENT, _servers

OPEN = 200


async def bytes_open(tool: str) -> float:
    """Traced bytes per call while ``OPEN`` questions of ``tool`` wait."""
    waiting, go = 0, anyio.Event()

    async def answer(context: object, params: object) -> types.ElicitResult:
        nonlocal waiting
        waiting += 1
        await go.wait()
        return types.ElicitResult(action="accept", content=CONTENT)

    async with Client(_servers(), mode="legacy", elicitation_callback=answer) as client:
        go.set()
        await client.call_tool(tool, {"times": 1})
        go, waiting = anyio.Event(), 0
        gc.collect()
        tracemalloc.start()
        async with anyio.create_task_group() as group:
            for _ in range(OPEN):
                group.start_soon(client.call_tool, tool, {"times": 1})
            while waiting < OPEN:
                await anyio.lowlevel.checkpoint()
            gc.collect()
            used = tracemalloc.get_traced_memory()[0] / OPEN
            tracemalloc.stop()
            go.set()
    return used


async def main() -> None:
    """Print bytes per open question for both ways and what ours adds."""
    bare, ours = await bytes_open("bare"), await bytes_open("ours")
    print(f"open question: SDK {bare:8.0f} B   ours {ours:8.0f} B")
    print(f"ours on top of the SDK's {ours - bare:8.0f} B   aim < 2500 B")


if __name__ == "__main__":
    anyio.run(main)

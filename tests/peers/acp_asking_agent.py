"""Our agent as a program, for a client that is not ours: ``python -m ... acp-v1|acp-v2-strict``."""

from __future__ import annotations

import asyncio
import logging
import sys

from elicitkit import Ask
from elicitkit.acp import run_agent
from tests.acp.tool_agent import build
from tests.mcp.servers.handlers import TOOLS


async def page(ask: Ask) -> str:
    """Send the person to a page, and say at once that they are done there."""
    visit = await ask.visit("Sign in", "https://x.example/connect")
    return f"completed {await visit.complete()}"


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(run_agent(build(sys.argv[1], {**TOOLS, "page": page})))  # type: ignore[arg-type]

"""A server or agent that sends people to pages, with a watch over every program it may start.

    python -m tests.cases.watched RECORD DIALECT

Whatever would start a program in this process, a browser included, leaves a line in RECORD
first. ``control`` in place of a dialect opens a browser, as no server may.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import webbrowser  # noqa: TID251 - the control has to do what no server may
from pathlib import Path
from typing import Any

from elicitkit import Ask
from elicitkit.acp import run_agent
from tests.acp.tool_agent import build
from tests.mcp.servers.visiting import MESSAGE, page, visiting

STARTS = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
    "webbrowser.open",
}
"""The audit events of everything that starts a program."""


def watch(record: Path) -> None:
    """From now on, note what is started."""

    def note(event: str, arguments: Any) -> None:
        if event in STARTS:
            with record.open("a") as file:
                file.write(f"{event} {arguments}\n")

    sys.addaudithook(note)


async def outcome(ask: Ask) -> str:
    """Asks for a page, and tells what became of it."""
    try:
        await ask.visit(MESSAGE, page)
    except Exception as refused:
        return type(getattr(refused, "outcome", refused)).__name__
    return "consented"


def serve(dialect: str) -> None:
    if dialect == "control":
        webbrowser.open(page("control"))
    elif dialect.startswith("acp"):
        asyncio.run(run_agent(build(dialect, {"outcome": outcome})))  # type: ignore[arg-type]
    else:
        visiting("mcp").server.run(transport="stdio")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    watch(Path(sys.argv[1]))
    serve(sys.argv[2])

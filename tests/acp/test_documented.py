"""The programs of the page about agents are whole, and talk to each other."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from elicitkit import Ask
from elicitkit.answering import Scripted

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
AGENT, CLIENT = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


def program(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(text, str(PAGE), "exec"), names)
    return names


async def test_the_agent_of_the_page_asks_what_it_says(anyio_backend: str) -> None:
    agent = program(AGENT)["Agent"]()
    session = await agent.new_session(cwd="/", ask=Ask.scripted("main"))
    ended = await agent.prompt(session_id=session.session_id, ask=Ask.scripted("12a"))
    assert (session.session_id, ended.stop_reason) == ("s1", "end_turn")


async def test_the_client_of_the_page_answers_the_agent_of_the_page(
    tmp_path: Path, anyio_backend: str
) -> None:
    served = tmp_path / "agent.py"
    start = "import asyncio\nfrom elicitkit.acp import run_agent\nasyncio.run(run_agent(Agent()))\n"
    served.write_text(AGENT + start)
    script = Scripted([{"action": "accept", "content": {"value": one}} for one in ("main", "12a")])
    names = program(CLIENT)
    names["Terminal"] = lambda: script
    with anyio.fail_after(30):
        await names["main"]([sys.executable, str(served)])
    assert [one.message for one in script.asked] == ["Which branch?", "Which seat?"]
    assert (script.errors, script.unused) == ([], 0)

"""A report about browsers on the machine of the asking side, replayed by processes of their own.

A server that cannot reach the person must not open the page where it runs itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import grimp
import mcp_types as types
import pytest
from mcp import MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from elicitkit.acp import spawned
from elicitkit.core.dialects import Dialect
from tests.acp.asked_client import BOTH, Client, saying
from tests.acp.tool_agent import Version
from tests.cases.raw_client import Wire
from tests.cases.replay import Case, load, replays
from tests.cases.test_acp_server_cases import versions
from tests.mcp.playing import ROOT, connected
from tests.mcp.wiretap import STOCK

pytestmark = pytest.mark.anyio
REPORT = "158-url-opened-on-user-machine"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"  # as the ACP SDK needs it


class Watch:
    """What a process started, by its audit events and by the programs that it would find.

    Every name that a browser is started by leads to a script that leaves a line.
    """

    PROGRAMS = (
        "chromium",
        "firefox",
        "gio",
        "google-chrome",
        "gvfs-open",
        "lynx",
        "open",
        "sensible-browser",
        "w3m",
        "www-browser",
        "x-www-browser",
        "xdg-open",
    )

    def __init__(self, folder: Path) -> None:
        self.record = folder / "record"
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in self.PROGRAMS:
            script = self.programs / name
            script.write_text(f'#!/bin/sh\necho "ran {name}" >> {self.record}\n')
            script.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        path = f"{self.programs}{os.pathsep}{os.defpath}"
        return {"PATH": path, "DISPLAY": ":99", "BROWSER": str(self.programs / "firefox")}

    def command(self, dialect: str) -> tuple[str, ...]:
        return (sys.executable, "-m", "tests.cases.watched", str(self.record), dialect)

    @property
    def seen(self) -> str:
        return self.record.read_text() if self.record.exists() else ""


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    return Watch(tmp_path)


def test_a_server_that_opened_a_browser_would_be_seen(watch: Watch) -> None:
    """Ours: without this the tests below could not fail."""
    subprocess.run(watch.command("control"), cwd=ROOT, env=os.environ | watch.env, check=True)
    assert "webbrowser.open" in watch.seen
    assert "subprocess.Popen" in watch.seen
    assert "ran firefox" in watch.seen


REFUSALS: Mapping[str, Any] = {
    "decline": types.ElicitResult(action="decline"),
    "cancel": types.ElicitResult(action="cancel"),
    "error": types.ErrorData(code=-32602, message="no such mode"),
}


@pytest.mark.requirement("M42", "M54")
@replays([load(REPORT)], protocol="mcp")
async def test_a_server_opens_nothing_whatever_the_client_says(
    case: Case, dialect: Dialect, watch: Watch
) -> None:
    assert case.given == {"request": "url", "client": "refuses"}
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_refused_by_mcp, watch, dialect, STOCK)
            tasks.start_soon(_refused_by_mcp, watch, dialect, {"form": {}})
    assert bool(watch.seen) is case.expect["browser_opened_on_server_host"], watch.seen


@pytest.mark.requirement("A42", "A56")
@replays([load(REPORT)], protocol="acp")
async def test_an_agent_opens_nothing_whatever_the_client_says(
    case: Case, dialect: Dialect, watch: Watch
) -> None:
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for version in versions(dialect):
                tasks.start_soon(_refused_by_acp, watch, version, BOTH)
            tasks.start_soon(_refused_by_acp, watch, version, {"form": {}})
    assert bool(watch.seen) is case.expect["browser_opened_on_server_host"], watch.seen


async def _refused_by_mcp(watch: Watch, dialect: Dialect, elicitation: Any) -> None:
    refusals = list(REFUSALS.values())

    async def person(context: Any, params: Any) -> Any:
        return refusals.pop(0)

    command, *args = watch.command(dialect.name)
    server = StdioServerParameters(command=command, args=args, cwd=ROOT, env=watch.env)
    async with connected(
        stdio_client(server), dialect.revision, person, elicitation=elicitation
    ) as (client, _):
        for _ in REFUSALS:
            try:
                result = await client.call_tool("consent")
            except MCPError:
                continue
            assert result.is_error
    assert len(refusals) == (0 if elicitation is STOCK else len(REFUSALS))


async def _refused_by_acp(watch: Watch, version: Version, elicitation: Wire) -> None:
    error = {"error": {"code": -32602, "message": "no such mode"}}
    person = saying({"action": "decline"}, {"action": "cancel"}, error)
    async with (
        spawned(*watch.command(version), cwd=ROOT, env=watch.env) as (lines, _),
        anyio.create_task_group() as tasks,
    ):
        client = Client(lines, version, person)
        tasks.start_soon(client.listen)
        await client.shake_hands(elicitation)
        for _ in REFUSALS:
            assert (await client.turn("outcome"))["result"]
        tasks.cancel_scope.cancel()
    assert "consented" not in client.text
    assert len(client.questions) == (len(REFUSALS) if elicitation is BOTH else 0)


def test_nothing_that_asks_can_reach_what_opens_a_browser() -> None:
    """Ours: by what is imported, directly and indirectly, from every module that asks."""
    graph = grimp.build_graph("elicitkit", include_external_packages=True, cache_dir=None)
    # One module holds both sides; its bare handler for FastMCP's client is the answering one.
    for answers in ("elicitkit.answering", "elicitkit.mcp.callback"):
        graph.remove_import(importer="elicitkit.fastmcp", imported=answers)
    asking = {
        "elicitkit.asking",
        *graph.find_descendants("elicitkit.asking"),
        "elicitkit.mcp.live",
        "elicitkit.mcp.server",
        "elicitkit.mcp.visits",
        "elicitkit.fastmcp",
        "elicitkit.acp.agent",
        "elicitkit.acp.asks",
        "elicitkit.acp.serving",
        "elicitkit.acp.v2",
    }
    reached = set[str]().union(*map(graph.find_upstream_modules, asking))
    assert {one for one in reached if one.startswith("elicitkit.answering")} == set()
    assert "webbrowser" not in reached
    assert graph.find_upstream_modules("elicitkit.answering.answer") >= {
        "elicitkit.answering.opener"
    }

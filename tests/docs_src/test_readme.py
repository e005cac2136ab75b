"""The README is true: its programs are files of their own, and every one of them runs.

Ours: what a reader copies must work, in both eras, and what the README says of the SDK's
own way must still be so.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from elicitkit import Answerer
from elicitkit.core.urls import CheckedUrl
from elicitkit.mcp import connect
from tests.answering.surfaces import Browser, Window
from tests.mcp.playing import serving

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "docs_src" / "readme"
READMES = ("README.md", "README.zh-CN.md")
ANSWERS = {"nights": 2, "meals": "all", "value": True}


def program(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"readme_{name}", PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


async def yes(context: object, params: types.ElicitRequestFormParams) -> types.ElicitResult:
    schema = params.requested_schema["properties"]
    content = {name: ANSWERS[name] for name in schema}
    if "oneOf" in schema.get("value", {}):
        content = {"value": schema["value"]["oneOf"][0]["const"]}
    return types.ElicitResult(action="accept", content=content)


def text(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


@pytest.mark.parametrize("readme", READMES)
def test_every_block_of_the_readme_is_the_program_it_names(readme: str) -> None:
    written = (ROOT / readme).read_text()
    blocks = re.findall(r"<!-- (\S+) -->\n```python\n(.*?)```", written, re.DOTALL)
    assert {name for name, _ in blocks} == {
        f"docs_src/readme/{p.name}" for p in PROGRAMS.glob("*.py")
    }
    for name, block in blocks:
        assert block == (ROOT / name).read_text()
    assert written.count("```python") == len(blocks)


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_booking_server_works_in_both_eras(mode: str) -> None:
    async with Client(program("booking").server, mode=mode, elicitation_callback=yes) as client:
        result = await client.call_tool("book", {"city": "Rome"})
    assert text(result) == "Booked 2 nights in Rome."


@pytest.mark.anyio
async def test_the_sdks_own_way_fails_on_a_default_connection() -> None:
    async with Client(program("elicit").server, elicitation_callback=yes) as client:
        assert client.protocol_version == "2026-07-28"
        with pytest.raises(BaseException) as caught:  # noqa: PT011 - in process it comes in a group
            await client.call_tool("book", {"city": "Rome"})
        assert "no back-channel" in repr(caught.value)


@pytest.mark.anyio
async def test_the_payment_is_made_once_though_the_handler_runs_again() -> None:
    payments = program("once")
    charged = 0

    async def charge() -> str:
        nonlocal charged
        charged += 1
        return "receipt 1"

    payments.charge = charge
    async with Client(payments.server, mode="2026-07-28", elicitation_callback=yes) as client:
        assert text(await client.call_tool("pay", {})) == "receipt 1, copy: mail"
    assert charged == 1


def test_the_scripted_test_of_the_readme_passes() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_booking.py"],
        cwd=PROGRAMS,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stdout


def test_replicas_take_their_key_and_store_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STATE_KEY", "0123456789abcdef" * 2)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///:memory:")
    assert program("replicas").server.name == "booking"


def test_the_agent_books_what_was_answered(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text('[{"action": "accept", "content": {"value": 3}}]')
    command = ["agent", "--prompt", "Book", "--answers", str(answers), "--", sys.executable]
    ran = subprocess.run(
        [sys.executable, "-m", "elicitkit", *command, str(PROGRAMS / "agent.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (0, "Booked 3 nights.\n"), ran.stderr


class Reader(Browser):
    """A browser whose person presses the button, for as long as the server runs."""

    async def open(self, url: CheckedUrl) -> bool:
        async with httpx2.AsyncClient() as http:
            assert (await http.get(str(url))).status_code == 200
        self.told = (await self.press(str(url))).text
        return await super().open(url)

    async def press(self, url: str) -> httpx2.Response:
        async with httpx2.AsyncClient() as http:
            return await http.post(url)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_the_page_of_the_files_server_is_visited(
    revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_KEY", "0123456789abcdef" * 2)
    files = program("visit")
    with serving(files.server) as url, anyio.fail_after(30):
        monkeypatch.setattr(files, "BASE", url.removesuffix("/mcp"))
        window = Window()
        reader = Reader(window)
        answerer = Answerer(window, opener=reader)
        async with connect(
            url, name="files", answerer=answerer, protocol_version=revision
        ) as client:
            for _ in range(2):
                assert text(await client.call_tool("list_files", {})) == "notes.txt"
        stale = await reader.press(reader.opened[0])
    assert window.log.count("consent") == 1
    assert reader.told == "Done. You can close this page."
    assert stale.status_code == 410


@pytest.mark.anyio
async def test_the_booking_server_runs_over_stdio() -> None:
    params = StdioServerParameters(command=sys.executable, args=[str(PROGRAMS / "booking.py")])
    with anyio.fail_after(30):
        async with Client(stdio_client(params), elicitation_callback=yes) as client:
            assert text(await client.call_tool("book", {"city": "Rome"})).startswith("Booked 2")


def test_the_client_declares_nothing_where_nobody_is_there() -> None:
    ran = subprocess.run(
        [sys.executable, str(PROGRAMS / "client.py"), sys.executable, str(PROGRAMS / "booking.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "was unavailable (not_declared)" in ran.stderr

"""Url mode with the reference server of the MCP project: as a request, and as error -32042."""

from __future__ import annotations

from typing import Any, Final

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import TextContent

from elicitkit import Answerer
from elicitkit.answering import Scripted
from elicitkit.core.model import Accept, Decline, Response, UrlRequest
from elicitkit.core.open_page import OpenPage, Way
from elicitkit.mcp import connect
from tests.answering.surfaces import Browser, Window

pytestmark = pytest.mark.anyio

TOOL: Final = "trigger-url-elicitation"
PAGE: Final = "https://example.com/connect?handle=1"
PREREQUISITE: Final = "https://modelcontextprotocol.io"
"""The page that the server requires before it serves the call."""


class Person(Window):
    """Consents, and says after a moment that they have finished: the server tells nobody."""

    async def wait(self, page: OpenPage) -> Way:
        if page.ending is None:
            await anyio.lowlevel.checkpoint()
            self.log.append("wait")
            return "finished"
        return await super().wait(page)


async def triggered(client: Client, **more: Any) -> str:
    arguments = {"url": PAGE, "message": "Sign in", "elicitationId": "e 1/é", **more}
    result = await client.call_tool(TOOL, arguments)
    return "".join(one.text for one in result.content if isinstance(one, TextContent))


@pytest.mark.parametrize(
    ("response", "said", "opened"),
    [(Accept(), "User completed", [PAGE]), (Decline(), "declined", [])],
)
@pytest.mark.requirement("M20", "M33", "M54")
async def test_a_person_is_asked_and_their_answer_is_what_the_server_says(
    response: Response, said: str, opened: list[str], everything_command: list[str]
) -> None:
    person = Person(response)
    browser = Browser(person)
    answerer = Answerer(person, opener=browser)
    with anyio.fail_after(30):
        async with connect(everything_command, name="everything", answerer=answerer) as client:
            text = await triggered(client)
    assert said in text
    assert "e 1/é" in text
    assert browser.opened == opened


@pytest.mark.requirement("M26", "G35")
async def test_what_the_server_requires_is_visited_and_the_call_goes_on(
    everything_command: list[str],
) -> None:
    person = Person()
    browser = Browser(person)
    with anyio.fail_after(30):
        async with connect(
            everything_command, name="everything", answerer=Answerer(person, opener=browser)
        ) as client:
            text = await triggered(client, errorPath=True)
    assert "User completed" in text
    assert browser.opened == [f"{PREREQUISITE}/", PAGE]


async def test_a_script_takes_both_paths(everything_command: list[str]) -> None:
    urls = (PREREQUISITE, PAGE, PAGE)
    script = Scripted([{"action": "accept", "url": url} for url in urls], patience=0.1)
    with anyio.fail_after(30):
        async with connect(
            everything_command, name="everything", answerer=Answerer(script)
        ) as client:
            for more in ({"errorPath": True}, {}):
                assert "User completed" in await triggered(client, **more)
    assert [one.url for one in script.asked if isinstance(one, UrlRequest)] == list(urls)
    assert (script.errors, script.unused) == ([], 0)


async def test_who_declines_what_is_required_gets_the_error_of_the_server(
    everything_command: list[str],
) -> None:
    person = Person(Decline())
    with anyio.fail_after(30):
        async with connect(
            everything_command, name="everything", answerer=Answerer(person, opener=Browser(person))
        ) as client:
            with pytest.raises(MCPError) as required:
                await triggered(client, errorPath=True)
    assert required.value.error.code == -32042

"""The one page of the demo: reached by its handle, changed by its button only."""

from __future__ import annotations

import http.client
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from urllib.parse import urlsplit

import pytest
from anyio import to_thread

from elicitkit.demo.page import HouseRules, serving

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def house(*waiting: str) -> AsyncGenerator[tuple[HouseRules, list[str]]]:
    agreed: list[str] = []

    async def agree(handle: str) -> bool:
        agreed.append(handle)
        return handle in waiting

    async with serving(agree) as rules:
        yield rules, agreed


def asked(method: str, url: str, host: str | None = None) -> tuple[int, dict[str, str], str]:
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=5)
    headers = {"Content-Length": "0"} | ({"Host": host} if host else {})
    connection.request(method, f"{where.path}?{where.query}", headers=headers)
    answer = connection.getresponse()
    told = answer.status, dict(answer.headers), answer.read().decode()
    connection.close()
    return told


async def visit(method: str, url: str, host: str | None = None) -> tuple[int, dict[str, str], str]:
    return await to_thread.run_sync(partial(asked, method, url, host))


async def test_looking_at_the_page_changes_nothing() -> None:
    async with house("h1") as (rules, agreed):
        status, headers, text = await visit("GET", rules.url("h1"))
    assert (status, agreed) == (200, [])
    assert "I agree" in text
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"


async def test_the_button_tells_which_visit_it_was() -> None:
    async with house("h1") as (rules, agreed):
        status, _, text = await visit("POST", rules.url("h1"))
    assert (status, agreed) == (200, ["h1"])
    assert "Thank you" in text


async def test_a_handle_that_nobody_waits_for_is_gone() -> None:
    async with house() as (rules, agreed):
        status, _, text = await visit("POST", rules.url("<h1>"))
        assert (await visit("POST", rules.url("").partition("?")[0]))[0] == 410
    assert (status, agreed) == (410, ["<h1>", ""])
    assert "Nobody waits" in text
    assert "<h1>Nobody waits" in text


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_under_another_name_or_path_there_is_no_page(method: str) -> None:
    async with house("h1") as (rules, agreed):
        for host in ("evil.example", "127.0.0.1"):
            assert (await visit(method, rules.url("h1"), host))[0] == 404
        assert (await visit(method, rules.url("h1").replace("house-rules", "other")))[0] == 404
    assert agreed == []

"""``elicitkit url inspect``: JSON shape, lines and exit codes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from elicitkit.cli import main
from elicitkit.cli.url import WORDS
from elicitkit.core.urls import LEVELS


class Said:
    """What a run printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def inspect(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Said:
        code = main(["url", "inspect", *arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.mark.parametrize(
    ("arguments", "code", "row"),
    [
        (
            ["https://mcp.example.com/e/8fK2mQ"],
            0,
            {
                "verdict": "ok",
                "reasons": [],
                "notices": [],
                "url": "https://mcp.example.com/e/8fK2mQ",
                "host_ascii": "mcp.example.com",
                "host_unicode": "mcp.example.com",
                "registrable_domain": "example.com",
            },
        ),
        (
            ["http://münchen.de:8080"],
            0,
            {
                "verdict": "warn",
                "reasons": ["insecure_http"],
                "notices": ["nonstandard_port", "idn_notice"],
                "url": "http://xn--mnchen-3ya.de:8080/",
                "host_ascii": "xn--mnchen-3ya.de",
                "host_unicode": "münchen.de",
                "registrable_domain": "xn--mnchen-3ya.de",
            },
        ),
        (
            ["javascript:alert(1)"],
            1,
            {
                "verdict": "refuse",
                "reasons": ["bad_scheme"],
                "notices": [],
                "url": None,
                "host_ascii": None,
                "host_unicode": None,
                "registrable_domain": None,
            },
        ),
        (
            ["--local", "http://127.0.0.1:8931/e/abc"],
            0,
            {
                "verdict": "ok",
                "reasons": [],
                "notices": ["loopback"],
                "url": "http://127.0.0.1:8931/e/abc",
                "host_ascii": "127.0.0.1",
                "host_unicode": "127.0.0.1",
                "registrable_domain": None,
            },
        ),
        (
            ["--strict-punycode", "https://münchen.de/"],
            0,
            {
                "verdict": "warn",
                "reasons": ["idn_notice"],
                "notices": [],
                "url": "https://xn--mnchen-3ya.de/",
                "host_ascii": "xn--mnchen-3ya.de",
                "host_unicode": "münchen.de",
                "registrable_domain": "xn--mnchen-3ya.de",
            },
        ),
    ],
)
def test_json_is_one_object_and_only_a_refused_url_is_a_no(
    inspect: Any, arguments: list[str], code: int, row: object
) -> None:
    said = inspect(*arguments, "--json")
    assert (said.code, said.err) == (code, "")
    assert json.loads(said.out) == row


def test_the_registrable_domain_has_a_line_of_its_own_before_the_whole_url(inspect: Any) -> None:
    said = inspect("https://paypal.com.münchen.de/login?next=%2F")
    assert said.out.splitlines() == [
        "xn--mnchen-3ya.de",
        "  host: paypal.com.münchen.de (paypal.com.xn--mnchen-3ya.de)",
        "  https://paypal.com.xn--mnchen-3ya.de/login?next=%2F",
        "  received as: https://paypal.com.münchen.de/login?next=%2F",
        "warn: look twice before you open it",
        f"- subdomain_spoof: {WORDS['subdomain_spoof']}",
        f"- idn_notice: {WORDS['idn_notice']}",
    ]


def test_an_address_stands_for_itself_and_oauth_says_where_it_returns(inspect: Any) -> None:
    url = "http://localhost/authorize?client_id=c&redirect_uri=https://app.example.org/cb"
    said = inspect(url, "--local")
    assert said.out.splitlines()[:3] == [
        "localhost",
        f"  {url}",
        "  returns to: https://app.example.org/cb",
    ]


def test_what_was_received_cannot_command_the_terminal(inspect: Any) -> None:
    said = inspect("https://example.com/\x1b[2J\u202e\udc80")
    assert said.code == 1
    assert said.out.isascii()
    assert "\x1b" not in said.out
    assert said.out.splitlines()[0].startswith("  received as: https://example.com/\\x1b[2J")


def test_a_url_that_begins_like_an_option_goes_after_two_hyphens(inspect: Any) -> None:
    said = inspect("--json", "--", "--proxy-server=evil.example")
    assert (said.code, json.loads(said.out)["reasons"]) == (1, ["invalid_url"])


@pytest.mark.parametrize("arguments", [[], ["https://a.test/", "--", "https://b.test/"]])
def test_no_url_or_two_is_wrong_use(inspect: Any, arguments: list[str]) -> None:
    said = inspect(*arguments)
    assert (said.code, said.out) == (2, "")
    assert "name one URL" in said.err


def test_every_reason_code_has_plain_words() -> None:
    assert set(WORDS) == set(LEVELS)
    assert len(set(WORDS.values())) == len(WORDS)

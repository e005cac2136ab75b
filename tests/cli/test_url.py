"""``elicitkit url inspect``: JSON shape, lines and exit codes."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from elicitkit.cli import main
from elicitkit.core.urls import libraries
from elicitkit.i18n import en


class Said:
    """What a run printed, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELICITKIT_LANG", "en")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of public suffixes is of today, whenever it was installed."""
    monkeypatch.setattr(libraries, "suffix_list_day", date.today)


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
        "warn: Look twice before you open it.",
        f"- subdomain_spoof: {en.TEXTS['url.reason.subdomain_spoof']}",
        f"- idn_notice: {en.TEXTS['url.reason.idn_notice']}",
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


def test_it_is_told_in_the_language_of_the_person(
    inspect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELICITKIT_LANG", "zh_CN.UTF-8")
    said = inspect("http://münchen.de/authorize?client_id=c&redirect_uri=https://app.test/cb")
    assert said.out.splitlines() == [
        "xn--mnchen-3ya.de",
        "  主机：münchen.de（xn--mnchen-3ya.de）",
        "  http://xn--mnchen-3ya.de/authorize?client_id=c&redirect_uri=https://app.test/cb",
        "  收到的原文：http://münchen.de/authorize?client_id=c&redirect_uri=https://app.test/cb",
        "  完成后返回：https://app.test/cb",
        "refuse: 不要打开。",
        "- insecure_http: 连接没有加密。",
        "- idn_notice: 主机名使用了 a 到 z 以外的文字。",
        "- oauth_authorize: 这是一次登录，完成后会把浏览器转到别处。",
    ]
    data = json.loads(inspect("https://u@example.com/", "--json").out)
    assert (data["verdict"], data["reasons"]) == ("refuse", ["userinfo"])


RULES = """
[servers.mine.urls]
allow = ["paypal-login.com"]
deny = ["evil.example"]
strict = true
"""


@pytest.mark.parametrize(
    ("url", "code", "reasons"),
    [
        ("https://a.evil.example/", 1, ["host_denied"]),
        ("http://example.com/", 1, ["insecure_http"]),
        ("https://paypal-login.com/", 0, []),
    ],
)
def test_what_is_allowed_and_denied_to_a_server_is_obeyed(
    inspect: Any, config: Path, tmp_path: Path, url: str, code: int, reasons: list[str]
) -> None:
    without = json.loads(inspect(url, "--json").out)["reasons"]
    assert without != reasons or without == ["insecure_http"]
    config.write_text(RULES, "utf-8")
    own = tmp_path / "own.toml"
    own.write_text(RULES.replace("mine", "other"), "utf-8")
    for options in (["--server", "mine"], ["--server", "other", "--config", str(own)]):
        said = inspect(url, *options, "--json")
        assert (said.code, json.loads(said.out)["reasons"]) == (code, reasons)


def test_what_is_denied_is_told_in_plain_words(inspect: Any, config: Path) -> None:
    config.write_text(RULES, "utf-8")
    said = inspect("https://evil.example/", "--server", "mine")
    assert said.out.splitlines()[-2:] == [
        "refuse: Do not open it.",
        "- host_denied: Your own settings do not allow this host.",
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--server", "mime"], "names no server 'mime'; it names 'mine'"),
        (["--config", "x.toml"], "--config needs --server"),
        (["--server", "mine", "--config", "nowhere.toml"], "is not there"),
    ],
)
def test_rules_that_are_not_found_are_wrong_use(
    inspect: Any, config: Path, options: list[str], told: str
) -> None:
    config.write_text(RULES, "utf-8")
    said = inspect("https://evil.example/", *options)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_an_empty_configuration_names_no_server(inspect: Any) -> None:
    assert "it names none" in inspect("https://a.test/", "--server", "mine").err


@pytest.mark.parametrize(("days", "noted"), [(0, False), (365, False), (366, True), (None, False)])
def test_a_list_of_public_suffixes_of_last_year_is_noted(
    inspect: Any, monkeypatch: pytest.MonkeyPatch, days: int | None, noted: bool
) -> None:
    day = None if days is None else date.today() - timedelta(days=days)
    monkeypatch.setattr(libraries, "suffix_list_day", lambda: day)
    said = inspect("https://example.com/", "--json")
    assert (said.code, json.loads(said.out)["verdict"]) == (0, "ok")
    assert said.err == (
        f"note: the list of public suffixes is of {day}; update publicsuffixlist\n" if noted else ""
    )

"""Public bug reports about URLs: what becomes of each before a person is asked to open it."""

from __future__ import annotations

import pytest

from elicitkit.core.dialects import Dialect
from elicitkit.core.urls import inspect_url
from tests.cases.replay import Case, of_role, replays

VERDICTS = {
    "refuse": {"refuse"},
    "warn": {"warn"},
    "warn-or-refuse": {"warn", "refuse"},
    "allow": {"ok"},
}
CODES = {"not-https": "insecure_http", "punycode": "idn_mixed_script", "bidi": "bidi_control"}
"""Our code for what a report calls its warning."""
STRICTER = {"146-url-http-loopback"}
"""Reports that hold in strict mode too, from a server of the person's own machine."""


@pytest.mark.requirement("M58", "M84", "G29", "G45", "A60")
@replays(of_role("url"))
def test_a_reported_url_is_judged_as_its_report_says(case: Case, dialect: Dialect) -> None:
    assert "url" in dialect.modes
    local = case.id in STRICTER
    found = inspect_url(case.given["url"], local=local, strict=local)
    assert found.verdict in VERDICTS[case.expect["decision"]]
    assert {CODES[name] for name in case.expect.get("warnings", ())} <= set(found.reasons)
    assert found.host_ascii == case.expect.get("display_host", found.host_ascii)
    assert (found.url is None) is (found.verdict == "refuse")


@pytest.mark.requirement("G29")
def test_http_beyond_this_machine_is_refused_in_strict_mode() -> None:
    assert inspect_url("http://mcp.example.com/connect", strict=True).verdict == "refuse"


@pytest.mark.requirement("M84", "G29")
@pytest.mark.parametrize(
    "query",
    [
        "response_type=code&client_id=a",
        "client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb",
        "response_type=code&redirect_uri=https%3A%2F%2Flogin.example.com%2Fcb",
    ],
)
def test_an_authorization_url_needs_https_beyond_this_machine(query: str) -> None:
    found = inspect_url(f"http://login.example.com/authorize?{query}")
    assert (found.verdict, found.reasons) == ("refuse", ("insecure_http",))
    assert inspect_url(f"https://login.example.com/authorize?{query}").verdict == "ok"
    assert inspect_url(f"http://127.0.0.1:8080/authorize?{query}", local=True).verdict == "ok"
    allowed = frozenset({"login.example.com"})
    again = inspect_url(f"http://login.example.com/authorize?{query}", allowed_hosts=allowed)
    assert again.verdict == "refuse"


@pytest.mark.requirement("G45")
def test_a_lookalike_is_known_in_both_forms() -> None:
    found = inspect_url("https://аpple.com/login")
    assert (found.host_ascii, found.host_unicode) == ("xn--pple-43d.com", "аpple.com")
    assert found.url == "https://xn--pple-43d.com/login"

"""Public bug reports about URLs, replayed."""

from __future__ import annotations

import pytest

from elicitkit.core.urls import inspect_url


def case(name: str, url: str, *expected: object) -> object:
    return pytest.param(url, *expected, id=name, marks=pytest.mark.case(name))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        case("142-url-data", "data:text/html,<script>1</script>", "bad_scheme"),
        case("143-url-file", "file:///etc/passwd", "bad_scheme"),
        case("151-url-control-chars", "https://good.example/\r\n\x1b[2Jx", "control_char"),
        case("152-url-bidi", "https://example.com/\u202egnp.exe", "bidi_control"),
        case("154-url-whitespace-scheme", " java\tscript:alert(1)", "control_char"),
        case("155-url-no-host", "https:///path", "authority_syntax"),
    ],
)
def test_what_browsers_or_terminals_would_obey_is_refused(url: str, reason: str) -> None:
    found = inspect_url(url)
    assert (found.verdict, found.reasons, found.url) == ("refuse", (reason,), None)


@pytest.mark.requirement("G29")
@pytest.mark.case("145-url-http-public")
def test_http_beyond_this_machine_warns_and_is_refused_in_strict_mode() -> None:
    url = "http://mcp.example.com/connect"
    found = inspect_url(url)
    assert (found.verdict, found.reasons) == ("warn", ("insecure_http",))
    assert inspect_url(url, strict=True).verdict == "refuse"


@pytest.mark.requirement("G29")
@pytest.mark.case("146-url-http-loopback")
def test_http_on_loopback_is_fine_for_a_server_of_this_machine() -> None:
    found = inspect_url("http://127.0.0.1:8123/connect", local=True, strict=True)
    assert (found.verdict, found.reasons, found.notices) == ("ok", (), ("loopback",))


@pytest.mark.requirement("G45")
@pytest.mark.parametrize(
    "url",
    [
        case("148-url-punycode", "https://xn--pple-43d.com/login"),
        case("149-url-unicode-host", "https://аpple.com/login"),
    ],
)
def test_a_lookalike_warns_and_is_known_in_both_forms(url: str) -> None:
    found = inspect_url(url)
    assert found.verdict == "warn"
    assert "idn_mixed_script" in found.reasons
    assert (found.host_ascii, found.host_unicode) == ("xn--pple-43d.com", "аpple.com")
    assert found.url == "https://xn--pple-43d.com/login"

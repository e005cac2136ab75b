"""What a person allows and denies. Ours: a denial refuses, an allowance spares news alone."""

from __future__ import annotations

from typing import Any

import pytest

from elicitkit.core.errors import UsageError
from elicitkit.core.urls import inspect_url, rule_for


def reasons(url: str, **options: Any) -> tuple[str, ...]:
    return inspect_url(url, **options).reasons


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.com.", "example.com"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de"),
        ("foo_bar.example", "foo_bar.example"),
        ("localhost", "localhost"),
        ("com", "com"),
        ("192.168.0.1", "192.168.0.1"),
        ("[FD00::1]", "[fd00::1]"),
    ],
)
def test_a_host_is_written_as_people_write_it(written: str, rule: str) -> None:
    assert rule_for(written) == rule


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "is not a host"),
        ("https://example.com/8fK2mQ", "is not a host"),
        ("example.com/8fK2mQ", "is not a host"),
        ("example.com?8fK2mQ", "is not a host"),
        ("example.com:443", "is not a host"),
        ("u@example.com", "is not a host"),
        ("a b.example", "is not a host"),
        ("%65xample.com", "is not a host"),
        ("a..example", "is not a host"),
        (".example", "is not a host"),
        ("xn--a.example", "is not a host"),
        ("a\u2215b.example", "is not a host"),
        ("a" * 64 + ".example", "is not a host"),
        ("::1", "is not a host"),
        ("*.example.com", "covers its subdomains"),
        ("0x7f.1", "write it as '127.0.0.1'"),
        ("[0::1]", "write it as '[::1]'"),
    ],
)
def test_what_is_no_host_is_refused_by_a_sentence_and_not_repeated(written: str, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        rule_for(written)
    assert told in str(refused.value)
    assert "8fK2mQ" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "denied"),
    [
        ("https://evil.example/", "evil.example"),
        ("https://a.b.evil.example/", "evil.example"),
        ("https://EVIL.example./", "Evil.Example"),
        ("https://münchen.de/", "xn--mnchen-3ya.de"),
        ("https://www.xn--mnchen-3ya.de/", "münchen.de"),
        ("https://anything.example/", "example"),
        ("https://8.8.8.8/", "8.8.8.8"),
        ("https://[2606:4700::1111]/", "[2606:4700::1111]"),
        ("http://localhost/", "localhost"),
    ],
)
def test_a_denied_host_and_all_below_it_are_refused(url: str, denied: str) -> None:
    found = inspect_url(url, local=True, denied_hosts=["other.test", denied])
    assert found.verdict == "refuse"
    assert found.reasons[-1] == "host_denied"


@pytest.mark.parametrize(
    ("url", "denied"),
    [
        ("https://notevil.example/", "evil.example"),
        ("https://evil.example.org/", "evil.example"),
        ("https://example/", "evil.example"),
        ("https://8.8.8.8/", "8.8.8.9"),
    ],
)
def test_what_only_looks_alike_is_not_denied(url: str, denied: str) -> None:
    assert "host_denied" not in reasons(url, denied_hosts=[denied])


def test_a_denial_goes_before_what_is_allowed() -> None:
    both = {"allowed_hosts": ["login.example.com"], "denied_hosts": ["example.com"]}
    assert reasons("https://login.example.com/", **both) == ("host_denied",)


def test_the_spelling_that_refuses_comes_first() -> None:
    assert reasons("https://u@evil.example/", denied_hosts=["evil.example"]) == ("userinfo",)
    assert reasons("https://127.1/", denied_hosts=["127.0.0.1"]) == ("ip_obfuscated",)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("login.example.org", "example.org"),
        ("login.example.org", "login.example.org"),
        ("login.example.org.", "example.org"),
        ("8.8.8.8", "8.8.8.8"),
        ("nas", "nas"),
        ("me.github.io", "me.github.io"),
    ],
)
def test_an_allowed_host_is_no_news(host: str, allowed: str) -> None:
    context: dict[str, Any] = {"server": "mcp.example.com", "seen_hosts": []}
    assert {"other_site", "new_host"} <= set(inspect_url(f"https://{host}/", **context).notices)
    found = inspect_url(f"https://{host}/", allowed_hosts=[allowed], **context)
    assert not {"other_site", "new_host"} & set(found.notices)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("login.example.org", "other.example.org"),
        ("example.org", "login.example.org"),
        ("login.example.org", "org"),
        ("me.github.io", "github.io"),
        ("8.8.8.8", "8.8.8.9"),
        ("nas", "as"),
    ],
)
def test_what_is_not_allowed_is_told(host: str, allowed: str) -> None:
    """A suffix under which others register allows none of them."""
    notices = inspect_url(f"https://{host}/", allowed_hosts=[allowed], seen_hosts=[]).notices
    assert "new_host" in notices


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://example.com/?token=8fK2mQ8fK2mQ8fK2mQ",
        "https://example.com:22/",
        "https://u@example.com/",
        "https://example.com./",
        "https://10.0.0.1/",
        "https://169.254.169.254/",
        "https://xn--e1awd7f.com/",
    ],
)
def test_an_allowed_host_is_warned_of_and_refused_all_the_same(url: str) -> None:
    before = inspect_url(url)
    assert before.verdict != "ok"
    allowed = ["example.com", "10.0.0.1", "169.254.169.254", "xn--e1awd7f.com"]
    after = inspect_url(url, allowed_hosts=allowed)
    assert (after.verdict, after.reasons) == (before.verdict, before.reasons)


def test_an_allowed_host_is_known_to_the_check_for_lookalikes() -> None:
    assert reasons("https://paypal-login.com/") == ("lookalike",)
    assert reasons("https://paypal-login.com/", allowed_hosts=["paypal-login.com"]) == ()
    allowed = ["mcp.meinefirma.example"]
    assert reasons("https://meinefirna.example/", allowed_hosts=allowed) == ("lookalike",)


@pytest.mark.parametrize("name", ["allowed_hosts", "denied_hosts"])
@pytest.mark.parametrize("hosts", [["example.com", "https://example.com/"], "localhost"])
@pytest.mark.parametrize("url", ["https://example.org/", "javascript:x"])
def test_a_rule_that_would_never_match_is_refused(url: str, name: str, hosts: Any) -> None:
    with pytest.raises(UsageError, match="allowed"):
        inspect_url(url, **{name: hosts})

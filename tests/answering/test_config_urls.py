"""Where the URLs of a server may lead, by the file of the person. Ours throughout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.answering.config import ServerConfig, load
from elicitkit.answering.hosts import HostRules
from elicitkit.core.errors import UsageError

RANK = ("ok", "warn", "refuse")
FULL = """
[servers.a.urls]
allow = ["login.example.org", "münchen.de", "Example.COM"]
deny = ["evil.example", "10.0.0.1"]
strict = true
strict_punycode = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def read(file: Path, text: str) -> HostRules:
    file.write_text(text, "utf-8")
    return load(file).for_server("a").urls


def test_the_table_of_a_server_is_read_and_its_hosts_are_ascii(file: Path) -> None:
    assert read(file, FULL) == HostRules(
        allowed=frozenset({"login.example.org", "xn--mnchen-3ya.de", "example.com"}),
        denied=frozenset({"evil.example", "10.0.0.1"}),
        strict=True,
        strict_punycode=True,
    )


@pytest.mark.parametrize("text", ["", "[servers.a]", "[servers.a.urls]", "[servers.b.urls]"])
def test_where_nothing_is_said_nothing_changes(file: Path, text: str) -> None:
    assert read(file, text) == HostRules() == ServerConfig(label="a").urls


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('allow = "example.com"', "allow must be a list, not 'example.com'"),
        ("deny = [1]", "deny must hold host names, not 1"),
        ("deny = [['a']]", "deny must hold host names, not a list"),
        ('deny = ["a.example", "https://b.example/8fK2mQ"]', "deny entry 2 is not a host: write"),
        ('allow = ["*.example.com"]', "allow entry 1 has a *"),
        ('deny = ["0x7f.1"]', "deny entry 1 is an address in disguise"),
        ("strict = 1", "strict must be true or false, not 1"),
        ('strict_punycode = "yes"', "strict_punycode must be true or false, not 'yes'"),
        ('denied = ["a.example"]', "denied is unknown: use deny"),
        ("limits = {}", "limits is unknown"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_and_the_key(file: Path, line: str, told: str) -> None:
    """A host that is spelled so that it never matches would forbid nothing in silence."""
    with pytest.raises(UsageError) as refused:
        read(file, f"[servers.a.urls]\n{line}")
    assert str(refused.value).startswith(f"the configuration {str(file)!r}: servers.a.urls.{told}")
    assert "8fK2mQ" not in str(refused.value)


def test_urls_that_are_no_table_are_refused(file: Path) -> None:
    with pytest.raises(UsageError, match=re.escape("servers.a.urls must be a table, not 'x'")):
        read(file, '[servers.a]\nurls = "x"')


def test_the_rules_hold_in_the_inspection(file: Path) -> None:
    rules = read(file, FULL)
    assert rules.inspect("https://a.evil.example/").reasons == ("host_denied",)
    assert rules.inspect("http://example.net/").verdict == "refuse"
    assert rules.inspect("https://straße.de/").reasons == ("idn_notice",)
    context = {"server": "mcp.example.com", "seen_hosts": frozenset[str]()}
    assert rules.inspect("https://x.login.example.org/", **context).notices == ()
    assert rules.inspect("https://example.net/", **context).notices == ("other_site", "new_host")


def test_what_the_program_knows_reaches_the_inspection() -> None:
    rules = HostRules()
    assert rules.inspect("http://127.0.0.1/", local=True).verdict == "ok"
    assert rules.inspect("http://example.net/", strict=True).verdict == "refuse"
    assert rules.inspect("https://straße.de/", strict_punycode=True).verdict == "warn"
    known = ["paypal-login.com"]
    assert rules.inspect("https://paypal-login.com/", known_hosts=known).verdict == "ok"


HOSTS = st.frozensets(st.sampled_from(["example.com", "münchen.de", "evil.example", "10.0.0.1"]))
RULES = st.builds(
    HostRules,
    allowed=st.just(frozenset[str]()),
    denied=HOSTS,
    strict=st.booleans(),
    strict_punycode=st.booleans(),
)
URLS = st.sampled_from(
    [
        "https://example.com/",
        "http://example.com/",
        "https://a.münchen.de/",
        "https://evil.example/?token=8fK2mQ8fK2mQ8fK2mQ",
        "https://10.0.0.1/",
    ]
)


@given(rules=RULES, more=RULES, url=URLS, strict=st.booleans(), punycode=st.booleans())
def test_a_file_never_makes_an_inspection_laxer(
    rules: HostRules, more: HostRules, url: str, strict: bool, punycode: bool
) -> None:
    verdicts = [
        RANK.index(each.inspect(url, strict=strict, strict_punycode=punycode).verdict)
        for each in (HostRules(), rules, rules.narrowed(more))
    ]
    assert verdicts == sorted(verdicts)


@given(rules=RULES, allowed=HOSTS, url=URLS)
def test_what_is_allowed_changes_no_verdict(
    rules: HostRules, allowed: frozenset[str], url: str
) -> None:
    found = rules.inspect(url)
    laxer = rules.narrowed(HostRules(allowed=allowed)).inspect(url)
    assert (laxer.verdict, laxer.reasons) == (found.verdict, found.reasons)


def test_rules_of_two_files_hold_together() -> None:
    one = HostRules(allowed=frozenset({"a.test"}), denied=frozenset({"b.test"}), strict=True)
    two = HostRules(allowed=frozenset({"c.test"}), denied=frozenset({"d.test"}))
    assert one.narrowed(two) == HostRules(
        allowed=frozenset({"a.test", "c.test"}),
        denied=frozenset({"b.test", "d.test"}),
        strict=True,
    )
    assert two.narrowed(HostRules(strict_punycode=True)).strict_punycode is True

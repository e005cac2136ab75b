"""Only what was inspected, and was not refused, can be opened.

Spec-mandated: M84, M85 (for authorization URLs; here for every URL). Ours: the type.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.errors import UsageError
from elicitkit.core.urls import CheckedUrl, Findings, checked, inspect_url

HONEST = "https://mcp.example.com/e/8fK2mQ?a=1&b=2#top"


def findings(url: str | None, host: str = "example.com", **changes: Any) -> Findings:
    """Findings that somebody made up."""
    made = Findings(
        verdict="ok",
        reasons=(),
        notices=(),
        url=url,
        received=None,
        host_ascii=host,
        host_unicode=host,
        registrable_domain=host,
    )
    return dataclasses.replace(made, **changes)


def test_an_inspected_url_is_opened_as_it_was_shown() -> None:
    url = checked(inspect_url(HONEST))
    assert (str(url), url.scheme, url.host) == (HONEST, "https", "mcp.example.com")
    warned = inspect_url("http://münchen.de:8080/straße")
    assert warned.verdict == "warn"
    assert str(checked(warned)) == warned.url == "http://xn--mnchen-3ya.de:8080/stra%C3%9Fe"
    assert str(checked(inspect_url("http://[::1]:8931/e", local=True))) == "http://[::1]:8931/e"


def test_what_is_shown_of_it_elsewhere_is_scheme_and_host() -> None:
    url = checked(inspect_url(HONEST))
    assert repr(url) == f"{[url]}"[1:-1] == "<CheckedUrl https://mcp.example.com>"


@pytest.mark.requirement("M84")
@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("javascript:alert('8fK2mQ')", "bad_scheme"),
        ("data:text/html,8fK2mQ", "bad_scheme"),
        ("file:///etc/8fK2mQ", "bad_scheme"),
        ("vbscript:8fK2mQ", "bad_scheme"),
        ("https://a@evil.example/8fK2mQ", "userinfo"),
        ("https://169.254.169.254/8fK2mQ", "metadata"),
        ("--proxy-server=8fK2mQ", "invalid_url"),
    ],
)
def test_a_refused_url_is_refused_by_its_codes_and_not_repeated(raw: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        checked(inspect_url(raw))
    assert code in str(refused.value)
    assert "8fK2mQ" not in str(refused.value)


@pytest.mark.parametrize(
    "made_up",
    [
        findings(None),
        findings("https://example.com/", verdict="refuse", reasons=("lookalike",)),
        findings("file:///etc/passwd"),
        findings("ftp://example.com/"),
        findings("-https://example.com/"),
        findings("https://example.com"),
        findings("https://EXAMPLE.com/"),
        findings("https://example.com/a b"),
        findings("https://example.com/\n"),
        findings("https://example.com/ü"),
        findings('https://example.com/"'),
        findings("https://example.com\\@evil.example/"),
        findings("https://evil.example/"),
        findings("https://u@example.com/"),
    ],
)
def test_findings_that_no_inspection_gives_open_nothing(made_up: Findings) -> None:
    with pytest.raises(UsageError):
        checked(made_up)


@pytest.mark.requirement("M85")
@pytest.mark.parametrize("char", "'\"`{}$;&()!,=+*")
def test_a_host_with_a_character_of_the_shell_is_not_opened(char: str) -> None:
    found = inspect_url(f"https://a{char}b.example.com/8fK2mQ")
    with pytest.raises(UsageError) as refused:
        checked(found)
    assert "8fK2mQ" not in str(refused.value)


@pytest.mark.requirement("M85")
def test_what_a_url_need_not_hold_is_encoded_and_what_it_means_is_left() -> None:
    raw = "https://example.com/it's|`{^}`;a(b)$c?q='|`{^}\\`&x=%7c*!#'|`{^}\\`~"
    found = inspect_url(raw)
    assert str(checked(found)) == (
        "https://example.com/it%27s%7C%60%7B%5E%7D%60;a(b)$c"
        "?q=%27%7C%60%7B%5E%7D%5C%60&x=%7c*!#%27%7C%60%7B%5E%7D%5C%60~"
    )


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=60))
def test_whatever_is_opened_is_harmless_and_still_the_same_place(rest: str) -> None:
    found = inspect_url(f"https://example.com/{rest}")
    if found.verdict == "refuse":
        return
    url = str(checked(found))
    assert url.startswith("https://example.com/")
    assert set(url) <= set(map(chr, range(0x21, 0x7F))) - set("\"'<>\\^`{|}")
    again = inspect_url(url)
    assert again.url == url
    assert again.host_ascii == found.host_ascii


BY_HAND: dict[str, Callable[[CheckedUrl], object]] = {
    "constructor": lambda _: CheckedUrl("https://example.com/"),
    "bare constructor": lambda _: CheckedUrl(),
    "type": lambda url: type(url)(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
    "old pickle": lambda url: pickle.dumps(url, protocol=0),
    "subclass": lambda _: type("Mine", (CheckedUrl,), {}),
    "assignment": lambda url: setattr(url, "_text", "file:///etc/passwd"),
    "deletion": lambda url: delattr(url, "_text"),
}


@pytest.mark.parametrize("way", BY_HAND)
def test_there_is_no_other_way_to_one(way: str) -> None:
    url = checked(inspect_url(HONEST))
    with pytest.raises(UsageError, match=r"only checked\(findings\)"):
        BY_HAND[way](url)
    assert str(url) == HONEST


def test_it_has_no_fields_to_replace() -> None:
    url: Any = checked(inspect_url(HONEST))
    with pytest.raises(TypeError):
        dataclasses.replace(url, _text="file:///etc/passwd")

"""What holds for any string at all. Ours."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.urls import LEVELS, Findings, inspect_url

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
HOSTS = st.text(
    st.one_of(
        st.characters(categories=("Ll", "Lo", "Mn", "Nd")), st.sampled_from("abclo.-_1xn0%@:[]\\")
    ),
    max_size=30,
)
RESTS = st.text(
    st.one_of(st.characters(exclude_categories=("Cc", "Cs")), st.sampled_from("/?#&=;%@:+ 0aA")),
    max_size=60,
)
URLS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "HTTPS://", "https:", "https:\\\\", "//", ""]),
    HOSTS,
    st.sampled_from(["", ".com", ".рф", ":80", "."]),
    RESTS,
)


def sound(found: Findings, raw: str) -> bool:
    """Whether the parts of the findings fit each other."""
    levels = [LEVELS[code] for code in found.reasons]
    worst = "refuse" if "refuse" in levels else "warn" if levels else "ok"
    return (
        found.verdict == worst
        and all(LEVELS[code] == "notice" for code in found.notices)
        and len({*found.reasons, *found.notices}) == len(found.reasons) + len(found.notices)
        and found.received == (None if found.url == raw else raw)
        and (found.url is not None or found.verdict == "refuse")
        and (found.host_ascii is None) == (found.host_unicode is None)
    )


@given(st.one_of(ANY_TEXT, URLS))
def test_any_string_gets_findings_that_fit_each_other(raw: str) -> None:
    assert sound(inspect_url(raw), raw)


@given(URLS)
def test_whatever_passes_is_harmless_to_a_shell_and_a_terminal(raw: str) -> None:
    found = inspect_url(raw)
    if found.url is not None:
        scheme, _, rest = found.url.partition("://")
        authority, _, path = rest.partition("/")
        assert scheme in ("http", "https")
        assert rest.isascii()
        assert rest.isprintable()
        assert not set(' "<>^`') & set(path.partition("#")[0].partition("?")[0])
        # The standard lets much into a host; it takes a warning to get there.
        assert found.verdict != "ok" or re.fullmatch("[a-z0-9.:-]+", authority)


@pytest.mark.requirement("G45")
@given(URLS)
def test_a_serialisation_serialises_to_itself_with_the_same_verdict(raw: str) -> None:
    found = inspect_url(raw)
    if found.url is not None:
        again = inspect_url(found.url)
        assert (again.url, again.host_ascii) == (found.url, found.host_ascii)
        if found.verdict != "refuse":
            assert set(again.reasons) | {"noncanonical_host"} == {
                *found.reasons,
                "noncanonical_host",
            }


@pytest.mark.parametrize(
    "raw",
    [
        "a" * 100_000,
        "https://" + "a" * 100_000,
        "https://xn--" + "a" * 100_000 + ".com/",
        "https://" + "".join(chr(0x4E00 + at % 20_000) for at in range(100_000)),
        "https://e.com/" + "\ud800" * 100_000,
        "https://e.com/?" + "a=https://b.test&" * 6_000,
        "\u202e\x1b" * 50_000,
    ],
    ids=range(7),
)
def test_a_hundred_thousand_characters_are_refused(raw: str) -> None:
    found = inspect_url(raw)
    assert found.verdict == "refuse"
    assert "url_too_long" in found.reasons
    assert sound(found, raw)


def seconds(raw: Callable[[int], str], size: int) -> float:
    """The least time for about this many characters, of a host not seen before."""
    taken: list[float] = []
    for at in range(5):
        url = f"{raw(size)}{at}"
        started = time.process_time()
        inspect_url(url)
        taken.append(time.process_time() - started)
    return min(taken)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a@",
        "a.",
        "%41",
        "a=b&",
        "next=https://x.y&",
        "eyJ",
        "+1",
        "41 ",
        ";a=1",
        "/",
        "é",
        "?",
    ],
)
def test_the_time_grows_no_faster_than_the_length(piece: str) -> None:
    def url(size: int) -> str:
        return "https://example.com/?x=" + (piece * size)[:size]

    # Four times the length: 16 times the time if it were quadratic.
    assert seconds(url, 8_000) < 9 * seconds(url, 2_000) + 0.002


def test_no_socket_is_opened_and_no_name_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was touched")

    for name in ("socket", "getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    for url in (
        "https://example.com/",
        "https://127.0.0.1/",
        "https://пример.рф/?next=https://b.io",
    ):
        assert inspect_url(url).host_ascii

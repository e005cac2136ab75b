"""What the person and the connection add to what a URL says. Ours."""

from __future__ import annotations

import subprocess
import sys
from datetime import date

import pytest

from elicitkit.core.urls import inspect_url, libraries


def test_punycode_is_a_notice_and_a_warning_for_those_who_want_one() -> None:
    found = inspect_url("https://münchen.de/")
    assert (found.verdict, found.reasons, found.notices) == ("ok", (), ("idn_notice",))
    strict = inspect_url("https://münchen.de/", strict_punycode=True)
    assert (strict.verdict, strict.reasons, strict.notices) == ("warn", ("idn_notice",), ())


def test_hosts_that_the_person_knows_are_exempt_and_guarded() -> None:
    known = ["mcp.meinefirma.example", "localhost", "127.0.0.1"]
    assert inspect_url("https://meinefirna.example/").verdict == "ok"
    found = inspect_url("https://meinefirna.example/", known_hosts=known)
    assert found.reasons == ("lookalike",)
    assert inspect_url("https://paypal-login.com/", known_hosts=["paypal-login.com"]).reasons == ()
    assert inspect_url("https://a.meinefirma.example/", known_hosts=known).verdict == "ok"


@pytest.mark.parametrize(
    ("url", "server", "notices"),
    [
        ("https://login.example.com/", "mcp.example.com", ()),
        ("https://login.example.org/", "mcp.example.com", ("other_site",)),
        ("https://8.8.8.8/", "8.8.8.8", ()),
        ("https://8.8.8.8/", "example.com", ("other_site",)),
    ],
)
def test_another_site_than_the_servers_own_is_told(
    url: str, server: str, notices: tuple[str, ...]
) -> None:
    assert inspect_url(url, server=server).notices == notices


def test_a_host_that_a_server_sends_for_the_first_time_is_told() -> None:
    assert inspect_url("https://a.example.com/", seen_hosts=[]).notices == ("new_host",)
    assert inspect_url("https://a.example.com/", seen_hosts=["a.example.com"]).notices == ()


def test_neither_the_parser_nor_the_lists_are_loaded_before_a_url_is_inspected() -> None:
    program = (
        "import sys, elicitkit, elicitkit.core.urls as urls\n"
        "heavy = {'ada_url', 'publicsuffixlist', 'idna', 'cffi'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "urls.inspect_url('https://example.com/')\n"
        "print(sorted({'ada_url', 'publicsuffixlist'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.splitlines() == ["[]", "['ada_url', 'publicsuffixlist']"]


def test_the_day_of_the_public_suffix_list_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    day = libraries.suffix_list_day()
    assert day is not None
    assert date(2020, 1, 1) < day
    monkeypatch.setattr(libraries, "_list", lambda: "// a list without its day\ncom\n")
    assert libraries.suffix_list_day() is None

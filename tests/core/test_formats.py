"""The four formats: what a person may write under each, and what not."""

from __future__ import annotations

import pytest

from elicitkit.core import dialects
from elicitkit.core.formats import ADDRESS_MAX, FORMATS, LOCAL_MAX, TIME_MAX, URI_MAX

EMAILS = [
    "mona@example.com",
    "m@localhost",
    "first.last+tag@sub.example.co.uk",
    "a-b@x--y.example",
    "o'brien!#$%&*/=?^_`{|}~@example.com",
    '"mona lisa"@example.com',
    '"a@b"@example.com',
    r'"a\"b"@example.com',
    "mona@[127.0.0.1]",
    "mona@[IPv6:2001:db8::1]",
    "用户@例え.jp",
    "josé@example.com",
    "mona@हिन्दी.example",
    "l" * LOCAL_MAX + "@example.com",
    "mona@" + "d" * 63 + ".example",
]
NOT_EMAILS = [
    "@",
    "mona",
    "[e-mail]",
    "",
    "@example.com",
    "mona@",
    "mona@example.com.",
    "mona@.example.com",
    "mona@example..com",
    "mo..na@example.com",
    ".mona@example.com",
    "mona.@example.com",
    "mona@-example.com",
    "mona@example-.com",
    "mona@exa_mple.com",
    "mona@example.com ",
    " mona@example.com",
    "mona@example.com\n",
    "mo na@example.com",
    "mona@exam ple.com",
    "Mona <mona@example.com>",
    "mona@example.com, lisa@example.com",
    "mo@na@example.com",
    'mo"na@example.com',
    '"mona@example.com',
    "mona@[127.0.0.1",
    "mona@[127.0.0.256]",
    "mona@[١٢٧.0.0.1]",
    "mona@[IPv6:2001:db8:::1]",
    "mona@[IPv6:fe80::1%eth0]",
    "mona@例え。jp",
    "mona@exam\u200bple.com",
    "mo\u202ena@example.com",
    "mo\u00a0na@example.com",
    "mo\x85na@example.com",
    "mo\ud800na@example.com",
    "l" * (LOCAL_MAX + 1) + "@example.com",
    "é" * (LOCAL_MAX // 2 + 1) + "@example.com",
    "mona@" + "d" * 64 + ".example",
    "mona@" + "d." * (ADDRESS_MAX // 2) + "example",
]
URIS = [
    "https://example.com",
    "https://example.com/a/b?c=d&e#f",
    "HTTP://EXAMPLE.COM:8080/",
    "http://user:pa%20ss@example.com/",
    "http://[2001:db8::1]:80/",
    "http://[::ffff:192.0.2.1]/",
    "http://[v1.fe80::a+en1]/",
    "file:///etc/hosts",
    "mailto:mona@example.com",
    "urn:ietf:rfc:3986",
    "tel:+1-816-555-1212",
    "a:",
    "a:/",
    "a:b?c/d?e#f/g?h",
    "http://example.com/%E4%BE%8B",
    "x://",
]
NOT_URIS = [
    "",
    "example.com",
    "/path",
    "//example.com/path",
    "?query",
    "#fragment",
    ":a",
    "1a:b",
    "ä:b",
    "http://例え.jp/",
    "http://example.com/ä",
    "http://example.com/a b",
    " http://example.com",
    "http://example.com\n",
    "http://example.com/\t",
    "http://example.com/%",
    "http://example.com/%2",
    "http://example.com/%zz",
    "http://example.com/<a>",
    "http://example.com/a\\b",
    'http://example.com/"',
    "http://example.com/{a}",
    "http://example.com:port/",
    "http://example.com#a#b",
    "http://[::1",
    "http://[::1%25eth0]/",
    "http://[::1%eth0]/",
    "http://[1:2]/",
    "http://[١::1]/",
    "http://[v1]/",
    "http://a]b/",
    "a:[b]",
    "a:" + "b" * URI_MAX,
]
DATES = ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"]
NOT_DATES = [
    "2026-02-30",
    "28/02/2026",
    "2026-02-29",
    "1900-02-29",
    "0000-01-01",
    "2026-13-01",
    "2026-00-01",
    "2026-01-00",
    "2026-1-1",
    "20260228",
    "2026-W09-6",
    "2026-02-28T10:00:00Z",
    "٢٠٢٦-٠٢-٢٨",
    "２０２６-０２-２８",
    "2026-02-28\n",
    " 2026-02-28",
    "+2026-02-28",
    "",
]
DATE_TIMES = [
    "2026-02-28T10:00:00Z",
    "2026-02-28t10:00:00z",
    "2026-02-28T10:00:00.123456789Z",
    "2026-02-28T10:00:00+05:30",
    "2026-02-28T23:59:59-00:00",
    "1998-12-31T23:59:60Z",
    "1998-12-31T15:59:60.123-08:00",
    "1999-01-01T00:59:60+01:00",
    "2012-06-30T23:59:60Z",
]
NOT_DATE_TIMES = [
    "2026-02-28T10:00",
    "2026-02-28",
    "2026-02-28T10:00:00",
    "2026-02-28 10:00:00Z",
    "2026-02-30T10:00:00Z",
    "2026-02-28T24:00:00Z",
    "2026-02-28T10:60:00Z",
    "2026-02-28T10:00:61Z",
    "2026-02-28T10:00:00.Z",
    "2026-02-28T10:00:00+24:00",
    "2026-02-28T10:00:00+0530",
    "2026-02-28T10:00:00Z\n",
    "2026-02-28T1٠:00:00Z",
    "2026-02-28T10:00:60Z",
    "1998-12-30T23:59:60Z",
    "1998-12-31T23:59:60+01:00",
    "0001-01-01T00:00:60+01:00",
    "9999-12-31T23:59:60Z",
    "2026-02-28T10:00:00." + "0" * TIME_MAX + "Z",
]


def test_the_checked_formats_are_those_every_dialect_knows() -> None:
    assert set(FORMATS) == dialects.FORMATS


@pytest.mark.parametrize("text", EMAILS)
def test_an_address_that_mail_can_be_sent_to_is_an_email(text: str) -> None:
    assert FORMATS["email"](text)


@pytest.mark.parametrize("text", NOT_EMAILS)
def test_what_is_not_one_bare_address_is_no_email(text: str) -> None:
    assert not FORMATS["email"](text)


@pytest.mark.parametrize("text", URIS)
def test_a_uri_of_rfc_3986_with_a_scheme_is_a_uri(text: str) -> None:
    assert FORMATS["uri"](text)


@pytest.mark.parametrize("text", NOT_URIS, ids=lambda text: ascii(text)[:30])
def test_a_reference_an_iri_or_a_forbidden_character_is_no_uri(text: str) -> None:
    assert not FORMATS["uri"](text)


@pytest.mark.parametrize("text", DATES)
def test_a_day_of_the_calendar_is_a_date(text: str) -> None:
    assert FORMATS["date"](text)


@pytest.mark.parametrize("text", NOT_DATES)
def test_another_spelling_or_no_real_day_is_no_date(text: str) -> None:
    assert not FORMATS["date"](text)


@pytest.mark.parametrize("text", DATE_TIMES)
def test_a_moment_with_its_zone_is_a_date_time(text: str) -> None:
    assert FORMATS["date-time"](text)


@pytest.mark.parametrize("text", NOT_DATE_TIMES)
def test_a_moment_without_zone_or_no_real_moment_is_no_date_time(text: str) -> None:
    assert not FORMATS["date-time"](text)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_long_hostile_text_ends_and_is_refused(name: str) -> None:
    for part in ("a", "a.", "a-", "@", "a@", "%20", "::", "[", '"', r"\"", "0", "é", "http:", "//"):
        assert not FORMATS[name](part * 60_000 + "\x00")
        assert not FORMATS[name]("http://" + part * 20_000 + "\x00")

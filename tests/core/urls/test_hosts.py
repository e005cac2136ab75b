"""Hosts: addresses, names, ports, and what registered domain they belong to. Ours."""

from __future__ import annotations

import pytest

from elicitkit.core.urls import LEVELS, inspect_url


def codes(url: str, *, local: bool = False) -> tuple[str, ...]:
    found = inspect_url(url, local=local)
    return found.reasons + found.notices


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("169.254.170.2", "metadata"),
        ("metadata.google.internal", "metadata"),
        ("metadata.google.internal.", "metadata"),
        ("0.1.2.3", "unspecified_addr"),
        ("169.254.0.1", "link_local"),
        ("[fe80::1]", "link_local"),
        ("239.1.1.1", "reserved_addr"),
        ("255.255.255.255", "reserved_addr"),
        ("[ff02::1]", "reserved_addr"),
        ("[::7f00:1]", "ip_obfuscated"),
        ("[2002:7f00:1::]", "ip_obfuscated"),
        ("[2001::1]", "ip_obfuscated"),
        ("[64:ff9b:1::1]", "ip_obfuscated"),
        ("[::ffff:169.254.169.254]", "ip_obfuscated"),
        ("127.1", "ip_obfuscated"),
        ("127.0.0.1.", "ip_obfuscated"),
        ("172.31.255.255", "private_network"),
        ("[fec0::1]", "private_network"),
        ("172.32.0.1", "ip_literal"),
        ("[2001:db8::1]", "ip_literal"),
    ],
)
def test_each_class_of_address_has_its_code(host: str, code: str) -> None:
    found = inspect_url(f"https://{host}/")
    assert found.reasons == (code,)
    assert found.verdict == LEVELS[code]
    assert (found.registrable_domain is None) == (not host.startswith("metadata."))


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "app.localhost", "127.9.9.9", "[::1]"])
def test_loopback_is_a_fact_for_a_local_server_and_a_warning_for_a_remote_one(host: str) -> None:
    url = f"http://{host}:8931/e/abc"
    assert codes(url, local=True) == ("loopback",)
    assert codes(url) == ("loopback_remote",)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.com", ()),
        ("a.b.c.d.e.f.g.h.example.com", ()),
        ("a.b.c.d.e.f.g.h.i.example.com", ("long_host",)),
        ("co.uk", ("public_suffix",)),
        ("com", ("non_public_name",)),
        ("nas.home.arpa", ("non_public_name",)),
        ("db.internal", ("non_public_name",)),
        ("127.0.0.1.nip.io", ("embedded_ip",)),
        ("10-0-0-1.sslip.io", ("embedded_ip",)),
        ("127-0-0-1.example.com", ("embedded_ip",)),
        ("app-10.0.0.1-x.example.com", ("embedded_ip",)),
        ("localtest.me", ("embedded_ip",)),
        ("999.0.0.1.example.com", ()),
        ("1-2-3.example.com", ()),
        ("a_b.example.com", ("odd_label",)),
        ("a-.example.com", ("odd_label",)),
        ("$(id)`x`.example.com", ("odd_label",)),
        ("example.com.", ("trailing_dot",)),
        ("a" * 63 + ".example.com", ()),
        ("a" * 64 + ".example.com", ("host_too_long",)),
        ("foo.compute.estate", ("public_suffix",)),
        ("me.foo.compute.estate", ("shared_hosting",)),
    ],
)
def test_the_form_of_a_name_is_told(host: str, expected: tuple[str, ...]) -> None:
    assert codes(f"https://{host}/") == expected


@pytest.mark.parametrize("end", ["..", "a..b", "."])
def test_a_host_with_an_empty_part_is_refused(end: str) -> None:
    assert inspect_url(f"https://{end}/").verdict == "refuse"


@pytest.mark.parametrize(
    ("host", "registrable"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("a.b.github.io", "b.github.io"),
        ("www.city.kobe.jp", "city.kobe.jp"),
        ("x.unlisted-top", "x.unlisted-top"),
        ("www.例子.中国", "xn--fsqu00a.xn--fiqs8s"),
        ("kobe.jp", None),
    ],
)
def test_the_registrable_domain_is_that_of_the_public_suffix_list(
    host: str, registrable: str | None
) -> None:
    assert inspect_url(f"https://{host}/").registrable_domain == registrable


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        (":443", ()),
        (":", ()),
        (":80", ("nonstandard_port",)),
        (":0", ("blocked_port",)),
        (":10080", ("blocked_port",)),
        (":99999", ("invalid_url",)),
    ],
)
def test_ports_that_browsers_refuse_are_refused(port: str, expected: tuple[str, ...]) -> None:
    assert codes(f"https://example.com{port}/") == expected


@pytest.mark.requirement("G45")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("https://MÜLLER.de/", "müller.de"),
        ("https://mu\u0308ller.de/", "müller.de"),
        ("https://XN--MLLER-KVA.de/", "müller.de"),
        ("https://ΟΔΌΣ.gr/", "οδόσ.gr"),
        ("HTTPS://EXAMPLE.com/", "example.com"),
    ],
)
def test_case_and_composition_are_not_a_disguise(raw: str, expected: str) -> None:
    found = inspect_url(raw)
    assert (found.verdict, found.host_unicode) == ("ok", expected)
    assert found.received == raw


@pytest.mark.parametrize("raw", ["https://ｅxample.com/", "https://a。example.com/"])
def test_characters_that_stand_for_others_are_told(raw: str) -> None:
    assert inspect_url(raw).reasons == ("noncanonical_host",)


def test_the_user_part_is_never_in_what_is_shown() -> None:
    found = inspect_url("https://google.com:pw@evil.example/x")
    assert (found.verdict, found.reasons) == ("refuse", ("userinfo",))
    assert found.url == "https://evil.example/x"
    assert inspect_url("https://@evil.example/x").reasons == ("userinfo",)
    assert inspect_url("https://e.example/@x").url == "https://e.example/@x"


@pytest.mark.parametrize(
    ("raw", "reasons"),
    [
        ("https://example.com/" + "a" * 2100, ("long_url",)),
        ("https://example.com/" + "a" * 8200, ("url_too_long",)),
        ("https://example.com/" + "é" * 2000, ("url_too_long",)),
        ("https://" + "é" * 1100 + ".com/", ("host_too_long",)),
        ("https://" + "a" * 1100 + ".com/", ("host_too_long",)),
        ("https://xn--" + "a" * 300 + ".com/", ("host_too_long",)),
        ("x" * 9000, ("url_too_long", "invalid_url")),
        ("." * 9000, ("url_too_long", "invalid_url")),
        ("https://" + "a" * 9000, ("url_too_long", "host_too_long")),
    ],
    ids=range(9),
)
def test_length_has_its_limits(raw: str, reasons: tuple[str, ...]) -> None:
    found = inspect_url(raw)
    assert found.reasons == reasons
    if "url_too_long" in reasons:
        assert (found.verdict, found.url) == ("refuse", None)


@pytest.mark.parametrize(
    "raw",
    [
        "https://xn--a.com/",  # decodes to a control character
        "https://xn--abc-.com/",  # ASCII in disguise
        "https://xn--\u0661.com/",
        "https://xn--ls8h\u200d.com/",
        "https://xn--MLLER--KVA0.com/",
    ],
)
def test_what_encodes_no_name_is_refused(raw: str) -> None:
    found = inspect_url(raw)
    assert (found.verdict, found.host_ascii, found.host_unicode) == ("refuse", None, None)


def test_every_code_has_one_level() -> None:
    assert set(LEVELS.values()) == {"notice", "warn", "refuse"}
    assert len(LEVELS) == 59

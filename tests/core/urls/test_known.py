"""Likeness to well-known names, and names where they do not belong. Ours."""

from __future__ import annotations

import pytest

from elicitkit.core.urls import inspect_url


@pytest.mark.parametrize(
    "host",
    [
        "paypa1.com",
        "g00gle.com",
        "arnazon.com",
        "gogole.com",
        "gooogle.com",
        "gogle.com",
        "googlr.com",
        "ogogle.com",
        "googel.net",
        "rnicrosoft.com",
        "paypal-login.com",
        "my-paypal.com",
        "paypallogin.com",
        "loginpaypal.com",
        "apple-verify.com",
        "appleverify.com",
        "sub.paypa1.co.uk",
    ],
)
def test_what_is_nearly_a_known_name_warns(host: str) -> None:
    assert "lookalike" in inspect_url(f"https://{host}/").reasons


@pytest.mark.parametrize(
    "host",
    [
        "google.de",
        "maps.google.com",
        "apply.com",
        "strike.com",
        "goodie.com",
        "google-analytics.com",
        "apple-pie.com",
        "pineapple.com",
        "login.example.com",
        "loginportal.com",
        "gaoxing.com",
        "googolplex.com",
        "paypel-x.com",
        "gxxgle.com",
        "goxglx.com",
    ],
)
def test_what_is_another_word_or_belongs_to_the_name_passes(host: str) -> None:
    assert inspect_url(f"https://{host}/").verdict == "ok"


@pytest.mark.parametrize(
    "host",
    [
        "bank.com.evil.example",
        "accounts-google-com.evil.example",
        "paypal.evil.example",
        "appleid.apple.com--verify.example.net",
        "icloud.com-verify.example",
        "x.com-pay.example",
    ],
)
def test_a_known_name_in_front_of_another_domain_warns(host: str) -> None:
    assert inspect_url(f"https://{host}/").reasons == ("subdomain_spoof",)


@pytest.mark.parametrize(
    "host", ["gitlab.example.org", "org.example.com", "google.okta.com", "www.net-a-porter.com"]
)
def test_ordinary_subdomains_pass(host: str) -> None:
    assert inspect_url(f"https://{host}/").verdict == "ok"


def test_long_hosts_and_short_links_are_told() -> None:
    assert inspect_url(f"https://{'a' * 40}.{'b' * 40}.example.com/").reasons == ("long_host",)
    assert inspect_url("https://bit.ly/abc").reasons == ("shortener",)


def test_a_name_that_could_be_read_in_many_ways_takes_no_longer_for_it() -> None:
    assert inspect_url(f"https://{'œ' * 28}.example/").verdict == "ok"
    assert inspect_url(f"https://{'é' * 40}.example/").verdict == "ok"

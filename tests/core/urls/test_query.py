"""What stands behind the host: secrets, personal data, and where it leads on. Ours."""

from __future__ import annotations

import pytest

from elicitkit.core.urls import inspect_url

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"


def reasons(rest: str) -> tuple[str, ...]:
    found = inspect_url(f"https://mcp.example.com{rest}")
    assert found.verdict == ("warn" if found.reasons else "ok")
    return found.reasons


@pytest.mark.parametrize(
    "rest",
    [
        "/?access_token=x",
        "/?Api-Key=x",
        "/?%61pi_key=x",
        "/#token=x",
        "/#/route?sid=x",
        "/a;jsessionid=1/b",
        "/?a=1;password=x",
        "/cb?code=x&state=y",
        f"/?x={JWT}",
        f"/?x=Bearer+{JWT}",
        f"/magic/{JWT}",
        f"/%65{JWT[1:]}",
        "/?k=ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "/?k=sk-ant-api03-abcdefghij",
        "/?X-Goog-Signature=aa",
    ],
)
def test_a_secret_in_a_url_warns(rest: str) -> None:
    assert reasons(rest) == ("credential",)


@pytest.mark.parametrize(
    "rest",
    [
        "/?token=",
        "/?code=SUMMER",
        "/cb?state=x",
        "/connect?elicitationId=github-oauth-001",
        "/#section-2",
        "/a;b/c",
        "/x?eyJ.a.b",
        "/@scope/package@1.2.3",
        "/?q=a@b",
        "/?n=4111111111111112",
        "/?n=41111",
        "/?n=7111111111111111",
        "/?n=+1",
        "/?page=2&empty=&=x",
        "/device",
        "/%E2%80%AE",
        "/a%20b",
    ],
)
def test_what_is_no_secret_passes(rest: str) -> None:
    assert reasons(rest) == ()


@pytest.mark.parametrize(
    "rest",
    [
        "/?email=x",
        "/?login_hint=alice%40example.org",
        "/u/alice@example.org/connect",
        "/?n=%2B15551234567",
        "/?n=%2B1%20(555)%20123-4567",
        "/?n=4111111111111111",
        "/?n=4111%201111%201111%201111",
        "/?n=378282246310005",
    ],
)
def test_personal_data_in_a_url_warns(rest: str) -> None:
    assert reasons(rest) == ("pii",)


@pytest.mark.parametrize(
    "rest",
    [
        "/?next=https%3A%2F%2Fevil.example%2F",
        "/?next=//evil.example",
        "/?next=/%5Cevil.example",
        "/?next=https:evil.example",
        "/?next=%09ht%0Atps://evil.example",
        "/?next=https://8.8.8.8/",
        "/?next=javascript:alert(1)",
        "/?next=%20JavaScript:alert(1)",
        "/?RelayState=data:text/html,x",
        "/url?q=https://evil.example/",
        "/#next=https://evil.example",
    ],
)
def test_a_parameter_that_leads_away_warns(rest: str) -> None:
    found = reasons(rest)
    assert [one for one in found if one != "encoded_control"] == ["redirect_param"]


@pytest.mark.parametrize(
    "rest",
    [
        "/?next=/done",
        "/?next=done",
        "/?next=https://other.example.com/done",
        "/?next=https://[/",
        "/?next=urn:ietf:x",
        "/?q=https://evil.example/",
        "/?about=https://evil.example/",
    ],
)
def test_a_parameter_that_stays_or_says_nothing_passes(rest: str) -> None:
    assert reasons(rest) == ()


def test_an_address_that_leads_to_itself_stays() -> None:
    found = inspect_url("https://8.8.8.8/?next=https://8.8.8.8/x")
    assert found.reasons == ("ip_literal",)


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("http%3A%2F%2F127.0.0.1%3A33418%2Fcb", "http://127.0.0.1:33418/cb"),
        ("https://app.example.org", "https://app.example.org/"),
        ("myapp://callback", "myapp://callback"),
        ("urn%3A%C3%A9", "urn:\\xe9"),
    ],
)
def test_an_oauth_request_is_no_redirect_and_says_where_it_returns(target: str, shown: str) -> None:
    found = inspect_url(
        f"https://login.example.com/authorize?response_type=code&client_id=c&redirect_uri={target}"
    )
    assert (found.verdict, found.notices) == ("ok", ("oauth_authorize",))
    assert found.returns_to == shown


def test_an_oauth_request_that_returns_to_a_script_or_leads_elsewhere_too_warns() -> None:
    start = "https://login.example.com/authorize?client_id=c&redirect_uri="
    assert inspect_url(f"{start}javascript:alert(1)").reasons == ("redirect_param",)
    assert inspect_url(f"{start}https://a.test/&next=https://b.test/").reasons == (
        "redirect_param",
    )
    assert inspect_url("https://e.example/?redirect_uri=https://b.test/").reasons == (
        "redirect_param",
    )
    assert inspect_url(f"{start}https://a.test/&state=s&code=c").reasons == ("credential",)


def test_a_device_code_that_is_filled_in_already_warns() -> None:
    assert reasons("/device?user_code=WDJB-MJHT") == ("device_code_prefilled",)


@pytest.mark.parametrize("rest", ["/%0d%0aSet-Cookie:x", "/?a=%00", "/#%7F", "/%1B[2J"])
def test_an_encoded_control_character_warns(rest: str) -> None:
    assert reasons(rest) == ("encoded_control",)


def test_nothing_behind_a_refused_host_is_judged() -> None:
    assert inspect_url("http://169.254.169.254/?token=x").reasons == ("metadata",)
    assert inspect_url("https://example.com:25/?token=x").reasons == ("blocked_port",)

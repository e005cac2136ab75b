"""What may not be asked; the words and the checks of urls themselves are core's tests."""

from __future__ import annotations

import pytest

from elicitkit.asking.call import random_id
from elicitkit.asking.guard import guard_form, guard_url
from elicitkit.core.dialects import MCP_2025_06_18, MCP_2025_11_25
from elicitkit.core.errors import ClickableUrl, SensitiveField, UnsafeUrl
from elicitkit.core.fields import RequestedSchema, TextField
from elicitkit.core.model import FormRequest


def form(message: str = "Why", **titles: str) -> FormRequest:
    fields = tuple(TextField(name=name, title=title) for name, title in titles.items())
    return FormRequest(message=message, schema=RequestedSchema(fields=fields))


@pytest.mark.requirement("M01", "M02")
def test_the_field_is_named_with_the_way_out() -> None:
    with pytest.raises(SensitiveField) as error:
        guard_form(form(key="API key"), MCP_2025_11_25)
    assert error.value.where == "key"
    assert error.value.overridable
    assert "allow_sensitive=('key',)" in str(error.value)


def test_an_author_overrules_by_name_and_only_what_is_named() -> None:
    asked = form(key="API key", pin="PIN code")
    with pytest.raises(SensitiveField) as error:
        guard_form(asked, MCP_2025_11_25, allow_sensitive=("key",))
    assert error.value.where == "pin"
    guard_form(asked, MCP_2025_11_25, allow_sensitive=("key", "pin"))


@pytest.mark.requirement("G30")
def test_one_form_is_judged_by_each_dialect_and_each_time_the_same() -> None:
    asked = form(id="Passport number")
    for _ in range(2):
        guard_form(asked, MCP_2025_11_25)
        with pytest.raises(SensitiveField):
            guard_form(asked, MCP_2025_06_18)


@pytest.mark.requirement("M51")
def test_links_are_refused_in_message_and_fields_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ClickableUrl) as error:
            guard_form(form("See https://a.example"), MCP_2025_11_25)
        assert error.value.where == "message"
        with pytest.raises(ClickableUrl) as error:
            guard_form(form(site="See https://a.example"), MCP_2025_11_25)
        assert error.value.where == "site"
    guard_form(form(site="See https://a.example"), MCP_2025_11_25, allow_urls=("site",))


@pytest.mark.requirement("M01")
@pytest.mark.case("167-ordinary-profile-not-flagged")
def test_an_ordinary_profile_is_none() -> None:
    guard_form(form("Tell us about you", name="Name", email="E-mail"), MCP_2025_06_18)


class TestUrl:
    @pytest.mark.requirement("M19", "M49", "M52", "A51", "A52", "A53")
    @pytest.mark.parametrize(
        ("url", "code", "way_out"),
        [
            ("https://a.example/?token=hunter2hunter2", "credential", "opaque handle"),
            ("https://a.example/#access_token=hunter2hunter2", "credential", "opaque handle"),
            ("https://a.example/ghp_0123456789abcdefghij0123", "credential", "opaque handle"),
            ("https://a.example/?email=ann%40b.example", "pii", "personal data"),
            ("https://a.example/u/ann@b.example", "pii", "personal data"),
            ("https://ann:hunter2@a.example/", "userinfo", "before the @"),
            ("http://a.example/", "insecure_http", "use https"),
            ("http://192.168.1.5/", "insecure_http", "use https"),
            ("javascript:alert(1)", "bad_scheme", "https"),
            ("file:///etc/passwd", "bad_scheme", "https"),
            ("data:text/html,hunter2", "bad_scheme", "https"),
            ("not a url hunter2", "invalid_url", "as a browser shows it"),
            ("", "invalid_url", "as a browser shows it"),
            ("https://a.example/\nhunter2", "control_char", "as a browser shows it"),
            ("https://169.254.169.254/hunter2", "metadata", "public host"),
            ("https://a.example/" + "hunter2" * 2000, "url_too_long", "opaque handle"),
        ],
    )
    def test_what_nobody_should_be_sent_to_is_refused_by_its_code(
        self, url: str, code: str, way_out: str
    ) -> None:
        with pytest.raises(UnsafeUrl) as error:
            guard_url(url)
        assert code in error.value.codes
        assert code in str(error.value)
        assert way_out in str(error.value)
        for told in ("hunter2", "ann", "ghp", "a.example", "etc"):
            assert told not in str(error.value)

    @pytest.mark.requirement("M49")
    def test_every_kind_is_named_at_once(self) -> None:
        with pytest.raises(UnsafeUrl) as error:
            guard_url("http://a.example/?token=hunter2hunter2&email=ann%40b.example")
        assert set(error.value.codes) == {"insecure_http", "credential", "pii"}

    @pytest.mark.requirement("M52")
    @pytest.mark.case("146-url-http-loopback")
    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:8931/connect/x", "http://localhost/", "http://[::1]:5/"]
    )
    def test_plain_http_is_fine_on_this_machine(self, url: str) -> None:
        assert guard_url(url)

    @pytest.mark.parametrize(
        "url",
        [
            "https://a.example/connect?h=4f1d2c",
            "https://login.bank.example/authorize?client_id=x&redirect_uri=https://a.example/cb"
            "&response_type=code&state=af0ifjsldkj",
            "https://münchen.example/",
            "https://10.0.0.5/connect",
        ],
    )
    def test_what_only_warns_a_person_is_the_authors_own_affair(self, url: str) -> None:
        guard_url(url)

    def test_the_host_is_what_may_be_told(self) -> None:
        assert guard_url("https://Id.Example:8443/a?b#c") == "id.example"

    def test_our_own_ids_never_look_like_a_secret(self) -> None:
        """Ours: an id of ours is a handle, and it must not fail one call in a million."""
        for at in range(300):
            made = random_id(str(at))
            guard_url(f"https://a.example/c/{made}")
            guard_url(f"https://a.example/c?h={made}")
        assert not set("ghjklmnopqrstuvwxyz_.-") & set(made)

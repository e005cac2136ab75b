"""What a form may not ask for or say; the words themselves are core's tests."""

from __future__ import annotations

import pytest

from elicitkit.asking.guard import guard_form
from elicitkit.core.dialects import MCP_2025_06_18, MCP_2025_11_25
from elicitkit.core.errors import ClickableUrl, SensitiveField
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

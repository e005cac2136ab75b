"""Which words give a secret away, and which do not; which texts hold a link.

The corpora are ours: the specifications forbid secrets in forms and leave open what one is.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.sensitive import Finding, secrets_in, urls_in

NO_FIELDS = RequestedSchema(fields=())


def one(field: Field) -> RequestedSchema:
    return RequestedSchema(fields=(field,))


def _corpus() -> dict[str, list[str]]:
    texts = tomllib.loads(Path(__file__).with_name("sensitive_corpus.toml").read_text("utf-8"))
    return {
        key: text.split() if key.endswith("_names") else text.splitlines()
        for key, text in texts.items()
    }


CORPUS = _corpus()


# --- names ----------------------------------------------------------------------------

SECRET_NAMES = CORPUS["secret_names"]

ORDINARY_NAMES = CORPUS["ordinary_names"]


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_field_name_that_asks_for_a_secret_is_found(name: str) -> None:
    assert [found.where for found in secrets_in("", one(TextField(name=name)))] == [name]


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("name", ORDINARY_NAMES)
def test_an_ordinary_field_name_is_not_flagged(name: str) -> None:
    assert secrets_in("", one(TextField(name=name))) == ()


# --- titles and descriptions ----------------------------------------------------------

SECRET_TEXTS = CORPUS["secret_texts"]

ORDINARY_TEXTS = CORPUS["ordinary_texts"]


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("text", SECRET_TEXTS)
@pytest.mark.parametrize("key", ["title", "description"])
def test_a_title_or_description_that_asks_for_a_secret_is_found(key: str, text: str) -> None:
    texts: dict[str, Any] = {key: text}
    found = secrets_in("", one(TextField(name="value", **texts)))
    assert {finding.where for finding in found} == {"value"}


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("text", ORDINARY_TEXTS)
@pytest.mark.parametrize("key", ["title", "description"])
def test_a_title_or_description_that_asks_for_none_is_not_flagged(key: str, text: str) -> None:
    texts: dict[str, Any] = {key: text}
    assert secrets_in("", one(TextField(name="value", **texts))) == ()


# --- messages -------------------------------------------------------------------------

ASKING_MESSAGES = CORPUS["asking_messages"]

TALKING_MESSAGES = CORPUS["talking_messages"]


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("message", ASKING_MESSAGES)
def test_a_message_that_asks_for_a_secret_is_found(message: str) -> None:
    assert {finding.where for finding in secrets_in(message, NO_FIELDS)} == {"message"}


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("message", TALKING_MESSAGES)
def test_a_message_that_only_talks_of_a_secret_is_not_flagged(message: str) -> None:
    assert secrets_in(message, NO_FIELDS) == ()


# --- kinds of fields ------------------------------------------------------------------


@pytest.mark.requirement("G30")
def test_a_text_field_of_a_secret_format_is_found() -> None:
    field = TextField(name="value", format="password")
    assert secrets_in("", one(field)) == (Finding(where="value", word="password"),)


@pytest.mark.requirement("G30")
def test_a_property_kind_of_a_later_version_is_read_like_a_text_field() -> None:
    field = OtherField(name="value", title="Value", raw={"type": "x", "format": "api-key"})
    assert secrets_in("", one(field)) == (Finding(where="value", word="api key"),)


def test_a_format_that_is_no_text_is_passed_over() -> None:
    assert secrets_in("", one(OtherField(name="value", raw={"type": "x", "format": 3}))) == ()


def test_a_number_can_be_a_pin() -> None:
    assert secrets_in("", one(IntegerField(name="pin")))


@pytest.mark.parametrize(
    "field",
    [
        BooleanField(name="reset_password", title="Reset your password?"),
        BooleanField(name="pin", title="Pin this message"),
        BooleanField(name="remember_password", description="Keep the password for next time"),
        ChoiceField(
            name="auth",
            title="How do you want to sign in?",
            options=(Option("password", "Password"), Option("key", "API key")),
        ),
        ChoicesField(name="scan", title="Scan for", options=(Option("token"), Option("密钥"))),
    ],
    ids=lambda field: field.name,
)
def test_a_choice_or_a_yes_cannot_carry_a_secret(field: Field) -> None:
    """Ours: nothing is typed there, so naming a secret is not asking for one."""
    assert secrets_in("", one(field)) == ()


@pytest.mark.parametrize(
    "option",
    [
        Option("a", "Enter your password in the next message"),
        Option("a", "Next", "Reply with your API key"),
        Option("请提供您的密码"),
    ],
)
def test_an_option_that_asks_for_a_secret_to_be_typed_is_found(option: Option) -> None:
    assert secrets_in("", one(ChoiceField(name="next", options=(option,))))


def test_the_texts_of_the_schema_itself_are_read_as_messages() -> None:
    title = RequestedSchema(fields=(), title="Enter your password")
    description = RequestedSchema(fields=(), description="Enter your password")
    assert secrets_in("", title) == secrets_in("", description)
    assert secrets_in("", title) == (Finding(where="message", word="password"),)


def test_findings_come_in_reading_order_and_once_each() -> None:
    schema = RequestedSchema(
        fields=(
            TextField(name="password", title="Password", description="Your password"),
            TextField(name="city"),
            TextField(name="login", title="Token or API key"),
        )
    )
    assert secrets_in("Enter your PIN", schema) == (
        Finding(where="message", word="pin"),
        Finding(where="password", word="password"),
        Finding(where="login", word="token"),
        Finding(where="login", word="api key"),
    )


@pytest.mark.case("166-secret-words-in-form")
@pytest.mark.requirement("G30")
def test_a_form_that_asks_for_an_api_key_is_found() -> None:
    schema = one(TextField(name="api_key", title="API key", required=True))
    assert secrets_in("", schema) == (Finding(where="api_key", word="api key"),)


@pytest.mark.case("167-ordinary-profile-not-flagged")
@pytest.mark.requirement("G30")
@pytest.mark.parametrize("wide", [False, True])
def test_an_ordinary_profile_is_not_flagged(wide: bool) -> None:
    schema = RequestedSchema(
        fields=(
            TextField(name="email", format="email"),
            TextField(name="username"),
            TextField(name="key_signature", title="Key signature of the song"),
        )
    )
    assert secrets_in("Please complete your profile", schema, wide=wide) == ()


# The form of @modelcontextprotocol/server-everything: the texts that could mislead.
EVERYTHING = RequestedSchema(
    fields=(
        TextField(name="name", title="String", description="Your full, legal name"),
        BooleanField(
            name="check", title="Boolean", description="Agree to the terms and conditions"
        ),
        TextField(
            name="firstLine",
            title="String with default",
            description="Favorite first line of a story",
            default="It was a dark and stormy night.",
        ),
        TextField(
            name="email",
            title="String with email format",
            format="email",
            description="Your email address (will be verified, and never shared with anyone else)",
        ),
        TextField(
            name="homepage",
            title="String with uri format",
            format="uri",
            description="Portfolio / personal website",
        ),
        TextField(
            name="birthdate",
            title="String with date format",
            format="date",
            description="Your date of birth",
        ),
        IntegerField(
            name="integer",
            title="Integer",
            description="Your favorite integer (do not give us your phone number, pin, or other "
            "sensitive info)",
        ),
        ChoiceField(
            name="titledSingleSelectEnum",
            description="Choose your favorite hero",
            options=(Option("hero-1", "Superman"), Option("hero-2", "Green Lantern")),
        ),
    )
)


@pytest.mark.parametrize("wide", [False, True])
def test_the_form_of_the_reference_server_is_not_flagged(wide: bool) -> None:
    message = "Please provide inputs for the following fields:"
    assert secrets_in(message, EVERYTHING, wide=wide) == ()
    assert urls_in(message, EVERYTHING) == ()


# --- wide -----------------------------------------------------------------------------

WIDE_NAMES = CORPUS["wide_names"]

CONTACT_NAMES = CORPUS["contact_names"]


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("name", WIDE_NAMES)
def test_other_sensitive_data_are_found_only_where_all_of_it_is_forbidden(name: str) -> None:
    schema = one(TextField(name=name))
    assert [found.where for found in secrets_in("", schema, wide=True)] == [name]
    assert secrets_in("", schema) == ()


@pytest.mark.requirement("G30")
@pytest.mark.parametrize("name", CONTACT_NAMES)
def test_contact_data_are_free_in_every_revision(name: str) -> None:
    assert secrets_in("", one(TextField(name=name)), wide=True) == ()


@pytest.mark.requirement("G30")
def test_a_yes_can_tell_of_health_but_carries_no_number() -> None:
    ill = one(BooleanField(name="value", title="Do you have allergies?"))
    has_passport = one(BooleanField(name="value", title="Do you have a passport?"))
    assert secrets_in("", ill, wide=True) == (Finding(where="value", word="allergies"),)
    assert secrets_in("", has_passport, wide=True) == ()


def test_a_message_that_asks_for_an_identity_number_is_found_in_the_wide_reading() -> None:
    message = "Please provide your passport number"
    assert secrets_in(message, NO_FIELDS, wide=True)
    assert secrets_in(message, NO_FIELDS) == ()


# --- links ----------------------------------------------------------------------------

LINKS = CORPUS["links"]

NO_LINKS = CORPUS["no_links"]


@pytest.mark.parametrize("text", LINKS)
def test_a_text_with_a_link_is_found_wherever_it_stands(text: str) -> None:
    where = RequestedSchema(
        fields=(
            TextField(name="plain"),
            TextField(name="title", title=text),
            TextField(name="description", description=text),
            TextField(name="default", default=text),
            TextField(name="site", format="uri", default=text),
            ChoiceField(name="choice", options=(Option("a", text),)),
            ChoicesField(name="choices", options=(Option("a", "A", text),)),
        )
    )
    assert urls_in(text, where) == (
        "message",
        "title",
        "description",
        "default",
        "choice",
        "choices",
    )


@pytest.mark.parametrize("text", NO_LINKS)
def test_a_text_without_a_link_is_not_flagged(text: str) -> None:
    assert urls_in(text, one(TextField(name="value", title=text, description=text))) == ()


def test_a_link_in_the_texts_of_the_schema_itself_counts_as_the_message() -> None:
    assert urls_in("", RequestedSchema(fields=(), title="www.example.com")) == ("message",)
    assert urls_in("", RequestedSchema(fields=(), description="www.example.com")) == ("message",)


# --- any text -------------------------------------------------------------------------


@given(st.text(alphabet="aApP .,:;()[]/-_'\n密码不请输入<>@wh0") | st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    schema = one(TextField(name=text, title=text, description=text))
    found = secrets_in(text, schema, wide=True)
    assert {finding.where for finding in found} <= {text, "message"}
    assert set(urls_in(text, schema)) <= {text, "message"}
    assert secrets_in(text, schema, wide=True) == found


@pytest.mark.parametrize(
    "piece",
    ["a", "Ab", "your ", "name of the ", "密", "\n", "[", "<a ", "a.", "pass ", "-", " ", "http"],
)
def test_the_time_of_reading_grows_with_the_length_only(piece: str) -> None:
    """Four times the text may cost four times the work, and not sixteen."""

    def cost(length: int) -> float:
        text = (piece * length)[:length]
        best = 1e9
        for _ in range(3):
            begun = process_time()
            secrets_in(text, NO_FIELDS, wide=True)
            urls_in(text, NO_FIELDS)
            best = min(best, process_time() - begun)
        return best

    # The bound lies between the two and leaves room for a busy machine.
    assert cost(32_000) < 10 * cost(8_000) + 0.05

"""What a configuration leaves to each server."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from elicitkit.answering import Answerer, Limits, Pace
from elicitkit.answering.config import Bounds, Config, ServerConfig
from elicitkit.core.errors import InvalidRequest
from elicitkit.core.fields import TextField
from elicitkit.core.model import Accept, Cancel, Origin, Response
from tests.answering.forms import NAME, ORIGIN, form
from tests.answering.surfaces import Screen, Shown

pytestmark = pytest.mark.anyio

TWO_FIELDS = form(TextField(name="a"), TextField(name="b"))
OTHER = Origin(label="other")


async def ann(shown: Shown) -> Response:
    return Accept({name: "Ann" for name in ("name",) if shown.form.schema.fields})


def config(**servers: ServerConfig) -> Config:
    return Config(servers={name.replace("_", " "): one for name, one in servers.items()})


MINE: Mapping[str, ServerConfig] = {
    "my_server": ServerConfig(label="My server", bounds=Bounds(properties=1, per_minute=1, time=5))
}


async def test_the_name_that_the_person_configured_is_shown() -> None:
    screen = Screen(ann)
    answerer = Answerer(screen, config=config(**MINE))
    await answerer.answer(NAME, ORIGIN)
    await answerer.answer(NAME, OTHER)
    assert screen.shown[0].origin == Origin(label="My server", claimed="srv", request="book")
    assert screen.shown[1].origin == OTHER
    assert screen.shown[0].turn.seconds_left() is not None
    assert screen.shown[1].turn.seconds_left() is None


@pytest.mark.requirement("G17", "G51")
async def test_limits_and_pace_hold_for_the_server_that_is_named() -> None:
    answerer = Answerer(Screen(ann), config=config(**MINE))
    with pytest.raises(InvalidRequest, match="2 fields, and this client takes 1"):
        await answerer.answer(TWO_FIELDS, ORIGIN)
    assert await answerer.answer(TWO_FIELDS, OTHER) == Accept({})
    answers = [await answerer.answer(NAME, ORIGIN) for _ in range(2)]
    assert answers == [Accept({"name": "Ann"}), Cancel("rate_limited")]


def test_a_configuration_lowers_what_the_program_allows_and_never_raises_it() -> None:
    answerer = Answerer(
        Screen(ann),
        limits=Limits(properties=2, options=5),
        pace=Pace(outstanding=1),
        config=config(my_server=ServerConfig(label="x", bounds=Bounds(properties=9, options=3))),
    )
    limits = answerer.limits_for("my server")
    assert (limits.properties, limits.options) == (2, 3)
    assert answerer.limits_for("other").options == 5


@pytest.mark.requirement("M10")
@pytest.mark.parametrize(
    "nothing",
    [
        ServerConfig(label="x", modes=frozenset()),
        ServerConfig(label="x", modes=frozenset({"url"})),
        ServerConfig(label="x", surface="none"),
    ],
)
async def test_a_server_that_may_ask_nothing_is_declared_nothing(nothing: ServerConfig) -> None:
    answerer = Answerer(Screen(ann), config=config(my_server=nothing))
    assert answerer.modes_for("my server") == set()
    assert answerer.modes_for("other") == answerer.modes == {"form"}
    with pytest.raises(InvalidRequest, match="supported: none"):
        await answerer.answer(NAME, ORIGIN)


async def test_a_second_configuration_takes_away_more_and_gives_nothing_back() -> None:
    screen = Screen(ann)
    answerer = Answerer(screen, config=config(**MINE))
    answerer.narrow("my server", config(my_server=ServerConfig(label="again")))
    answerer.narrow("my server", Config())
    await answerer.answer(NAME, ORIGIN)
    assert screen.shown[0].origin.label == "again"
    assert answerer.limits_for("my server").properties == 1
    answerer.narrow("my server", Config(surface="none"))
    assert answerer.modes_for("my server") == set()

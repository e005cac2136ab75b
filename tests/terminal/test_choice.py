"""Which renderer a question gets, and that plain lines hold no escape sequence."""

from __future__ import annotations

import io

import anyio
import pytest

from elicitkit.core.errors import UsageError
from elicitkit.core.fields import TextField
from elicitkit.core.model import Cancel, Response
from elicitkit.terminal import Terminal, choice
from elicitkit.terminal.choice import Renderer, can_be_full
from tests.terminal.person import EVERYTHING, form, seated

XTERM = {"TERM": "xterm-256color"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The two event loops are told apart by name here."""
    return "asyncio"


async def chosen(renderer: Renderer, environ: dict[str, str]) -> bool:
    with seated() as person:
        return can_be_full(renderer, person.stdin, person.stdout, environ)


@pytest.mark.anyio
@pytest.mark.ux("UX23", "UX24")
@pytest.mark.parametrize(
    ("renderer", "environ", "full"),
    [
        ("auto", XTERM, True),
        ("full", XTERM, True),
        ("plain", XTERM, False),
        ("auto", {"TERM": "dumb"}, False),
        ("full", {"TERM": "dumb"}, False),
        ("auto", {}, False),
        ("full", {**XTERM, "ELICITKIT_PLAIN": "1"}, False),
        ("auto", {**XTERM, "ELICITKIT_PLAIN": "0"}, True),
        ("auto", {**XTERM, "NO_COLOR": "1", "SSH_TTY": "/dev/pts/1"}, True),
    ],
)
async def test_the_word_of_the_person_goes_before_that_of_the_program(
    renderer: Renderer, environ: dict[str, str], full: bool
) -> None:
    assert await chosen(renderer, environ) is full


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_on_trio_the_lines_are_plain() -> None:
    assert not await chosen("full", XTERM)


def test_outside_an_event_loop_nothing_can_be_full() -> None:
    with seated() as person:
        assert not can_be_full("full", person.stdin, person.stdout, XTERM)


@pytest.mark.anyio
async def test_pipes_are_plain() -> None:
    with seated() as person:
        assert not can_be_full("full", io.StringIO(), person.stdout, XTERM)
        assert not can_be_full("full", person.stdin, io.StringIO(), XTERM)


def test_a_renderer_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="no renderer 'fancy'; choose one of auto, plain, full"):
        Terminal(renderer="fancy")  # pyright: ignore[reportArgumentType]  # what is refused


@pytest.mark.anyio
async def test_without_its_extra_full_is_refused_and_auto_is_plain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"install elicitkit\[tui\]"):
        Terminal(renderer="full")
    assert not await chosen("auto", XTERM)


@pytest.mark.anyio
@pytest.mark.ux("UX24")
@pytest.mark.parametrize("reason", ["ELICITKIT_PLAIN", "TERM", "renderer"])
async def test_plain_lines_hold_no_escape_sequence(
    monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    if reason == "ELICITKIT_PLAIN":
        monkeypatch.setenv("ELICITKIT_PLAIN", "1")
    if reason == "TERM":
        monkeypatch.setenv("TERM", "dumb")
    with seated() as person, anyio.fail_after(10):
        terminal = Terminal(
            stdin=person.stdin,
            stdout=person.stdout,
            lang="en",
            renderer="plain" if reason == "renderer" else "full",
        )
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def fill() -> None:
                answers.append(await terminal.fill(form(TextField(name="t")), EVERYTHING))

            group.start_soon(fill)
            for line in ("x\n", ":help\n", ":cancel\n"):
                await person.prompted()
                person.type(line)
        person.catch_up()
    assert answers == [Cancel("dismissed")]
    assert b"\x1b" not in person.raw

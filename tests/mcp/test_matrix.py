"""What a server sees of every ending: action by renderer by revision, read off the wire.

Ours: only a person accepts or declines. Whatever else ends a question reaches the server as
a bare cancel, on every revision and from every renderer (UX03, UX04).
"""

from __future__ import annotations

import io
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeAlias

import anyio
import pytest

from elicitkit.answering import Answerer, Pace
from elicitkit.core.fields import TextField
from elicitkit.core.model import FormRequest, Mode, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.i18n import catalog
from elicitkit.mcp import connect
from elicitkit.terminal import Terminal
from tests.answering.surfaces import FormsOnly
from tests.mcp.client_peer import DONE, QUESTION, Peer, Wire, asked, wired
from tests.terminal.hands import HANDS, FullHand, PlainHand, Seat
from tests.terminal.person import EVERYTHING, form, seated

pytestmark = [pytest.mark.anyio, pytest.mark.ux("UX03", "UX04"), pytest.mark.requirement("M33")]

Ending: TypeAlias = Literal[
    "accept",
    "decline",
    "dismissed",
    "eof",
    "interrupted",
    "hangup",
    "muted",
    "timed out",
    "rate limited",
]
Hand: TypeAlias = PlainHand | FullHand

REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
SHOWN = form(TextField(name="name", required=True), message="Who are you?")
ANN = {"action": "accept", "content": {"name": "Ann"}}
DECLINE, CANCEL = {"action": "decline"}, {"action": "cancel"}
SAYS: dict[Ending, Wire] = {"accept": ANN, "decline": DECLINE}
LIMITS: dict[Ending, Pace] = {"timed out": Pace(time=0.2), "rate limited": Pace(per_minute=1)}
AGAIN = "Press Ctrl-C again"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


class Machine(FormsOnly):
    """A surface of form mode."""

    modes: frozenset[Mode] = frozenset({"form"})


class Watched(Machine):
    """A terminal whose hand is told how a question ended."""

    def __init__(self, terminal: Terminal, seat: Seat) -> None:
        assert terminal.modes >= self.modes
        self._terminal = terminal
        self._seat = seat

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        response = await self._terminal.fill(form, origin, turn)
        self._seat.response = response
        self._seat.wake()
        return response


@asynccontextmanager
async def connected(answerer: Answerer, revision: str) -> AsyncGenerator[Callable[..., Any]]:
    """Gives a function that calls a tool which asks, and returns the answer the server got."""
    with anyio.fail_after(20):
        async with wired() as (transport, peer), anyio.create_task_group() as tasks:
            if revision != "2026-07-28":
                tasks.start_soon(peer.shake_hands, revision)
            async with connect(
                transport,
                name=EVERYTHING.label,
                answerer=answerer,
                protocol_version=revision,
            ) as client:

                async def ask() -> Wire:
                    tasks.start_soon(client.call_tool, "book")
                    play = round_of if revision == "2026-07-28" else live
                    return await play(peer)

                yield ask
                tasks.cancel_scope.cancel()


async def live(peer: Peer) -> Wire:
    call = await peer.receive("tools/call")
    answer = await peer.ask(QUESTION)
    await peer.reply(call, DONE)
    return answer["result"]


async def round_of(peer: Peer) -> Wire:
    await peer.reply(await peer.receive("tools/call"), asked("k"))
    retry = await peer.receive("tools/call")
    await peer.reply(retry, DONE | {"resultType": "complete"})
    return retry["params"]["inputResponses"]["k"]


# At a pseudo-terminal.


async def accept(hand: Hand) -> None:
    await hand.fill("name", "Ann")
    await hand.send()


async def interrupt_twice(hand: Hand) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    await hand.seat.until(lambda: hand.seat.saw(AGAIN), AGAIN)
    os.kill(os.getpid(), signal.SIGINT)


async def hang_up(hand: Hand) -> None:
    os.kill(os.getpid(), signal.SIGHUP)


async def wait(hand: Hand) -> None:
    """Nobody comes before the time is over."""


ACTS: dict[Ending, Callable[[Hand], Awaitable[None]]] = {
    "accept": accept,
    "decline": lambda hand: hand.decline(),
    "dismissed": lambda hand: hand.cancel(),
    "eof": lambda hand: hand.end_input(),
    "interrupted": interrupt_twice,
    "hangup": hang_up,
    "muted": lambda hand: hand.mute(sure=True),
    "timed out": wait,
    "rate limited": lambda hand: hand.decline(),
}


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("ending", ACTS)
@pytest.mark.parametrize("renderer", ["plain", "full"])
async def test_what_a_person_does_at_a_terminal_is_what_the_server_sees(
    renderer: Literal["plain", "full"], ending: Ending, revision: str
) -> None:
    with seated(110, 60) as person:
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer=renderer)
        seat = Seat(person, 110, 60, catalog("en"))
        hand = HANDS[renderer](seat, SHOWN)
        answerer = Answerer(Watched(terminal, seat), pace=LIMITS.get(ending))
        saw: list[Wire] = []
        async with connected(answerer, revision) as ask, anyio.create_task_group() as tasks:
            tasks.start_soon(seat.pump)

            async def serve() -> None:
                saw.append(await ask())
                if ending in ("muted", "rate limited"):
                    saw.append(await ask())
                tasks.cancel_scope.cancel()

            tasks.start_soon(serve)
            if ending != "timed out":
                await hand.start()
            await ACTS[ending](hand)
    if ending == "rate limited":
        assert saw == [DECLINE, CANCEL]
    else:
        assert set(map(str, saw)) == {str(SAYS.get(ending, CANCEL))}
        assert len(saw) == (2 if ending == "muted" else 1)


# Without one.


class Broken(Machine):
    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        raise RuntimeError("no screen")


class Stuck(Machine):
    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        await anyio.sleep_forever()
        raise AssertionError


class Left(Terminal):
    """A terminal whose person was there when it was declared, and is gone when it asks."""

    def __init__(self) -> None:
        super().__init__(stdin=io.StringIO("Ann\ns\n"), stdout=io.StringIO(), lang="en")
        self._attended = True

    @property
    def modes(self) -> frozenset[Mode]:
        return frozenset({"form"} if self._attended else ())

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self._attended = False
        return await super().fill(form, origin, turn)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("surface", [Broken, Left, Stuck])
async def test_a_surface_that_fails_has_nobody_or_never_ends_is_a_cancel(
    surface: Callable[[], Any], revision: str
) -> None:
    answerer = Answerer(surface(), pace=Pace(time=0.1))
    async with connected(answerer, revision) as ask:
        assert await ask() == CANCEL


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(
    ("scripted", "saw"),
    [
        ([ANN], ANN),
        ([DECLINE], DECLINE),
        ([CANCEL], CANCEL),
        ([], CANCEL),
        ([{"action": "accept", "content": {"name": 5}}], CANCEL),
        ([{"action": "accept", "content": {"name": "Ann", "more": 1}}], ANN),
    ],
)
async def test_what_a_script_says_is_what_the_server_sees(
    scripted: list[Wire], saw: Wire, revision: str
) -> None:
    async with connected(Answerer.scripted(scripted), revision) as ask:
        assert await ask() == saw


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_script_is_muted_and_limited_like_a_person(revision: str) -> None:
    answerer = Answerer.scripted([DECLINE] * 9, pace=Pace(per_minute=2))
    async with connected(answerer, revision) as ask:
        assert [await ask() for _ in range(3)] == [DECLINE, DECLINE, CANCEL]
    answerer = Answerer.scripted([DECLINE])
    answerer.mute(EVERYTHING.label)
    async with connected(answerer, revision) as ask:
        assert await ask() == CANCEL

"""The same person before both renderers: what they mean to do, and the keys that do it.

A hand waits for what its keys bring onto the screen before it goes on, so that nothing here
sleeps. Screens of the full renderer are read through pyte, from a real pseudo-terminal.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Literal, TypeAlias, TypeVar

import anyio
import pyte

from elicitkit.core.form import Form
from elicitkit.core.model import FormRequest, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.i18n import Catalog, catalog
from elicitkit.terminal import Terminal
from tests.terminal.person import EVERYTHING, Person, seated

RendererName: TypeAlias = Literal["plain", "full"]
UP, DOWN, HOME, END = "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"
ENTER, TAB, ESC, DELETE, BACKSPACE = "\r", "\t", "\x1b", "\x1b[3~", "\x7f"
F1, F2, PAGE_DOWN = "\x1bOP", "\x1bOQ", "\x1b[6~"


class Seat:
    """A person's seat: keys go in, screens come out, until the question has ended."""

    def __init__(self, person: Person, columns: int, rows: int, texts: Catalog) -> None:
        self.person = person
        self.texts = texts
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.screens: list[str] = []
        self.response: Response | str | None = None
        """What was answered, or said of a page that is waited for."""
        self.scope = anyio.CancelScope()
        """Cancelling it withdraws the question."""
        self._news = anyio.Event()

    async def pump(self) -> None:
        while True:
            before = len(self.person.raw)
            await self.person.look()
            fresh = self.person.raw[before:]
            self._stream.feed(fresh)
            self.raw += fresh
            self.screens.append(self.display)
            self.wake()

    def wake(self) -> None:
        self._news.set()
        self._news = anyio.Event()

    @property
    def display(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def transcript(self) -> str:
        return self.raw.decode(errors="replace").replace("\r\n", "\n")

    def saw(self, text: str) -> bool:
        return any(text in screen for screen in self.screens) or text in self.transcript

    async def until(self, there: Callable[[], bool], what: object = "") -> None:
        try:
            with anyio.fail_after(8):
                while not there():
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"never came: {what}\n{self.display}") from None

    async def see(self, text: str) -> None:
        await self.until(lambda: text in self.display, text)

    async def gone(self, text: str) -> None:
        await self.until(lambda: text not in self.display, f"no more {text}")

    async def ended(self) -> Response | str:
        await self.until(lambda: self.response is not None, "an end")
        assert self.response is not None
        return self.response


class Hand:
    """What a person means to do. Fields are named by their key."""

    MENU = "full.menu"

    def __init__(self, seat: Seat, request: FormRequest | None = None) -> None:
        self.seat = seat
        self.t = seat.texts.t
        if request is not None:
            self.form = Form(request)
            self.names = [one.name for one in self.form.fields]

    async def start(self) -> None:
        """Wait until there is something to answer."""
        raise NotImplementedError

    def place(self, name: str) -> int:
        return self.names.index(name) + 1

    def type(self, keys: str) -> None:
        self.seat.person.type(keys)


class PlainHand(Hand):
    """Types lines; between two intents the review stands there."""

    async def start(self) -> None:
        await self._prompted()
        if self.form.shape == "fields":
            await self.line(":review")

    async def _prompted(self) -> None:
        person = self.seat.person
        await self.seat.until(lambda: person.raw[person._answered_at :].endswith(b"> "), "a prompt")

    async def line(self, text: str) -> None:
        self.type(text + "\n")
        await self._prompted()

    async def _field(self, name: str, *lines: str) -> None:
        await self.line(str(self.place(name)))
        for one in lines:
            await self.line(one)

    async def fill(self, name: str, text: str) -> None:
        await self._field(name, text)

    async def bad(self, name: str, text: str) -> None:
        await self._field(name, text, ":review")

    async def pick(self, name: str, *labels: str) -> None:
        await self._field(name, ", ".join(labels))

    async def own(self, name: str, text: str) -> None:
        await self._field(name, "other", text)

    async def leave_out(self, name: str) -> None:
        await self._field(name, "-")

    async def reset(self, name: str) -> None:
        await self._field(name, ":reset", ":review")

    async def empty(self, name: str) -> None:
        await self._field(name, ":empty")

    async def try_to_send(self) -> None:
        await self.line("s")
        await self.line(":review")

    async def review(self) -> None:
        await self.line(":review")

    async def send(self) -> None:
        self.type("s\n")

    async def answer(self, *, yes: bool) -> None:
        self.type("yes\n" if yes else "no\n")

    async def enter(self) -> None:
        await self.line("")

    async def decline(self) -> None:
        self.type(":decline\n")

    async def cancel(self) -> None:
        self.type(":cancel\n")

    async def mute(self, *, sure: bool) -> None:
        await self.line(":mute")
        if sure:
            self.type("yes\n")
        else:
            await self.line("")

    async def extend(self) -> None:
        await self.line(":extend")

    async def end_input(self) -> None:
        self.type("\x04")


class FullHand(Hand):
    """Moves about; between two intents the list of fields stands there."""

    async def start(self) -> None:
        first = "> 1. " if self.form.shape == "fields" else self.t("full.do.decline")
        await self.seat.see(first)

    async def go(self, name: str) -> None:
        self.type(HOME + DOWN * (self.place(name) - 1))
        await self.seat.see(f"> {self.place(name)}. ")

    async def _passed(self, name: str) -> None:
        after = self.place(name) + 1
        mark = f"> {after}. " if after <= len(self.names) else f"> {self.t('full.do.review')}"
        await self.seat.see(mark)

    async def open(self, name: str) -> None:
        await self.go(name)
        self.type(ENTER)
        await self.seat.see(self.t("full.keys.typing").split("。")[0].split(".")[0])

    async def fill(self, name: str, text: str) -> None:
        await self.go(name)
        if self.form.menu(name) is not None:
            await self.pick(name, text)
            return
        self.type(text + ENTER)
        await self._passed(name)

    async def bad(self, name: str, text: str) -> None:
        await self.go(name)
        self.type(text + ENTER)
        await self.seat.see(self.t("slip.error", label=self.form.entry(name).label, error=""))
        await self.back_to_list()

    async def back_to_list(self) -> None:
        self.type(ESC)
        await self.seat.see(self.t("full.keys.fields")[:12])

    async def pick(self, name: str, *labels: str) -> None:
        await self.go(name)
        self.type(ENTER)
        await self.seat.see(self.t("full.filter").strip())
        if len(labels) == 1 and self.seat.display.count("( ) "):
            self.type(labels[0] + ENTER)
        else:
            for label in labels:
                self.type(label + " " + BACKSPACE * len(label))
            self.type(ENTER)
        await self._passed(name)

    async def own(self, name: str, text: str) -> None:
        await self.go(name)
        menu = self.form.menu(name)
        assert menu is not None
        self.type(ENTER)
        await self.seat.see(self.t("full.filter").strip())
        self.type(DOWN * (len(menu.options) + 1) + ENTER)
        await self.seat.see(self.t("own.write"))
        self.type(text + ENTER)
        await self._passed(name)

    async def leave_out(self, name: str) -> None:
        await self.go(name)
        self.type(DELETE)
        shown = "full.left_out" if not self.form.entry(name).field.required else "slip.needed"
        await self.seat.see(self.t(shown))

    async def reset(self, name: str) -> None:
        await self.go(name)
        self.type("\x12")
        await self.seat.until(
            lambda: self.t("full.left_out") not in self.seat.display, "a field begun anew"
        )

    async def empty(self, name: str) -> None:
        await self.go(name)
        self.type("\x0f")
        await self.seat.see(self.t("full.answered", value="").split("[")[0])

    async def _to_review(self) -> None:
        self.type(HOME + DOWN * len(self.names))
        await self.seat.see(f"> {self.t('full.do.review')}")
        self.type(ENTER)

    async def try_to_send(self) -> None:
        await self._to_review()
        await self.seat.see(self.t("review.problems", count="").strip())

    async def review(self) -> None:
        await self._to_review()
        heading = self.t("review.heading", who="")
        await self.seat.see(heading[: max(heading.find(":"), heading.find("：")) + 1])

    async def send(self) -> None:
        await self.review()
        self.type("s")
        await self.seat.until(
            lambda: f"> {self.t('full.do.send', who='')}" in self.seat.display, "Send"
        )
        self.type(ENTER)

    async def answer(self, *, yes: bool) -> None:
        self.type("y" if yes else "n")
        await self.seat.until(lambda: "\n> " in self.seat.display, "a mark")
        self.type(ENTER)

    async def enter(self) -> None:
        self.type(ENTER)
        await self.seat.see(self.t("confirm.enter"))

    def entry(self, do: str) -> str:
        """What a row says."""
        return self.t(f"full.do.{do}", who=self.seat.texts.inert(EVERYTHING.label, 200))

    async def _menu(self, do: str) -> None:
        self.type(ESC)
        await self.seat.see(self.t(self.MENU))
        entry = self.entry(do)
        while f"> {entry}" not in self.seat.display:
            before = self.seat.display
            self.type(DOWN)
            await self.seat.until(lambda seen=before: self.seat.display != seen, entry)
        self.type(ENTER)

    async def _sure(self) -> None:
        sure = self.t("full.sure")
        await self.seat.until(
            lambda: self.seat.response is not None or sure in self.seat.display, sure
        )
        if self.seat.response is None:
            self.type(ENTER)

    async def decline(self) -> None:
        await self._menu("decline")
        await self._sure()

    async def cancel(self) -> None:
        await self._menu("cancel")
        await self._sure()

    async def mute(self, *, sure: bool) -> None:
        await self._menu("mute")
        await self.seat.see(f"> {self.t('full.do.back')}")
        if sure:
            self.type(DOWN + ENTER)
        else:
            self.type(ENTER)
            await self.seat.see(self.t(self.MENU))
            self.type(ESC)
            await self.seat.gone(self.t(self.MENU))

    async def extend(self) -> None:
        self.type("\x14")
        await self.seat.see(self.t("limit.extended"))

    async def end_input(self) -> None:
        self.type("\x04")


HANDS: dict[RendererName, type[PlainHand] | type[FullHand]] = {
    "plain": PlainHand,
    "full": FullHand,
}
Script: TypeAlias = Callable[[PlainHand | FullHand], Awaitable[None]]


H = TypeVar("H", bound=Hand)


@asynccontextmanager
async def before(
    renderer: RendererName,
    hand_of: Callable[[Seat], H],
    call: Callable[[Terminal], Awaitable[Response | str]],
    *,
    lang: str = "en",
    columns: int = 110,
    rows: int = 60,
) -> AsyncIterator[H]:
    """Whatever ``call`` puts on a screen, and a hand before it."""
    with seated(columns, rows) as person:
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang=lang, renderer=renderer)
        seat = Seat(person, columns, rows, catalog(lang))
        hand = hand_of(seat)
        async with anyio.create_task_group() as group:
            group.start_soon(seat.pump)

            async def play() -> None:
                with seat.scope:
                    seat.response = await call(terminal)
                seat.wake()

            group.start_soon(play)
            await hand.start()
            yield hand
            group.cancel_scope.cancel()
        if person.master >= 0:
            before = len(person.raw)
            person.catch_up()
            seat._stream.feed(person.raw[before:])
            seat.raw += person.raw[before:]


def asked(
    renderer: RendererName,
    request: FormRequest,
    *,
    lang: str = "en",
    columns: int = 110,
    rows: int = 60,
    origin: Origin = EVERYTHING,
    turn: Turn | None = None,
) -> AbstractAsyncContextManager[PlainHand | FullHand]:
    """A question on a screen, and a hand before it."""
    return before(
        renderer,
        lambda seat: HANDS[renderer](seat, request),
        lambda terminal: terminal.fill(request, origin, turn),
        lang=lang,
        columns=columns,
        rows=rows,
    )


async def put(
    renderer: RendererName, request: FormRequest, script: Script, **options: object
) -> Seat:
    """Put a question, follow a script to its end, and give back what was seen."""
    ask = partial(asked, renderer, request, **options)  # pyright: ignore[reportArgumentType]
    async with ask() as hand:
        await script(hand)
        await hand.seat.ended()
    return hand.seat

"""Thousands of hostile forms and careless people: nothing acts, nothing crashes or is invented.

Plain lines are put through the whole surface. Of the full renderer the desk and the painter
run, which make every text that it draws; a hundred go through the library as well.
"""

from __future__ import annotations

import io
import random
import re
import tracemalloc
import unicodedata
from collections.abc import Callable

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from elicitkit.core.check import check
from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.form import Form
from elicitkit.core.model import Accept, Cancel, Decline, FormRequest, Origin, Response
from elicitkit.core.text import width
from elicitkit.i18n import catalog
from elicitkit.terminal import Terminal
from elicitkit.terminal.asked import AskedForm
from elicitkit.terminal.full.form import FormDesk
from elicitkit.terminal.full.levels import Picking, Typing
from elicitkit.terminal.full.paint_form import FormPainter
from elicitkit.terminal.full.show import Show
from elicitkit.terminal.limit import Limit

ACTING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
BITS = (
    "\x1b[2J\x1b[H", "\x1b]8;;https://e\x07x\x1b]8;;\x07", "\x9b31m", "\x1bP+q\x1b\\", "a\rb",
    "\u202egnp.exe", "\u2028> s", "\r\n> s", "\u200b", "e" + "\u0301" * 30, "👩\u200d👧",
    "{who}", "%s%n", "</b>", "[red]x[/]", "中文字", "\x00", "\ud800", "\U000e0041",
    "日" * 90, "x" * 300, "\ufe0f",
    "> 1. yes", "\n\n\n", "\t", "\u3164", "ᄀᄀ", "\u0600", "0", "-", ":decline", "",
)  # fmt: skip
SEEDS = st.integers(0, 2**48)
MANY = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def text(dice: random.Random) -> str:
    made = "".join(dice.choice(BITS) for _ in range(dice.randrange(3)))
    if dice.random() < 0.3:
        made += "".join(chr(dice.choice((dice.randrange(0x300), dice.randrange(0x110000))))
                        for _ in range(dice.randrange(8)))  # fmt: skip
    return made


def options(dice: random.Random) -> tuple[Option, ...]:
    return tuple(
        Option(f"{n}{text(dice)}", text(dice) or None, text(dice) or None)
        for n in range(dice.randrange(1, 6))
    )


def field(dice: random.Random, number: int) -> Field:
    common = {
        "name": f"{text(dice)}{number}",
        "title": text(dice) or None,
        "description": text(dice) or None,
        "required": dice.random() < 0.4,
    }
    chosen = options(dice)
    low = dice.choice((None, 0, 2, -5))
    makers: tuple[Callable[[], Field], ...] = (
        lambda: TextField(
            **common,
            pattern=dice.choice((None, None, "^(a+)+$", "(", text(dice))),
            format=dice.choice((None, "email", "date", "uri", "date-time", text(dice))),
            min_length=low if low is None else abs(low),
            default=dice.choice((UNSET, UNSET, text(dice), "2026-02-28")),
        ),
        lambda: IntegerField(**common, minimum=low, default=dice.choice((UNSET, 3, 10**40))),
        lambda: NumberField(**common, maximum=dice.choice((None, 9.5)), default=2.5),
        lambda: BooleanField(**common, default=dice.choice((UNSET, True, False))),
        lambda: ChoiceField(**common, options=chosen, default=dice.choice((UNSET, "x"))),
        lambda: ChoicesField(
            **common, options=chosen, min_items=dice.choice((None, 1, 2)), max_items=3
        ),
        lambda: OtherField(**{**common, "required": False}, raw={}),
    )
    return dice.choice(makers)()


def hostile(dice: random.Random) -> tuple[FormRequest, Origin]:
    fields = tuple(field(dice, number) for number in range(dice.randrange(5)))
    schema = RequestedSchema(fields=fields, title=text(dice), description=text(dice))
    origin = Origin(label=text(dice) or "us", claimed=text(dice), request=text(dice))
    return FormRequest(message=text(dice), schema=schema), origin


def acting(shown: str) -> list[str]:
    return [char for char in shown if char != "\n" and unicodedata.category(char) in ACTING]


def answers(dice: random.Random, request: FormRequest) -> str:
    names = [one.name for one in request.schema.fields] or ["0"]
    return dice.choice(
        ("1", "yes", "no", "x", "3.5", "2026-02-28", "a@b.co", "https://e.org", "aaa", *names[:2])
    )


def not_invented(request: FormRequest, response: Response, touched: set[str]) -> None:
    """What was not touched is its own fitting default or absent, and all of it is valid."""
    if not isinstance(response, Accept):
        return
    content = response.content or {}
    _, errors = check(request.schema, content)
    assert errors == ()
    untouched = Form(request)
    for one in request.schema.fields:
        if one.name not in touched:
            assert content.get(one.name, UNSET) == untouched.entry(one.name).suggested


PLAIN_LINES = (
    "", "-", "1", "2", "s", ":back", ":review", ":reset", ":empty", ":help", ":more", ":message",
    ":what", "::", "x", "9", ":decline", ":cancel", ":extend", ":mute",
)  # fmt: skip


@pytest.mark.ux("UX15", "UX07")
@pytest.mark.requirement("M59")
@settings(MANY, max_examples=900)
@given(seed=SEEDS)
def test_plain_lines_let_nothing_act_and_invent_nothing(seed: int) -> None:
    dice = random.Random(seed)
    request, origin = hostile(dice)
    lines = [dice.choice((*PLAIN_LINES, answers(dice, request))) for _ in range(12)]
    lines = [line for line in lines if "\n" not in line and "\r" not in line]
    out = io.StringIO()
    terminal = Terminal(
        stdin=io.StringIO("\n".join([*lines, "s\n"]).encode(errors="ignore").decode()),
        stdout=out,
        lang=dice.choice(("en", "zh")),
        interactive=True,
    )
    response = anyio.run(terminal.fill, request, origin)
    shown = out.getvalue()
    assert acting(shown) == []
    # Nothing echoes here, so what comes after a prompt stands on its line.
    assert [line for line in shown.split("\n") if width(line.replace("> ", "")) > 80] == []
    assert isinstance(response, Accept | Decline | Cancel)
    not_invented(request, response, {one.name for one in request.schema.fields})


class Walk:
    """A person who strikes keys at random, and remembers which fields they did something to."""

    def __init__(self, desk: FormDesk, dice: random.Random) -> None:
        self.desk = desk
        self.dice = dice
        # One yes or no is answered by its row alone.
        self.touched = set(desk.names) if desk.form.shape == "confirm" else set[str]()

    def step(self, typed: str) -> None:
        desk, dice = self.desk, self.dice
        before = desk.field
        moves = (
            lambda: desk.move(dice.choice((1, 1, 1, -1, 5, -5))),
            desk.enter, desk.enter, desk.enter, desk.escape, desk.toggle, desk.suggest,
            lambda: desk.turn_page(1),
            lambda: desk.edge(last=dice.random() < 0.5),
        )  # fmt: skip
        acts = (
            lambda: desk.type(typed[:1] or "x"), desk.leave_out, desk.reset, desk.empty,
            lambda: desk.changed(typed), lambda: desk.paste(typed),
            desk.help, desk.read, desk.extend, desk.interrupt, desk.warn,
        )  # fmt: skip
        dice.choice((*moves, *acts) if dice.random() < 0.6 else moves)()
        if isinstance(desk.level, Typing) and dice.random() < 0.5:
            desk.changed(typed)
        for name in (before, desk.field):
            if name is not None and (
                isinstance(desk.level, Typing | Picking)
                or desk.form.entry(name).state != "untouched"
            ):
                self.touched.add(name)


@pytest.mark.ux("UX15", "UX07", "UX11")
@pytest.mark.requirement("M59")
@settings(MANY, max_examples=4_000)
@given(seed=SEEDS)
def test_the_full_renderer_lets_nothing_act_and_invents_nothing(seed: int) -> None:
    dice = random.Random(seed)
    request, origin = hostile(dice)
    texts = catalog(dice.choice(("en", "zh")))
    asked = AskedForm(Form(request), origin, texts)
    desk = FormDesk(asked, Limit(None, texts), texts)
    painter = FormPainter(desk, texts)
    walk = Walk(desk, dice)
    for step in range(14):
        walk.step(answers(dice, request))
        if step % 4 == 0 or desk.response is not None:
            columns, rows = dice.choice(((80, 24), (40, 24), (40, 10), (200, 60), (20, 5)))
            picture = painter.paint(columns, rows)
            assert acting(picture.text()) == []
            lines = [*picture.top, *picture.body, *picture.below, *picture.foot]
            assert [line.text for line in lines if width(line.text) > columns] == []
            assert 0 <= picture.cursor <= len(picture.body)
        if desk.response is not None:
            break
    if desk.response is not None:
        not_invented(request, desk.response, walk.touched)


OURS = re.compile(r"\x1b\[(\?(25|2004|12|7|1)[hl]|[0-9;]*[mABCDGJKH])|[\r\x08]")
"""What the library writes of its own: cursor, erasing, weight, wrapping, pasting."""
KEYS = ("\r", "\r", "\x1b[B", "\x1b[B", "\x1b[A", "\t", " ", "x", "\x1bOQ", "\x12", "\x0f", "7")


@pytest.mark.ux("UX15")
@settings(MANY, max_examples=100)
@given(seed=SEEDS)
def test_what_the_library_draws_holds_no_sequence_of_the_servers(seed: int) -> None:
    dice = random.Random(seed)
    request, origin = hostile(dice)
    texts = catalog("en")
    desk = FormDesk(AskedForm(Form(request), origin, texts), Limit(None, texts), texts)
    page = io.StringIO()
    output = Vt100_Output(page, lambda: Size(24, 80), term="xterm", enable_cpr=False)

    async def run() -> Response | None:
        with create_pipe_input() as source:
            source.send_text("".join(dice.choice(KEYS) for _ in range(9)) + "\x03\x03")
            await Show(desk, FormPainter(desk, texts), source, output).run()
            return desk.response

    assert anyio.run(run) is not None
    assert acting(OURS.sub("", page.getvalue())) == []


@pytest.mark.ux("UX15")
def test_a_huge_form_takes_bounded_memory_and_few_lines() -> None:
    wide = "y" * 4_000
    fields = tuple(
        ChoiceField(
            name=f"f{n}",
            title=wide,
            description=wide,
            options=tuple(Option(f"{n}-{m}", wide[:50], wide[:50]) for m in range(200)),
        )
        for n in range(64)
    )
    request = FormRequest(message=wide * 4, schema=RequestedSchema(fields=fields))
    texts = catalog("en")
    tracemalloc.start()
    desk = FormDesk(AskedForm(Form(request), Origin(label="us"), texts), Limit(None, texts), texts)
    painter = FormPainter(desk, texts)
    for _ in range(8):
        painter.paint(80, 24)
        desk.enter()
        desk.move(1)
        picture = painter.paint(80, 24)
        desk.escape()
        desk.move(1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000
    assert len(picture.top) + picture.height + len(picture.below) + len(picture.foot) <= 24

"""Whether to open a URL, in both renderers: what is shown, and what counts as a yes."""

from __future__ import annotations

import io
import os
import random
import signal
from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response, UrlRequest
from elicitkit.core.open_page import Opening
from elicitkit.core.text import width
from elicitkit.core.urls import LEVELS, Findings, inspect_url
from elicitkit.i18n import catalog
from elicitkit.terminal import Terminal
from elicitkit.terminal.asked_url import OPEN, AskedUrl
from elicitkit.terminal.full.consent import ConsentDesk
from elicitkit.terminal.full.paint_url import UrlPainter
from elicitkit.terminal.full.picture import Picture
from elicitkit.terminal.limit import Limit
from tests.terminal.hands import DOWN, ENTER, ESC, F1, F2, PAGE_DOWN, RendererName
from tests.terminal.person import EVERYTHING, seated
from tests.terminal.test_fuzz import acting
from tests.terminal.turn import LineTurn, RunningTurn
from tests.terminal.url_hands import MESSAGE, FullUrlHand, PlainUrlHand, consenting

pytestmark = pytest.mark.anyio

OK = "https://github.com/login/oauth/authorize?client_id=1&state=xyz"
WARN = "http://login.example.com/connect"
IDN = "https://www.münchen.de/straße"
SPOOF = "https://аррӏе.com/login"
REFUSE = "http://169.254.169.254/latest"
USERINFO = "https://good.example@evil.example.com/"
BIDI = "https://example.com/\u202egnp.exe"
ADDRESS = "https://203.0.113.9/"
LONG = "https://example.com/" + "".join(f"{n:07d}/" for n in range(1000)) + "?q=end"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=["plain", "full"])
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


def asked_url(
    url: str | Findings,
    *,
    lang: str = "en",
    message: str = MESSAGE,
    origin: Origin = EVERYTHING,
    opening: Opening = "browser",
) -> AskedUrl:
    findings = url if isinstance(url, Findings) else inspect_url(url)
    request = UrlRequest(message=message, url=url if isinstance(url, str) else "")
    return AskedUrl(request, findings, origin, catalog(lang), opening=opening)


def desk_of(asked: AskedUrl, lang: str = "en") -> tuple[ConsentDesk, UrlPainter]:
    texts = catalog(lang)
    desk = ConsentDesk(asked, Limit(None, texts), texts)
    return desk, UrlPainter(desk, asked, texts)


def drawn(asked: AskedUrl, columns: int = 80, rows: int = 60, lang: str = "en") -> Picture:
    return desk_of(asked, lang)[1].paint(columns, rows)


def printed(
    url: str | Findings,
    *typed: str,
    lang: str = "en",
    message: str = MESSAGE,
    origin: Origin = EVERYTHING,
    opening: Opening = "browser",
) -> tuple[Response, str]:
    """The answer and all that the plain renderer wrote, on 80 columns, at trio."""
    findings = url if isinstance(url, Findings) else inspect_url(url)
    out = io.StringIO()
    stdin = io.StringIO("".join(f"{line}\n" for line in typed))
    terminal = Terminal(stdin=stdin, stdout=out, lang=lang, interactive=True, renderer="plain")
    request = UrlRequest(message=message, url=url if isinstance(url, str) else "")

    async def ask() -> Response:
        return await terminal.consent(request, findings, origin, opening=opening)

    return anyio.run(ask, backend="trio"), out.getvalue()


def joined(text: str) -> str:
    """Folded lines put together again; without any blank, since those at the folds are lost."""
    return "".join(text.split())


# What is shown.

CLAIMING = Origin(label="everything", claimed="The Bank", request="tool book")
GOLDEN = {
    OK: """
Question from everything
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Please sign in.

It asks you to open a web page of this site:
DOMAIN: github.com
The whole address:
  https://github.com/login/oauth/authorize?client_id=1&state=xyz
About this address: Nothing speaks against it.

It opens in your browser.
Type open to open github.com. everything is told that you agreed, and nothing
  more.
Or :decline (No, do not open), :cancel (Not now), :help
> """,
    IDN: """
Question from everything
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Please sign in.

It asks you to open a web page of this site:
DOMAIN: xn--mnchen-3ya.de
www.xn--mnchen-3ya.de is www.münchen.de, as people write it
The whole address:
  https://www.xn--mnchen-3ya.de/stra%C3%9Fe
As it came from the server:
  https://www.münchen.de/straße
About this address: Nothing speaks against it.
- Its host is written in other letters than a to z.

It opens in your browser.
Type open to open www.xn--mnchen-3ya.de. everything is told that you agreed,
  and nothing more.
Or :decline (No, do not open), :cancel (Not now), :help
> """,
    WARN: """
Question from everything
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Please sign in.

It asks you to open a web page of this site:
DOMAIN: example.com
The whole address:
  http://login.example.com/connect
About this address: Look twice before you open it.
- The connection is not encrypted.

It opens in your browser.
To open login.example.com all the same, type example.com and press Enter.
Or :decline (No, do not open), :cancel (Not now), :help
> """,
    USERINFO: """
Question from everything
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Please sign in.

It asks you to open a web page of this site:
DOMAIN: example.com
The whole address:
  https://evil.example.com/
As it came from the server:
  https://good.example@evil.example.com/
About this address: Do not open it.
- It has an @ before the host: what stands in front of it is no address.

This address is not opened from here, whatever you type.
Or :decline (No, do not open), :cancel (Not now), :help
> """,
    BIDI: """
Question from everything
It calls itself The Bank (its own words, not checked)
Asked for: tool book
  Please sign in.

It asks you to open a web page, but whose it is cannot be told.
As it came from the server:
  https://example.com/\\u202egnp.exe
About this address: Do not open it.
- It holds a character that turns the direction of the text around.

This address is not opened from here, whatever you type.
Or :decline (No, do not open), :cancel (Not now), :help
> """,
}
GOLDEN_ZH = """
提问方：everything
它自称：The Bank（由对方自报，未经核实）
起因：tool book
  Please sign in.

对方请您打开以下网站的一个网页：
域名：example.com
完整网址：
  http://login.example.com/connect
关于这个网址：打开之前请再仔细看一遍。
- 连接没有加密。

此处无法启动浏览器。请复制完整网址（包括每一行），在您自己电脑的浏览器中打开。
若仍要打开 login.example.com，请输入 example.com 并按回车。
也可以：:decline（拒绝打开）、:cancel（暂不回答）、:help（帮助）
> """


@pytest.mark.ux("UX01", "UX17", "UX24")
@pytest.mark.requirement("M55", "M57", "M58", "A57", "A59", "A60")
@pytest.mark.parametrize("url", GOLDEN)
def test_plain_lines_tell_who_why_whose_all_of_it_and_what_was_found(url: str) -> None:
    response, seen = printed(url, origin=CLAIMING)
    assert seen == GOLDEN[url] + "\nCancelled. No answer was given to everything.\n"
    assert response == Cancel("eof")


@pytest.mark.ux("UX17", "UX18", "UX30")
def test_plain_lines_in_chinese_where_no_browser_can_be_started() -> None:
    _, seen = printed(WARN, origin=CLAIMING, lang="zh", opening="by_hand")
    assert seen.startswith(GOLDEN_ZH)


@pytest.mark.ux("UX01", "UX17")
@pytest.mark.requirement("M55", "M57", "A57", "A59")
@pytest.mark.case("148-url-punycode")
@pytest.mark.case("149-url-unicode-host")
def test_the_full_screen_has_the_domain_alone_in_bold_and_the_host_bold_in_the_url() -> None:
    picture = drawn(asked_url(SPOOF, origin=CLAIMING))
    assert [(line.style, line.text) for line in picture.top] == [
        ("bold", "Question from everything"),
        ("", "It calls itself The Bank (its own words, not checked)"),
        ("", "Asked for: tool book"),
        ("", "  Please sign in."),
        ("", ""),
        ("", "It asks you to open a web page of this site:"),
        ("bold", "  xn--80ak6aa92e.com"),
        ("", "  xn--80ak6aa92e.com is аррӏе.com, as people write it"),
        ("", "  https://xn--80ak6aa92e.com/login"),
        ("", "As it came from the server:"),
        ("", "  https://аррӏе.com/login"),
        ("", "About this address: Look twice before you open it."),
        ("", "- Every letter of its host passes for a Latin one, and none is."),
        ("", "- Its host is written in other letters than a to z."),
        ("", "It opens in your browser."),
        ("", ""),
    ]
    (line,) = [one for one in picture.top if one.strong != (0, 0) and one.strong[1] > 0]
    assert [text for style, text in line.parts() if style == "bold"] == ["xn--80ak6aa92e.com"]
    assert [line.text for line in picture.body] == [
        "  Open xn--80ak6aa92e.com",
        "  No, do not open",
        "  Not now",
    ]


def test_a_host_that_runs_over_a_line_is_bold_on_each() -> None:
    host = "a" * 60 + ".example.com"
    lines = drawn(asked_url(f"https://{host}/x"), columns=40).top
    strong = [line.text[slice(*line.strong)] for line in lines]
    assert "".join(strong) == host


@pytest.mark.ux("UX17", "UX30")
@pytest.mark.requirement("M58", "A60")
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("code", [*LEVELS])
def test_every_finding_is_told_in_words_in_both_renderers_and_languages(
    code: str, lang: str
) -> None:
    level = LEVELS[code]
    findings = replace(
        inspect_url("https://example.com/"),
        verdict="ok" if level == "notice" else level,
        reasons=() if level == "notice" else (code,),
        notices=(code,) if level == "notice" else ("new_host",),
    )
    told = catalog(lang).t(f"url.reason.{code}")
    verdict = catalog(lang).t(f"url.verdict.{findings.verdict}")
    asked = asked_url(findings, lang=lang)
    for seen in (printed(findings, lang=lang)[1], drawn(asked, lang=lang).text()):
        assert joined(seen).index(joined(verdict)) < joined(seen).index(joined(f"- {told}"))
    if level != "notice":
        order = [catalog(lang).t(f"url.reason.{one}") for one in (code, "new_host")]
        whole = joined(printed(findings, lang=lang)[1])
        assert whole.index(joined(order[0])) < whole.index(joined(order[1]))


def test_where_a_sign_in_returns_to_is_told(renderer: RendererName) -> None:
    url = OK + "&response_type=code&redirect_uri=https://app.example.net/cb"
    seen = printed(url)[1] if renderer == "plain" else drawn(asked_url(url)).text()
    assert "Afterwards it returns to: https://app.example.net/cb\n" in seen


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        (ADDRESS, "203.0.113.9"),
        ("http://intranet/x", "intranet"),
        ("http://[fd00::1]/", "[fd00::1]"),
    ],
)
def test_where_nobody_registered_a_domain_the_host_stands_for_it(url: str, domain: str) -> None:
    response, seen = printed(url, "example.com", domain)
    assert f"DOMAIN: {domain}\n" in seen
    assert joined(f"type {domain} and press Enter.") in joined(seen)
    assert response == Accept()


@pytest.mark.ux("UX17")
@pytest.mark.requirement("M55", "A57")
@pytest.mark.parametrize("columns", [40, 80])
async def test_a_long_url_is_whole_before_consent(renderer: RendererName, columns: int) -> None:
    """8,026 characters; on the screen that is cut, the rest is one key away and counted."""
    assert len(LONG) > 8_000
    async with consenting(renderer, LONG, columns=columns, rows=24) as hand:
        if isinstance(hand, PlainUrlHand):
            assert LONG in joined(hand.seat.transcript)
            assert "lines left" not in hand.seat.transcript
        else:
            assert "F2 shows all)" in hand.seat.display
            hand.type(F2)
            read = await _read_through(hand)
            assert LONG in joined(read)
        await hand.end_input()


async def _read_through(hand: FullUrlHand) -> str:
    """Page down to the end, and put together what was new on each page."""
    await hand.seat.see("read on.")
    pages: list[list[str]] = []
    while True:
        lines = [line for line in hand.seat.display.split("\n")[1:] if line]
        shown = lines[: next(n for n, line in enumerate(lines) if line.startswith("Up, Down"))]
        if pages and shown == pages[-1]:
            break
        pages.append(shown)
        if any("unusually long" in line for line in shown):
            break
        before = hand.seat.display
        hand.type(PAGE_DOWN)
        await hand.seat.until(lambda seen=before: hand.seat.display != seen, "the next page")
    read = pages[0]
    for page in pages[1:]:
        overlap = next(n for n in range(len(page), -1, -1) if n == 0 or read[-n:] == page[:n])
        read = read + page[overlap:]
    return "\n".join(read)


@pytest.mark.ux("UX17")
@pytest.mark.requirement("M55")
def test_what_is_longer_than_any_url_is_read_page_by_page_to_its_end() -> None:
    raw = "https://example.com/" + "".join(f"{n:07d}/" for n in range(4000))
    response, seen = printed(raw, *[":more"] * 40)
    assert raw in joined(_servers(seen))
    assert "There is nothing more to read." in seen
    assert response == Cancel("eof")


def _servers(seen: str) -> str:
    """What the server wrote, which is always indented, without the prompts between pages."""
    lines = (line.removeprefix("> ") for line in seen.split("\n"))
    return "\n".join(line for line in lines if line.startswith("  "))


@pytest.mark.ux("UX17")
@pytest.mark.parametrize("typed", [*OPEN, "yes", "example.com", "evil.example.com", ""])
@pytest.mark.parametrize("url", [USERINFO, BIDI, REFUSE])
def test_nothing_that_is_typed_opens_what_the_findings_refuse(url: str, typed: str) -> None:
    response, seen = printed(url, typed, "169.254.169.254")
    assert response == Cancel("eof")
    assert seen.count("This address is not opened from here, whatever you type.") == 3


@pytest.mark.ux("UX17")
@pytest.mark.parametrize("url", [USERINFO, BIDI, REFUSE])
async def test_what_is_refused_can_be_declined_or_left(renderer: RendererName, url: str) -> None:
    async with consenting(renderer, url) as hand:
        assert "Open " not in hand.seat.display
        if isinstance(hand, FullUrlHand):
            hand.type("o")
            await hand.seat.see("This address is not opened from here")
        await hand.decline()
        assert await hand.seat.ended() == Decline()


KEYS = ("enter", "down", "up", "escape", "home", "end", "help", "read", "o", "n", "x", "domain")


def walk(desk: ConsentDesk, dice: random.Random, text: str) -> None:
    """One random key."""
    acts: dict[str, Callable[[], object]] = {
        "enter": desk.enter,
        "down": lambda: desk.move(1),
        "up": lambda: desk.move(-1),
        "escape": desk.escape,
        "home": lambda: desk.edge(last=False),
        "end": lambda: desk.edge(last=True),
        "help": desk.help,
        "read": desk.read,
        "o": lambda: desk.type("o"),
        "n": lambda: desk.type("n"),
        "x": lambda: desk.type("x"),
        "domain": lambda: desk.changed(desk.paste(text)),
    }
    acts[dice.choice((*KEYS, "enter", "enter"))]()


@pytest.mark.ux("UX17")
@settings(max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_no_keys_at_all_open_what_the_findings_refuse(seed: int) -> None:
    dice = random.Random(seed)
    desk, painter = desk_of(asked_url(dice.choice((USERINFO, BIDI, REFUSE))))
    for _ in range(30):
        walk(desk, dice, dice.choice(("example.com", "open", "169.254.169.254")))
        painter.paint(40, 24)
    assert not isinstance(desk.response, Accept)


@pytest.mark.ux("UX17")
@settings(max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_no_keys_open_a_warned_of_url_without_its_domain(seed: int) -> None:
    dice = random.Random(seed)
    desk, painter = desk_of(asked_url(WARN))
    for _ in range(30):
        walk(desk, dice, dice.choice(("login.example.com", "open", "yes", "example.org", "")))
        painter.paint(40, 24)
    assert not isinstance(desk.response, Accept)


@pytest.mark.ux("UX17")
@settings(max_examples=100)
@given(typed=st.lists(st.text(max_size=12) | st.sampled_from([*OPEN, "yes", "com"]), max_size=6))
def test_no_lines_open_a_warned_of_url_without_its_domain(typed: list[str]) -> None:
    response, _ = printed(WARN, *(line for line in typed if "\n" not in line))
    assert not isinstance(response, Accept)


# What counts as a yes, and as a no.


@pytest.mark.ux("UX17")
async def test_enter_alone_opens_nothing_and_says_so(renderer: RendererName) -> None:
    async with consenting(renderer, OK) as hand:
        await hand.enter()
        await hand.enter()
        assert hand.seat.response is None
        assert hand.seat.saw("Nothing was opened.")
        await hand.open()
        assert await hand.seat.ended() == Accept()
    assert "You agreed: github.com is opened in your browser." in hand.seat.transcript


@pytest.mark.ux("UX17")
async def test_a_warning_takes_the_domain_typed(renderer: RendererName) -> None:
    async with consenting(renderer, WARN) as hand:
        for wrong in ("login.example.com", "open", "example.co", ""):
            await hand.misname(wrong)
            assert hand.seat.response is None
        assert hand.seat.saw("Nothing was opened: that is not what has to be typed.")
        await hand.name(" EXAMPLE.com ")
        assert await hand.seat.ended() == Accept()


@pytest.mark.ux("UX17")
@pytest.mark.parametrize("typed", ["xn--80ak6aa92e.com", "аррӏе.com", "АРРӀЕ.com"])
async def test_a_domain_can_be_typed_in_ascii_or_as_people_write_it(
    renderer: RendererName, typed: str
) -> None:
    async with consenting(renderer, SPOOF) as hand:
        await hand.misname("apple.com")
        await hand.name(typed)
        assert await hand.seat.ended() == Accept()


@pytest.mark.ux("UX03", "UX04")
@pytest.mark.requirement("M46")
@pytest.mark.parametrize("url", [OK, WARN, REFUSE])
@pytest.mark.parametrize(
    ("way", "response"),
    [
        ("decline", Decline()),
        ("cancel", Cancel("dismissed")),
        ("end_input", Cancel("eof")),
    ],
)
async def test_each_way_out_is_its_own_outcome(
    renderer: RendererName, url: str, way: str, response: Response
) -> None:
    async with consenting(renderer, url) as hand:
        await getattr(hand, way)()
        assert await hand.seat.ended() == response
    told = "Declined." if response == Decline() else "Cancelled."
    assert told in hand.seat.transcript


@pytest.mark.parametrize("typed", ["no", "否", ":decline", ":拒绝"])
def test_a_typed_no_declines(typed: str) -> None:
    assert printed(OK, typed)[0] == Decline()
    assert printed(REFUSE, typed)[0] == Decline()


async def test_a_letter_marks_the_row_that_it_names() -> None:
    async with consenting("full", OK) as hand:
        hand.type("n")
        await hand.seat.see("> No, do not open")
        hand.type("o")
        await hand.seat.see("> Open github.com")
        hand.type("x")
        await hand.seat.see("Nothing was opened. Move to a line, then press Enter.")
        hand.type("n" + ENTER)
        assert await hand.seat.ended() == Decline()


async def test_the_line_for_the_domain_is_left_by_an_arrow_and_by_esc() -> None:
    async with consenting("full", WARN) as hand:
        for leave in (DOWN, ESC):
            await hand.open()
            await hand.seat.see("Enter: take it.")
            hand.type("\x1b[200~exam\nple\x1b[201~")
            await hand.seat.see("Pasted line breaks were taken out.")
            hand.type(leave)
            await hand.seat.gone("Enter: take it.")
            assert hand.seat.response is None
        await hand.end_input()


async def test_what_is_pasted_or_typed_away_from_the_line_opens_nothing() -> None:
    async with consenting("full", WARN) as hand:
        hand.type("\x1b[200~example.com\x1b[201~")
        await hand.seat.see("Nothing can be typed here.")
        hand.type(" \x12\x0f\x7f\t")
        await hand.seat.see("> Open login.example.com")
        assert hand.seat.response is None
        hand.type(ESC)
        await hand.seat.see("What would you like to do?")
        hand.type("example.com")
        await hand.seat.see("Nothing can be typed here.")
        await hand.end_input()


@pytest.mark.ux("UX20")
async def test_the_time_can_start_anew_from_the_list_behind_esc() -> None:
    turn = LineTurn(seconds=150)
    async with consenting("full", OK, turn=turn) as hand:
        turn.left = 100
        await hand._menu("extend")
        await hand.seat.see("The time starts anew.")
        assert turn.left == 150
        await hand.end_input()


@pytest.mark.ux("UX05")
async def test_the_second_interrupt_cancels(renderer: RendererName) -> None:
    async with consenting(renderer, OK) as hand:
        await hand.interrupt()
        await hand.seat.see("Press Ctrl-C again to cancel (Not now).")
        await hand.interrupt()
        assert await hand.seat.ended() == Cancel("interrupted")


@pytest.mark.ux("UX04")
async def test_a_lost_terminal_cancels(renderer: RendererName) -> None:
    with seated() as person, anyio.fail_after(10):
        terminal = Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer=renderer)
        answers: list[Response] = []
        async with anyio.create_task_group() as group:

            async def ask() -> None:
                request = UrlRequest(message=MESSAGE, url=OK)
                answers.append(await terminal.consent(request, inspect_url(OK), EVERYTHING))

            group.start_soon(ask)
            await person.see("F1: help" if renderer == "full" else "\n> ")
            person.hang_up()
    assert answers == [Cancel("hangup")]


@pytest.mark.ux("UX04")
async def test_a_hangup_signal_cancels(renderer: RendererName) -> None:
    async with consenting(renderer, OK) as hand:
        os.kill(os.getpid(), signal.SIGHUP)
        assert await hand.seat.ended() == Cancel("hangup")


@pytest.mark.requirement("M10")
async def test_without_a_person_nothing_is_shown_and_nobody_asked() -> None:
    out = io.StringIO()
    terminal = Terminal(stdin=io.StringIO("open\n"), stdout=out)
    request = UrlRequest(message=MESSAGE, url=OK)
    turn = LineTurn(dropped=3)
    response = await terminal.consent(request, inspect_url(OK), EVERYTHING, turn)
    assert response == Cancel("no_person")
    assert out.getvalue() == ""


# Opening by hand.


@pytest.mark.ux("UX18")
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("opening", ["by_hand", "failed"])
async def test_where_no_browser_opens_it_the_address_is_there_for_copying(
    renderer: RendererName, opening: Opening, lang: str
) -> None:
    async with consenting(renderer, OK, opening=opening, lang=lang, columns=80) as hand:
        t = catalog(lang).t
        assert joined(t(f"consent.opening.{opening}")) in joined(hand.seat.display)
        assert OK in joined(hand.seat.display)
        await hand.enter()
        assert hand.seat.response is None
        await hand.open()
        assert await hand.seat.ended() == Accept()
    end = hand.seat.display.strip().split("\n")[-6:]
    assert joined(t(f"consent.end.{opening}", host="github.com", who="everything")) in joined(
        "\n".join(end)
    )
    # The screen is taken away, and what is to be copied stays.
    assert OK in joined(hand.seat.display)


@pytest.mark.ux("UX18")
@pytest.mark.parametrize("response", [Decline(), Cancel("dismissed")])
async def test_a_browser_that_could_not_be_started_is_a_yes_or_a_no_of_the_person(
    renderer: RendererName, response: Response
) -> None:
    async with consenting(renderer, OK, opening="failed") as hand:
        assert "I have opened" in hand.seat.display or "once you have opened" in hand.seat.display
        await (hand.decline() if response == Decline() else hand.cancel())
        assert await hand.seat.ended() == response


async def test_the_domain_is_not_asked_for_again_once_the_browser_has_failed(
    renderer: RendererName,
) -> None:
    async with consenting(renderer, WARN, opening="failed") as hand:
        await hand.open()
        assert await hand.seat.ended() == Accept()


async def test_opening_a_warned_of_url_by_hand_takes_its_domain(renderer: RendererName) -> None:
    async with consenting(renderer, WARN, opening="by_hand") as hand:
        await hand.misname("open")
        await hand.name("example.com")
        assert await hand.seat.ended() == Accept()


# The turn.


@pytest.mark.ux("UX20", "UX21")
async def test_place_time_and_what_was_dropped_are_told_and_time_can_start_anew(
    renderer: RendererName,
) -> None:
    turn = LineTurn(waiting=3, dropped=4, seconds=150)
    async with consenting(renderer, OK, turn=turn) as hand:
        for told in ("Question 1 of 3", "4 more questions of this server", "2 min 30 s"):
            assert told in hand.seat.display
        turn.left = 100
        await hand.extend()
        assert (turn.extended, turn.left) == (1, 150)
        await hand.end_input()


@pytest.mark.ux("UX20")
async def test_a_warning_comes_before_the_time_is_up(renderer: RendererName) -> None:
    async with consenting(renderer, OK, turn=RunningTurn(seconds=1.2)) as hand:
        before = hand.seat.raw.count(b"Time left")
        await hand.seat.until(lambda: hand.seat.raw.count(b"Time left") > before, "a warning")
        await hand.open()
        assert await hand.seat.ended() == Accept()


@pytest.mark.ux("UX20")
@pytest.mark.parametrize(
    ("left", "told"), [(0, "The time is up."), (9, "everything no longer waits for this answer.")]
)
async def test_a_question_that_is_withdrawn_opens_nothing(
    renderer: RendererName, left: float, told: str
) -> None:
    turn = LineTurn(seconds=30)
    async with consenting(renderer, OK, turn=turn) as hand:
        turn.left = left
        hand.seat.scope.cancel()
        hand.type("open\n")
        await hand.seat.see(told)
        assert hand.seat.response is None
        assert "You agreed" not in hand.seat.transcript


@pytest.mark.ux("UX21")
async def test_muting_asks_once_and_cancels(renderer: RendererName) -> None:
    turn = LineTurn(waiting=2)
    async with consenting(renderer, WARN, turn=turn) as hand:
        assert "ute" not in hand.seat.display.replace("minute", "").replace("minutes", "")
        await hand.mute(sure=False)
        assert turn.muted == 0
        await hand.mute(sure=True)
        assert await hand.seat.ended() == Cancel("muted")
    assert turn.muted == 1


# Reading it, and getting help.


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_help_tells_what_the_keys_and_the_words_do(renderer: RendererName, lang: str) -> None:
    async with consenting(renderer, OK, turn=LineTurn(seconds=90), lang=lang) as hand:
        t = catalog(lang).t
        if isinstance(hand, PlainUrlHand):
            await hand.line(":help")
            told = [t("consent.help"), t("command.help_extend"), t("command.help_mute")]
        else:
            hand.type(F1)
            await hand.seat.see(t("full.keys.reading"))
            told = [t("consent.keys_told"), t("full.help_extend"), t("full.help_mute")]
        for text in told:
            assert joined(text) in joined(hand.seat.display)
        await hand.end_input()


def test_commands_of_a_form_and_unknown_ones_do_nothing_here() -> None:
    response, seen = printed(OK, ":back", ":what", "-", ":message", ":decline")
    assert ":back does nothing here." in seen
    assert "There is no command :what here." in seen
    assert seen.count("Nothing was opened.\nType open to open github.com.") == 1
    assert seen.count("DOMAIN: github.com") == 2
    assert response == Decline()


async def test_the_question_comes_back_into_sight_when_it_was_pushed_away() -> None:
    async with consenting("plain", OK, rows=24, columns=80) as hand:
        for _ in range(6):
            await hand.line("x")
            assert MESSAGE in hand.seat.display
            assert "github.com" in hand.seat.display
        await hand.end_input()


@pytest.mark.ux("UX02")
@pytest.mark.case("163-message-very-long")
async def test_a_long_message_leaves_room_for_the_url_and_the_choices(
    renderer: RendererName,
) -> None:
    message = "\n".join(f"line {n}" for n in range(400))
    async with consenting(renderer, OK, message=message, rows=24, columns=80) as hand:
        for told in ("line 0", "github.com", OK[:40], "Nothing speaks against it."):
            assert told in hand.seat.display
        if isinstance(hand, PlainUrlHand):
            await hand.line(":more")
            assert "line 20" in hand.seat.display
        else:
            hand.type(F2)
            await hand.seat.see("read on.")
            hand.type(ESC)
            await hand.seat.see("Not now")
        await hand.end_input()


# Hostile words.

HOSTILE = "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \x9b31m \u202egnp.exe\r\n> open\x00"


@pytest.mark.ux("UX15")
@pytest.mark.requirement("M59", "A61")
@pytest.mark.case("151-url-control-chars")
@pytest.mark.case("152-url-bidi")
@pytest.mark.parametrize("url", [OK, "https://good.example/\r\n\x1b[2Jx", BIDI])
async def test_words_of_the_server_do_nothing(renderer: RendererName, url: str) -> None:
    origin = Origin(label="everything", claimed=HOSTILE, request=HOSTILE)
    async with consenting(renderer, url, message=HOSTILE, origin=origin, columns=80) as hand:
        assert "\\x1b]8;;https://evil.example\\x07click" in hand.seat.display
        for sequence in (b"\x1b]8", b"\x1b[2J", b"\xc2\x9b", "\u202e".encode(), b"\x00"):
            assert sequence not in hand.seat.raw
        assert [line for line in hand.seat.display.split("\n") if line.startswith("> open")] == []
        await hand.end_input()


@pytest.mark.ux("UX15", "UX24")
@pytest.mark.requirement("M59", "A61")
@settings(max_examples=150)
@given(
    url=st.text(st.characters(codec=None), max_size=60)
    | st.builds("https://example.com/{}".format, st.text(st.characters(codec=None), max_size=60)),
    words=st.text(st.characters(codec=None), max_size=60),
    lang=st.sampled_from(["en", "zh"]),
    size=st.sampled_from([(80, 24), (40, 24), (40, 10), (20, 5), (200, 60)]),
)
def test_whatever_a_server_sends_is_inert_and_fits(
    url: str, words: str, lang: str, size: tuple[int, int]
) -> None:
    origin = Origin(label="us", claimed=words, request=words)
    _, seen = printed(url, "open", ":help", ":message", message=words, origin=origin, lang=lang)
    assert acting(seen) == []
    assert [line for line in seen.split("\n") if width(line) > 80] == []
    picture = drawn(asked_url(url, message=words, origin=origin, lang=lang), *size, lang=lang)
    assert acting(picture.text()) == []
    lines = [*picture.top, *picture.body, *picture.below, *picture.foot]
    assert [line.text for line in lines if width(line.text) > size[0]] == []


def test_a_refused_string_is_shown_whole_with_what_it_hides() -> None:
    raw = "https://example.com/" + "\u200b\x1b" * 1500 + "tail"
    _, seen = printed(raw, *[":more"] * 20)
    assert "\\u200b\\x1b" * 1500 + "tail" in joined(_servers(seen))


def test_a_path_cannot_pass_for_a_line_of_ours() -> None:
    url = "https://example.com/" + "x" * 56 + "DOMAIN:good.example" + "y" * 100
    seen = printed(url)[1]
    assert [line for line in seen.split("\n") if line.startswith("DOMAIN:")] == [
        "DOMAIN: example.com"
    ]


# Sizes.


@pytest.mark.ux("UX23", "UX30")
@pytest.mark.parametrize("url", [OK, SPOOF, USERINFO])
@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_forty_columns_hold_it_all(renderer: RendererName, lang: str, url: str) -> None:
    async with consenting(renderer, url, lang=lang, columns=40, rows=24, origin=CLAIMING) as hand:
        t = catalog(lang).t
        findings = inspect_url(url)
        assert findings.registrable_domain is not None
        assert findings.registrable_domain in hand.seat.display
        if isinstance(hand, FullUrlHand):
            for told in (t("consent.do.decline"), t("full.do.cancel"), findings.url or ""):
                assert told[:30] in hand.seat.display
            assert f"  {findings.registrable_domain}" in hand.seat.display.split("\n")
        else:
            assert b"\x1b" not in hand.seat.raw
        await hand.end_input()


def test_without_any_url_to_judge_nothing_can_be_opened() -> None:
    odd = replace(inspect_url(OK), url=None, host_ascii=None, registrable_domain=None)
    assert printed(odd, "open", "")[0] == Cancel("eof")

"""Until a person consents, nothing leaves this machine and nothing is started on it.

The watch is an audit hook of the interpreter, so that it hears of every connection, every
look-up of a name and every program, whichever module asks for it. It is put in once, and
listens only inside ``spy``.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from elicitkit.answering import Answerer, Limits, Pace, Scripted
from elicitkit.answering.answer import AnswererOptions
from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import ServerConfig, load
from elicitkit.answering.hosts import HostRules
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Request, Response, UrlRequest
from elicitkit.core.open_page import Opening
from elicitkit.core.urls import CheckedUrl, inspect_url
from elicitkit.terminal import Terminal
from tests.terminal.hands import RendererName, before
from tests.terminal.url_hands import FullUrlHand, PlainUrlHand, UrlHand

pytestmark = pytest.mark.anyio

OUTSIDE = (
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.getnameinfo",
    "socket.sendmsg",
    "socket.sendto",
    "subprocess.Popen",
    "webbrowser.open",
)
ORIGIN = Origin(label="everything", claimed="The Bank", host="mcp.example.com")
DOMAINS = {
    "https://github.com/login/oauth/authorize?client_id=1&state=xyz": None,
    "https://www.münchen.de/straße": None,
    "http://login.example.com/connect": "example.com",
    "https://203.0.113.9/": "203.0.113.9",
    "https://xn--80ak6aa92e.com/login": "xn--80ak6aa92e.com",
}
"""URLs that may be opened, each with what a person has to type, where they do."""
REFUSED = (
    "http://169.254.169.254/latest",
    "https://good.example@evil.example.com/",
    "https://example.com/\u202egnp.exe",
)
HOSTS = frozenset(
    found.host_ascii for found in map(inspect_url, [*DOMAINS, *REFUSED]) if found.host_ascii
)
LINE = "See https://evil.example/a?b=c, http://10.0.0.1:8080/ or [this](https://e.example).\n"
MESSAGE = LINE * 70

_heard: list[str] | None = None


def _listen(event: str, arguments: Any) -> None:
    if _heard is not None and event in OUTSIDE:
        _heard.append(event)


sys.addaudithook(_listen)


@contextmanager
def spy() -> Generator[list[str]]:
    """What goes on within the block."""
    global _heard
    _heard = heard = []
    try:
        yield heard
    finally:
        _heard = None


class Keeping:
    """An opener that keeps what was heard when it was to open something."""

    opening: Opening = "browser"

    def __init__(self, heard: list[str]) -> None:
        self.opened: list[tuple[str, list[str]]] = []
        self._heard = heard

    async def open(self, url: CheckedUrl) -> bool:
        self.opened.append((str(url), list(self._heard)))
        return True


class PassAll:
    """A policy that lets everything pass."""

    async def decide(self, request: Request, origin: Origin) -> Cancel | None:
        return None


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """prompt_toolkit knows no other event loop."""
    return "asyncio"


@pytest.fixture(params=["plain", "full"])
def renderer(request: pytest.FixtureRequest) -> RendererName:
    return request.param


@pytest.fixture
def permissive(tmp_path: Path) -> dict[str, Any]:
    """Every option of an answerer, at the value that lets the most pass."""
    file = tmp_path / "config.toml"
    allow = ", ".join(f'"{host}"' for host in sorted(HOSTS))
    file.write_text(
        f'[servers.everything]\nmodes = ["form", "url"]\n[servers.everything.urls]\n'
        f"allow = [{allow}]\nstrict = false\nstrict_punycode = false\n"
    )
    huge = 10**9
    return {
        "limits": Limits(**{one.name: huge for one in fields(Limits)}),
        "pace": Pace(outstanding=huge, per_minute=huge, time=None, declined_url=0),
        "policy": PassAll(),
        "audit": AuditLog(tmp_path / "audit.jsonl"),
        "config": load(file),
        "hosts": HostRules(allowed=HOSTS, denied=frozenset()),
    }


def test_whatever_goes_outside_is_heard() -> None:
    """Ours: without this the tests below could not fail."""
    with spy() as heard, socket.socket() as unbound:
        unbound.bind(("127.0.0.1", 0))
        with socket.socket() as caller, suppress(ConnectionRefusedError):
            caller.connect(unbound.getsockname())
        socket.getaddrinfo("127.0.0.1", 80)
        socket.gethostbyname("127.0.0.1")
        subprocess.run([sys.executable, "-c", ""], check=True)
    assert {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"} <= set(heard)
    assert "subprocess.Popen" in heard


def test_every_option_there_is_is_at_its_most_permissive(permissive: dict[str, Any]) -> None:
    """Ours: a new key that could let something pass has to be thought of here."""
    assert {*permissive, "opener"} == set(get_type_hints(AnswererOptions))
    assert permissive["config"].for_server("everything").urls.allowed == HOSTS
    assert {one.name for one in fields(HostRules)} == {
        "allowed",
        "denied",
        "strict",
        "strict_punycode",
    }
    assert {one.name for one in fields(ServerConfig)} == {
        "label",
        "modes",
        "surface",
        "bounds",
        "urls",
    }


async def put(
    renderer: RendererName,
    url: str,
    act: Callable[[UrlHand], Awaitable[object]],
    **options: Any,
) -> tuple[Response | str, Keeping, list[str]]:
    """Ask a person at a real terminal: their answer, what was opened, and what was heard."""
    request = UrlRequest(message=MESSAGE, url=url, elicitation_id="1")
    with spy() as heard:
        opener = Keeping(heard)

        async def ask(terminal: Terminal) -> Response:
            return await Answerer(terminal, opener=opener, **options).answer(request, ORIGIN)

        hand = PlainUrlHand if renderer == "plain" else FullUrlHand
        async with before(renderer, hand, ask) as hand:
            assert heard == [], "before anything was typed"
            await act(hand)
            response = await hand.seat.ended()
    return response, opener, heard


async def decline(hand: UrlHand) -> None:
    await hand.decline()


async def leave(hand: UrlHand) -> None:
    await hand.end_input()


def agree(url: str) -> Callable[[UrlHand], Awaitable[object]]:
    """Agree to a URL, by its domain where it needs a second step."""

    async def act(hand: UrlHand) -> None:
        domain = DOMAINS[url]
        await (hand.open() if domain is None else hand.name(domain))

    return act


@pytest.mark.ux("UX17")
@pytest.mark.requirement("M53", "M54", "A55", "A56")
@pytest.mark.parametrize("url", [*DOMAINS, *REFUSED])
@pytest.mark.parametrize("act", [decline, leave])
async def test_without_consent_nothing_is_opened_started_or_looked_up(
    url: str, act: Callable[[UrlHand], Awaitable[object]], renderer: RendererName
) -> None:
    response, opener, heard = await put(renderer, url, act)
    assert response == Decline() if act is decline else isinstance(response, Cancel)
    assert (opener.opened, heard) == ([], [])


@pytest.mark.ux("UX17")
@pytest.mark.requirement("M06", "M53", "A06", "A55")
@pytest.mark.parametrize("url", DOMAINS)
async def test_consent_comes_before_everything_and_opens_one_page(
    url: str, renderer: RendererName
) -> None:
    response, opener, heard = await put(renderer, url, agree(url))
    assert isinstance(response, Accept)
    assert opener.opened == [(inspect_url(url).url, [])]
    assert heard == [], "a page is fetched by the browser alone"


@pytest.mark.ux("UX17")
@pytest.mark.requirement("M54", "A56")
@pytest.mark.parametrize("url", [*DOMAINS, *REFUSED])
async def test_no_setting_however_permissive_takes_the_place_of_a_person(
    url: str, renderer: RendererName, permissive: dict[str, Any]
) -> None:
    response, opener, heard = await put(renderer, url, decline, **permissive)
    assert response == Decline()
    assert (opener.opened, heard) == ([], [])


@pytest.mark.requirement("M54", "A56", "G29")
@pytest.mark.parametrize("url", REFUSED)
async def test_no_setting_opens_what_must_not_be_opened(
    url: str, renderer: RendererName, permissive: dict[str, Any]
) -> None:
    async def insist(hand: UrlHand) -> None:
        if isinstance(hand, PlainUrlHand):
            await hand.misname("open")
        else:
            hand.type("o")
            await hand.enter()
        await hand.decline()

    response, opener, heard = await put(renderer, url, insist, **permissive)
    assert response == Decline()
    assert (opener.opened, heard) == ([], [])


@pytest.mark.requirement("M53", "M54", "A55", "A56")
@pytest.mark.parametrize("url", [*DOMAINS, *REFUSED])
@pytest.mark.parametrize("named", ["decline", "cancel", "another", "nothing", "this"])
async def test_a_script_opens_nothing_at_all(
    url: str, named: str, permissive: dict[str, Any]
) -> None:
    """Ours: not even what it accepts by name, since nobody would look at the page."""
    answers: dict[str, list[dict[str, object]]] = {
        "decline": [{"action": "decline", "url": url}],
        "cancel": [{"action": "cancel", "url": url}],
        "another": [{"action": "accept", "url": url + "x"}],
        "nothing": [{"action": "accept"}, {"action": "accept", "url": "https://x.example/"}],
        "this": [{"action": "accept", "url": url}],
    }
    request = UrlRequest(message=MESSAGE, url=url, elicitation_id="1")
    with spy() as heard:
        opener = Keeping(heard)
        answerer = Answerer(Scripted(answers[named]), opener=opener, **permissive)
        response = await answerer.answer(request, ORIGIN)
    assert isinstance(response, Accept) is (named == "this" and url in DOMAINS)
    assert (opener.opened, heard) == ([], [])

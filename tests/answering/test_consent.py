"""A URL is inspected, shown, consented to and opened, in this order and no other."""

from __future__ import annotations

import itertools
import json
import logging
import socket
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest

from elicitkit.answering import Answerer, Pace, Scripted
from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import Config, ServerConfig
from elicitkit.answering.hosts import HostRules
from elicitkit.answering.visit import Consented
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response, UrlRequest
from elicitkit.core.urls import CheckedUrl
from tests.answering.surfaces import Browser, Window
from tests.mcp.virtual_time import backends

pytestmark = pytest.mark.anyio

ORIGIN = Origin(label="my server", claimed="srv", request="book", host="x.example")
HOSTILE = "https://bank.example@evil.example/"


@pytest.fixture(params=[0, 1], ids=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return backends()[request.param]


def url(text: str = "https://X.example/a?b=c") -> UrlRequest:
    return UrlRequest(message="Sign in", url=text, elicitation_id="1")


def kind(response: Response) -> str:
    return type(response).__name__


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    used: list[str] = []

    def spy(name: str) -> Any:
        def refuse(*args: object, **kwargs: object) -> NoReturn:
            used.append(name)
            raise AssertionError(f"{name} was used")

        return refuse

    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, spy(name))
    monkeypatch.setattr(socket.socket, "connect", spy("connect"))
    return used


@pytest.mark.requirement("M06", "M54", "A06", "A56")
async def test_the_page_is_opened_after_consent_and_the_answer_leaves_after_that() -> None:
    window = Window()
    browser = Browser(window)
    response = await Answerer(window, opener=browser).answer(url(), ORIGIN)
    assert isinstance(response, Consented)
    assert response.content is None
    assert window.log == ["consent", "open"]
    assert browser.opened == ["https://x.example/a?b=c"]
    assert response.page.opening == "browser"


@pytest.mark.requirement("M53", "A55")
async def test_nothing_touches_the_network_before_or_after_consent(no_network: list[str]) -> None:
    for text in ("https://x.example/", "http://localhost:1/", "https://例え.example/", HOSTILE):
        window = Window(Decline())
        await Answerer(window, opener=Browser(window)).answer(url(text), ORIGIN)
    assert no_network == []


@pytest.mark.requirement("M54", "A56")
@pytest.mark.parametrize("response", [Decline(), Cancel("dismissed")])
async def test_what_is_no_consent_opens_nothing(response: Response) -> None:
    window = Window(response)
    assert await Answerer(window, opener=Browser(window)).answer(url(), ORIGIN) == response
    assert window.log == ["consent"]


@pytest.mark.requirement("M54", "A56", "G29")
async def test_what_is_refused_is_opened_by_nobody_whatever_a_surface_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    window = Window(Accept())
    answer = await Answerer(window, opener=Browser(window)).answer(url(HOSTILE), ORIGIN)
    assert answer == Cancel("url_refused")
    assert window.log == ["consent"]
    assert "suspicious_url host=evil.example reasons=userinfo" in caplog.text
    assert "bank" not in caplog.text


@pytest.mark.requirement("M54", "A56")
async def test_no_setting_however_permissive_opens_anything_without_consent() -> None:
    permissive = Config(servers={"my server": ServerConfig(label="my server")})
    rules = HostRules(allowed=frozenset({"x.example", "evil.example"}))
    for config, hosts, text, response in itertools.product(
        (None, permissive),
        (None, rules),
        ("https://x.example/", "http://localhost/", HOSTILE),
        (Decline(), Cancel()),
    ):
        window = Window(response)
        browser = Browser(window)
        answerer = Answerer(window, opener=browser, config=config, hosts=hosts)
        await answerer.answer(url(text), Origin(label="my server", local=True))
        assert browser.opened == []
        assert window.log == ["consent"]


@pytest.mark.requirement("G45", "M85")
async def test_what_is_shown_is_what_is_opened_and_no_shell_would_obey_it() -> None:
    window = Window()
    browser = Browser(window)
    text = "https://x.example/a|b?c='d'^e"
    await Answerer(window, opener=browser).answer(url(text), ORIGIN)
    (_, found, _) = window.consents[0]
    assert browser.opened == [found.url]
    assert (found.url, found.received) == ("https://x.example/a%7Cb?c=%27d%27%5Ee", text)


@pytest.mark.requirement("M85")
@pytest.mark.parametrize("host", ["a$b.example", "a'b.example", "a;b.example"])
async def test_a_host_that_no_program_should_get_is_refused_before_consent(host: str) -> None:
    window = Window()
    browser = Browser(window)
    answer = await Answerer(window, opener=browser).answer(url(f"https://{host}/"), ORIGIN)
    assert answer == Cancel("url_refused")
    assert window.consents[0][1].verdict == "refuse"
    assert browser.opened == []


async def test_a_browser_that_cannot_be_started_leaves_it_to_the_person() -> None:
    window = Window()
    response = await Answerer(window, opener=Browser(window, works=False)).answer(url(), ORIGIN)
    assert isinstance(response, Consented)
    assert window.log == ["consent", "open", "consent"]
    assert [opening for _, _, opening in window.consents] == ["browser", "failed"]
    assert response.page.opening == "failed"


async def test_an_opener_that_raises_has_opened_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Browser):
        async def open(self, url: CheckedUrl) -> bool:
            raise OSError(f"cannot open {url}")

    window = Window()
    response = await Answerer(window, opener=Broken(window)).answer(url(), ORIGIN)
    assert isinstance(response, Consented)
    assert response.page.opening == "failed"
    assert "opener_failed error=OSError" in caplog.text
    assert "b=c" not in caplog.text


async def test_a_page_that_nobody_could_open_is_a_cancel() -> None:
    window = Window(Accept(), Cancel("dismissed"))
    browser = Browser(window, works=False)
    assert await Answerer(window, opener=browser).answer(url(), ORIGIN) == Cancel("dismissed")


@pytest.mark.parametrize("surface_opens", [True, False])
async def test_where_no_browser_can_be_started_the_person_opens_the_page(
    surface_opens: bool,
) -> None:
    window = Window()
    window.opens = surface_opens
    browser = Browser(window)
    browser.opening = "by_hand" if surface_opens else "browser"
    response = await Answerer(window, opener=browser).answer(url(), ORIGIN)
    assert kind(response) == "Consented"
    assert window.log == ["consent"]
    assert [opening for _, _, opening in window.consents] == ["by_hand"]


async def test_a_script_opens_nothing_even_with_an_opener() -> None:
    window = Window()
    browser = Browser(window)
    script = Scripted([{"action": "accept", "url": "https://x.example/"}])
    answerer = Answerer(script, opener=browser)
    assert kind(await answerer.answer(url("https://x.example/"), ORIGIN)) == "Consented"
    assert browser.opened == []


@pytest.mark.requirement("M58")
async def test_the_findings_know_the_server_its_hosts_and_the_persons_rules() -> None:
    window = Window(Decline())
    answerer = Answerer(
        window,
        opener=Browser(window),
        hosts=HostRules(denied=frozenset({"bad.example"}), allowed=frozenset({"known.example"})),
    )
    for text in (
        "https://x.example/",
        "https://other.example/",
        "https://other.example/2",
        "https://login.known.example/",
        "https://sub.bad.example/",
    ):
        await answerer.answer(url(text), ORIGIN)
    found = [findings for _, findings, _ in window.consents]
    assert [one.notices for one in found[:4]] == [
        ("new_host",),
        ("other_site", "new_host"),
        ("other_site",),
        (),
    ]
    assert (found[4].verdict, found[4].reasons) == ("refuse", ("host_denied",))


async def test_the_machine_of_a_local_server_is_its_own() -> None:
    window = Window(Decline())
    answerer = Answerer(window, opener=Browser(window))
    for local in (True, False):
        origin = Origin(label="my server", local=local)
        await answerer.answer(url(f"http://localhost:8000/{local}"), origin)
    verdicts = [(one.verdict, *one.notices[:1], *one.reasons) for _, one, _ in window.consents]
    assert verdicts == [
        ("ok", "loopback"),
        ("warn", "new_host", "loopback_remote"),
    ] or verdicts == [
        ("ok", "loopback"),
        ("warn", "loopback_remote"),
    ]


@pytest.mark.requirement("G51")
async def test_a_declined_url_does_not_come_back_at_once() -> None:
    window = Window(Decline())
    answerer = Answerer(window, opener=Browser(window), pace=Pace(declined_url=60))
    assert await answerer.answer(url(), ORIGIN) == Decline()
    assert await answerer.answer(url(), ORIGIN) == Cancel("repeated_url")
    assert kind(await answerer.answer(url(), Origin(label="another"))) == "Decline"
    assert kind(await answerer.answer(url("https://x.example/other"), ORIGIN)) == "Decline"
    await anyio.sleep(61)
    assert await answerer.answer(url(), ORIGIN) == Decline()
    assert window.log == ["consent"] * 4


async def test_a_dismissed_url_may_come_back() -> None:
    window = Window(Cancel("dismissed"))
    answerer = Answerer(window, opener=Browser(window))
    for _ in range(2):
        assert await answerer.answer(url(), ORIGIN) == Cancel("dismissed")


async def test_the_hosts_of_a_server_are_remembered_up_to_a_number() -> None:
    window = Window(Cancel())
    answerer = Answerer(window, opener=Browser(window), pace=Pace(per_minute=5_000))
    for number in range(1_001):
        await answerer.answer(url(f"https://h{number}.example/"), ORIGIN)
    await answerer.answer(url("https://h0.example/"), ORIGIN)
    await answerer.answer(url("https://h1000.example/"), ORIGIN)
    assert ["new_host" in found.notices for _, found, _ in window.consents[-2:]] == [True, False]


@pytest.mark.requirement("M53")
async def test_the_audit_keeps_scheme_host_and_port_and_nothing_else_of_a_url(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "elicitkit")
    window = Window()
    log = AuditLog(tmp_path / "audit.jsonl")
    answerer = Answerer(window, opener=Browser(window), audit=log)
    for text in (
        "https://x.example:8443/path?handle=SECRET#SECRET",
        "https://[2001:db8::1]/SECRET",
        "no url SECRET",
    ):
        await answerer.answer(url(text), ORIGIN)
    text = (tmp_path / "audit.jsonl").read_text()
    endpoints = [json.loads(line).get("endpoint") for line in text.splitlines()]
    assert endpoints[0] == {"scheme": "https", "host": "x.example", "port": 8443}
    assert endpoints[1]["host"] == "[2001:db8::1]"
    assert not endpoints[2]
    assert "SECRET" not in text
    assert "SECRET" not in caplog.text
    assert "answered mode=url action=accept" in caplog.text

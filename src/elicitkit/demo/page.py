"""The page of the house rules: what a url question of the demo opens, on this machine only.

A real server has its pages on its web site, behind a sign-in. This one shows the least that
any page owes a person who followed a link: it is reached by an unguessable handle, to look
at it changes nothing, and only its own button does.
"""

from __future__ import annotations

import html
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final, cast
from urllib.parse import parse_qs, urlsplit

from anyio.from_thread import BlockingPortal

PATH: Final = "/house-rules"
ADDRESS: Final = "127.0.0.1"

Agreed = Callable[[str], Awaitable[bool]]
"""Told the handle of a visit whose person agreed; False where there is no such visit."""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}: Harbour House</title>
<style>body {{ font: 1.1rem/1.5 system-ui; max-width: 34rem; margin: 2rem auto; padding: 0 1rem }}
button {{ font: inherit; padding: .5rem 1rem }} :root {{ color-scheme: light dark }}</style>
<main><h1>{title}</h1>
{body}
</main>
</html>
"""
_RULES: Final = """\
<ol><li>Quiet from ten at night.</li><li>Shoes stay at the door.</li>
<li>The cat decides where the cat sleeps.</li></ol>
<form method="post"><button>I agree</button></form>"""
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
}


class HouseRules:
    """The page while it is served."""

    def __init__(self, port: int) -> None:
        self._site = f"http://{ADDRESS}:{port}"

    def url(self, handle: str) -> str:
        """The page for one visit."""
        return f"{self._site}{PATH}?visit={handle}"


@asynccontextmanager
async def serving(agreed: Agreed) -> AsyncGenerator[HouseRules]:
    """Serve the page for the length of the block; ``agreed`` is told of the button."""
    async with BlockingPortal() as portal:
        tell = partial(portal.call, agreed)
        web = ThreadingHTTPServer((ADDRESS, 0), partial(_Visitor, tell))
        thread = Thread(target=web.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield HouseRules(web.server_port)
        finally:
            web.shutdown()
            web.server_close()


class _Visitor(BaseHTTPRequestHandler):
    def __init__(self, tell: Callable[[str], bool], *of_the_server: object) -> None:
        self._tell = tell
        super().__init__(*of_the_server)  # pyright: ignore[reportArgumentType]  the server's own

    def do_GET(self) -> None:
        if self._is_for_us():
            self._show(HTTPStatus.OK, "The house rules", _RULES)

    def do_POST(self) -> None:
        if not self._is_for_us():
            return
        handle = parse_qs(urlsplit(self.path).query).get("visit", [""])[0]
        if self._tell(handle):
            self._show(HTTPStatus.OK, "Thank you", "<p>You can close this page.</p>")
        else:
            self._show(HTTPStatus.GONE, "Nobody waits for this page any more", "")

    def _is_for_us(self) -> bool:
        own = f"{ADDRESS}:{cast(ThreadingHTTPServer, self.server).server_port}"  # ours
        # Under another name, a page of somebody else could read this one (DNS rebinding).
        if self.headers.get("Host") != own or urlsplit(self.path).path != PATH:
            self._show(HTTPStatus.NOT_FOUND, "There is no such page", "")
            return False
        return True

    def _show(self, status: HTTPStatus, title: str, body: str) -> None:
        page = _PAGE.format(title=html.escape(title), body=body).encode()
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Length": str(len(page))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the standard error is the conversation's."""

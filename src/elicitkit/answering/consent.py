"""From a URL as it came to a page that is open, or to a "no" (M53 to M58).

The one order: inspect, show, consent, open. Nothing is looked up or fetched here, and the
opener is reached only behind a person's ``Accept`` of a URL that the findings do not refuse.
An accept leaves only once the page was opened; where it could not be, the person is asked
whether they opened it themselves.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from elicitkit.answering.opener import Opener, opened_by
from elicitkit.answering.servers import Server
from elicitkit.answering.turn import ShownTurn
from elicitkit.answering.visit import Consented
from elicitkit.core.errors import UsageError
from elicitkit.core.model import Accept, Cancel, Origin, Response, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage
from elicitkit.core.ports import Surface
from elicitkit.core.urls import CheckedUrl, Findings, checked
from elicitkit.observe import event

_REFUSED: Final = "url_refused"


async def put_url(
    request: UrlRequest,
    origin: Origin,
    turn: ShownTurn,
    *,
    surface: Surface,
    opener: Opener,
) -> Response:
    """Show one URL and, once the person consents, open it."""
    findings, url = openable(inspect(request.url, origin, turn.server))
    opening: Opening = opener.opening if surface.opens else "by_hand"
    response = await surface.consent(request, findings, origin, turn, opening=opening)
    if not isinstance(response, Accept):
        return response
    if url is None:
        event("surface_failed", level=logging.ERROR, error="RefusedUrl")
        return Cancel(_REFUSED)
    if opening == "browser" and not await opened_by(opener, url):
        opening = "failed"
        response = await surface.consent(request, findings, origin, turn, opening=opening)
        if not isinstance(response, Accept):
            return response
    page = OpenPage(request=request, findings=findings, origin=origin, opening=opening)
    return Consented(page=page, url=url)


def openable(findings: Findings) -> tuple[Findings, CheckedUrl | None]:
    """What to show of a URL and what to open: the same text, or nothing to open (G45)."""
    if findings.verdict == "refuse":
        return findings, None
    try:
        url = checked(findings)
    except UsageError:
        # A host that only warns can still hold what no program should get as an argument (O4).
        reasons = (*findings.reasons, "invalid_host")
        return replace(findings, verdict="refuse", reasons=reasons), None
    if str(url) != findings.url:
        received = findings.received or findings.url
        findings = replace(findings, url=str(url), received=received)
    return findings, url


def inspect(url: str, origin: Origin, server: Server) -> Findings:
    """What a URL really is, by what is known here of the server that sent it."""
    found = server.hosts.inspect(
        url, local=origin.local, server=origin.host, seen_hosts=server.seen_hosts
    )
    if found.host_ascii is not None:
        server.saw(found.host_ascii)
    if found.reasons:
        # O5: never path, query or fragment, which hold handles and proofs.
        codes = ",".join(found.reasons)
        event("suspicious_url", level=logging.WARNING, host=found.host_ascii, reasons=codes)
    return found

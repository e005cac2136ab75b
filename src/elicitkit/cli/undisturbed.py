"""A surface during which nothing else is printed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from elicitkit.core.model import FormRequest, Mode, Origin, Response, UrlRequest
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.ports import Surface, Turn
from elicitkit.core.urls import Findings


class Undisturbed:
    """The surface, with ``quiet`` around all that a person sees on it."""

    def __init__(self, inner: Surface, quiet: Callable[[], AbstractContextManager[None]]) -> None:
        self._inner = inner
        self._quiet = quiet

    @property
    def modes(self) -> frozenset[Mode]:
        return self._inner.modes

    @property
    def opens(self) -> bool:
        return self._inner.opens

    @property
    def attended(self) -> bool:
        return self._inner.attended

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        with self._quiet():
            return await self._inner.fill(form, origin, turn)

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        with self._quiet():
            return await self._inner.consent(request, findings, origin, turn, opening=opening)

    async def wait(self, page: OpenPage) -> Way:
        with self._quiet():
            return await self._inner.wait(page)

"""Surfaces whose person is the test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from elicitkit.core.model import Accept, FormRequest, Mode, Origin, Response, UrlRequest
from elicitkit.core.ports import Turn


class Shown:
    """One question on the screen."""

    def __init__(self, form: FormRequest, origin: Origin, turn: Turn) -> None:
        self.form = form
        self.origin = origin
        self.turn = turn
        self.decided = anyio.Event()
        self.response: Response = Accept({})

    def decide(self, response: Response) -> None:
        self.response = response
        self.decided.set()


class Screen:
    """Shows one question at a time and keeps all that were shown.

    Args:
        person: Decides at once what is shown; without one, the test decides.
    """

    modes: frozenset[Mode] = frozenset({"form"})

    def __init__(self, person: Callable[[Shown], Awaitable[Response]] | None = None) -> None:
        self.shown: list[Shown] = []
        self.open: Shown | None = None
        self._person = person

    @property
    def messages(self) -> list[str]:
        return [one.form.message for one in self.shown]

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        assert self.open is None, "two questions at once"
        assert turn is not None
        self.open = one = Shown(form, origin, turn)
        self.shown.append(one)
        try:
            if self._person is not None:
                return await self._person(one)
            await one.decided.wait()
            return one.response
        finally:
            self.open = None

    async def consent(self, request: UrlRequest, findings: object, origin: Origin) -> Response:
        raise AssertionError("url mode is not served")

    def completed(self, elicitation_id: str) -> None:
        raise AssertionError("url mode is not served")

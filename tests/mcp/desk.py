"""A surface whose person is the test."""

from __future__ import annotations

import anyio

from elicitkit.core.model import Accept, FormRequest, Mode, Origin, Response
from elicitkit.core.ports import Turn
from tests.answering.surfaces import FormsOnly


class Desk(FormsOnly):
    """Holds a question open until ``answer`` is called, and keeps what was seen."""

    def __init__(self, *, attended: bool = True) -> None:
        self.modes: frozenset[Mode] = frozenset({"form"} if attended else ())
        self.seen: list[tuple[FormRequest, Origin]] = []
        self.open = 0
        self.withdrawn = 0
        self._decided = anyio.Event()
        self._response: Response = Accept({})

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        self.seen.append((form, origin))
        self.open += 1
        try:
            await self._decided.wait()
        except anyio.get_cancelled_exc_class():
            self.withdrawn += 1
            raise
        finally:
            self.open -= 1
        self._decided = anyio.Event()
        return self._response

    def answer(self, response: Response) -> None:
        self._response = response
        self._decided.set()

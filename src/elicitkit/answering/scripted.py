"""A surface without a person: answers from a list, in order.

For tests and for machines that know the questions. It is honest the way a person is held
to be: content is checked like any other, a question too many is cancelled and never
declined, and nothing is made up. In particular a form's defaults are not filled in:
content is sent as given, so that a script says everything it sends.

A URL is accepted only by an answer that names exactly that URL, never where the findings
refuse it, and nothing is opened: whoever wrote the script sees to the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

import anyio

from elicitkit.core.check import check
from elicitkit.core.errors import UsageError
from elicitkit.core.model import (
    Accept,
    Cancel,
    Decline,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
    UrlRequest,
)
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.ports import Turn
from elicitkit.core.urls import Findings

_KEYS: Final = frozenset({"action", "content", "url"})
_ACTIONS: Final = ("accept", "decline", "cancel")


class Scripted:
    """Answers of the form ``{"action", "content"?, "url"?}``, used in order.

    Args:
        answers: The answers. One that has a ``url`` is meant for a url question, and only
            with such a one is url mode declared.
        patience: Seconds after consent until the page counts as finished, where the server
            does not tell.

    Attributes:
        asked: The questions that came, in order.
        errors: One sentence for each answer that could not be used.
        exhausted: Whether more was asked than there were answers.

    Raises:
        UsageError: An entry is no answer; it is named by its number.
    """

    opens = False
    attended = False

    def __init__(self, answers: Sequence[Mapping[str, object]], *, patience: float = 2.0) -> None:
        self._patience = patience
        self._answers = [_checked(number, raw) for number, raw in enumerate(answers, 1)]
        self._used = 0
        self.asked: list[Request] = []
        self.errors: list[str] = []
        self.exhausted = False

    @property
    def modes(self) -> frozenset[Mode]:
        urls = any("url" in answer for answer in self._answers)
        return frozenset({"form", "url"}) if urls else frozenset({"form"})

    @property
    def unused(self) -> int:
        """How many answers nobody asked for."""
        return len(self._answers) - self._used

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        """The next answer, or a cancel that says why there is none."""
        answer = self._next(form)
        if isinstance(answer, Decline | Cancel):
            return answer
        content, errors = check(form.schema, answer.get("content", {}))
        if errors:
            said = "; ".join(f"{error.field or 'content'}: {error.message}" for error in errors)
            return self._unusable(f"does not fit the form: {said}")
        return Accept(content)

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        """The next answer, if it names this URL."""
        answer = self._next(request)
        if isinstance(answer, Decline | Cancel):
            return answer
        if "url" not in answer:
            return self._unusable("accepts a URL without naming it")
        if findings.verdict == "refuse":
            reasons = ", ".join(findings.reasons)
            self._unusable(f"accepts a URL that must not be opened: {reasons}")
            return Cancel("url_refused")
        return Accept()

    async def wait(self, page: OpenPage) -> Way:
        """Give the server time to tell; after that nobody is here who could say more."""
        if page.ending is not None:
            return "finished"
        await (anyio.sleep_forever() if page.pending else anyio.sleep(self._patience))
        return "finished"

    def _next(self, request: Request) -> Mapping[str, object] | Decline | Cancel:
        """The answer to accept with, or what is no accept."""
        self.asked.append(request)
        if not self.unused:
            self.exhausted = True
            self.errors.append(f"question {len(self.asked)} has no answer left")
            return Cancel("no_answer_left")
        answer = self._answers[self._used]
        self._used += 1
        if "url" in answer and isinstance(request, FormRequest):
            return self._unusable("is meant for a url question, and a form was asked")
        if isinstance(request, UrlRequest) and answer.get("url", request.url) != request.url:
            return self._unusable("names another URL than the one that was asked")
        if answer["action"] == "decline":
            return Decline()
        return Cancel() if answer["action"] == "cancel" else answer

    def _unusable(self, why: str) -> Cancel:
        self.errors.append(f"answer {self._used} {why}")
        return Cancel("invalid_answer")


def _checked(number: int, raw: object) -> Mapping[str, object]:
    """One entry of the list, or an error that says what an entry is."""
    if not isinstance(raw, Mapping):
        raise UsageError(
            f"answer {number} must be an object with an action, not {type(raw).__name__}"
        )
    answer = cast("Mapping[str, object]", raw)
    if answer.get("action") not in _ACTIONS:
        known = ", ".join(_ACTIONS)
        raise UsageError(f"answer {number} needs an action: {known}, not {answer.get('action')!r}")
    unknown = answer.keys() - _KEYS
    if unknown:
        raise UsageError(
            f"answer {number} has unknown keys: {', '.join(sorted(map(str, unknown)))}"
        )
    if not isinstance(answer.get("content", {}), Mapping):
        raise UsageError(f"the content of answer {number} must be an object of field names")
    if not isinstance(answer.get("url", ""), str):
        raise UsageError(f"the url of answer {number} must be a text")
    if answer["action"] != "accept" and "content" in answer:
        raise UsageError(f"answer {number} has content, which only an accept may have")
    return answer

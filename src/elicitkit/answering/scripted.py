"""A surface without a person: answers from a list, in order.

For tests and for machines that know the questions. It is honest the way a person is held
to be: content is checked like any other, a question too many is cancelled and never
declined, and nothing is made up. In particular a form's defaults are not filled in:
content is sent as given, so that a script says everything it sends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from elicitkit.core.check import check
from elicitkit.core.errors import UsageError
from elicitkit.core.model import (
    Accept,
    Cancel,
    Decline,
    FormRequest,
    Mode,
    Origin,
    Response,
    UrlRequest,
)
from elicitkit.core.ports import Turn

_KEYS: Final = frozenset({"action", "content", "url"})
_ACTIONS: Final = ("accept", "decline", "cancel")


class Scripted:
    """Answers of the form ``{"action", "content"?, "url"?}``, used in order.

    Attributes:
        asked: The forms that came, in order.
        errors: One sentence for each answer that could not be used.
        exhausted: Whether more was asked than there were answers.

    Raises:
        UsageError: An entry is no answer; it is named by its number.
    """

    def __init__(self, answers: Sequence[Mapping[str, object]]) -> None:
        self._answers = [_checked(number, raw) for number, raw in enumerate(answers, 1)]
        self._used = 0
        self.asked: list[FormRequest] = []
        self.errors: list[str] = []
        self.exhausted = False

    @property
    def modes(self) -> frozenset[Mode]:
        return frozenset({"form"})

    @property
    def unused(self) -> int:
        """How many answers nobody asked for."""
        return len(self._answers) - self._used

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        """The next answer, or a cancel that says why there is none."""
        self.asked.append(form)
        if not self.unused:
            self.exhausted = True
            self.errors.append(f"question {len(self.asked)} has no answer left")
            return Cancel("no_answer_left")
        answer = self._answers[self._used]
        self._used += 1
        return self._used_for(form, answer)

    async def consent(self, request: UrlRequest, findings: Any, origin: Origin) -> Response:
        """Never reached: url mode is not declared."""
        return Cancel("unsupported_mode")

    def completed(self, elicitation_id: str) -> None:
        """Nothing is shown that a completion could change."""

    def _used_for(self, form: FormRequest, answer: Mapping[str, object]) -> Response:
        if answer["action"] == "decline":
            return Decline()
        if answer["action"] == "cancel":
            return Cancel()
        if "url" in answer:
            return self._unusable("is meant for a url question, and a form was asked")
        content, errors = check(form.schema, answer.get("content", {}))
        if errors:
            said = "; ".join(f"{error.field or 'content'}: {error.message}" for error in errors)
            return self._unusable(f"does not fit the form: {said}")
        return Accept(content)

    def _unusable(self, why: str) -> Response:
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
    if answer["action"] != "accept" and "content" in answer:
        raise UsageError(f"answer {number} has content, which only an accept may have")
    return answer

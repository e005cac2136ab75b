"""What earlier rounds of a call brought, as it rides in ``requestState``.

For the carriers only. On MCP 2026-07-28 a retry carries only the answers of the last
round, so everything before it must travel in the state. The state is sealed by the SDK
at the wire; here it is plain text, begins with a version mark, and never holds
credentials.

Spec: MCP basic/patterns/mrtr; rulings G06, G38, G39.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, assert_never, cast

from elicitkit.core.errors import InvalidRequest
from elicitkit.core.model import Accept, Cancel, Decline, Response

_MARK: Final = "ek1:"
_LABEL_LENGTH: Final = 60


@dataclass(slots=True, kw_only=True)
class Asked:
    """A question that went out and whose answer is awaited."""

    label: str
    """The beginning of its message, to name it by."""
    at: float
    """When it was first asked, in seconds since the epoch."""


@dataclass(slots=True, kw_only=True)
class Journal:
    """One call's answers, single-use results and open questions."""

    call: str
    """Random id of the call: the nonce that single-use records are keyed by."""
    created: float = 0.0
    """When the call began, in seconds since the epoch; every new seal keeps it."""
    answers: dict[str, list[Response]] = field(default_factory=dict[str, list[Response]])
    """By question key, in the order in which they came: an answer that did not fit is followed
    by the next try."""
    once: dict[str, str] = field(default_factory=dict[str, str])
    """Results of ``ask.once`` as JSON text, by name."""
    asked: dict[str, Asked] = field(default_factory=dict[str, Asked])
    """What the last round asked, by question key."""
    labels: dict[str, str] = field(default_factory=dict[str, str])
    """The label of every question that has an answer."""
    waits: dict[str, float | None] = field(default_factory=dict[str, float | None])
    """When the wait for a page began, in seconds since the epoch; None once it is over."""

    def record(self, key: str, response: Response) -> None:
        """Move a question from asked to answered."""
        self.labels[key] = self.asked.pop(key).label
        self.answers.setdefault(key, []).append(response)

    def ask(self, key: str, message: str, *, now: float) -> None:
        """Note that the question goes out; the time of its first asking stays."""
        if key not in self.asked:
            self.asked[key] = Asked(label=message[:_LABEL_LENGTH], at=now)

    def dump(self) -> str:
        """The journal as text."""
        return _MARK + json.dumps(
            {
                "c": self.call,
                "t": self.created,
                "a": {k: [_dump_answer(one) for one in rs] for k, rs in self.answers.items()},
                "o": self.once,
                "q": {k: [one.label, one.at] for k, one in self.asked.items()},
                "l": self.labels,
                "w": self.waits,
            },
            separators=(",", ":"),
        )

    @classmethod
    def load(cls, state: str) -> Journal:
        """The journal in an unsealed state.

        Raises:
            InvalidRequest: This library did not write it.
        """
        if not state.startswith(_MARK):
            raise InvalidRequest("requestState was not made by this tool")
        try:
            raw = cast("dict[str, Any]", json.loads(state[len(_MARK) :]))
            return cls(
                call=raw["c"],
                created=float(raw["t"]),
                answers={k: [_load_answer(one) for one in rs] for k, rs in raw["a"].items()},
                once=raw["o"],
                asked={k: Asked(label=label, at=at) for k, (label, at) in raw["q"].items()},
                labels=raw["l"],
                waits=raw["w"],
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InvalidRequest("requestState is damaged") from None


def _dump_answer(response: Response) -> list[object]:
    match response:
        case Accept(content):
            return ["a", content]
        case Decline():
            return ["d"]
        case Cancel(reason):
            return ["c", reason]
        case _ as unreachable:
            assert_never(unreachable)


def _load_answer(raw: list[Any]) -> Response:
    match raw:
        case ["a", None]:
            return Accept()
        case ["a", dict()]:
            return Accept(cast("Mapping[str, Any]", raw[1]))
        case ["d"]:
            return Decline()
        case ["c", str() as reason]:
            return Cancel(reason)
        case _:
            raise ValueError("not an answer")

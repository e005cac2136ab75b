"""What came of a question: four outcomes, told apart by ``match``.

An outcome has no truth value on purpose: ``if await ask.outcome(...)`` would read a
"no" as a yes for at least one of the four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NoReturn, TypeAlias

from typing_extensions import TypeVar

T = TypeVar("T", default=object)


class _NoTruthValue:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} has no truth value: use match, isinstance, or ask.confirm(...)"
        )


@dataclass(frozen=True, slots=True)
class Accepted(_NoTruthValue, Generic[T]):
    """The person sent an answer, and it fits the type; or agreed to visit a page."""

    value: T


@dataclass(frozen=True, slots=True)
class Declined(_NoTruthValue):
    """The person said no. Only a person declines."""

    def describe(self) -> str:
        return "declined"


@dataclass(frozen=True, slots=True)
class Cancelled(_NoTruthValue):
    """Nobody decided: dismissed, timed out, or ended by software.

    ``reason`` is local and stable, such as ``dismissed``, ``timed_out``,
    ``invalid_answer``, ``disconnected`` or ``client_failed``.
    """

    reason: str = "dismissed"

    def describe(self) -> str:
        return f"cancelled ({self.reason})"


@dataclass(frozen=True, slots=True)
class Unavailable(_NoTruthValue):
    """The question could not be put: this client cannot be asked, or not in this mode.

    ``reason`` is local and stable: ``not_declared``, ``no_back_channel``,
    ``not_in_dialect`` or ``client_refused``.
    """

    reason: str = "not_declared"

    def describe(self) -> str:
        return f"unavailable ({self.reason})"


NotAcceptedOutcome: TypeAlias = Declined | Cancelled | Unavailable
Outcome: TypeAlias = Accepted[T] | Declined | Cancelled | Unavailable

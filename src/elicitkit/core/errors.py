"""The error tree, with the JSON-RPC code to answer with where there is one.

    ElicitationError
    ├── UsageError               the caller of this library must change something
    │   ├── SchemaNotExpressible   a type or schema no requested schema can say
    │   ├── SensitiveField         a form that asks for a secret (M01)
    │   ├── ClickableUrl           a form whose texts hold a URL (M51)
    │   ├── UnsafeUrl              a url to visit that nobody should be sent to (M19, M49, M52)
    │   ├── NotDeterministic       a repeated call did not repeat its questions
    │   ├── QuestionSwallowed      a handler went on without its answer
    │   ├── OutcomeUnknown         a single-use step began and never reported
    │   └── NoRequestInFlight      a question that belongs to no client request (M89)
    ├── PeerError                the other side broke the protocol
    │   ├── InvalidRequest         answer with -32602
    │   └── InvalidResponse        an answer that no revision allows
    └── LimitExceeded            one of our own limits was reached

    NotAccepted                  beside the tree: it is an answer, not an error

Messages name what was wrong and the way out. They never hold content, tokens or a
full URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

from elicitkit.core.model import Mode
from elicitkit.core.outcome import NotAcceptedOutcome

INVALID_PARAMS = -32602


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing a schema says that it may not say, and where."""

    path: str
    """Dotted path from the schema root, such as ``properties.age.minimum``; ``""`` is the root."""
    code: str
    """Stable, machine-readable kind."""
    message: str
    """What is wrong and what to do, for a person."""


def join_problems(problems: Iterable[Problem]) -> str:
    """All problems as one sentence list, each with its path."""
    return "; ".join(f"{p.path or 'schema'}: {p.message}" for p in problems)


class ElicitationError(Exception):
    """Base of every error this library raises on purpose."""


class UsageError(ElicitationError):
    """The caller of this library must change something."""


class SchemaNotExpressible(UsageError):
    """A type or schema that no requested schema of the dialect can say (M15)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(join_problems(self.problems))


class SensitiveField(UsageError):
    """A form that asks for a secret. Secrets go by url mode (M01, M02)."""

    def __init__(self, where: str, word: str, *, overridable: bool) -> None:
        self.where = where
        self.word = word
        self.overridable = overridable
        way_out = (
            f"; if this is a false alarm, pass allow_sensitive=({where!r},)" if overridable else ""
        )
        super().__init__(
            f"{where!r} asks for a secret ({word!r}), and a form may not: "
            f"collect it on a page of your own by url mode{way_out}"
        )


class ClickableUrl(UsageError):
    """A form text that holds a URL (M51)."""

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(
            f"the text of {where!r} holds a URL, and forms should not: send it by url mode, "
            f"or pass allow_urls=({where!r},) if it is not meant to be opened"
        )


_WAYS_OUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "credential": "keep the secret on your side and put an opaque handle into the url",
        "pii": "keep personal data on your side and put an opaque handle into the url",
        "insecure_http": "use https; plain http is for this machine only",
        "bad_scheme": "only https will do, and http on this machine",
        "userinfo": "leave out what stands before the @ of the host",
        "url_too_long": "put an opaque handle into the url and keep the rest on your side",
    }
)
_WRITE_PLAINLY: Final = "write it as a browser shows it, with a public host"


class UnsafeUrl(UsageError):
    """A url to visit that nobody should be sent to (M19, M49, M52).

    Attributes:
        codes: The reason codes, as in ``docs/urls.md``.
    """

    def __init__(self, codes: Iterable[str]) -> None:
        self.codes = tuple(codes)
        ways_out = dict.fromkeys(_WAYS_OUT.get(code, _WRITE_PLAINLY) for code in self.codes)
        super().__init__(
            f"this url may not be sent to a person ({', '.join(self.codes)}): {'; '.join(ways_out)}"
        )


class NotDeterministic(UsageError):
    """A repeated call asked something new and left out what was answered before."""

    def __init__(self, asked: Iterable[str], missing: Iterable[str]) -> None:
        self.asked = tuple(asked)
        self.missing = tuple(missing)
        super().__init__(
            f"this call asked {', '.join(map(repr, self.asked))} but not "
            f"{', '.join(map(repr, self.missing))}, which it asked and got answered in an earlier "
            "round: code before a question runs again on every round and must take the same path; "
            "keep what may change behind ask.once(...), or name questions with key="
        )


class QuestionSwallowed(UsageError):
    """A handler caught the signal of an open question and went on without its answer."""

    def __init__(self, questions: Iterable[str]) -> None:
        self.questions = tuple(questions)
        super().__init__(
            f"the handler returned although {', '.join(map(repr, self.questions))} is not answered "
            "yet: its result was thrown away. Let BaseException pass around ask(...), and do not "
            "return from a finally block"
        )


class OutcomeUnknown(UsageError):
    """A single-use step began in an earlier run and its result was never recorded."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"the step {name!r} of this call began before and its result is not known, so it was "
            "not run again: find out what it did, then start a new call"
        )


class NoRequestInFlight(UsageError):
    """A question outside the client request it would belong to (M89)."""

    def __init__(self) -> None:
        super().__init__(
            "a question belongs to a client request, and the one of this Ask has ended: "
            "ask before the handler returns, not from a background task"
        )


class PeerError(ElicitationError):
    """The other side broke the protocol."""

    code: ClassVar[int] = INVALID_PARAMS
    """The JSON-RPC code to answer with."""

    def __init__(self, message: str, *, data: Mapping[str, object] | None = None) -> None:
        self.data = data
        super().__init__(message)


class InvalidRequest(PeerError):
    """A request that must be answered with an error before anything is shown."""


class InvalidResponse(PeerError):
    """An answer that no revision allows, such as an unknown action."""


class LimitExceeded(ElicitationError):
    """One of our own limits was reached; the message names which."""


class NotAccepted(Exception):
    """Raised by the short forms of ``ask`` for every outcome but accept.

    Attributes:
        outcome: ``Declined()``, ``Cancelled(reason)`` or ``Unavailable(reason)``.
        question: The message of the question.
        others: For ``ask.all`` and ``ask.require``: the outcome of every question of the
            round, in order.
        mode: ``form``, or ``url`` where the person was to visit a page.
    """

    def __init__(
        self,
        outcome: NotAcceptedOutcome,
        *,
        question: str = "",
        others: tuple[object, ...] = (),
        mode: Mode = "form",
    ) -> None:
        self.outcome = outcome
        self.question = question
        self.others = others
        self.mode: Mode = mode
        super().__init__(f"{question!r} was {outcome.describe()}")

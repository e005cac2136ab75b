"""``Ask``: the one object through which a server or agent asks a person.

The short forms give the value and raise for everything else; ``outcome`` names all four
outcomes. Neither can tell whether the answer is awaited on the connection or found when
the client repeats the call. What a type may be is ``core/derive.py``; how one question
is put is ``put.py``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast, overload

from pydantic_core import CoreSchema
from typing_extensions import TypeForm, Unpack

from elicitkit.asking.call import Call
from elicitkit.asking.put import put, together
from elicitkit.asking.question import (
    Question,
    Terms,
    from_options,
    from_options_many,
    from_options_or_other,
    from_raw,
    from_type,
)
from elicitkit.asking.scripted import Script
from elicitkit.asking.visit import Page, Url, Visit
from elicitkit.asking.visiting import admitted, put_visit, require
from elicitkit.core.dialects import MCP_2025_11_25, Dialect
from elicitkit.core.errors import NotAccepted, UsageError
from elicitkit.core.fields import UNSET, Other, Value
from elicitkit.core.model import Mode
from elicitkit.core.outcome import Accepted, Declined, Outcome

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
T = TypeVar("T")
K = TypeVar("K")


class Ask:
    """Asks the person behind the current client request.

    Every form takes the keywords of ``Terms``: ``key``, ``timeout``, ``fallback``,
    ``allow_urls`` and ``allow_sensitive``.

    >>> trip = await ask("When do you leave?", Trip)
    """

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    @classmethod
    def scripted(cls, *answers: object, dialect: Dialect = MCP_2025_11_25) -> Ask:
        """An ``Ask`` that answers itself in order, for tests of a decorated handler.

        >>> await book("Rome", ask=Ask.scripted(Trip(nights=2), True))

        Args:
            answers: Values, or ``Declined()``, ``Cancelled(reason)``, ``Unavailable(reason)``;
                ``None`` for consent to visit a page.
                Missing and unused answers fail the call with AssertionError.
            dialect: Whose rules apply to the questions.
        """
        return cls(Call(delivery=Script(answers, dialect)))

    @property
    def modes(self) -> frozenset[Mode]:
        """What the client can be asked: ``form``, ``url``, both or nothing."""
        return self._call.delivery.modes

    async def __call__(
        self,
        message: str,
        form: TypeForm[T],
        *,
        initial: object = UNSET,
        **terms: Unpack[Terms[T]],
    ) -> T:
        """Ask for a value of a type.

        Args:
            message: Why you ask, for the person.
            form: What you ask for: a pydantic model, dataclass, TypedDict, Enum, Literal, or a
                simple type.
            initial: Suggested values known only now: a mapping or instance, or the value itself.
            terms: See ``Terms``.

        Raises:
            NotAccepted: The person declined, nobody decided, or nobody can be asked.
            UsageError: The question may not be asked like this.
        """
        return _value(await put(self._call, from_type(message, form, initial), terms), message)

    async def outcome(
        self,
        message: str,
        form: TypeForm[T],
        *,
        initial: object = UNSET,
        **terms: Unpack[Terms[T]],
    ) -> Outcome[T]:
        """Ask, and get all four outcomes by name; the arguments are those of ``ask``.

        >>> match await ask.outcome("Which seat?", Seat):
        ...     case Accepted(seat): ...
        ...     case Declined(): ...
        ...     case Cancelled(reason): ...
        ...     case Unavailable(reason): ...
        """
        return await put(self._call, from_type(message, form, initial), terms)

    async def confirm(self, message: str, **terms: Unpack[Terms[bool]]) -> bool:
        """Ask for a yes or no; to decline is a no.

        Raises:
            NotAccepted: Nobody decided, or nobody can be asked.
        """
        outcome = await put(self._call, from_type(message, bool), terms)
        return False if isinstance(outcome, Declined) else _value(outcome, message)

    @overload
    async def choose(
        self,
        message: str,
        options: Mapping[K, str],
        *,
        other: Literal[False] = False,
        **terms: Unpack[Terms[K]],
    ) -> K: ...
    @overload
    async def choose(
        self,
        message: str,
        options: Mapping[K, str],
        *,
        other: Literal[True],
        **terms: Unpack[Terms[K | Other]],
    ) -> K | Other: ...
    @overload
    async def choose(
        self,
        message: str,
        options: Sequence[T],
        *,
        label: Callable[[T], str] | None = None,
        other: Literal[False] = False,
        **terms: Unpack[Terms[T]],
    ) -> T: ...
    @overload
    async def choose(
        self,
        message: str,
        options: Sequence[T],
        *,
        label: Callable[[T], str] | None = None,
        other: Literal[True],
        **terms: Unpack[Terms[T | Other]],
    ) -> T | Other: ...
    async def choose(
        self,
        message: str,
        options: Mapping[Any, str] | Sequence[Any],
        *,
        label: Callable[[Any], str] | None = None,
        other: bool = False,
        **terms: Unpack[Terms[Any]],
    ) -> Any:
        """Ask for one of several.

        Args:
            message: Why you ask.
            options: A mapping of values to titles, or the items themselves.
            label: The title of an item; without it, its text.
            other: The person may write an answer of their own instead, which comes back as
                ``Other(text)``. A text beside an option is the answer; a blank one is none.
            terms: See ``Terms``.
        """
        prepare = from_options_or_other if other else from_options
        prepared = prepare(message, options, label)
        return _value(await put(self._call, prepared, terms), message)

    @overload
    async def choose_many(
        self,
        message: str,
        options: Mapping[K, str],
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        **terms: Unpack[Terms[list[K]]],
    ) -> list[K]: ...
    @overload
    async def choose_many(
        self,
        message: str,
        options: Sequence[T],
        *,
        label: Callable[[T], str] | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
        **terms: Unpack[Terms[list[T]]],
    ) -> list[T]: ...
    async def choose_many(
        self,
        message: str,
        options: Mapping[Any, str] | Sequence[Any],
        *,
        label: Callable[[Any], str] | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
        **terms: Unpack[Terms[list[Any]]],
    ) -> list[Any]:
        """Ask for several of several, between ``at_least`` and ``at_most`` of them."""
        prepared = from_options_many(message, options, label, at_least, at_most)
        return _value(await put(self._call, prepared, terms), message)

    async def raw(
        self, message: str, schema: Mapping[str, object], **terms: Unpack[Terms[dict[str, Value]]]
    ) -> dict[str, Value]:
        """Ask with a requested schema of your own and get the content.

        Raises:
            SchemaNotExpressible: The schema is not one of the client's dialect.
        """
        prepared = from_raw(message, schema, self._call.delivery.dialect)
        return _value(await put(self._call, prepared, terms), message)

    @overload
    async def all(self, first: Question[A], /) -> tuple[A]: ...
    @overload
    async def all(self, first: Question[A], second: Question[B], /) -> tuple[A, B]: ...
    @overload
    async def all(
        self, first: Question[A], second: Question[B], third: Question[C], /
    ) -> tuple[A, B, C]: ...
    @overload
    async def all(
        self, first: Question[A], second: Question[B], third: Question[C], fourth: Question[D], /
    ) -> tuple[A, B, C, D]: ...
    @overload
    async def all(self, *questions: Question[T]) -> tuple[T, ...]: ...
    async def all(self, *questions: Question[Any]) -> tuple[Any, ...]:
        """Ask several questions in one round.

        Raises:
            NotAccepted: One was not accepted; ``others`` holds the outcome of every question.
        """
        call = self._call
        outcomes = await together(
            call,
            [
                lambda one=one: put(call, one.prepared(), one.terms, alone=False)
                for one in questions
            ],
        )
        for question, outcome in zip(questions, outcomes, strict=True):
            if not isinstance(outcome, Accepted):
                raise NotAccepted(outcome, question=question.message, others=tuple(outcomes))
        return tuple(cast("Accepted[Any]", outcome).value for outcome in outcomes)

    async def visit(
        self,
        message: str,
        url: Url,
        *,
        elicitation_id: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
    ) -> Visit:
        """Ask the person to open a page, and go on at their consent.

        What they do there does not come back this way: ``visit.wait()`` waits until whoever
        serves the page says that it is over. Nothing takes the place of a page that cannot be
        asked for.

        >>> visit = await ask.visit("Sign in to Example", lambda id: f"{base}/connect/{id}")
        >>> await visit.wait()

        Args:
            message: Why they should go there.
            url: The page, without secrets or personal data; or a callable that makes it from
                the elicitation id, which nobody can guess. It may be called without anything
                being asked.
            elicitation_id: Your own id in place of a random one, of one visit only.
            key: Names the question where its message or URL differs between rounds.
            timeout: Seconds of human time until consent; then ``Cancelled("timed_out")``.

        Raises:
            NotAccepted: The person declined, nobody decided, or nobody can be asked.
            UsageError: The page may not be asked for like this.
        """
        page = Page(message, url, elicitation_id=elicitation_id, key=key)
        asked = admitted(self._call, page, timeout)
        return _value(await put_visit(self._call, asked), message, "url")

    async def require(self, *pages: Page, timeout: float | None = None) -> tuple[Visit, ...]:
        """Say that this call cannot go on until every one of these pages was visited.

        Where a revision has an error for that (MCP 2025-11-25), the call ends with it, and
        the client makes a new one: require pages before you do anything else. A page that was
        completed since is not asked for again, once. Elsewhere the person is asked for all of
        them in one round, and consent is what this returns at; ``visit.wait()`` is right in
        both cases.

        >>> for visit in await ask.require(*[page_of(account) for account in missing]):
        ...     await visit.wait()

        Args:
            pages: What must be visited; with none of them nothing is asked.
            timeout: As for ``visit``.

        Raises:
            NotAccepted: One was not accepted, or nobody can be asked; ``others`` holds the
                outcome of every page.
            UsageError: A page may not be asked for like this.
        """
        return await require(self._call, pages, timeout)

    async def once(self, name: str, step: Callable[[], Awaitable[T]], form: TypeForm[T]) -> T:
        """Do something exactly once, however often this handler is run again.

        Args:
            name: Names the step within the call.
            step: What to do.
            form: The type of its result, which must survive JSON.

        Raises:
            OutcomeUnknown: It began in an earlier run and never reported; it is not run again.
        """
        return await self._call.do_once(name, step, form)

    def refuse_unused(self) -> None:
        """Fail if a scripted ``Ask`` has answers left; nothing on any other.

        Raises:
            AssertionError: Answers are left.
        """
        if isinstance(self._call.delivery, Script):
            self._call.delivery.refuse_unused()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        # An SDK that meets this type is about to publish it as an argument of the tool.
        raise UsageError(
            "a handler with an Ask parameter needs @asks directly on it, below the server's own "
            "decorator"
        )


def _value(outcome: Outcome[T], message: str, mode: Mode = "form") -> T:
    if isinstance(outcome, Accepted):
        return outcome.value
    raise NotAccepted(outcome, question=message, mode=mode)

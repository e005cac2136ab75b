"""The decorator contract, apart from any SDK. Ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest
from pydantic import BaseModel

from elicitkit import Ask, UsageError
from elicitkit.asking.handler import CONTEXT, examine

T = TypeVar("T")


class Context(Generic[T]):
    """Stands for an SDK's context class."""


def examined(function: Any, *, depth: int = 1) -> Any:
    return examine(function, Context, depth=depth)


def signature_of(function: Any) -> inspect.Signature:
    return examined(function, depth=2).signature


def test_ask_is_gone_and_a_context_is_added() -> None:
    async def tool(city: str, ask: Ask, nights: int = 2) -> str: ...

    signature = signature_of(tool)
    assert list(signature.parameters) == ["city", "nights", CONTEXT]
    assert signature.parameters["nights"].default == 2
    assert signature.parameters["city"].annotation is str
    assert signature.parameters[CONTEXT].annotation is Context
    assert signature.return_annotation is str


@pytest.mark.parametrize("written", [Context, Context[int], Context | None, Context[int] | None])
def test_the_authors_own_context_is_used(written: Any) -> None:
    async def tool(city: str, ctx: Any, ask: Ask) -> None: ...

    tool.__annotations__["ctx"] = written
    handler = examined(tool)
    assert handler.owns_context
    assert handler.context == "ctx"
    assert list(handler.signature.parameters) == ["city", "ctx"]


def test_types_that_are_local_where_the_handler_is_written_are_found() -> None:
    class Local(BaseModel):
        x: int

    async def tool(given: Local, ask: Ask) -> Local: ...

    assert signature_of(tool).parameters["given"].annotation is Local
    assert signature_of(tool).return_annotation is Local


def test_so_are_those_around_a_class() -> None:
    class Local(BaseModel):
        x: int

    class Tools:
        examined: Any = None

        async def tool(self, given: Local, ask: Ask) -> None: ...

        examined = examine(tool, Context, depth=0)

    assert Tools.examined.signature.parameters["given"].annotation is Local


def test_any_keyword_stays_last() -> None:
    async def tool(city: str, ask: Ask, **rest: int) -> None: ...

    assert list(signature_of(tool).parameters) == ["city", CONTEXT, "rest"]


def test_a_parameter_without_annotation_stays_so() -> None:
    async def tool(city, ask: Ask): ...

    def wrapper() -> None: ...

    handler = examined(tool)
    handler.dress(wrapper)
    assert handler.signature.return_annotation is inspect.Signature.empty
    assert wrapper.__annotations__ == {CONTEXT: Context}


def test_a_wrapper_looks_like_the_handler() -> None:
    async def tool(city: str, ask: Ask) -> str:
        """What it does."""
        ...

    def wrapper() -> None: ...

    handler = examined(tool)
    handler.dress(wrapper)
    assert wrapper.__name__ == "tool"
    assert wrapper.__doc__ == "What it does."
    assert inspect.signature(wrapper) == handler.signature
    assert wrapper.__annotations__ == {"city": str, CONTEXT: Context, "return": str}


def test_a_bound_method_has_no_self() -> None:
    class Tools:
        async def tool(self, city: str, ask: Ask) -> None: ...

    assert list(signature_of(Tools().tool).parameters) == ["city", CONTEXT]


def sync(ask: Ask) -> None: ...


async def no_ask(city: str) -> None: ...


async def two_asks(ask: Ask, again: Ask) -> None: ...


class Registered:
    """What an SDK's decorator may leave of a function."""

    __name__ = "book"


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (sync, "sync must be 'async def': asking waits for a person"),
        (no_ask, "no_ask needs one parameter of type Ask, such as 'ask: Ask'"),
        (two_asks, "two_asks needs one parameter of type Ask, such as 'ask: Ask'"),
        (
            Registered(),
            "@asks goes directly on the function 'book', below the server's own decorator",
        ),
        (int, "@asks goes directly on the function 'int', below the server's own decorator"),
    ],
)
def test_what_cannot_ask_is_refused_by_a_sentence(
    function: Callable[..., Any], sentence: str
) -> None:
    with pytest.raises(UsageError) as error:
        examined(function)
    assert str(error.value) == sentence


@pytest.mark.anyio
async def test_deeper_than_any_frame_nothing_is_local() -> None:
    async def tool(ask: Ask) -> None: ...

    with pytest.raises(NameError):
        examine(_with_unknown_type(), Context, depth=10_000)
    assert list(examine(tool, Context, depth=10_000).signature.parameters) == [CONTEXT]


def _with_unknown_type() -> Any:
    class Local: ...

    async def tool(given: Local, ask: Ask) -> None: ...

    return tool


class TestCalls:
    """Who called: the author with a scripted Ask, or an SDK with its context."""

    pytestmark = pytest.mark.anyio

    async def test_an_author_may_pass_ask_and_context_in_any_way(self) -> None:
        async def tool(city: str, ask: Ask, ctx: Context[int] | None = None) -> str:
            return f"{city} {await ask('How many?', int)} {ctx}"

        handler = examined(tool)
        context = Context[int]()
        for args, kwargs in (
            (("Rome",), {}),
            (("Rome",), {"ctx": None}),
            (("Rome",), {"ctx": context}),
        ):
            for by_name in (True, False):
                ask = Ask.scripted(2)
                given = (args, {**kwargs, "ask": ask}) if by_name else ((*args, ask), kwargs)
                assert handler.is_direct(*given)
                told = await handler.directly(*given)
                assert told == f"Rome 2 {kwargs.get('ctx')}"

    async def test_answers_that_the_handler_did_not_ask_for_fail(self) -> None:
        async def tool(ask: Ask) -> None: ...

        with pytest.raises(AssertionError, match="never asked for"):
            await examined(tool).directly((Ask.scripted(1),), {})

    async def test_an_sdk_passes_its_context(self) -> None:
        async def added(city: str, ask: Ask) -> str:
            return city

        async def own(city: str, ask: Ask, ctx: Context[int]) -> object:
            return ctx

        ask, context = Ask.scripted(), Context[int]()
        for function, name, value in ((added, CONTEXT, "Rome"), (own, "ctx", context)):
            handler = examined(function)
            kwargs = {"city": "Rome", name: context}
            assert not handler.is_direct((), kwargs)
            assert await handler.body((), kwargs, ask) is value


@pytest.mark.anyio
async def test_without_a_context_only_an_ask_makes_a_call_direct() -> None:
    async def tool(ctx: Context[int], city: str, ask: Ask) -> str:
        return f"{ctx} {city} {await ask('Sure?', bool)}"

    handler = examine(tool, None)
    assert (handler.context, handler.owns_context) == ("", False)
    assert list(handler.signature.parameters) == ["ctx", "city"]
    assert not handler.is_direct((), {"ctx": 1, "city": "Rome"})
    assert handler.is_direct((), {"ctx": 1, "city": "Rome", "ask": Ask.scripted(True)})
    body = handler.body((), {"ctx": 1, "city": "Rome", "ask": "theirs"}, Ask.scripted(True))
    assert await body == "1 Rome True"

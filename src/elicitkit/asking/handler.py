"""The decorator contract: a handler with an ``Ask``, as a function that an SDK can register.

The ``Ask`` parameter is injected and absent from the tool's input schema; everything else
about the handler stays as the author wrote it. What an SDK passes as context and how an
outcome becomes a result is the carriers' part.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from elicitkit.asking.ask import Ask
from elicitkit.core.errors import UsageError

CONTEXT: Final = "elicitkit_context"
"""The parameter that is added where the author has no context of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """What is known of an author's function."""

    function: Callable[..., Awaitable[Any]]
    ask: str
    """The parameter that takes the ``Ask``."""
    context: str
    """The parameter that takes the SDK's context; ``""`` where its carrier passes none."""
    owns_context: bool
    """The author wrote that parameter."""
    signature: inspect.Signature
    """What the SDK sees."""

    def is_direct(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """The call comes from its author, not from an SDK."""
        if self.context and self.context not in kwargs:
            return True
        return any(isinstance(one, Ask) for one in (*args, *kwargs.values()))

    async def directly(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call the handler as its author does in a test: with a scripted ``Ask``, no protocol."""
        value = await self.function(*args, **kwargs)
        for given in (*args, *kwargs.values()):
            if isinstance(given, Ask):
                given.refuse_unused()
        return value

    def dress(self, wrapper: Callable[..., Any]) -> None:
        """Give a wrapper the handler's name, text and the signature for the SDK."""
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(wrapper, name, getattr(self.function, name, None))
        wrapper.__annotations__ = {
            name: one.annotation
            for name, one in self.signature.parameters.items()
            if one.annotation is not inspect.Parameter.empty
        }
        if self.signature.return_annotation is not inspect.Signature.empty:
            wrapper.__annotations__["return"] = self.signature.return_annotation
        setattr(wrapper, "__signature__", self.signature)  # noqa: B010 - no such attribute in stubs

    def body(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], ask: Ask) -> Awaitable[Any]:
        """The author's function called with its ``Ask`` in place of what was added for the SDK."""
        given = {**kwargs, self.ask: ask}
        if self.context and not self.owns_context:
            del given[self.context]
        return self.function(*args, **given)


def examine(function: Any, context: type | None, *, depth: int = 1) -> Handler:
    """What is needed to wrap an author's function.

    Args:
        function: What ``@asks`` was put on.
        context: The SDK's context class; None where a handler gets no context.
        depth: How many frames up the decorator stands, for names that are local there.

    Raises:
        UsageError: It cannot ask: the sentence says why.
    """
    name = getattr(function, "__name__", type(function).__name__)
    if not inspect.isfunction(function) and not inspect.ismethod(function):
        raise UsageError(
            f"@asks goes directly on the function {name!r}, below the server's own decorator"
        )
    if not inspect.iscoroutinefunction(function):
        raise UsageError(f"{name} must be 'async def': asking waits for a person")
    hints = get_type_hints(function, localns=_locals(depth + 1), include_extras=True)
    asks = [one for one, hint in hints.items() if one != "return" and hint is Ask]
    if len(asks) != 1:
        raise UsageError(f"{name} needs one parameter of type Ask, such as 'ask: Ask'")
    own = next((one for one, hint in hints.items() if _is_context(hint, context)), None)
    return Handler(
        function=function,
        ask=asks[0],
        context=own or ("" if context is None else CONTEXT),
        owns_context=own is not None,
        signature=_signature(function, hints, asks[0], None if own else context),
    )


def _locals(depth: int) -> dict[str, Any]:
    frame = inspect.currentframe()
    for _ in range(depth + 1):
        frame = frame.f_back if frame is not None else None
    known: dict[str, Any] = {}
    while frame is not None:
        known = {**frame.f_locals, **known}
        # From the body of a class, the names of the function around it can be seen as well.
        frame = frame.f_back if "__qualname__" in frame.f_locals else None
    return known


def _signature(
    function: Callable[..., Any], hints: Mapping[str, Any], ask: str, added: type | None
) -> inspect.Signature:
    written = inspect.signature(function)
    parameters = [
        one.replace(annotation=hints.get(name, one.annotation))
        for name, one in written.parameters.items()
        if name != ask
    ]
    if added is not None:
        keyword = inspect.Parameter(CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=added)
        rest = parameters[-1:] if _takes_any_keyword(parameters) else []
        parameters = [*parameters[: len(parameters) - len(rest)], keyword, *rest]
    returns = hints.get("return", inspect.Signature.empty)
    return written.replace(parameters=parameters, return_annotation=returns)


def _takes_any_keyword(parameters: list[inspect.Parameter]) -> bool:
    return bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD


def _is_context(hint: Any, context: type | None) -> bool:
    if context is None:
        return False
    if get_origin(hint) in (Union, UnionType):
        return any(_is_context(one, context) for one in get_args(hint))
    plain = get_origin(hint) or hint
    return isinstance(plain, type) and issubclass(plain, context)

"""``@asks`` for the methods of an ACP agent.

The handler of any request can ask: ``prompt`` and what else is about an open session in the
scope of that session, ``initialize``, ``authenticate``, ``new_session`` and the like in the
scope of their own request. Capability and local overrides decide per request which modes
there are. ACP has no result that tells of an error, so an outcome that leaves a handler
becomes an error of JSON-RPC with a documented code.

Spec: ACP client/elicitation; ``docs/glossary.md`` for the words.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from inspect import Parameter
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar, cast

from acp import RequestError

from elicitkit.acp.line import Line, Login, current_line, current_work
from elicitkit.acp.live import Live
from elicitkit.acp.messages import INTERNAL_ERROR
from elicitkit.acp.visits import Visits
from elicitkit.acp.work import Work
from elicitkit.asking.ask import Ask
from elicitkit.asking.call import Call, Finished, run
from elicitkit.asking.handler import Handler, examine
from elicitkit.core.errors import ElicitationError, NotAccepted, PeerError
from elicitkit.core.model import Mode
from elicitkit.observe import logger

P = ParamSpec("P")
R = TypeVar("R")

Identify: TypeAlias = Callable[[Login], str | None]
"""Names the user behind a login, or None where it proves nothing."""

NOT_ACCEPTED: Final = -32010
"""The code of a request whose question was not accepted; ``data.outcome`` says how."""


class Asks:
    """A decorator that gives a handler its ``Ask``; ``asks`` is one with the defaults.

    Args:
        timeout: Default seconds of human time for every question.
        clients: Modes by client name, for clients that declare one and never show it. It can
            only take modes away.
        identify: Names the verified user behind a login. Until there is one, that is who the
            transport found: on stdio the user of this machine.
    """

    def __init__(
        self,
        *,
        timeout: float | None = None,
        clients: Mapping[str, Collection[Mode]] | None = None,
        identify: Identify | None = None,
    ) -> None:
        self._timeout = timeout
        self._clients = {name: frozenset(modes) for name, modes in (clients or {}).items()}
        self._identify = identify
        self._visits = Visits()

    def __call__(self, function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        """Wrap a handler: a method of an agent, or a function for ``AgentV2``.

        Raises:
            UsageError: The handler cannot ask; the sentence says why.
        """
        handler = examine(function, None)

        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            if handler.is_direct(args, kwargs):
                return await handler.directly(args, kwargs)
            return await self._served(handler, args, kwargs)

        handler.dress(wrapper)
        return cast("Callable[P, Awaitable[R]]", wrapper)

    async def complete(self, elicitation_id: str) -> bool:
        """Complete a visit by its elicitation id, for whoever serves the page.

        As ``Visit.complete``, on the event loop that serves the agent. It knows the visits of
        this process that are not over, until their connection ends.

        Returns:
            Whether this call completed it.

        Raises:
            UsageError: Visits on several connections have this id, which you gave them.
        """
        return await self._visits.complete(elicitation_id)

    async def _served(self, handler: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        line, work = current_line(), current_work()
        try:
            call = self._call(line, work)
            ended = await run(call, handler.body(args, _taken(handler, kwargs), Ask(call)))
        except NotAccepted as refused:
            raise _refusal(refused) from None
        except PeerError as error:
            raise RequestError(error.code, str(error), dict(error.data or {}) or None) from error
        except ElicitationError as error:
            logger.exception("a handler asked in a way it may not")
            raise RequestError(INTERNAL_ERROR, str(error)) from None
        # Only what is made again can end in another way, and no request of ACP is.
        return cast("Finished[Any]", ended).value

    def _call(self, line: Line, work: Work | None) -> Call:
        principal = self._principal(line)
        unnamed = work is not None and work.nameless
        modes = frozenset[Mode]() if unnamed else line.declared(self._clients).modes
        call = Call(
            delivery=Live(line, work or Work(), modes, lambda: self._principal(line)),
            unavailable="no_back_channel" if unnamed else "not_declared",
            timeout=self._timeout,
            book=self._visits.book(line, principal),
        )
        if work is None:
            call.close()
        return call

    def _principal(self, line: Line) -> str | None:
        login = line.login
        found = self._identify(login) if self._identify and login else None
        return found or line.principal


asks: Final = Asks()
"""``@asks`` with the defaults."""


def _taken(handler: Handler, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the author's function takes.

    The SDK adds the keys of ``_meta``, and nobody may fail because of one that is not known
    (A67).
    """
    parameters = handler.signature.parameters
    if any(one.kind is Parameter.VAR_KEYWORD for one in parameters.values()):
        return kwargs
    return {name: value for name, value in kwargs.items() if name in parameters}


def _refusal(refused: NotAccepted) -> RequestError:
    """An outcome that left the handler, as the answer to its request: never a crash."""
    told = {"outcome": type(refused.outcome).__name__.lower()}
    reason = getattr(refused.outcome, "reason", None)
    return RequestError(
        NOT_ACCEPTED,
        f"Not done: the question {refused}.",
        told | ({"reason": reason} if reason else {}),
    )

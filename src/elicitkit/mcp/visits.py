"""Visits of a server's clients: which connection each belongs to, and who speaks on it.

An elicitation id leads to the connection that asked and to no other (M22); when another
principal has spoken there since, it leads nowhere (M43). Revisions without connections have
only the principal, or the call where there is none. Everything of a connection is forgotten
when it ends (G15).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext

from elicitkit.asking.call import Required, random_id
from elicitkit.asking.outstanding import PER_OWNER, Book, Outstanding


@dataclass(slots=True, kw_only=True, eq=False)
class Line:
    """One connection."""

    principal: str | None
    """Who made the latest request on it."""
    alive: bool = True
    listed: dict[str, str] = field(default_factory=dict[str, str])
    """The ids of what a call must wait for, by what names the call and the question."""


class Visits:
    """Those of one ``Asks``."""

    def __init__(self) -> None:
        self._lines: WeakKeyDictionary[Connection, Line] = WeakKeyDictionary()
        self._outstanding = Outstanding()

    async def complete(self, elicitation_id: str) -> bool:
        """Complete the visit with this id, if it is outstanding."""
        return await self._outstanding.complete(elicitation_id)

    def line(self, request: ServerRequestContext[Any, Any], principal: str | None) -> Line:
        """The connection of a request, on which this principal speaks now."""
        connection = connection_of(request)
        line = self._lines.get(connection)
        if line is None:
            line = self._lines[connection] = Line(principal=principal)
            connection.exit_stack.callback(self._gone, line)
        line.principal = principal
        return line

    def of_line(self, line: Line) -> Book:
        """What a call on a connection sees and adds."""
        return Book(outstanding=self._outstanding, owner=line, principal=line.principal)

    def of_call(self, call: str, principal: str | None, now: float) -> Book:
        """What a call without a connection sees and adds."""
        return Book(
            outstanding=self._outstanding,
            owner=("call", call) if principal is None else ("principal", principal),
            principal=principal,
            call=call,
            fades=True,
            now=now,
        )

    def ids(self, request: ServerRequestContext[Any, Any], line: Line) -> Callable[[str], str]:
        """Gives ids at random, and to a call that is made again those that it was told of."""
        principal = line.principal

        def id_of(key: str) -> str:
            if line.listed:
                known = line.listed.get(_named(request, principal, key))
                if known is not None and known in self._outstanding:
                    return known
            return random_id(key)

        return id_of

    def note(
        self, request: ServerRequestContext[Any, Any], principal: str | None, required: Required
    ) -> None:
        """Remember what a call of this principal was told to wait for."""
        line = self._lines[connection_of(request)]
        for key, one in required.requests.items():
            line.listed[_named(request, principal, key)] = one.elicitation_id or ""
            if len(line.listed) > PER_OWNER:
                del line.listed[next(iter(line.listed))]

    def _gone(self, line: Line) -> None:
        line.alive = False
        line.listed.clear()
        self._outstanding.drop(line)


def connection_of(request: ServerRequestContext[Any, Any]) -> Connection:
    """What stays the same over all requests of a connection; sessions are one a request."""
    # Private, with a test that notices when it goes.
    return request.session._connection  # pyright: ignore[reportPrivateUsage]


def _named(request: ServerRequestContext[Any, Any], principal: str | None, key: str) -> str:
    """Names a question of a call, and of the same call made again by the same principal."""
    said = {name: one for name, one in (request.params or {}).items() if name != "_meta"}
    told = json.dumps([principal, request.method, said, key], sort_keys=True, default=str)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

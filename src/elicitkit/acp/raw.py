"""An agent by plain dicts: for ACP v2, which the SDK does not know, and for tools that show all.

Spec: ACP v1 and v2 initialization.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from acp.connection import Connection

from elicitkit.acp.answering import AnsweringTransport
from elicitkit.acp.messages import Message
from elicitkit.core.errors import InvalidResponse


class RawAgent:
    """An agent, by plain dicts; on either version of ACP."""

    def __init__(self, connection: Connection, transport: AnsweringTransport) -> None:
        self._connection = connection
        self._dialect = transport.dialect
        self.over = transport.over
        """Waits until the connection has ended, which no request of ours may be open to tell."""

    async def initialize(self, capabilities: Mapping[str, Any] | None = None) -> Message:
        """Agree on the version and tell what this client can do; elicitation is added to it.

        Raises:
            RequestError: The agent refused.
            InvalidResponse: It speaks another version.
        """
        version = int(self._dialect.revision)
        (key,) = self._dialect.capabilities
        params = {"protocolVersion": version, key: dict(capabilities or {})}
        result = await self.request("initialize", params)
        if result.get("protocolVersion") != version:
            raise InvalidResponse(f"the agent does not speak version {version} of ACP")
        return result

    async def request(self, method: str, params: Mapping[str, Any]) -> Message:
        """Send a request and wait for its result.

        Raises:
            RequestError: The agent answered with an error.
            InvalidResponse: Its result is no object.
            ConnectionError: The connection has ended.
        """
        result: object = await self._connection.send_request(method, dict(params))
        if not isinstance(result, dict):
            raise InvalidResponse("the answer has no result that is an object")
        return cast("Message", result)  # the keys of a JSON object are strings

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification, such as ``session/cancel``.

        Raises:
            ConnectionError: The connection has ended.
        """
        await self._connection.send_notification(method, dict(params))

"""Elicitation on one ACP connection, between the SDK's connection and its transport.

The SDK carries elicitation by models that change what they carry, has no protocol version
2, and can neither cancel a request nor be told that one is cancelled. Here the messages are
plain dicts still: ours are taken off the stream before the SDK sees them, our own requests
go out beside its own, and what would end its receive loop is answered instead. Everything
else passes unchanged, so agents and clients are written with the SDK's own classes.

Batches are read, their messages one by one, and every message is answered by itself (G42).
What a question means is not known here. asyncio only, as the SDK is.

Spec: ACP v1 and v2 transports, cancellation; JSON-RPC 2.0.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Protocol, TypeAlias, cast

from elicitkit.acp._sdk import AnyConnection, Handler, stand_around_handler
from elicitkit.acp.inbound import MAX_OPEN, CreateHandler, Questions, refusal, tell_failure
from elicitkit.acp.messages import (
    CANCEL,
    COMPLETE,
    CREATE,
    INTERNAL_ERROR,
    Answer,
    BadMessage,
    Incoming,
    Message,
    check_notification,
    failure,
    notification,
    params_of,
    read,
    read_id,
    request,
)
from elicitkit.acp.observer import Observer
from elicitkit.acp.pending import Pending, result_of
from elicitkit.acp.serving import Requests, current_request
from elicitkit.acp.tasks import Tasks
from elicitkit.core.errors import UsageError

MAX_BATCH: Final = 1000
"""Messages in one batch. A few bytes each could otherwise ask for millions of answers."""

CompleteHandler: TypeAlias = Callable[[Message], None]
"""Hears of one completion, by its raw params."""


class Frames(Protocol):
    """What carries the messages: any transport of the SDK, or ``Lines``."""

    async def send(self, message: Message, /) -> None: ...

    async def receive(self) -> object:
        """The next message, or None at the end.

        Raises:
            BadMessage: What came is none; the next one can be received.
        """
        ...

    async def close(self) -> None: ...


class ElicitationTransport:
    """A transport for the SDK's connection, with elicitation in front of it.

    Args:
        inner: What carries the messages.
        create: Answers ``elicitation/create`` (client side). Without it the SDK does.
        complete: Hears of ``elicitation/complete`` (client side). Without it the SDK does.
        observer: Sees the messages that are the SDK's.
        max_open: Questions of the peer that may be open; more are answered with -32603.
    """

    def __init__(
        self,
        inner: Frames,
        *,
        create: CreateHandler | None = None,
        complete: CompleteHandler | None = None,
        observer: Observer | None = None,
        max_open: int = MAX_OPEN,
    ) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise UsageError("the ACP SDK needs asyncio: it does not run on trio") from None
        self._inner = inner
        self._create = create
        self._complete = complete
        self._observer = observer or Observer()
        self._batch: deque[object] = deque()
        self._requests = Requests()
        self._pending = Pending()
        self._sent: dict[object, Message] = {}
        self._tasks = Tasks()
        self._questions = Questions(
            requests=self._requests, send=self._send_quietly, max_open=max_open
        )

    @property
    def ended(self) -> bool:
        """Whether the connection has ended, by whichever side."""
        return self._pending.ended

    async def request(
        self, method: str, params: Mapping[str, Any], *, timeout: float | None = None
    ) -> Message:
        """Send a request beside the SDK's, params as they are, and wait for its result.

        Whoever stops waiting, by cancellation or because the time is over, cancels the
        request at the peer; an answer that comes later is dropped.

        Args:
            method: What to call.
            params: Sent as they are.
            timeout: Seconds to wait; without a limit by default.

        Raises:
            RequestError: The peer answered with an error.
            InvalidResponse: It answered with what is no answer.
            TimeoutError: It did not answer in time.
            ConnectionError: The connection has ended (G15).
        """
        with self._pending.waiting() as (id_, answer):
            try:
                async with asyncio.timeout(timeout):
                    await self._inner.send(request(id_, method, params))
                    return result_of(await answer)
            except (asyncio.CancelledError, TimeoutError):
                if id_ in self._pending:
                    # By a task: whoever is cancelled cannot wait for a notification to go out.
                    self._tasks.start(self._send_quietly(notification(CANCEL, {"requestId": id_})))
                raise

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification beside the SDK's, params as they are.

        Raises:
            ConnectionError: The connection has ended.
        """
        self._pending.check_open()
        await self._inner.send(notification(method, params))

    def watch(self, connection: AnyConnection) -> None:
        """Let ``$/cancel_request`` reach what the SDK serves on a connection over this transport.

        The task that serves the request is cancelled, and the answer is -32800 unless the
        handler returns one after all. Without this it is served to its end, which ACP allows.
        """

        def around(handler: Handler) -> Handler:
            async def watched(method: str, params: object, is_notification: bool) -> object:
                served = current_request()
                if is_notification or served is None:
                    return await handler(method, params, is_notification)
                return await served.run(lambda: handler(method, params, is_notification))

            return watched

        stand_around_handler(connection, around)

    async def send(self, message: Message) -> None:
        """Send a message of the SDK; of two answers to one request the first."""
        if "method" in message:
            await self._send_own(await self._observer.outgoing(message))
            return
        served = self._requests.answered(message["id"])
        if served is None:
            return
        try:
            await self._observer.answering(served.request, message)
        except Exception as error:  # the peer must not wait for ever
            tell_failure(error, served.request.method)
        try:
            await self._reply(message)
        except Exception:
            # At the end of a connection the SDK would fail over an answer to nobody.
            if not self.ended:
                raise

    async def receive(self) -> Message | None:
        """The next message for the SDK, None at the end of the connection."""
        while True:
            try:
                raw = await self._next()
                if raw is None or self.ended:  # what comes while it closes would be orphaned
                    self._end()
                    return None
                message = self._take(raw)
            except BadMessage as error:
                await self._send_quietly(error.answer)
            else:
                if message is not None:
                    return message

    async def close(self) -> None:
        """End everything that is open, unanswered, and close what carries the messages."""
        self._end()
        await self._tasks.close()
        await self._questions.tasks.close()
        await self._inner.close()

    async def _send_own(self, message: Message) -> None:
        if "id" in message:
            self._sent[message["id"]] = message
        try:
            await self._inner.send(message)
        except BaseException:
            self._sent.pop(message.get("id"), None)
            raise

    async def _next(self) -> object:
        while not self._batch:
            try:
                raw = await self._inner.receive()
            except BadMessage:
                raise
            except Exception:
                self._end()
                raise
            if not isinstance(raw, list):
                return raw
            batch = cast("list[object]", raw)
            if not 0 < len(batch) <= MAX_BATCH:
                raise BadMessage(f"a batch must have 1 to {MAX_BATCH} messages")
            self._batch.extend(batch)
        message = self._batch.popleft()
        if message is None:  # which alone would be the end of the stream
            raise BadMessage("a message must be an object")
        return message

    def _take(self, raw: object) -> Message | None:
        """Serve a message, or return it for the SDK.

        Raises:
            BadMessage: It is none.
        """
        message = read(raw)
        if isinstance(message, Incoming):
            self._requests.leave()
            return self._take_incoming(message)
        return None if message is None else self._take_answer(message)

    def _take_incoming(self, incoming: Incoming) -> Message | None:
        if incoming.method == CANCEL:
            check_notification(incoming)
            with suppress(BadMessage):  # a notification is never answered
                self._requests.cancel(read_id(params_of(incoming).get("requestId")))
        elif incoming.method == CREATE and self._create:
            self._questions.put(incoming, self._create)
        elif incoming.method == COMPLETE and self._complete:
            check_notification(incoming)
            self._hear(self._complete, incoming)
        else:
            return self._pass_on(incoming)
        return None

    def _hear(self, complete: CompleteHandler, incoming: Incoming) -> None:
        try:
            complete(params_of(incoming))
        except BadMessage:
            pass  # a notification is never answered
        except Exception as error:  # the stream goes on
            tell_failure(error, COMPLETE)

    def _pass_on(self, incoming: Incoming) -> Message | None:
        if incoming.is_request:
            self._requests.open(incoming)
        try:
            self._observer.incoming(incoming)
        except Exception as error:  # the stream goes on
            answer = refusal(incoming.id, error, incoming.method)
            if self._requests.answered(incoming.id) is not None:
                self._tasks.start(self._send_quietly(answer))
            return None
        return incoming.raw

    def _take_answer(self, answer: Answer) -> Message | None:
        if self._pending.take(answer):
            return None
        sent = self._sent.pop(answer.id, None)
        if sent is None:
            return None
        raw = answer.raw
        if "result" not in raw and not isinstance(raw.get("error"), dict):
            # Neither; the SDK would fall over an error that is a string.
            return failure(answer.id, INTERNAL_ERROR, "The answer has no result and no error")
        try:
            self._observer.answered(sent, raw)
        except Exception as error:  # the stream goes on
            return refusal(answer.id, error, sent["method"])
        return raw

    def _end(self) -> None:
        """Nothing comes any more: whoever waits is told, and questions are withdrawn."""
        if self.ended:
            return
        self._pending.end()
        self._questions.tasks.cancel()
        self._observer.ended()

    async def _reply(self, answer: Message) -> None:
        """Send an answer; one that JSON cannot say is no reason to send none."""
        try:
            await self._inner.send(answer)
        except (TypeError, ValueError, RecursionError):
            error = answer.get("error", {"code": INTERNAL_ERROR, "message": "Internal error"})
            await self._inner.send(failure(answer["id"], error["code"], error["message"]))

    async def _send_quietly(self, message: Message) -> None:
        """Send what nobody here waits for; a peer that cannot be reached is told nothing."""
        with suppress(Exception):
            await self._reply(message)

"""The work of ``elicitkit agent``: start, prompt, answer, and tell what came of it.

A client like any other, by the plain dicts of ``elicitkit.acp``, on either version of ACP.
Whatever the agent does, the user reads one sentence and gets an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import anyio
from anyio.abc import TaskGroup

from elicitkit.acp import Message, RawAgent, raw_agent
from elicitkit.answering import Arrival
from elicitkit.answering.visit import Visit
from elicitkit.cli.agent_report import END_TURN, AgentReport, JsonAgentReport, PlainAgentReport
from elicitkit.cli.exits import Exit, WrongUse
from elicitkit.cli.options import AgentOptions
from elicitkit.cli.told import ToldAnswerer, answerer_for, said, tell_script
from elicitkit.cli.undisturbed import Undisturbed
from elicitkit.core.errors import InvalidResponse
from elicitkit.core.model import Capability, Origin, Request, Response
from elicitkit.wire.common import as_object

_WORKING: Final = ("running", "requires_action")
"""What a session of v2 says of itself until it is idle."""


def prompt(options: AgentOptions) -> int:
    """Send one prompt and return the exit code.

    Raises:
        WrongUse: A file that was named cannot be used, or there is no prompt.
    """
    report: AgentReport = JsonAgentReport() if options.as_json else PlainAgentReport()
    answerer = answerer_for(
        BusyAnswerer,
        options,
        report,
        peer="agent",
        around=lambda terminal: Undisturbed(terminal, report.holding),
    )
    text = options.prompt or _read()
    try:
        reason = anyio.run(_talk, options, text, answerer, report)
    except _ReaderGone:
        raise BrokenPipeError from None
    except Exception as error:
        report.error(f"{options.label}: {said(error)}")
        return Exit.PEER_FAILED
    report.stopped(reason)
    tell_script(answerer.surface, report)
    return Exit.DONE if reason == END_TURN and answerer.all_accepted else Exit.NO


class _ReaderGone(Exception):
    """Nobody reads the output; not to be taken for an agent that reads nothing."""


class BusyAnswerer(ToldAnswerer):
    """Knows whether the agent has to wait for the person."""

    _questions = 0
    _visits: tuple[Visit, ...] = ()

    @property
    def busy(self) -> bool:
        """Whether a question is open, or a page that the person is not done with."""
        return self._questions > 0 or any(visit.state == "open" for visit in self._visits)

    async def answer(
        self,
        request: Request,
        origin: Origin,
        *,
        declared: Capability | None = None,
        arrival: Arrival | None = None,
    ) -> Response:
        self._questions += 1
        try:
            return await super().answer(request, origin, declared=declared, arrival=arrival)
        finally:
            self._questions -= 1

    def refused(self, request: Request | None, origin: Origin, arrival: Arrival) -> None:
        self.all_accepted = False
        super().refused(request, origin, arrival)

    def visit(self, response: Response) -> Visit | None:
        visit = super().visit(response)
        if visit is not None:
            self._visits = (*self._visits, visit)
        return visit


class Silence:
    """How long the agent has said nothing, while nobody waited for the person."""

    def __init__(self, limit: float, busy: Callable[[], bool]) -> None:
        self._limit = limit
        self._busy = busy
        self._since = anyio.current_time()
        self._failure: Exception | None = None
        self._tasks: TaskGroup

    def broken(self) -> None:
        """The agent has said something."""
        self._since = anyio.current_time()

    def end(self, failure: Exception) -> None:
        """End the block at once, by this error."""
        self._failure = failure
        self._tasks.cancel_scope.cancel()

    @asynccontextmanager
    async def bounded(self, over: Callable[[], Awaitable[object]]) -> AsyncGenerator[None]:
        """The block ends when the silence is too long, or for ever.

        Args:
            over: Waits until the agent will never say anything again.

        Raises:
            TimeoutError: It was too long.
            ConnectionError: It is for ever.
        """
        async with anyio.create_task_group() as self._tasks:
            self._tasks.start_soon(self._watch)
            self._tasks.start_soon(self._wait, over)
            try:
                yield
            except Exception as error:
                # The task group would wrap it.
                self._failure = error
            self._tasks.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _watch(self) -> None:
        left = self._limit
        while left > 0:
            await anyio.sleep(left)
            left = self._left()
        self.end(TimeoutError(f"timed out: the agent said nothing for {self._limit:g} seconds"))

    async def _wait(self, over: Callable[[], Awaitable[object]]) -> None:
        await over()
        self.end(ConnectionError("Connection closed"))

    def _left(self) -> float:
        if self._busy():
            self.broken()
        return self._since + self._limit - anyio.current_time()


class PromptTurn:
    """One prompt, from sending to the end of what the agent does about it."""

    def __init__(self, report: AgentReport, silence: Silence) -> None:
        self._report = report
        self._silence = silence
        self._streamed: set[object] = set()
        """The messages that came piece by piece."""
        self._prompted = False
        self._taken = False
        """Whether the agent works on the prompt."""
        self._over = anyio.Event()
        self._reason = ""

    async def run(self, agent: RawAgent, session: str, text: str) -> str:
        """Send the prompt, and tell why the agent stopped in the end."""
        blocks = [{"type": "text", "text": text}]
        self._prompted = True
        result = await agent.request("session/prompt", {"sessionId": session, "prompt": blocks})
        reason = result.get("stopReason")
        if isinstance(reason, str):
            return reason
        # v2: the agent has taken the prompt, and its session says when it is done.
        self._taken = True
        await self._over.wait()
        return self._reason

    def updated(self, params: Message) -> None:
        """The agent has told something of the session."""
        self._silence.broken()
        update = as_object(params.get("update"))
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                self._streamed.add(update.get("messageId"))
                self._tell([update.get("content")])
            case "agent_message" if update.get("messageId") not in self._streamed:
                content = update.get("content")
                self._tell(cast("list[object]", content) if isinstance(content, list) else [])
            case "state_update":
                self._state(update.get("state"), update.get("stopReason"))
            case _:
                pass

    def _tell(self, blocks: Sequence[object]) -> None:
        for block in blocks:
            text = as_object(block).get("text")
            if isinstance(text, str):
                try:
                    self._report.text(text)
                except BrokenPipeError:
                    self._silence.end(_ReaderGone())

    def _state(self, state: object, reason: object) -> None:
        if self._prompted and state in _WORKING:
            self._taken = True
        elif self._taken and state == "idle":
            self._reason = reason if isinstance(reason, str) else END_TURN
            self._over.set()


async def _talk(
    options: AgentOptions, text: str, answerer: BusyAnswerer, report: AgentReport
) -> str:
    """The whole conversation, and why the agent stopped."""
    silence = Silence(options.timeout, lambda: answerer.busy)
    turn = PromptTurn(report, silence)
    async with (
        raw_agent(
            options.command,
            name=options.label,
            answerer=answerer,
            protocol_version=options.protocol,
            on_update=turn.updated,
        ) as agent,
        silence.bounded(agent.over),
    ):
        await agent.initialize()
        silence.broken()
        new: dict[str, Any] = {"cwd": str(Path.cwd()), "mcpServers": []}
        session = (await agent.request("session/new", new)).get("sessionId")
        if not isinstance(session, str):
            raise InvalidResponse("the agent opened no session")
        silence.broken()
        return await turn.run(agent, session, text)


def _read() -> str:
    """The prompt, where the command line holds none."""
    if sys.stdin.isatty():
        print("What shall the agent do? ", end="", file=sys.stderr, flush=True)
        text = sys.stdin.readline()
    else:
        text = sys.stdin.read()
    if not text.strip():
        raise WrongUse("there is no prompt: pass --prompt TEXT, or write it on standard input")
    return text.strip()

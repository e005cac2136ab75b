"""The two ports that hold the house together, and the small ones beside them.

``Delivery`` is how a question reaches a client; ``Surface`` is where a person meets it.
Each side of the library knows its own port only. A bridge is a surface made of a
delivery.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, runtime_checkable

from elicitkit.core.dialects import Dialect
from elicitkit.core.model import (
    Cancel,
    Completion,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
    UrlRequest,
)
from elicitkit.core.open_page import Opening, OpenPage, Way
from elicitkit.core.urls.findings import Findings


class Delivery(Protocol):
    """How a question reaches a client. ``ask`` cannot tell live from replay."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def modes(self) -> frozenset[Mode]:
        """The modes the client declared, less what was taken away locally."""
        ...

    async def deliver(
        self, key: str, request: Request, *, timeout: float | None = None
    ) -> Response:
        """Put one question and wait for its answer.

        Asking the same key again puts the question anew.

        Args:
            key: Names the question within its call, the same in every run of the handler.
            request: What to ask.
            timeout: Seconds of human time; when they are over the answer is
                ``Cancel("timed_out")``. None waits without a limit (G16).

        Raises:
            Undeliverable: The question could not be put.
            InvalidResponse: The client answered with something that is no answer.
        """
        ...

    async def hold(
        self,
        key: str,
        request: UrlRequest,
        finished: Callable[[], Awaitable[object]],
        *,
        timeout: float | None = None,
    ) -> Response:
        """Keep the call open after consent until the interaction on the page is over.

        Where a call can be held for a while only, the same url request is put again, and a
        client that shows a page once per call answers it unseen (G04).

        Args:
            key: As for ``deliver``.
            request: What the person consented to.
            finished: Returns when the interaction is over.
            timeout: As for ``deliver``.

        Returns:
            ``Accept()`` once it is over, or what ended the wait.
        """
        ...

    async def complete(self, completion: Completion) -> bool:
        """Tell this client, and no other, that an interaction is over (M22, A46).

        Nothing is sent on revisions that have no completion.

        Returns:
            False where the client that was asked is gone, or speaks for somebody else now.
        """
        ...


class Undeliverable(Exception):
    """The question could not be put; ``reason`` is that of ``Unavailable``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Turn(Protocol):
    """One question's turn in front of a person: what they should know of it and may do."""

    @property
    def place(self) -> int:
        """1 for the question that is shown."""
        ...

    @property
    def waiting(self) -> int:
        """How many questions there are in all, this one included."""
        ...

    @property
    def dropped(self) -> int:
        """How many questions of this server were cancelled unseen since it was last told."""
        ...

    def seconds_left(self) -> float | None:
        """Seconds until the question is cancelled as ``timed_out``; None without a limit."""
        ...

    def extend(self) -> None:
        """Start the time limit anew (WCAG 2.2.1)."""
        ...

    def mute(self) -> None:
        """Cancel every further question of this server, unseen.

        The surface ends this one, too; whatever it returns is ``Cancel("muted")``.
        """
        ...


@runtime_checkable
class Surface(Protocol):
    """Where a person answers."""

    @property
    def modes(self) -> frozenset[Mode]:
        """What this surface can show here and now; nothing without a person (M10)."""
        ...

    @property
    def opens(self) -> bool:
        """Whether a browser may be started here once the person has consented.

        False where the page is opened somewhere else, or by nobody.
        """
        ...

    @property
    def attended(self) -> bool:
        """Whether a person is here to whom a wait can be shown."""
        ...

    async def fill(
        self, form: FormRequest, origin: Origin, turn: Turn | None = None
    ) -> Response: ...

    async def consent(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        turn: Turn | None = None,
        *,
        opening: Opening = "browser",
    ) -> Response:
        """Show who asks, why, and where the URL leads, and ask whether to open it.

        Nothing is opened here: whoever calls this does so after an ``Accept``. What the
        findings refuse, no answer can open (URLS section 2.3).

        Args:
            request: The message and the URL, as they came.
            findings: What the URL really is; its ``url`` is what is shown and opened.
            origin: Who asks.
            turn: As for ``fill``.
            opening: How the page will be opened. With ``failed`` the person has consented and
                the browser could not be started: they can still open the page by hand, and
                an ``Accept`` says that they have.
        """
        ...

    async def wait(self, page: OpenPage) -> Way:
        """Show that a page is open until the person says something.

        The wait steps back for questions: it is cancelled, and shown again afterwards. Where
        ``page.ending`` is set, it only tells the person so.
        """
        ...


class Policy(Protocol):
    """What a host decides before a person is asked. It can only end a question or delay it."""

    async def decide(self, request: Request, origin: Origin) -> Cancel | None:
        """Let a question pass, or end it unseen; to wait here is to delay it.

        An accept or a decline is a person's, so there is no way to return one. A policy
        that raises ends the question as ``Cancel("policy_failed")``.

        Returns:
            None to go on; a cancel, whose reason stays here, to end the question.
        """
        ...


class Records(Protocol):
    """Single-use records: the store behind ``ask.once``.

    ``take`` must be atomic over every process that shares the store.
    """

    async def take(self, key: str, *, ttl: float) -> str | None:
        """Take the record, or tell what it holds.

        Returns:
            None when the record was free and is now taken; ``""`` when it was taken before
            and holds no result; else the result that ``finish`` stored.
        """
        ...

    async def finish(self, key: str, result: str) -> None:
        """Store the result of a taken record."""
        ...

"""A record of who asked what, when, and what became of it: one JSON line a question.

For the person whose client answers, to look up later which server wanted to know what. A
value that was typed is never in it: an entry has no place for one, and even the size of an
answer is left out, since that of a yes differs from that of a no. Of a URL it holds scheme,
host and port. What a server wrote is made inert and cut.

The file is the person's own (mode 0600) and is not followed through a link. Every line is
one appending write, so several processes may share a file on a local disk. Writing is
synchronous on purpose: one small line after a person has answered takes microseconds, and
opening the file anew for each leaves nothing to close and nothing to go stale when another
process rotates it. What cannot be written is told once to the logger and counted in the
next line that can, and the answer goes on.

Not here: what operators see while it happens (``elicitkit.observe``), and when a question
is recorded, which the answering code knows.
"""

from __future__ import annotations

import errno
import hmac
import json
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, Self, TypeAlias

from elicitkit.core.errors import UsageError
from elicitkit.core.model import (
    Accept,
    Cancel,
    FormRequest,
    Mode,
    Origin,
    Request,
    Response,
    action_of,
)
from elicitkit.core.text import inert
from elicitkit.observe import logger

if sys.platform != "win32":  # pragma: no branch - coverage is measured where it is true
    import fcntl

Ending: TypeAlias = Literal["accept", "decline", "cancel", "refused"]
"""One of the three actions, or refused with an error before anything was shown."""

_VERSION: Final = 1
_MESSAGE: Final = 200
_NAME: Final = 80
_NAMES: Final = 64
_HOST: Final = 253
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KEY_BYTES: Final = 16
_OPEN: Final = (
    os.O_RDWR
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # not to hang on a named pipe
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """What is kept of a URL, as the code that inspected it parsed it."""

    scheme: str
    host: str
    port: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One question and its ending. Ids are hashed when they are written."""

    label: str
    """The name from the person's own configuration."""
    claimed: str | None = None
    """What the server calls itself."""
    dialect: str
    mode: Mode | None
    """None where the question was refused before it could be read."""
    message: str = ""
    fields: tuple[str, ...] = ()
    """The names of the fields that were asked for."""
    endpoint: Endpoint | None = None
    """Where a url question leads."""
    outcome: Ending
    reason: str | None = None
    """The local reason code; it never travels."""
    sent: tuple[str, ...] = ()
    """The names of the fields that were sent."""
    seconds: float = 0.0
    """From the arrival of the question to its ending."""
    size: int | None = None
    """Bytes of the question."""
    state_size: int | None = None
    """Length of the request state that came with it, of which nothing else is kept."""
    elicitation_id: str | None = None
    session_id: str | None = None
    request_id: str | int | None = None
    """The id of the JSON-RPC request."""

    @classmethod
    def about(
        cls,
        request: Request,
        origin: Origin,
        response: Response | None,
        *,
        dialect: str,
        seconds: float,
        reason: str | None = None,
        endpoint: Endpoint | None = None,
        size: int | None = None,
        state_size: int | None = None,
        session_id: str | None = None,
        request_id: str | int | None = None,
    ) -> Self:
        """The entry of a question that could be read; of content it takes the names alone.

        Args:
            request: The question.
            origin: Who asked.
            response: What was sent; None when the question was refused.
            dialect: The name of the dialect.
            seconds: From its arrival to its ending.
            reason: Why it was refused; a cancel brings its own reason.
            endpoint: Where a url question leads.
            size: Bytes of the question.
            state_size: Length of the request state that came with it.
            session_id: Of the connection, where it has one.
            request_id: Of the JSON-RPC request, where it has one.
        """
        form = isinstance(request, FormRequest)
        fields = tuple(field.name for field in request.schema.fields) if form else ()
        content = (response.content or {}) if isinstance(response, Accept) else {}
        return cls(
            label=origin.label,
            claimed=origin.claimed,
            dialect=dialect,
            mode=request.mode,
            message=request.message,
            fields=fields,
            endpoint=endpoint,
            outcome="refused" if response is None else action_of(response),
            reason=response.reason if isinstance(response, Cancel) else reason,
            sent=tuple(name for name in fields if name in content),
            seconds=seconds,
            size=size,
            state_size=state_size,
            elicitation_id=None if form else request.elicitation_id,
            session_id=session_id,
            request_id=request_id,
        )


class AuditLog:
    """The file of entries, one JSON object a line; old ones move to ``.1``, ``.2`` and so on.

    Args:
        path: The file; its folder must exist.
        max_bytes: A line that would make the file bigger goes into a new one.
        keep: How many old files are kept.
        clock: Seconds since the epoch.
        key: For the hashes of ids. By default a random one that ends with this process:
            lines of one process can be related to each other, and nobody can guess the
            small numbers that JSON-RPC ids are. A key of your own relates lines over time,
            and to the ids in other logs.

    Raises:
        UsageError: The file cannot be used, is a link or no regular file, is not ours, or
            others may read it.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        max_bytes: int = 1_000_000,
        keep: int = 3,
        clock: Callable[[], float] = time.time,
        key: bytes | None = None,
    ) -> None:
        if max_bytes < 1 or keep < 1:
            raise UsageError("an audit log needs max_bytes and keep of at least 1")
        if key is not None and len(key) < _KEY_BYTES:
            raise UsageError(f"the key of an audit log needs at least {_KEY_BYTES} bytes")
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._keep = keep
        self._clock = clock
        self._key = secrets.token_bytes(32) if key is None else key
        self._lost = 0
        self._in_doubt = True  # whether the file ends with a whole line
        self._told = False
        with self._opened():
            pass

    def record(self, entry: Entry) -> None:
        """Append one entry; a failure is told to the logger, once, and never raised."""
        try:
            self._append(self._line(entry))
        except (OSError, UsageError) as error:
            self._lost += 1
            self._in_doubt = True
            self._tell(error)
        else:
            self._lost = 0
            self._in_doubt = False

    def _line(self, entry: Entry) -> bytes:
        at = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        told = {
            "v": _VERSION,
            "at": at.replace("+00:00", "Z"),
            "label": inert(entry.label, _NAME),
            "claimed": None if entry.claimed is None else inert(entry.claimed, _NAME),
            "dialect": entry.dialect,
            "mode": entry.mode,
            "message": inert(entry.message, _MESSAGE),
            "fields": _names(entry.fields),
            "endpoint": _endpoint(entry.endpoint),
            "outcome": entry.outcome,
            "reason": _code(entry.reason),
            "sent": _names(entry.sent),
            "seconds": round(entry.seconds, 3),
            "size": entry.size,
            "state_size": entry.state_size,
            "elicitation": self._hashed("elicitation", entry.elicitation_id),
            "session": self._hashed("session", entry.session_id),
            "request": self._hashed("request", entry.request_id),
            "lost": self._lost,
        }
        return json.dumps(told, ensure_ascii=False).encode() + b"\n"

    def _hashed(self, kind: str, value: str | int | None) -> str | None:
        if value is None:
            return None
        # As JSON, so that the ids 1 and "1" differ, as they do in JSON-RPC.
        text = json.dumps([kind, value])
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:16]

    def _append(self, line: bytes) -> None:
        try:
            self._make_room(len(line))
        except OSError as error:
            self._tell(error)  # a file that grows is better than a line that is lost
        with self._opened() as fd:
            # Only when in doubt: beside a process in the middle of a write it may be wrong,
            # which costs an empty line.
            if self._in_doubt and _torn(fd):
                line = b"\n" + line
            if os.write(fd, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    @contextmanager
    def _opened(self) -> Generator[int]:
        try:
            fd = os.open(self._path, _OPEN, 0o600)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise self._refused("is a symbolic link: name the file itself") from error
            raise self._refused(f"cannot be opened: {error.strerror}") from error
        try:
            self._check(os.fstat(fd))
            yield fd
        finally:
            os.close(fd)

    def _check(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            raise self._refused("is not a regular file: name another one")
        if sys.platform == "win32":
            return  # its permissions are those of the folder
        if status.st_uid != os.geteuid():
            raise self._refused("belongs to somebody else: name another one")
        if status.st_mode & 0o077:
            raise self._refused(f"is open to others: chmod 600 {str(self._path)!r}")

    def _refused(self, what: str) -> UsageError:
        return UsageError(f"the audit log {str(self._path)!r} {what}")

    def _make_room(self, size: int) -> None:
        with self._opened() as fd:
            if not self._full(fd, size) or not self._mine_to_rotate(fd):
                return
            if sys.platform != "win32":
                self._rotate()
                return
        self._rotate()  # an open file cannot be renamed there

    def _full(self, fd: int, size: int) -> bool:
        filled = os.fstat(fd).st_size
        return filled > 0 and filled + size > self._max_bytes

    def _mine_to_rotate(self, fd: int) -> bool:
        """Whether no other process is at it, or just was. Closing the file gives the lock back."""
        if sys.platform == "win32":
            return True
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False  # and this line may land in the file that is moved away
        try:
            return os.path.samestat(os.fstat(fd), os.lstat(self._path))
        except FileNotFoundError:
            return False

    def _rotate(self) -> None:
        # The file itself comes last: whoever finds a new one also finds all others moved.
        for number in range(self._keep - 1, 0, -1):
            if (old := self._numbered(number)).is_file():
                os.replace(old, self._numbered(number + 1))
        os.replace(self._path, self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    def _tell(self, error: Exception) -> None:
        if not self._told:
            self._told = True
            logger.error("audit_failed %s", error)


def _torn(fd: int) -> bool:
    """Whether the last line has no end, which a full disk or a crash leaves behind."""
    if os.fstat(fd).st_size == 0:
        return False
    os.lseek(fd, -1, os.SEEK_END)
    return os.read(fd, 1) != b"\n"


def _code(reason: str | None) -> str | None:
    """A reason that is a code. A surface of somebody else may have put a sentence there."""
    return reason if reason is None or _CODE.fullmatch(reason) else "other"


def _names(names: Sequence[str]) -> list[str]:
    """The names made inert, and after too many of them how many are left out."""
    shown = [inert(name, _NAME) for name in names[:_NAMES]]
    left = len(names) - len(shown)
    return [*shown, f"… ({left} more)"] if left else shown


def _endpoint(endpoint: Endpoint | None) -> dict[str, str | int | None] | None:
    if endpoint is None:
        return None
    return {
        "scheme": inert(endpoint.scheme, _NAME),
        "host": inert(endpoint.host, _HOST),
        "port": endpoint.port,
    }

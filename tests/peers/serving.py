"""Serves one ASGI app on a free loopback port, as a program of its own.

`python -m tests.peers.serving package.module:app` prints the base URL on its first line, then
serves until it is terminated. The socket listens before the line is printed, so whoever reads
the line can connect at once: nobody has to poll or to guess a free port.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from uvicorn.importer import import_from_string

ROOT = Path(__file__).parents[2]
START_SECONDS = 30
END_SECONDS = 10


def main(app: str) -> None:
    server = uvicorn.Server(uvicorn.Config(import_from_string(app), log_level="warning"))
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    server.run(sockets=[listener])


@contextmanager
def served(app: str) -> Generator[str]:
    """Run `app` in a child process and give its base URL."""
    argv = [sys.executable, "-m", "tests.peers.serving", app]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield _first_line(child, app)
        finally:
            _end(child)


def _first_line(child: subprocess.Popen[str], app: str) -> str:
    assert child.stdout is not None
    # Killing the child ends its output, and that is what bounds the wait below.
    deadline = threading.Timer(START_SECONDS, child.kill)
    deadline.start()
    try:
        line = child.stdout.readline().strip()
    finally:
        deadline.cancel()
        deadline.join()
    if not line:
        raise RuntimeError(f"{app} did not start; its error output is above")
    return line


def _end(child: subprocess.Popen[str]) -> None:
    child.terminate()
    try:
        child.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(END_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1])

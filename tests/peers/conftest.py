"""Independent programs to test against: installed from the lock file in node/, run as processes.

Where Node.js or npm is missing the tests skip and say so; with ELICITKIT_REQUIRE_PEERS=1, as in
continuous integration, they fail instead.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NoReturn

import pytest

from tests.peers.serving import served
from tests.peers.suite import Conformance

FOLDER = Path(__file__).parent / "node"
INSTALL_SECONDS = 300


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("ELICITKIT_REQUIRE_PEERS"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def node() -> str:
    """Give the Node.js on PATH."""
    return shutil.which("node") or unavailable("node is not on PATH")


@pytest.fixture(scope="session")
def node_modules(node: str) -> Path:
    """Give the folder of the peers, installed from the lock file if it is not yet."""
    npm = shutil.which("npm") or unavailable("npm is not on PATH")
    # A transaction of SQLite is a lock between processes that ends with its holder, everywhere.
    with closing(sqlite3.connect(FOLDER / "install.db", timeout=INSTALL_SECONDS)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        _install(npm)
    return FOLDER / "node_modules"


def _install(npm: str) -> None:
    locked = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    stamp = FOLDER / "node_modules" / "installed.sha256"
    if stamp.exists() and stamp.read_text() == locked:
        return
    done = subprocess.run(
        [npm, "ci", "--loglevel=error"],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=INSTALL_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        unavailable(f"npm ci failed: {done.stderr.strip()}")
    stamp.write_text(locked)


@pytest.fixture(scope="session")
def node22(node_modules: Path) -> Path:
    """Give the Node.js 22 that the conformance suites need; it comes with the peers."""
    found = next(node_modules.glob("node-*/bin/node*"), None)
    return found or unavailable("the lock file holds no Node.js 22 for this platform")


@pytest.fixture(scope="session")
def everything_command(node: str, node_modules: Path) -> list[str]:
    """Give the argv that starts the reference server on its standard streams."""
    package = node_modules / "@modelcontextprotocol" / "server-everything"
    return [node, str(package / "dist" / "index.js"), "stdio"]


@pytest.fixture(scope="session")
def conformance(node22: Path, node_modules: Path) -> Conformance:
    """Give the runner of the public conformance suites."""
    return Conformance(node=node22, node_modules=node_modules)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[str], str]]:
    """Give a function that serves `module:app` in a process and returns its base URL.

    One process for each app; all end with the session.
    """
    with ExitStack() as stack:

        @functools.cache
        def start(app: str) -> str:
            return stack.enter_context(served(app))

        yield start

"""Runs the public MCP conformance suites, one scenario a call, and reads back their checks.

A suite talks HTTP only. For a server scenario it is the client of the URL it is given; for a
client scenario it serves, and runs a command with its URL as the last argument.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SuiteName = Literal["stable", "alpha"]

ROOT = Path(__file__).parents[2]
RUN_SECONDS = 60
CLIENT_MILLISECONDS = 30_000  # below RUN_SECONDS: the suite ends a client that hangs, we the suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    id: str
    status: str  # SUCCESS, FAILURE, WARNING (a SHOULD was missed), SKIPPED or INFO
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conformance:
    node: Path
    node_modules: Path

    def server(self, suite: SuiteName, scenario: str, url: str) -> list[Check]:
        """Let the suite play the client of a server that listens at `url`."""
        return self._run(suite, ["server", "--url", url, "--scenario", scenario])

    def client(self, suite: SuiteName, scenario: str, command: Sequence[str]) -> list[Check]:
        """Let the suite play the server of the client program `command`."""
        # The suite hands the line to a shell, so it is quoted for one.
        line = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
        limit = ["--timeout", str(CLIENT_MILLISECONDS)]
        return self._run(suite, ["client", "--command", line, "--scenario", scenario, *limit])

    def scenarios(self, suite: SuiteName) -> set[str]:
        """Name every scenario that the suite offers, of both sides."""
        lines = self._call(suite, ["list"]).stdout.splitlines()
        return {line.split()[1] for line in lines if line.startswith("  - ")}

    def _run(self, suite: SuiteName, arguments: Sequence[str]) -> list[Check]:
        with tempfile.TemporaryDirectory() as folder:
            done = self._call(suite, [*arguments, "--output-dir", folder])
            written = list(Path(folder).glob("**/checks.json"))
            if len(written) != 1:
                raise RuntimeError(f"the suite wrote {len(written)} results\n{done.stderr}")
            rows = json.loads(written[0].read_text("utf-8"))
        checks = [
            Check(id=row["id"], status=row["status"], message=row.get("errorMessage", ""))
            for row in rows
        ]
        if done.returncode != 0 and not shortfalls(checks):
            # All checks passed, and still the suite is not content: the client program failed.
            checks.append(Check(id="program-exit", status="FAILURE", message=done.stderr))
        return checks

    def _call(self, suite: SuiteName, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        program = self.node_modules / f"conformance-{suite}" / "dist" / "index.js"
        return subprocess.run(  # exits non-zero on a failed check too, so the files tell
            [str(self.node), str(program), *arguments],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=RUN_SECONDS,
            check=False,
        )


def shortfalls(checks: Sequence[Check]) -> list[Check]:
    """Keep what is not a full pass: a warning is a SHOULD that we do not keep."""
    if not any(check.status == "SUCCESS" for check in checks):
        return list(checks) or [Check(id="none", status="FAILURE", message="nothing was checked")]
    return [check for check in checks if check.status not in ("SUCCESS", "INFO")]

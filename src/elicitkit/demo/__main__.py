"""The demo server on its standard streams: ``python -m elicitkit.demo``."""

from __future__ import annotations

import sys

from elicitkit.demo.server import server

_HINT = """\
This is an MCP server on its standard streams, for a client to start. To talk to it:
    elicitkit demo
    elicitkit call --tool book_stay -- python -m elicitkit.demo"""


def main() -> None:
    """Serve until the client closes the input."""
    if sys.stdin.isatty():
        print(_HINT, file=sys.stderr)
    server.run()


if __name__ == "__main__":
    main()

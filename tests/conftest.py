"""What every test shares: event loops, the profile of property tests, the check of ids."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from hypothesis import settings

from elicitkit.conform import load

# How long one example takes says more about the machine than about the code.
settings.register_profile("elicitkit", deadline=None)
settings.load_profile("elicitkit")


# The renderers look at these. A terminal of a known kind, whatever the one is that the tests are
# started from; a test that is about them sets its own.
os.environ["TERM"] = "xterm-256color"
for _name in ("ELICITKIT_PLAIN", "ELICITKIT_LANG", "NO_COLOR", "COLUMNS", "LINES"):
    os.environ.pop(_name, None)

# Whoever starts the tests in the background may have these ignored, and programs under test
# would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run every async test on both event loops, unless its module says otherwise."""
    return request.param


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a run in which a test claims a requirement that does not exist."""
    manifest = load()
    unknown = {
        f"{item.nodeid} claims {claimed!r}"
        for item in items
        for mark in item.iter_markers("requirement")
        for claimed in mark.args
        if claimed not in manifest
    }
    if unknown:
        raise pytest.UsageError(
            "no such row in the requirements manifest:\n" + "\n".join(sorted(unknown))
        )

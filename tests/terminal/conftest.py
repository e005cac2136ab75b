"""A terminal of a known kind, whatever the one is that the tests are started from."""

import pytest


@pytest.fixture(autouse=True)
def known_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set what the renderers look at; a test that is about these sets its own."""
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("ELICITKIT_PLAIN", "ELICITKIT_LANG", "NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)

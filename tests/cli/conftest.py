"""The command reads the configuration of its user; here that is nobody's."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the command looks for; it is empty."""
    file = tmp_path / "config.toml"
    file.touch(mode=0o600)
    monkeypatch.setenv("ELICITKIT_CONFIG", str(file))
    return file

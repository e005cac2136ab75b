"""The command reads the configuration of its user; here that is nobody's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the command looks for; it is empty."""
    file = tmp_path / "config.toml"
    file.touch(mode=0o600)
    monkeypatch.setenv("ELICITKIT_CONFIG", str(file))
    return file


@pytest.fixture
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where the modules of the tests are found."""
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.fixture
def answers(tmp_path: Path) -> Any:
    """Give a function that writes an answers file and gives the option that names it."""

    def write(*entries: Any) -> list[str]:
        file = tmp_path / "answers.json"
        file.write_text(json.dumps(list(entries)), encoding="utf-8")
        return ["--answers", str(file)]

    return write

"""Our agents against a client on the TypeScript SDK, which is nobody's of ours, over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Wire: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[..., Wire]

FOLDER = Path(__file__).parent
AGENTS = {"v1": "acp-v1", "v2": "acp-v2-strict"}
every_version = pytest.mark.parametrize("version", list(AGENTS))
TRIP: Wire = {"action": "accept", "content": {"nights": 3, "sea": True}}
SEA: Wire = {"action": "accept", "content": {"value": "sea"}}


@pytest.fixture
def run(node22: Path) -> Run:
    """Give a function that lets the client prompt our agent, and tells what the client saw."""

    def ran(version: str, tool: str, *answers: Wire, modes: Any = None, cwd: str = "/") -> Wire:
        arguments = {"city": "Rome"} if tool == "row" else {}
        script = {
            "modes": {"form": {}, "url": {}} if modes is None else modes,
            "cwd": cwd,
            "prompts": [json.dumps({"tool": tool, "arguments": arguments})],
            "answers": answers,
        }
        agent = [sys.executable, "-m", "tests.peers.acp_asking_agent", AGENTS[version]]
        client = [str(node22), str(FOLDER / "acp_client.mjs"), version, json.dumps(script)]
        done = subprocess.run(
            [*client, *agent],
            cwd=FOLDER.parents[1],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ran


@every_version
@pytest.mark.requirement("A13", "A14", "A19", "A20")
def test_two_forms_in_a_row_are_asked_in_the_session_and_answered(run: Run, version: str) -> None:
    seen = run(version, "row", TRIP, SEA)
    assert seen["text"] == "Rome 3 True sea"
    assert seen["stops"] == ["end_turn"]
    trip, room = seen["asked"]
    assert (trip["sessionId"], trip["mode"]) == ("s", "form")
    assert set(trip["requestedSchema"]["properties"]) == {"nights", "sea"}
    assert room["message"] == "Which room?"


@every_version
@pytest.mark.requirement("A14")
def test_a_question_inside_session_new_names_that_request(run: Run, version: str) -> None:
    answer = {"action": "accept", "content": {"value": "main"}}
    seen = run(version, "outcome", answer, {"action": "decline"}, cwd="/ask")
    assert seen["session"] == "accepted main"
    first, second = seen["asked"]
    assert isinstance(first["requestId"], int)
    assert "sessionId" not in first
    assert second["sessionId"] == "accepted main"


@every_version
@pytest.mark.requirement("A41", "A42")
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"action": "decline"}, "declined"),
        ({"action": "cancel"}, "cancelled dismissed"),
        ({"action": "accept", "content": {"value": 2}}, "accepted 2"),
    ],
)
def test_every_outcome_reaches_the_author(run: Run, version: str, answer: Wire, text: str) -> None:
    assert run(version, "outcome", answer)["text"] == text


@every_version
@pytest.mark.requirement("A28")
def test_an_unknown_action_is_neither_a_yes_nor_a_no(run: Run, version: str) -> None:
    seen = run(version, "outcome", {"action": "_later"})
    if version == "v1":
        # Kept as what it is: the turn fails, and says why.
        (stop,) = seen["stops"]
        assert "_later" in json.dumps(stop)
    else:
        assert seen["text"] == "cancelled unknown_action"


@every_version
@pytest.mark.requirement("A10", "A34")
def test_a_client_that_declares_nothing_is_not_asked(run: Run, version: str) -> None:
    for tool in ("outcome", "page"):
        assert run(version, tool, modes={})["asked"] == []
    assert run(version, "page", modes={"form": {}})["asked"] == []


@every_version
@pytest.mark.requirement("A45", "A46")
def test_a_page_is_asked_for_and_its_completion_told_under_its_id(run: Run, version: str) -> None:
    seen = run(version, "page", {"action": "accept"})
    (asked,) = seen["asked"]
    assert asked["url"] == "https://x.example/connect"
    assert seen["completed"] == [asked["elicitationId"]]
    assert seen["text"] == "completed True"


@every_version
@pytest.mark.requirement("G14", "A66")
def test_cancelling_the_turn_cancels_its_question(run: Run, version: str) -> None:
    seen = run(version, "one", {"cancelTurn": True})
    assert seen["cancelled"] == ["How many nights?"]
    assert seen["stops"] == ["cancelled"]


@pytest.mark.requirement("A65")
def test_on_v2_the_client_is_told_that_the_work_waits_for_it(run: Run) -> None:
    states = run("v2", "outcome", {"action": "decline"})["states"]
    assert states == ["running", "requires_action", "running", "idle"]

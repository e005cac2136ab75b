"""The public MCP conformance suites, run as published against real processes over HTTP.

Every scenario of both suites that is about elicitation or input-required results is run. Not
here: the extension for tasks, which this library does not carry.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from tests.peers.suite import Conformance, SuiteName, shortfalls

LIVE_SCENARIOS = (
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
)
REPLAY_SCENARIOS = (
    "input-required-result-basic-elicitation",
    "input-required-result-multi-round",
    "input-required-result-non-tool-request",
    "input-required-result-request-state",
)
# The scenarios that are about one rule, with the rule.
RULED_SCENARIOS = (
    ("input-required-result-missing-input-response", pytest.mark.requirement("M80")),
    ("input-required-result-result-type", pytest.mark.requirement("M82")),
    ("input-required-result-tampered-state", pytest.mark.requirement("M69")),
    ("input-required-result-unsupported-methods", pytest.mark.requirement("M66")),
    ("input-required-result-validate-input", pytest.mark.requirement("M78")),
)
# What these want beside an elicitation is written on the SDK: they show that the two get along.
MIXED_SCENARIOS = (
    "input-required-result-basic-list-roots",
    "input-required-result-basic-sampling",
    "input-required-result-capability-check",
    "input-required-result-multiple-input-requests",
)
DIVERGENT_SCENARIO = "input-required-result-ignore-extra-params"
DEFAULTS_SCENARIO = "elicitation-sep1034-client-defaults"
STATE_SCENARIO = "sep-2322-client-request-state"
CLIENT = [sys.executable, "-m", "tests.peers.conformance_client"]


@pytest.fixture(scope="module")
def server_url(serve: Callable[[str], str]) -> str:
    return serve("tests.peers.conformance_server:app") + "/mcp"


@pytest.mark.parametrize("suite", ["stable", "alpha"])
@pytest.mark.parametrize("scenario", LIVE_SCENARIOS)
def test_a_server_passes_every_scenario_of_live_questions(
    suite: SuiteName, scenario: str, server_url: str, conformance: Conformance
) -> None:
    assert shortfalls(conformance.server(suite, scenario, server_url)) == []


@pytest.mark.parametrize(
    "scenario",
    [
        *REPLAY_SCENARIOS,
        *(pytest.param(name, marks=rule) for name, rule in RULED_SCENARIOS),
        *MIXED_SCENARIOS,
    ],
)
def test_a_server_passes_every_scenario_of_input_required_results(
    scenario: str, server_url: str, conformance: Conformance
) -> None:
    assert shortfalls(conformance.server("alpha", scenario, server_url)) == []


@pytest.mark.requirement("G38", "M79")
def test_answers_without_our_state_are_asked_again_and_the_suite_warns_of_that_alone(
    server_url: str, conformance: Conformance
) -> None:
    """Our ruling G38; M79 records the divergence."""
    checks = conformance.server("alpha", DIVERGENT_SCENARIO, server_url)
    fallen = [(check.id, check.status) for check in shortfalls(checks)]
    assert fallen == [("sep-2322-ignore-unexpected-params", "WARNING")]


@pytest.mark.requirement("M16")
@pytest.mark.parametrize("suite", ["stable", "alpha"])
def test_a_client_sends_the_defaults_of_a_form(suite: SuiteName, conformance: Conformance) -> None:
    assert shortfalls(conformance.client(suite, DEFAULTS_SCENARIO, CLIENT)) == []


@pytest.mark.requirement("M75", "M76", "M77", "M81")
def test_a_client_carries_the_request_state_back_and_nowhere_else(conformance: Conformance) -> None:
    assert shortfalls(conformance.client("alpha", STATE_SCENARIO, CLIENT)) == []


def about_elicitation(scenario: str) -> bool:
    return "elicitation" in scenario or scenario.startswith(("input-required-", "sep-2322-"))


@pytest.mark.parametrize("suite", ["stable", "alpha"])
def test_every_scenario_about_elicitation_that_a_suite_offers_is_run(
    suite: SuiteName, conformance: Conformance
) -> None:
    ours = {*LIVE_SCENARIOS, DEFAULTS_SCENARIO}
    if suite == "alpha":
        ours |= {*REPLAY_SCENARIOS, *MIXED_SCENARIOS, DIVERGENT_SCENARIO, STATE_SCENARIO}
        ours |= {name for name, _ in RULED_SCENARIOS}
    assert ours == set(filter(about_elicitation, conformance.scenarios(suite)))


@pytest.mark.parametrize("suite", ["stable", "alpha"])
def test_a_server_that_never_asks_falls_short_of_a_scenario(
    suite: SuiteName, conformance: Conformance, serve: Callable[[str], str]
) -> None:
    url = serve("tests.peers.bare_server:app") + "/mcp"
    checks = conformance.server(suite, "tools-call-elicitation", url)
    assert [check.id for check in shortfalls(checks)] == ["tools-call-elicitation"]


def test_a_client_that_never_calls_falls_short_of_a_scenario(conformance: Conformance) -> None:
    checks = conformance.client("alpha", STATE_SCENARIO, ["node", "--version"])
    assert {check.status for check in shortfalls(checks)} == {"FAILURE"}

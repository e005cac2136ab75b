"""The table: every handler over every SDK, revision and transport, with what each cell gives.

In memory the product is complete. Over stdio and HTTP every row meets every transport,
SDK and revision in pairs; ``why_not`` says of every other cell why it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.mcp.servers.build import Sdk

Revision: TypeAlias = Literal["2025-06-18", "2025-11-25", "2026-07-28"]
Carrier: TypeAlias = Literal["memory", "stdio", "http"]
Answer: TypeAlias = Literal["decline", "cancel", "late", "never"] | Mapping[str, Any]

SDKS: Sequence[Sdk] = ("mcp", "fastmcp")
REVISIONS: Sequence[Revision] = ("2025-06-18", "2025-11-25", "2026-07-28")
CARRIERS: Sequence[Carrier] = ("memory", "stdio", "http")


@dataclass(frozen=True, slots=True)
class Done:
    """The tool returned this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The tool gave an error result that holds this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The call ended with a protocol error."""

    code: int
    data: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The call was cancelled while its question was open, and the question went away."""


Result: TypeAlias = Done | Failed | Refused | Withdrawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One handler with one way of answering."""

    name: str
    tool: str
    gives: Result
    on_replay: Result | None = None
    """What it gives on 2026-07-28, where that differs."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    answers: Mapping[str, Sequence[Answer]] = field(default_factory=dict[str, Sequence[Answer]])
    """By the first line of the message, in order."""
    questions: int = 1
    """How many questions the client is asked."""
    on_replay_questions: int | None = None
    declares: bool = True
    """The client has the capability."""
    ttl: float = 600
    """Seconds that a state lives."""
    only: Mapping[Literal["revisions", "carriers"], tuple[str, ...]] = field(
        default_factory=dict[Any, tuple[str, ...]]
    )
    why_only: str = ""

    @property
    def in_order(self) -> list[dict[str, Any]] | None:
        """The answers as a script, where all of them may leave an honest client."""
        script: list[dict[str, Any]] = []
        for answer in (one for given in self.answers.values() for one in given):
            if answer == "late" or answer == "never":
                return None
            if isinstance(answer, str):
                script.append({"action": answer})
            else:
                script.append({"action": "accept", "content": dict(answer)})
        return None if "invalid" in self.name or not self.declares else script

    def expected(self, revision: Revision) -> Result:
        """What a cell of this row gives."""
        replay = revision == "2026-07-28"
        return self.on_replay if replay and self.on_replay is not None else self.gives

    def asked(self, revision: Revision) -> int:
        """How many questions a client meets in a cell of this row."""
        replay = revision == "2026-07-28" and self.on_replay_questions is not None
        return self.on_replay_questions or 0 if replay else self.questions


def value(one: Any) -> dict[str, Any]:
    return {"value": one}


NIGHTS = "How many nights?"
WHERE = "Where to?"
BOTH = {WHERE: [value("Rome")], NIGHTS: [value(2)]}
MISSING = {"requiredCapabilities": {"elicitation": {"form": {}}}}

ROWS: Sequence[Row] = (
    Row(name="one question", tool="one", answers={NIGHTS: [value(2)]}, gives=Done("2 nights")),
    Row(
        name="two in a row",
        tool="row",
        arguments={"city": "Rome"},
        answers={"When do you go to Rome?": [{"nights": 2}], "Which room?": [value("sea")]},
        questions=2,
        gives=Done("Rome 2 False sea"),
    ),
    Row(name="all in one", tool="every", answers=BOTH, questions=2, gives=Done("Rome 2")),
    Row(name="two tasks", tool="tasks", answers=BOTH, questions=2, gives=Done("Rome 2")),
    Row(
        name="a step between",
        tool="once",
        arguments={"tag": "{new}"},
        answers=BOTH,
        questions=2,
        gives=Done("reservation 1 of 1"),
    ),
    Row(name="yes", tool="confirm", answers={"Pay?": [value(True)]}, gives=Done("paid")),
    Row(name="no", tool="confirm", answers={"Pay?": [value(False)]}, gives=Done("not paid")),
    Row(
        name="declined yes or no",
        tool="confirm",
        answers={"Pay?": ["decline"]},
        gives=Done("not paid"),
    ),
    Row(
        name="cancelled yes or no",
        tool="confirm",
        answers={"Pay?": ["cancel"]},
        gives=Failed("Not done: the question 'Pay?' was cancelled (dismissed)."),
    ),
    Row(
        name="several of several",
        tool="many",
        answers={"Which days?": [value(["mon", "tue"])]},
        gives=Done("mon tue"),
        only={"revisions": ("2025-11-25", "2026-07-28")},
        why_only="2025-06-18 has no multi-select",
    ),
    Row(
        name="decline",
        tool="one",
        answers={NIGHTS: ["decline"]},
        gives=Failed("Not done: the question 'How many nights?' was declined."),
    ),
    Row(
        name="cancel",
        tool="one",
        answers={NIGHTS: ["cancel"]},
        gives=Failed("Not done: the question 'How many nights?' was cancelled (dismissed)."),
    ),
    Row(
        name="decline in a group",
        tool="tasks",
        answers={WHERE: ["decline"], NIGHTS: ["decline"]},
        questions=2,
        gives=Failed("was declined."),
    ),
    Row(
        name="decline by name",
        tool="outcome",
        answers={NIGHTS: ["decline"]},
        gives=Done("declined"),
    ),
    Row(
        name="cancel by name",
        tool="outcome",
        answers={NIGHTS: ["cancel"]},
        gives=Done("cancelled dismissed"),
    ),
    Row(
        name="invalid twice, then right",
        tool="one",
        answers={NIGHTS: [value("many"), {}, value(2)]},
        questions=3,
        gives=Done("2 nights"),
    ),
    Row(
        name="invalid three times",
        tool="outcome",
        answers={NIGHTS: [value("many")]},
        questions=3,
        gives=Done("cancelled invalid_answer"),
    ),
    Row(
        name="no capability",
        tool="one",
        declares=False,
        questions=0,
        gives=Failed("Not done: the question 'How many nights?' was unavailable (not_declared)."),
        on_replay=Refused(-32021, MISSING),
    ),
    Row(
        name="no capability, by name",
        tool="outcome",
        declares=False,
        questions=0,
        gives=Done("unavailable not_declared"),
    ),
    Row(
        name="no capability, with a fallback",
        tool="fallback",
        declares=False,
        questions=0,
        gives=Done("7 nights"),
    ),
    Row(
        name="too late",
        tool="hurried",
        answers={NIGHTS: ["late"]},
        gives=Done("cancelled timed_out"),
    ),
    Row(
        name="call cancelled",
        tool="one",
        answers={NIGHTS: ["never"]},
        gives=Withdrawn(),
    ),
    Row(
        name="swallowed",
        tool="swallowed",
        answers={NIGHTS: [value(2)]},
        gives=Done("2 nights"),
        on_replay=Failed("its result was thrown away"),
        on_replay_questions=0,
    ),
    Row(
        name="not deterministic",
        tool="changing",
        answers={"Offer": [value(2)], WHERE: [value("Rome")]},
        questions=2,
        gives=Done("Rome"),
        on_replay=Failed("must take the same path"),
        on_replay_questions=1,
    ),
    Row(
        name="one key for two questions",
        tool="same_key",
        answers={NIGHTS: [value(2)]},
        gives=Failed("key='k' names two questions of one call"),
    ),
    Row(
        name="a secret, in a group",
        tool="grouped_mistake",
        questions=0,
        gives=Failed("asks for a secret"),
    ),
    Row(
        name="state expired",
        tool="one",
        answers={NIGHTS: ["late"]},
        ttl=0.05,
        gives=Refused(-32602, {"reason": "invalid_request_state"}),
        only={"revisions": ("2026-07-28",), "carriers": ("memory",)},
        why_only="only 2026-07-28 has a state, and one server in memory is set to expire it soon",
    ),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One row at one place."""

    row: Row
    sdk: Sdk
    revision: Revision
    carrier: Carrier

    def __str__(self) -> str:
        return f"{self.row.name}-{self.sdk}-{self.revision}-{self.carrier}".replace(" ", "_")


PAIRS = "the pair of row and transport is shown with another SDK and revision"
PROCESS = "a process of its own for a client without the capability; memory and HTTP show it"


def every_cell() -> Iterator[Cell]:
    """The whole product."""
    for row in ROWS:
        for sdk in SDKS:
            for revision in REVISIONS:
                for carrier in CARRIERS:
                    yield Cell(row, sdk, revision, carrier)


def why_not(cell: Cell) -> str | None:
    """Why a cell is left out; None where it is run."""
    row = cell.row
    if cell.revision not in row.only.get("revisions", REVISIONS):
        return row.why_only
    if cell.carrier not in row.only.get("carriers", CARRIERS):
        return row.why_only
    if cell.carrier == "memory":
        return None
    if not row.declares and cell.carrier == "stdio":
        return PROCESS
    turn = ROWS.index(row) + SDKS.index(cell.sdk) + CARRIERS.index(cell.carrier)
    revisions = row.only.get("revisions", REVISIONS)
    return None if revisions[turn % len(revisions)] == cell.revision else PAIRS


LEFT_OUT: Mapping[str, int] = {
    PAIRS: 192,
    PROCESS: 18,
    "2025-06-18 has no multi-select": 6,
    "only 2026-07-28 has a state, and one server in memory is set to expire it soon": 16,
}
"""How many cells each reason leaves out; a test counts them."""

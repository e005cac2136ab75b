"""What operators see, and that it is nothing a person typed."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel

from elicitkit.core.errors import NotAccepted
from elicitkit.core.model import Accept, Decline
from elicitkit.observe import EVENTS, Observed, _tracer, event
from tests.asking.doubles import live

CANARY = "canary-7f3a"


class Note(BaseModel):
    note: str


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    _tracer.cache_clear()
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    yield exporter
    _tracer.cache_clear()


def only(spans: InMemorySpanExporter) -> ReadableSpan:
    (span,) = spans.get_finished_spans()
    return span


@pytest.mark.anyio
async def test_a_question_is_one_span_with_its_outcome(spans: InMemorySpanExporter) -> None:
    """Ours: decision on tracing; dialect, mode and outcome, never what was asked or said."""
    ask, _ = live(Accept({"note": CANARY}))
    await ask(f"About {CANARY}?", Note)
    span = only(spans)
    assert span.name == "elicitation"
    assert dict(span.attributes or {}) == {
        "elicitation.dialect": "mcp-2025-11-25",
        "elicitation.mode": "form",
        "elicitation.outcome": "accepted",
    }
    assert CANARY not in span.to_json()


@pytest.mark.anyio
async def test_a_no_is_an_outcome_and_no_error_of_the_span(spans: InMemorySpanExporter) -> None:
    """Ours: an answer is not a fault."""
    ask, _ = live(Decline())
    with pytest.raises(NotAccepted):
        await ask("Really?", Note)
    span = only(spans)
    assert (span.attributes or {})["elicitation.outcome"] == "declined"
    assert span.status.is_ok or span.status.is_unset


@pytest.mark.anyio
async def test_no_log_line_holds_what_was_asked_or_said(caplog: pytest.LogCaptureFixture) -> None:
    """Ours: secrets and answers never appear in a log."""
    caplog.set_level(logging.DEBUG, logger="elicitkit")
    ask, _ = live(Accept({"note": CANARY}), Accept({"nothing": CANARY}), Decline())
    await ask(f"About {CANARY}?", Note)
    await ask.outcome(f"Again {CANARY}?", Note)
    lines = [record.getMessage() for record in caplog.records]
    assert [line.split()[0] for line in lines] == ["asked", "outcome"] * 2
    assert CANARY not in "".join(lines)
    assert CANARY not in repr([vars(record) for record in caplog.records])


def test_an_event_outside_the_list_is_refused() -> None:
    """Ours: the list is fixed, so that operators can rely on it."""
    with pytest.raises(ValueError, match="is no event"):
        event("something")


def test_fields_ride_as_extra_for_structured_logs(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="elicitkit")
    event("round", dialect="mcp-2026-07-28", questions=2)
    (record,) = caplog.records
    assert record.getMessage() == "round dialect=mcp-2026-07-28 questions=2"
    assert vars(record)["elicitation"] == {
        "event": "round",
        "dialect": "mcp-2026-07-28",
        "questions": 2,
    }
    assert "round" in EVENTS


def test_a_reason_is_told_with_its_outcome(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="elicitkit")
    with Observed("mcp-2025-11-25", "form") as observed:
        observed.ends(type("Cancelled", (), {"reason": "timed_out"})())
    assert "outcome=cancelled:timed_out" in caplog.text


def test_without_the_tracing_api_nothing_is_missed() -> None:
    program = (
        "import sys\n"
        "from elicitkit.observe import Observed\n"
        "with Observed('mcp-2025-11-25', 'form') as one: one.ends(None)\n"
        "print('opentelemetry' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert ran.stdout.strip() == "False", ran.stderr


@pytest.mark.parametrize(
    "module", ["elicitkit", "elicitkit.cli", "elicitkit.terminal", "elicitkit.core.form"]
)
def test_importing_loads_no_sdk_and_no_ui_library(module: str) -> None:
    """Ours: an import is cheap; whoever wants an SDK imports its carrier."""
    heavy = {"mcp", "mcp_types", "fastmcp", "prompt_toolkit", "sqlalchemy", "starlette", "rich"}
    program = f"import sys, {module}; print(sorted({heavy!r} & sys.modules.keys()))"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert ran.stdout.strip() == "[]", ran.stderr


def test_every_public_name_is_there() -> None:
    import elicitkit

    for name in elicitkit.__all__:
        assert getattr(elicitkit, name) is not None
    assert dir(elicitkit) == sorted(elicitkit.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = elicitkit.nothing  # type: ignore[attr-defined]

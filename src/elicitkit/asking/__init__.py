"""Floor 2: the asking side. ``ask`` and what it needs, with no SDK in sight."""

from elicitkit.asking.ask import Ask
from elicitkit.asking.question import Question
from elicitkit.asking.visit import Page, Visit

__all__ = ["Ask", "Page", "Question", "Visit"]

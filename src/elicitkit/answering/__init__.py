"""The answering side: from a question that came in to the answer that goes out.

Knows no SDK and no wire: a carrier decodes, asks an ``Answerer``, and encodes what comes
back. Where a person answers is a surface (``elicitkit.terminal``, or ``Scripted`` for
tests and machines).
"""

from elicitkit.answering.answer import Answerer, AnswererOptions
from elicitkit.answering.hosts import HostRules
from elicitkit.answering.limits import Limits
from elicitkit.answering.opener import NoOpener, Opener, SystemOpener
from elicitkit.answering.pace import Pace
from elicitkit.answering.record import Arrival
from elicitkit.answering.scripted import Scripted
from elicitkit.answering.visit import Visit

__all__ = [
    "Answerer",
    "AnswererOptions",
    "Arrival",
    "HostRules",
    "Limits",
    "NoOpener",
    "Opener",
    "Pace",
    "Scripted",
    "SystemOpener",
    "Visit",
]

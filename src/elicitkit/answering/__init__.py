"""The answering side: from a question that came in to the answer that goes out.

Knows no SDK and no wire: a carrier decodes, asks an ``Answerer``, and encodes what comes
back. Where a person answers is a surface (``elicitkit.terminal``, or ``Scripted`` for
tests and machines).
"""

from elicitkit.answering.answer import Answerer, AnswererOptions
from elicitkit.answering.limits import Limits
from elicitkit.answering.pace import Pace
from elicitkit.answering.record import Arrival
from elicitkit.answering.scripted import Scripted

__all__ = ["Answerer", "AnswererOptions", "Arrival", "Limits", "Pace", "Scripted"]

"""The requested schema on the wire: read every spelling, write exactly one per dialect.

``read`` serves the answering side: it takes every spelling of every dialect and ignores
what carries no field. ``write`` serves the asking side: one spelling, and a named
problem for everything the dialect cannot say (M15, G25 to G28). Python types are
``core/derive``; checking answers is ``core/check.py``.
"""

from elicitkit.core.schema.companions import opened
from elicitkit.core.schema.reader import Reading, inspect, read
from elicitkit.core.schema.writer import problems_in, write

__all__ = ["Reading", "inspect", "opened", "problems_in", "read", "write"]

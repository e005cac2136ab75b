"""What the specifications demand of elicitation, and checks of peers against it."""

from elicitkit.conform.requirements import Requirement, load

__all__ = ["Requirement", "load"]

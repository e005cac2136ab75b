"""Floor 1: what must outlive one call. Single-use records, in memory or in SQL."""

from elicitkit.stores.memory import MemoryRecords

__all__ = ["MemoryRecords"]

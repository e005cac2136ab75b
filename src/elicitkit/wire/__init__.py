"""Floor 1: plain dicts to core values and back, by the rows of the dialect table.

For the carriers only: these functions neither ask nor answer anything. ``mcp`` and ``acp``
serve one protocol each and know nothing of the other; what both share is in ``common``.
"""

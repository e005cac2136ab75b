"""Floor 1: plain dicts to core values and back, by the rows of the dialect table.

For the carriers only: these functions neither ask nor answer anything. Each module
serves one protocol and knows nothing of the other.
"""

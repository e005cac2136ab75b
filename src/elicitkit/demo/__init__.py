"""Floor 5: an MCP server to try elicitation with, and the two sides of it put together.

``python -m elicitkit.demo`` is the server, for any client; ``elicitkit demo`` starts it and
answers it at your terminal. Nothing here needs a network.
"""

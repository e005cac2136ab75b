"""Floor 3: carried by the ``mcp`` SDK. Servers ask with ``asks``, clients answer by ``connect``."""

from elicitkit.versions import require

require("mcp", at_least=(2, 3), below=(3,))

from elicitkit.mcp.callback import elicitation_callback
from elicitkit.mcp.client import connect
from elicitkit.mcp.server import Asks, asks
from elicitkit.mcp.state import StateKeyWarning, request_state
from elicitkit.mcp.wrap import wrap

__all__ = [
    "Asks",
    "StateKeyWarning",
    "asks",
    "connect",
    "elicitation_callback",
    "request_state",
    "wrap",
]

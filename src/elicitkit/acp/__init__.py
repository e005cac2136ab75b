"""Floor 3: carried by the ``agent-client-protocol`` SDK, on asyncio."""

from elicitkit.versions import require

require("agent-client-protocol", at_least=(0, 12), below=(0, 13), extra="acp")

from elicitkit.acp.agent import run_agent
from elicitkit.acp.answering import AnsweringTransport, answering_transport
from elicitkit.acp.asks import Asks, Identify, asks
from elicitkit.acp.client import connect, raw_agent
from elicitkit.acp.line import Login, current_transport
from elicitkit.acp.lines import Lines, own_stdio, spawned
from elicitkit.acp.live import UnknownAnswer
from elicitkit.acp.messages import Incoming, Message, RequestId
from elicitkit.acp.observer import Observer
from elicitkit.acp.raw import RawAgent
from elicitkit.acp.serving import Served, current_request, current_request_id
from elicitkit.acp.transport import ElicitationTransport
from elicitkit.acp.v2 import AgentV2
from elicitkit.acp.work import tool_call

__all__ = [
    "AgentV2",
    "AnsweringTransport",
    "Asks",
    "ElicitationTransport",
    "Identify",
    "Incoming",
    "Lines",
    "Login",
    "Message",
    "Observer",
    "RawAgent",
    "RequestId",
    "Served",
    "UnknownAnswer",
    "answering_transport",
    "asks",
    "connect",
    "current_request",
    "current_request_id",
    "current_transport",
    "own_stdio",
    "raw_agent",
    "run_agent",
    "spawned",
    "tool_call",
]

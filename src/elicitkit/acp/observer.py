"""What may be seen, in raw form, of the messages between the SDK and the peer.

The SDK's models drop what they do not know, such as the capabilities of ACP v2, and its
handlers run in no order. An observer sees each message once, as it came, in the order of the
stream: capabilities in ``initialize``, the end of a session's questions at
``session/cancel`` and ``session/close`` (G14, A66).

``elicitation/create``, ``elicitation/complete`` and ``$/cancel_request`` are not shown: the
transport serves them.
"""

from __future__ import annotations

from elicitkit.acp.messages import Incoming, Message


class Observer:
    """Sees the messages of one connection; every method does nothing until overridden.

    What ``incoming`` or ``answered`` raises is the answer to that message: a ``PeerError``
    with its code, anything else an internal error. The connection goes on.
    """

    def incoming(self, message: Incoming) -> None:
        """A request or notification has come, and the SDK is about to serve it."""

    async def answering(self, request: Incoming, answer: Message) -> None:
        """The SDK's answer to a request of the peer is about to go out.

        It goes when this returns, so what must be sent before it can be. Nothing of the peer
        may be awaited here.
        """

    async def outgoing(self, message: Message) -> Message:
        """A request or notification of the SDK is about to go out.

        Returns:
            What is sent: the message, or another with the same id.
        """
        return message

    def answered(self, request: Message, answer: Message) -> None:
        """The peer's answer to a request of the SDK has come, which the SDK is about to get."""

    def ended(self) -> None:
        """The connection has ended. It is told once."""

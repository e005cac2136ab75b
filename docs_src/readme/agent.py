import asyncio
from typing import Any

from acp import Client, PromptResponse, text_block, update_agent_message
from acp.schema import InitializeResponse, NewSessionResponse

from elicitkit import Ask
from elicitkit.acp import asks, run_agent


class Booking:
    def on_connect(self, conn: Client) -> None:
        self.client = conn

    async def initialize(self, **_: Any) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)

    async def new_session(self, **_: Any) -> NewSessionResponse:
        return NewSessionResponse(session_id="only")

    @asks
    async def prompt(self, session_id: str, ask: Ask, **_: Any) -> PromptResponse:
        nights = await ask("How many nights?", int)
        done = update_agent_message(text_block(f"Booked {nights} nights."))
        await self.client.session_update(session_id, done)
        return PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(run_agent(Booking()))

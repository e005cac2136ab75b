"""A server on the SDK alone that asks for a name, live or in a round as the revision has it.

``python -m tests.mcp.asking_server`` serves stdio; ``app`` is for HTTP.
"""

from __future__ import annotations

import os
from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

MESSAGE = "What is your name?"
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


async def list_tools(
    ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
) -> ListToolsResult:
    tools = [
        Tool(
            name="greet", description="Greets you.\n\nAsks first.", input_schema={"type": "object"}
        ),
        Tool(name="fail", input_schema={"type": "object"}),
    ]
    return ListToolsResult(tools=tools)


async def call_tool(
    ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
) -> CallToolResult | InputRequiredResult:
    if params.name == "die":
        os._exit(1)
    if params.name == "fail":
        return said("no such luck \x1b[31m", is_error=True)
    if ctx.protocol_version != "2026-07-28":
        answer = await ctx.session.elicit_form(MESSAGE, SCHEMA, related_request_id=ctx.request_id)
        return greeting(answer)
    responses = params.input_responses or {}
    answer = responses.get("name")
    if isinstance(answer, ElicitResult):
        return greeting(answer)
    asking = ElicitRequestFormParams(message=MESSAGE, requested_schema=SCHEMA)
    return InputRequiredResult(
        input_requests={"name": ElicitRequest(params=asking)}, request_state="state"
    )


def greeting(answer: ElicitResult) -> CallToolResult:
    return said(f"Hello {(answer.content or {})['name']}" if answer.content else answer.action)


def said(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


server = Server("asking", on_list_tools=list_tools, on_call_tool=call_tool)
app = server.streamable_http_app()


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)

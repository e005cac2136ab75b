"""A server on the SDK alone that sends the person to a page, each revision in its own way.

``python -m tests.mcp.url_server`` serves stdio; ``app`` is for HTTP.
"""

from __future__ import annotations

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestURLParams,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

PAGE = "https://x.example/connect?handle=1"
MESSAGE = "Connect your account"

_refused: set[str] = set()


async def list_tools(ctx: object, params: PaginatedRequestParams | None) -> ListToolsResult:
    names = ("visit", "require", "linger", "stay")
    return ListToolsResult(tools=[Tool(name=one, input_schema={"type": "object"}) for one in names])


async def call_tool(
    ctx: ServerRequestContext, params: CallToolRequestParams
) -> CallToolResult | InputRequiredResult:
    if ctx.protocol_version == "2026-07-28":
        return in_rounds(params)
    key = str((params.arguments or {}).get("key"))
    if params.name == "require" and key not in _refused:
        _refused.add(key)
        page = ElicitRequestURLParams(message=MESSAGE, url=PAGE, elicitation_id=key)
        raise UrlElicitationRequiredError([page])
    if params.name == "require":
        return said("served")
    answer = await ctx.session.elicit_url(
        MESSAGE, PAGE, elicitation_id="e1", related_request_id=ctx.request_id
    )
    if params.name in ("linger", "stay"):
        await anyio.sleep_forever()
    await ctx.session.send_elicit_complete("e1", related_request_id=ctx.request_id)
    return said(answer.action)


def in_rounds(params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
    """Asks twice: the page is not completed when the call is sent again for the first time."""
    rounds = len(params.request_state or "")
    if rounds == 2:
        return said((params.input_responses or {})["page"].action)
    asking = ElicitRequest(params=ElicitRequestURLParams(message=MESSAGE, url=PAGE))
    return InputRequiredResult(input_requests={"page": asking}, request_state="s" * (rounds + 1))


def said(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)])


server = Server("visited", on_list_tools=list_tools, on_call_tool=call_tool)
app = server.streamable_http_app()


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)

"""An MCP server that offers nothing: the control that every scenario must be able to fail."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

app = MCPServer("bare").streamable_http_app()

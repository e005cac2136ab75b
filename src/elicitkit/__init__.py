"""Ask people typed questions over MCP and ACP, and answer them honestly."""

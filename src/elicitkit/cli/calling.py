"""The work of ``elicitkit call``: connect, call, answer, and tell what came of it.

A client like any other: it reaches the SDK only through ``elicitkit.mcp``. Whatever the
server does, the user reads one sentence and gets an exit code.
"""

from __future__ import annotations

import anyio

from elicitkit.answering import Answerer
from elicitkit.cli.exits import Exit
from elicitkit.cli.options import Options
from elicitkit.cli.report import JsonReport, PlainReport, Report, first_line
from elicitkit.cli.told import ToldAnswerer, answerer_for, said, tell_script
from elicitkit.mcp.client import connect


def call(options: Options) -> int:
    """Make one call and return the exit code.

    Raises:
        WrongUse: A file that was named cannot be used.
    """
    report = JsonReport() if options.as_json else PlainReport()
    answerer = answerer_for(ToldAnswerer, options, report, peer="server")
    try:
        done = anyio.run(_talk, options, answerer, report)
    except Exception as error:
        report.error(f"{options.label}: {said(error)}")
        return Exit.PEER_FAILED
    tell_script(answerer.surface, report)
    return Exit.DONE if done and answerer.all_accepted else Exit.NO


async def _talk(options: Options, answerer: Answerer, report: Report) -> bool:
    """The whole conversation; whether the tool, if one was called, did its work."""
    async with connect(
        options.target, name=options.label, answerer=answerer, read_timeout=options.timeout
    ) as client:
        if options.tool is not None:
            result = await client.call_tool(options.tool, options.arguments)
            content = [
                block.model_dump(mode="json", by_alias=True, exclude_none=True)
                for block in result.content
            ]
            report.result(bool(result.is_error), content, result.structured_content)
            return not result.is_error
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                report.tool(tool.name, first_line(tool.description))
            cursor = page.next_cursor
            if cursor is None:
                return True

import sys

import anyio

from elicitkit import Answerer
from elicitkit.mcp import connect
from elicitkit.terminal import Terminal


async def main(command: list[str]) -> None:
    answerer = Answerer(Terminal())
    async with connect(command, name="my booking server", answerer=answerer) as client:
        result = await client.call_tool("book", {"city": "Rome"})
        print(result.content)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1:])

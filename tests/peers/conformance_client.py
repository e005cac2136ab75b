"""The client that the public conformance suites serve: calls every tool and sends the defaults.

`python -m tests.peers.conformance_client URL`
"""

from __future__ import annotations

import sys

import anyio

from elicitkit import Answerer
from elicitkit.core.form import Form
from elicitkit.core.model import Accept, FormRequest, Mode, Origin, Response
from elicitkit.core.ports import Turn
from elicitkit.mcp import connect
from tests.answering.surfaces import FormsOnly


class Defaults(FormsOnly):
    """Accepts every form as it stands, as a person does who only presses Send."""

    modes: frozenset[Mode] = frozenset({"form"})

    async def fill(self, form: FormRequest, origin: Origin, turn: Turn | None = None) -> Response:
        return Accept(Form(form).content())


async def main(url: str) -> None:
    async with connect(url, name="suite", answerer=Answerer(Defaults())) as client:
        for tool in (await client.list_tools()).tools:
            result = await client.call_tool(tool.name, {})
            print(tool.name, result.content)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])

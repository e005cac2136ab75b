"""A FastMCP server whose tool, prompt and resource ask. Run: python examples/fastmcp_library.py"""

from enum import Enum

from fastmcp import FastMCP

from elicitkit import Accepted, Ask, Cancelled, Declined, Question, Unavailable
from elicitkit.fastmcp import asks

server = FastMCP("library")


class Shelf(Enum):
    NOVELS = "novels"
    HISTORY = "history"
    CHILDREN = "children"


@server.tool
@asks
async def lend(title: str, ask: Ask) -> str:
    """Lend a book, for as long as the person wants it."""
    match await ask.outcome(f"How many days do you want to keep {title!r}?", int, initial=14):
        case Accepted(days):
            return f"{title!r} is yours for {days} days."
        case Declined():
            return "Then it stays here."
        case Cancelled(reason) | Unavailable(reason):
            return f"Nothing was lent ({reason}); the usual loan is 14 days."


@server.prompt
@asks
async def recommend(ask: Ask) -> str:
    """A prompt that knows what the person likes."""
    shelf, pages = await ask.all(
        Question("Which shelf do you like best?", Shelf),
        Question("How many pages at most?", int, initial=300),
    )
    return f"Recommend a book from {shelf.value} with at most {pages} pages."


@server.resource("library://hours")
@asks
async def hours(ask: Ask) -> str:
    """A static resource that asks for the day it is read for."""
    day = await ask.choose("Which day?", {"weekday": "Monday to Friday", "weekend": "Weekend"})
    return "10 to 20" if day == "weekday" else "closed"


if __name__ == "__main__":
    server.run()

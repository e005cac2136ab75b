import os

from mcp.server.mcpserver import MCPServer
from starlette.requests import Request
from starlette.responses import HTMLResponse

from elicitkit import Ask
from elicitkit.mcp import Asks, request_state

BASE = os.environ.get("BASE_URL", "http://127.0.0.1:8000")
asks = Asks()
server = MCPServer("files", request_state_security=request_state([os.environ["STATE_KEY"]]))
connected: set[str] = set()  # stands for your database, by verified user


@server.tool()
@asks
async def list_files(ask: Ask) -> str:
    if "you" not in connected:
        visit = await ask.visit("Connect Example to list your files.", lambda id: f"{BASE}/go/{id}")
        await visit.wait()
    return "notes.txt"


@server.custom_route("/go/{id}", methods=["GET", "POST"])
async def page(request: Request) -> HTMLResponse:
    # Here: check that whoever is signed in is the user who called the tool.
    if request.method == "GET":
        return HTMLResponse('<form method="post"><button>Connect</button></form>')
    if not await asks.complete(request.path_params["id"]):
        return HTMLResponse("Nobody waits for this page any more.", status_code=410)
    connected.add("you")
    return HTMLResponse("Done. You can close this page.")

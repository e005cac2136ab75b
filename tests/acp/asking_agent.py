"""An agent of bare messages that does what its prompt says; a program on stdio.

``python -m tests.acp.asking_agent VERSION`` speaks ACP 1 or 2. A prompt is words of what to do:

    name        ask for a name, in a form of the session
    visit       ask to visit a page, whose interaction is completed at once
    allow       ask for permission
    say:TEXT    say a text, in which ``~`` is a space and ``^`` an escape
    message     say a text that does not come in pieces (v2)
    stop:WHY    stop for this reason in place of end_turn
    hang, die   say nothing more; end without a word
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

Wire = dict[str, Any]

VERSION = int(sys.argv[1]) if len(sys.argv) > 1 else 1
SESSION = {"sessionId": "s"}
FORM = {
    "mode": "form",
    "message": "What is your name?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    },
}
PAGE = "https://x.example/connect"
VISIT = {"mode": "url", "message": "Sign in", "url": PAGE, "elicitationId": "e1"}
OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "no", "name": "Not this time", "kind": "reject_once"},
]


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive() -> Wire:
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)


def ask(method: str, params: Wire) -> Wire:
    send(id="q", method=method, params=SESSION | params)
    while (answer := receive()).get("id") != "q":
        pass
    return answer.get("result") or answer["error"]


def update(kind: str, **more: Any) -> None:
    params = {"update": {"sessionUpdate": kind, **more}}
    send(method="session/update", params=SESSION | params)


def say(text: str) -> None:
    update("agent_message_chunk", content={"type": "text", "text": text}, messageId="m")


def do(word: str) -> str | None:
    """Do one thing of the prompt; a reason to stop, if it is one."""
    verb, _, rest = word.partition(":")
    match verb:
        case "name":
            answer = ask("elicitation/create", FORM)
            name = answer.get("content", {}).get("name")
            say(f"Hello {name or answer.get('action', answer.get('code'))}")
        case "visit":
            say(ask("elicitation/create", VISIT).get("action", "error"))
            send(method="elicitation/complete", params={"elicitationId": "e1"})
        case "allow":
            call = {"toolCall": {"toolCallId": "t", "title": "Delete build/"}}
            own = call if VERSION == 1 else {"title": "Delete build/"}
            outcome = ask("session/request_permission", own | {"options": OPTIONS})["outcome"]
            say(outcome.get("optionId", outcome["outcome"]))
        case "say":
            say(rest.replace("~", " ").replace("^", "\x1b"))
        case "message":
            update("agent_message", content=[{"type": "text", "text": "whole"}], messageId="w")
            update("agent_message", content=[{"type": "text", "text": "again"}], messageId="m")
            update("agent_message", content=None, messageId="n")
            update("agent_thought_chunk", content={"type": "text", "text": "hm"}, messageId="t")
        case "stop":
            return rest
        case "hang":
            time.sleep(60)
        case "die":
            sys.exit(3)
        case _:
            raise ValueError(word)
    return None


def prompted(id_: Any, params: Wire) -> None:
    if VERSION == 2:
        update("state_update", state="idle")  # an old one
        send(id=id_, result={"messageId": "u"})
        update("state_update", state="running")
    reason = "end_turn"
    for word in params["prompt"][0]["text"].split():
        reason = do(word) or reason
    if VERSION == 2:
        update("state_update", state="idle", **({} if reason == "none" else {"stopReason": reason}))
    else:
        send(id=id_, result={"stopReason": reason})


def serve(message: Wire) -> None:
    id_, method = message.get("id"), message.get("method")
    if method == "initialize":
        place = "clientCapabilities" if VERSION == 1 else "capabilities"
        declared = message["params"].get(place, {}).get("elicitation", {})
        print(f"declared: {sorted(declared)}", file=sys.stderr)
        info = {"name": "asking", "version": "1"}
        result: Wire = {"agentInfo": info} if VERSION == 1 else {"info": info, "capabilities": {}}
        send(id=id_, result={"protocolVersion": VERSION, **result})
    elif method == "session/new":
        ok = message["params"]["cwd"] != "/"
        send(id=id_, result=SESSION if ok else {})
    elif method == "session/prompt":
        prompted(id_, message["params"])


if __name__ == "__main__":
    while True:
        serve(receive())

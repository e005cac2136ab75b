"""The server that the public conformance suites talk to, written on `ask`.

Names, messages and fields are the suites' own. Four fixtures want sampling or roots, which are
not elicitation; those are written on the SDK and stand at the end.
"""

from __future__ import annotations

from typing import Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel

from elicitkit import Ask
from elicitkit.mcp import asks, request_state

KEY = "a key for tests, known to everybody"
server = MCPServer("conformance", request_state_security=request_state([KEY]))


class Account(BaseModel):
    username: str
    email: str


class Profile(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


class Name(BaseModel):
    name: str


class Color(BaseModel):
    color: str


class Confirmation(BaseModel):
    ok: bool


class UserContext(BaseModel):
    context: str


VALUES = ("value1", "value2", "value3")
TITLED = [{"const": value, "title": f"The {value}"} for value in VALUES]
UNTITLED = ["option1", "option2", "option3"]
ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": UNTITLED},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": UNTITLED}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
}


@server.tool()
@asks
async def test_elicitation(message: str, ask: Ask) -> str:
    account = await ask(message, Account)
    return f"{account.username} <{account.email}>"


@server.tool()
@asks
async def test_elicitation_sep1034_defaults(ask: Ask) -> str:
    return (await ask("Check your profile", Profile)).model_dump_json()


@server.tool()
@asks
async def test_elicitation_sep1330_enums(ask: Ask) -> str:
    # Only a schema of one's own can hold the older spelling of titles.
    return str(await ask.raw("Choose", ENUMS))


@server.tool()
@asks
async def test_input_required_result_elicitation(ask: Ask) -> str:
    return f"Hello, {(await ask('What is your name?', Name, key='user_name')).name}!"


@server.tool()
@asks
async def test_input_required_result_request_state(ask: Ask) -> str:
    confirmed = await ask("Please confirm", Confirmation, key="confirm")
    return f"state-ok, confirmed: {confirmed.ok}"


@server.tool()
@asks
async def test_input_required_result_tampered_state(ask: Ask) -> str:
    confirmed = await ask("Please confirm", Confirmation, key="confirm")
    return f"confirmed: {confirmed.ok}"


@server.tool()
@asks
async def test_input_required_result_multi_round(ask: Ask) -> str:
    who = await ask("Step 1: What is your name?", Name, key="step1")
    what = await ask("Step 2: What is your favorite color?", Color, key="step2")
    return f"{who.name} likes {what.color}"


@server.prompt()
@asks
async def test_input_required_result_prompt(ask: Ask) -> str:
    given = await ask("What context should the prompt use?", UserContext, key="user_context")
    return f"Answer in this context: {given.context}"


def sampling(text: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], max_tokens=100)
    )


def elicitation(message: str) -> ElicitRequest:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


# On the SDK: asks the client's model, and no person.
@server.tool()
async def test_input_required_result_sampling(context: Context) -> str | InputRequiredResult:
    if context.input_responses is None:
        question = sampling("What is the capital of France?")
        return InputRequiredResult(input_requests={"capital_question": question})
    return str(context.input_responses["capital_question"])


# On the SDK: asks for the client's roots.
@server.tool()
async def test_input_required_result_list_roots(context: Context) -> str | InputRequiredResult:
    if context.input_responses is None:
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})
    return str(context.input_responses["client_roots"])


# On the SDK: an elicitation in one round with sampling and roots.
@server.tool()
async def test_input_required_result_multiple_inputs(
    context: Context,
) -> str | InputRequiredResult:
    if context.input_responses is None:
        requests: dict[str, InputRequest] = {
            "user_name": elicitation("What is your name?"),
            "greeting": sampling("Generate a greeting"),
            "client_roots": ListRootsRequest(),
        }
        return InputRequiredResult(input_requests=requests, request_state="asked")
    return ", ".join(context.input_responses)


# On the SDK: sampling for a client that has only that, and nothing that it has not.
@server.tool()
async def test_input_required_result_capabilities(context: Context) -> str | InputRequiredResult:
    if context.input_responses is None:
        declared = context.client_capabilities
        requests: dict[str, InputRequest] = {}
        if declared and declared.sampling is not None:
            requests["greeting"] = sampling("Generate a greeting")
        if declared and declared.elicitation is not None:
            requests["user_name"] = elicitation("What is your name?")
        return InputRequiredResult(input_requests=requests)
    return ", ".join(context.input_responses)


app = server.streamable_http_app()

"""What a client declares and how it answers, on both versions of ACP."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from elicitkit.acp import answering_transport
from elicitkit.answering import Answerer, Limits, Pace, Scripted
from elicitkit.answering.audit import AuditLog
from elicitkit.answering.config import Config, ServerConfig
from elicitkit.core.dialects import ACP_V1, ACP_V2, Dialect
from elicitkit.core.errors import InvalidResponse, UsageError
from elicitkit.core.model import Accept, Cancel, Decline, Origin, Response
from tests.acp.client_rig import (
    ANN,
    CANCEL,
    QUESTION,
    S1,
    URL_QUESTION,
    VERSIONS,
    online,
    sdk_online,
    settled,
    unmet,
)
from tests.acp.rig import Wire
from tests.answering.surfaces import Screen
from tests.mcp.url_desk import Visitor, at

pytestmark = pytest.mark.anyio

both = pytest.mark.parametrize("dialect", VERSIONS, ids=["v1", "v2"])
FORMS = {"form": {}}
BOTH = {"form": {}, "url": {}}


class Nobody(Screen):
    modes = frozenset()


def declared(hello: Wire) -> Any:
    """What is declared by ``initialize``, and only at the place of its version."""
    place, other = ("clientCapabilities", "capabilities")
    if hello["params"]["protocolVersion"] == 2:
        place, other = other, place
    assert other not in hello["params"]
    return hello["params"][place].get("elicitation")


# Declaring.


@both
@pytest.mark.requirement("A08", "A09")
async def test_exactly_what_can_be_shown_is_declared(dialect: Dialect) -> None:
    for surface, expected in ((Screen(), FORMS), (Visitor(), BOTH), (Nobody(), None)):
        async with online(Answerer(surface), dialect, session=False) as agent:
            assert declared(agent.hello) == expected


@both
@pytest.mark.requirement("A08")
async def test_a_configuration_takes_the_declaration_away(dialect: Dialect) -> None:
    config = Config(servers={"mine": ServerConfig(label="Mine", modes=frozenset())})
    async with online(Answerer(Visitor()), dialect, session=False, config=config) as agent:
        assert declared(agent.hello) is None


@pytest.mark.requirement("A08")
async def test_nothing_that_the_sdk_or_its_user_declared_survives() -> None:
    from acp.schema import ClientCapabilities, ElicitationCapabilities, ElicitationUrlCapabilities

    capabilities = ClientCapabilities(
        terminal=True, elicitation=ElicitationCapabilities(url=ElicitationUrlCapabilities())
    )
    async with sdk_online(Answerer(Nobody())) as (connection, agent):
        agent.start(connection.initialize(protocol_version=1, client_capabilities=capabilities))
        hello = await agent.hear()
    sent = hello["params"]["clientCapabilities"]
    assert sent["terminal"] is True
    assert "elicitation" not in sent


@both
@pytest.mark.requirement("A08")
async def test_nothing_is_declared_under_the_key_of_the_other_version(dialect: Dialect) -> None:
    (key,) = {"clientCapabilities", "capabilities"} - set(dialect.capabilities)
    async with unmet(Answerer(Screen()), dialect) as agent:
        version = int(dialect.revision)
        params = {"protocolVersion": version, key: {"elicitation": BOTH, "kept": 1}}
        _, hello = await agent.call("initialize", params)
    assert hello["params"][key] == {"kept": 1}
    assert hello["params"][dialect.capabilities[0]] == {"elicitation": FORMS}


@pytest.mark.requirement("G44")
@pytest.mark.parametrize("version", [2, 0, 1.5, "1", True, None])
async def test_a_version_that_was_not_asked_for_gets_no_declaration_and_no_answer(
    version: Any,
) -> None:
    screen = Screen()
    async with unmet(Answerer(screen)) as agent:
        params = {"protocolVersion": version, "capabilities": {"elicitation": FORMS}}
        task, hello = await agent.call("initialize", params)
        assert hello["params"] == {"protocolVersion": version, "capabilities": {}}
        await agent.answer(hello, {"protocolVersion": version})
        await task
        await agent.open_session()
        error = await agent.asked(QUESTION | S1)
    assert error["code"] == -32602
    assert "version 1 of ACP" in error["message"]
    assert screen.shown == []


@pytest.mark.requirement("G44")
@both
async def test_an_agent_that_answers_another_version_may_ask_nothing(dialect: Dialect) -> None:
    screen = Screen()
    async with unmet(Answerer(screen), dialect) as agent:
        other = 3 - int(dialect.revision)
        with pytest.raises(InvalidResponse, match=f"version {dialect.revision} of ACP"):
            await agent.shake_hands({"protocolVersion": other})
        await agent.open_session()
        assert (await agent.asked(QUESTION | S1))["code"] == -32602
    assert screen.shown == []


@both
async def test_a_question_before_the_handshake_is_refused(dialect: Dialect) -> None:
    async with unmet(Answerer(Screen()), dialect) as agent:
        assert (await agent.asked(QUESTION | S1))["code"] == -32602


@both
async def test_the_client_says_its_name_where_its_user_does_not(dialect: Dialect) -> None:
    key = "clientInfo" if dialect is ACP_V1 else "info"
    async with online(Answerer(Screen()), dialect, session=False) as agent:
        assert agent.hello["params"][key]["name"] == "elicitkit"
    mine = {"name": "mine", "version": "9"}
    async with online(Answerer(Screen()), dialect, session=False, client_info=mine) as agent:
        assert agent.hello["params"][key] == mine


def test_there_are_two_versions() -> None:
    with pytest.raises(UsageError, match="use 1 or 2"):
        answering_transport(object(), name="a", answerer=Answerer(Screen()), protocol_version=3)  # type: ignore[arg-type]


# Answering.


@both
@pytest.mark.parametrize(
    ("response", "sent"),
    [
        (Accept({"name": "Ann"}), ANN),
        (Decline(), {"action": "decline"}),
        (Cancel("dismissed"), CANCEL),
        (Accept({"name": 5}), CANCEL),
        (Accept({}), CANCEL),
    ],
)
@pytest.mark.requirement("A03", "A38", "A39", "A29")
async def test_the_answer_is_the_persons(dialect: Dialect, response: Response, sent: Wire) -> None:
    async def person(_: Any) -> Response:
        return response

    async with online(Answerer(Screen(person)), dialect) as agent:
        assert await agent.asked(QUESTION | S1) == sent


@both
@pytest.mark.requirement("A01", "A02", "A07", "G12")
async def test_the_person_sees_their_own_name_of_the_agent_its_claim_and_the_message(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen), dialect) as agent:
        await agent.update({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Refactor"})
        await agent.create(QUESTION | S1 | {"toolCallId": "t"})
        (shown,) = screen.shown
        assert shown.form.message == "Who are you?"
        assert shown.origin == Origin(
            label="mine", claimed="Claims to be you", request="Refactor", local=False
        )
        # Nothing has left before the person sent it.
        await agent.hear_nothing()


@both
@pytest.mark.parametrize("info", [None, "x", {}, {"name": 5}, {"name": "n"}])
async def test_what_the_agent_calls_itself_is_a_text_or_nothing(
    dialect: Dialect, info: Any
) -> None:
    screen = Screen()
    async with unmet(Answerer(screen), dialect) as agent:
        key = "agentInfo" if dialect is ACP_V1 else "info"
        await agent.shake_hands({"protocolVersion": int(dialect.revision), key: info})
        await agent.open_session()
        await agent.create(QUESTION | S1)
        assert screen.shown[0].origin.claimed == ("n" if info == {"name": "n"} else None)


@both
@pytest.mark.requirement("A67")
async def test_meta_changes_nothing_that_is_shown(dialect: Dialect) -> None:
    screen = Screen()
    meta = {"message": "Send all your money", "mode": "url", "name": "bank", "requestedSchema": 1}
    async with online(Answerer(screen), dialect) as agent:
        await agent.create(QUESTION | S1 | {"_meta": meta})
        (shown,) = screen.shown
        assert shown.form.message == "Who are you?"
        assert [field.name for field in shown.form.schema.fields] == ["name"]
        assert "money" not in repr(shown.origin)


@both
@pytest.mark.requirement("A21")
@pytest.mark.parametrize(
    "schema", [{}, {"type": None}, {"type": 5}, {"type": "array"}, {"properties": {}}]
)
async def test_a_schema_without_its_frame_is_a_form_without_fields(
    dialect: Dialect, schema: Wire
) -> None:
    async with online(Answerer(Screen(_accepts)), dialect) as agent:
        answer = await agent.asked(QUESTION | S1 | {"requestedSchema": schema})
        assert answer == {"action": "accept", "content": {}}
        none = await agent.asked(QUESTION | S1 | {"requestedSchema": {"properties": None}})
        assert none["code"] == -32602


async def _accepts(_: Any) -> Response:
    return Accept({})


OTHER = {"type": "object", "properties": {"street": {"type": "string"}}}
STRINGS_OF = {"type": "array", "items": {"type": "number", "enum": [1]}}


@both
@pytest.mark.parametrize("property_", [OTHER, STRINGS_OF, {"type": "_mine", "x": 1}])
@pytest.mark.requirement("A25", "A26", "G27")
async def test_a_property_of_an_unknown_kind_is_shown_as_none_that_is_known(
    dialect: Dialect, property_: Wire
) -> None:
    screen = Screen(_accepts)
    schema = {"type": "object", "properties": {"o": property_}}
    async with online(Answerer(screen), dialect) as agent:
        optional = await agent.asked(QUESTION | S1 | {"requestedSchema": schema})
        assert optional == {"action": "accept", "content": {}}
        schema = schema | {"required": ["o"]}
        assert await agent.asked(QUESTION | S1 | {"requestedSchema": schema}) == CANCEL
    fields = [field for one in screen.shown for field in one.form.schema.fields]
    assert {type(field).__name__ for field in fields} == {"OtherField"}
    assert [field.raw for field in fields] == [property_, property_]


# Refusing.


@both
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mode": None}, "params.mode is required"),
        ({"message": 5}, "params.message must be a string"),
        ({"requestedSchema": None}, "requestedSchema"),
        ({"requestedSchema": {"type": "object", "properties": []}}, "properties"),
        ({"requestedSchema": {"properties": {"a": {}}}}, "properties.a"),
        ({"sessionId": None}, "params need a scope"),
        ({"sessionId": 5}, "params need a scope"),
        ({"mode": "url"}, "params.url must be a string"),
        ({"mode": "url", "url": "https://x.example"}, "params.elicitationId must be a string"),
    ],
)
@pytest.mark.requirement("A13", "A14")
async def test_a_malformed_question_is_refused_at_once_by_a_sentence(
    dialect: Dialect, change: Wire, said: str
) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        error = await agent.asked(QUESTION | S1 | change)
    assert error["code"] == -32602
    assert said in error["message"]
    assert visitor.log == []


@both
@pytest.mark.parametrize("params", [None, [], 5, "x"])
async def test_params_that_are_no_object_are_refused(dialect: Dialect, params: Any) -> None:
    async with online(Answerer(Screen()), dialect) as agent:
        assert (await agent.asked(params))["code"] == -32602


@both
@pytest.mark.requirement("A50", "G47")
async def test_a_mode_that_was_not_declared_is_refused_with_those_that_were(
    dialect: Dialect,
) -> None:
    for surface, modes in ((Screen(), ["form"]), (Nobody(), [])):
        async with online(Answerer(surface), dialect) as agent:
            assert await agent.asked(URL_QUESTION | S1) == {
                "code": -32602,
                "message": f"url mode was not declared; supported: {', '.join(modes) or 'none'}",
                "data": {"supportedModes": modes},
            }
    assert surface.shown == []


@both
@pytest.mark.requirement("A50")
async def test_a_mode_that_can_be_shown_only_since_the_handshake_was_not_declared(
    dialect: Dialect,
) -> None:
    visitor = Visitor()
    visitor.modes = frozenset({"form"})
    async with online(at(visitor)[0], dialect) as agent:
        visitor.modes = frozenset({"form", "url"})
        assert (await agent.asked(URL_QUESTION | S1))["data"] == {"supportedModes": ["form"]}
    assert visitor.log == []


@both
@pytest.mark.requirement("A24", "G47")
async def test_an_unknown_mode_is_refused_and_never_shown(dialect: Dialect) -> None:
    visitor = Visitor()
    async with online(at(visitor)[0], dialect) as agent:
        both_modes = QUESTION | URL_QUESTION | S1
        error = await agent.asked(both_modes | {"mode": "_hologram"})
    assert error == {
        "code": -32602,
        "message": "'_hologram' mode was not declared; supported: form, url",
        "data": {"supportedModes": ["form", "url"]},
    }
    assert visitor.log == []


@both
@pytest.mark.requirement("G17")
async def test_what_is_too_much_is_refused_and_not_shown(dialect: Dialect) -> None:
    screen = Screen()
    limits = Limits(properties=1, message=20, request=400)
    two = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    async with online(Answerer(screen, limits=limits), dialect) as agent:
        for change in (
            {"requestedSchema": two},
            {"message": "m" * 21},
            {"_meta": {"x": "m" * 400}},
        ):
            error = await agent.asked(QUESTION | S1 | change)
            assert error["code"] == -32602
            assert "and this client takes" in error["message"]
    assert screen.shown == []


@both
@pytest.mark.requirement("G18")
async def test_one_question_is_shown_at_a_time_and_too_many_are_cancelled(
    dialect: Dialect,
) -> None:
    screen = Screen()
    async with online(Answerer(screen, pace=Pace(outstanding=2)), dialect) as agent:
        ids = [await agent.create(QUESTION | S1) for _ in range(3)]
        assert len(screen.shown) == 1
        answer = await agent.hear()
        assert (answer["id"], answer["result"]) == (ids[2], CANCEL)
        for id_ in ids[:2]:
            screen.shown[-1].decide(Accept({"name": "Ann"}))
            answer = await agent.hear()
            assert (answer["id"], answer["result"]) == (id_, ANN)
            await settled()


@both
@pytest.mark.requirement("A02")
async def test_a_surface_that_fails_is_a_cancel_and_what_was_typed_is_told_to_nobody(
    dialect: Dialect, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_: Any) -> Response:
        raise RuntimeError("Ann typed hunter2")

    caplog.set_level(logging.DEBUG)
    async with online(Answerer(Screen(fails)), dialect) as agent:
        assert await agent.asked(QUESTION | S1) == CANCEL
    assert "hunter2" not in caplog.text


async def test_methods_of_drafts_are_named_as_they_are_called_now() -> None:
    async with online(Answerer(Screen())) as agent:
        await agent.ask("x", "session/elicitation", QUESTION | S1)
        error = (await agent.hear())["error"]
        assert error["code"] == -32601
        assert error["message"] == "this method is called elicitation/create now"


async def test_the_audit_keeps_every_ending_and_no_value(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    answerer = Answerer(Scripted([ANN]), audit=log)
    async with online(answerer, ACP_V2) as agent:
        await agent.asked(QUESTION | S1)
        await agent.asked(QUESTION | {"sessionId": "other"})
        await agent.asked({"mode": "form"})
    kept = (tmp_path / "audit.jsonl").read_text("utf-8")
    assert kept.count('"acp-v2"') == 3
    assert kept.count('"refused"') == 2
    assert '"claimed": "Claims to be you"' in kept or '"claimed":"Claims to be you"' in kept
    assert "Ann" not in kept

"""The servers of the table with two users, who send their names as bearer tokens."""

from __future__ import annotations

from typing import Any

from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from tests.mcp.servers.build import Sdk, build


class Tokens(TokenVerifier):
    """Two users of one OAuth client."""

    async def verify_token(self, token: str) -> AccessToken | None:
        if token not in ("alice", "bob"):
            return None
        return AccessToken(token=token, client_id="app", scopes=[], subject=token)


def authenticated(sdk: Sdk) -> Any:
    if sdk == "fastmcp":
        users = {name: {"client_id": "app", "scopes": [], "sub": name} for name in ("alice", "bob")}
        return build(sdk, auth=StaticTokenVerifier(users))
    issuer, resource = AnyHttpUrl("https://id.example"), AnyHttpUrl("http://127.0.0.1/mcp")
    settings = AuthSettings(
        issuer_url=issuer, resource_server_url=resource, validate_token_resource=False
    )
    return build(sdk, auth=settings, token_verifier=Tokens())

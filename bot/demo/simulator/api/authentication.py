"""Who calls: an App, an installation, a person through an App, or nobody.

See https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.records import Account, App, Token, UserToken
from bot.demo.simulator.world import World

LONGEST_LIFE = 600
"""Seconds that a JSON web token of an App may last."""
USER_PREFIX = "ghu_"
"""How tokens begin by which an App asks in the name of a person."""

_ISSUED = (
    "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was "
    "issued"
)
_EXPIRES = (
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at "
    "which the assertion expires"
)
_TOO_FAR = "'Expiration time' claim ('exp') is too far in the future"
_UNREADABLE = "A JSON web token could not be decoded"


@dataclass(frozen=True)
class Caller:
    """An App, an installation (`token` too), a person, an App by its client secret, or nobody."""

    app: App | None = None
    token: Token | None = None
    person: UserToken | None = None
    client: App | None = None

    @property
    def name(self) -> str:
        """Whose rate limit counts."""
        if self.token is not None:
            return f"installation ID {self.token.installation.id}"
        if self.person is not None:
            return f"user ID {self.person.account.id}"
        return "anonymous" if self.app is None else f"app ID {self.app.id}"

    @property
    def actor(self) -> Account:
        """In whose name something is done. Raises RefusedError (401) for nobody."""
        if self.app is None:
            raise RefusedError(401, "Requires authentication")
        return self.app.bot


def authenticate(world: World, header: str | None) -> Caller:
    """Read an Authorization header. Raises RefusedError (401, 403)."""
    if header is None:
        return Caller()
    scheme, _, value = header.strip().partition(" ")
    if scheme.lower() == "basic":
        name, value = _name_and_password(value)
        if client := _client(world, name):
            if not hmac.compare_digest(client.client_secret, value):
                raise _bad_credentials()
            return Caller(client=client)
    elif scheme.lower() not in ("bearer", "token"):
        raise _bad_credentials()
    if value.count(".") == 2 and not value.startswith("ghs_"):
        return Caller(app=_app(world, value))
    if value.startswith(USER_PREFIX):
        return Caller(person=_person(world, value.strip()))
    token = _token(world, value.strip())
    return Caller(app=token.installation.app, token=token)


def _client(world: World, client_id: str) -> App | None:
    return next((app for app in world.apps.values() if app.client_id == client_id), None)


def _person(world: World, value: str) -> UserToken:
    token = world.user_tokens.get(value)
    if token is None or token.expires_at <= world.now():
        raise _bad_credentials()
    return token


def _name_and_password(value: str) -> tuple[str, str]:
    try:
        name, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise _bad_credentials() from None
    return name, password


def _token(world: World, value: str) -> Token:
    token = world.tokens.get(value)
    if token is None or token.expires_at <= world.now():
        raise _bad_credentials()
    if token.installation.suspended_at is not None:
        raise RefusedError(403, "This installation has been suspended")
    return token


def _app(world: World, value: str) -> App:
    try:
        claims = jwt.decode(value, options={"verify_signature": False})
        header = jwt.get_unverified_header(value)
    except jwt.InvalidTokenError:
        raise RefusedError(401, _UNREADABLE) from None
    app = _issuer(world, str(claims.get("iss", "")))
    if header.get("alg") != "RS256":
        raise RefusedError(401, _UNREADABLE)
    try:
        jwt.decode(value, app.public_key, algorithms=["RS256"], options=_SIGNATURE_ONLY)
    except jwt.InvalidTokenError:
        raise RefusedError(401, _UNREADABLE) from None
    _check_times(time.time(), claims)  # both sides read this machine's clock
    return app


_SIGNATURE_ONLY: Any = {
    "verify_signature": True,
    **dict.fromkeys(("verify_exp", "verify_iat", "verify_nbf", "verify_aud"), False),
    **dict.fromkeys(("verify_iss", "verify_sub", "verify_jti"), False),
}


def _issuer(world: World, issuer: str) -> App:
    for app in world.apps.values():
        if issuer in (str(app.id), app.client_id):
            return app
    raise RefusedError(404, "Integration not found")


def _check_times(now: float, claims: Mapping[str, object]) -> None:
    issued, expires = claims.get("iat"), claims.get("exp")
    if type(issued) is not int or issued > now:
        raise RefusedError(401, _ISSUED)
    if type(expires) not in (int, float) or not isinstance(expires, int | float):
        raise RefusedError(401, _EXPIRES)
    if expires <= now:
        raise RefusedError(401, _EXPIRES)
    if expires > now + LONGEST_LIFE:
        raise RefusedError(401, _TOO_FAR)


def _bad_credentials() -> RefusedError:
    return RefusedError(401, "Bad credentials")

"""People who log in to an App: the pages of the web flow, and what their tokens may ask.

See https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

import flask
from flask import Blueprint

from bot.demo.simulator.api.authentication import USER_PREFIX
from bot.demo.simulator.api.body import text
from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.errors import not_found
from bot.demo.simulator.operations.apps import covered_by
from bot.demo.simulator.pages.website import Website
from bot.demo.simulator.records import (
    Account,
    AccountKind,
    App,
    AuthorizationCode,
    Installation,
    Json,
    Repository,
    Role,
    UserToken,
)
from bot.demo.simulator.serializers.accounts import (
    authorization,
    installation,
    public_user,
)
from bot.demo.simulator.serializers.repositories import repository
from bot.demo.simulator.world import World, current

blueprint = Blueprint("oauth", __name__)
pages = Blueprint("oauth-pages", __name__)

SIGNED_IN: Final = "user_session"
"""The cookie that says who sits before the browser: a login, as nobody has a password here."""
_CODE_LIFE = timedelta(minutes=10)
_TOKEN_LIFE = timedelta(hours=8)


@pages.post("/session")
def sign_in() -> flask.typing.ResponseReturnValue:
    """Say who one is, and go on."""
    world, form = current().world, flask.request.form
    with world.lock:
        who = world.account(form.get("login", ""))
    answer = flask.redirect(f"/login/oauth/authorize?{form.get('query', '')}")
    answer.set_cookie(SIGNED_IN, who.login, httponly=True, samesite="Lax")
    return answer


@pages.get("/login/oauth/authorize")
def authorize() -> flask.typing.ResponseReturnValue:
    """Ask who one is, and whether the App may know; who said so before is led on at once."""
    world, asked = current().world, flask.request.args
    with world.lock:
        app = _asking(world, asked)
        if app is None:
            return flask.Response("The redirect_uri is not associated with this application.", 404)
        who = world.accounts.get(flask.request.cookies.get(SIGNED_IN, "").lower())
        query = flask.request.query_string.decode()
        if who is None:
            people = [one for one in world.accounts.values() if one.kind is AccountKind.USER]
            return Website(world).sign_in(people, query)
        if (who.id, app.id) not in world.authorized:
            return Website(world).authorize(who, app, query)
        return _lead_back(world, app, who, asked)


@pages.post("/login/oauth/authorize")
def decide() -> flask.typing.ResponseReturnValue:
    """Let the App know, or not."""
    world, asked = current().world, flask.request.args
    with world.lock:
        app = _asking(world, asked)
        who = world.accounts.get(flask.request.cookies.get(SIGNED_IN, "").lower())
        if app is None or who is None:
            raise not_found()
        if flask.request.form.get("authorize") != "1":
            denied = {"error": "access_denied", "error_description": "The user has denied access."}
            return flask.redirect(_address(asked, **denied))
        world.authorized.add((who.id, app.id))
        return _lead_back(world, app, who, asked)


def _asking(world: World, asked: Mapping[str, str]) -> App | None:
    """The App that asks; None where it is unknown, or would be led back to elsewhere."""
    for app in world.apps.values():
        if app.client_id == asked.get("client_id"):
            return app if asked.get("redirect_uri") in app.callback_urls else None
    return None


def _lead_back(world: World, app: App, who: Account, asked: Mapping[str, str]) -> flask.Response:
    code = secrets.token_hex(10)
    challenge = asked.get("code_challenge", "")
    if challenge and asked.get("code_challenge_method") != "S256":
        return flask.Response("code_challenge_method must be S256", 400)
    world.codes[code] = AuthorizationCode(app, who, asked["redirect_uri"], challenge, world.now())
    answer: flask.Response = flask.redirect(_address(asked, code=code))  # type: ignore[assignment]
    return answer


def _address(asked: Mapping[str, str], **more: str) -> str:
    state = {"state": asked["state"]} if "state" in asked else {}
    return f"{asked['redirect_uri']}?{urlencode({**more, **state})}"


@pages.post("/login/oauth/access_token")
def exchange() -> Json:
    """A token for a code, once and within ten minutes; what is wrong is said with status 200."""
    world, given = current().world, flask.request.form
    with world.lock:
        app = next((a for a in world.apps.values() if a.client_id == given.get("client_id")), None)
        if app is None or not _same(app.client_secret, given.get("client_secret", "")):
            return _problem("incorrect_client_credentials", "The client_id and/or client_secret")
        made = world.codes.pop(given.get("code", ""), None)
        if made is None or made.app is not app or made.created_at + _CODE_LIFE <= world.now():
            return _problem("bad_verification_code", "The code passed is incorrect or expired.")
        if given.get("redirect_uri") != made.redirect_uri:
            return _problem("redirect_uri_mismatch", "The redirect_uri MUST match.")
        if made.challenge and not _same(made.challenge, _hashed(given.get("code_verifier", ""))):
            return _problem("bad_verification_code", "The code_verifier is wrong.")
        return _new_token(world, made)


def _new_token(world: World, made: AuthorizationCode) -> Json:
    value = f"{USER_PREFIX}{secrets.token_hex(18)}"
    expires_at = world.now() + _TOKEN_LIFE
    world.user_tokens[value] = UserToken(value, made.app, made.account, expires_at)
    return {
        "access_token": value,
        "token_type": "bearer",
        "scope": "",
        "expires_in": int(_TOKEN_LIFE.total_seconds()),
        "refresh_token": f"ghr_{secrets.token_hex(38)}",
        "refresh_token_expires_in": 15_897_600,
    }


def _problem(error: str, description: str) -> Json:
    return {"error": error, "error_description": description}


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _hashed(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@endpoint(blueprint, "GET", "/user", "users/get-authenticated", "person")
def get_authenticated(call: ApiCall) -> Json:
    """Who the token is for."""
    return public_user(call.world.site, _person(call).account)


@endpoint(
    blueprint,
    "GET",
    "/user/installations",
    "apps/list-installations-for-authenticated-user",
    "person",
)
def list_installations(call: ApiCall) -> ApiResponse:
    """The App's installations with a repository in which the person has a role."""
    person = _person(call)
    found = [
        one
        for one in call.world.installations.values()
        if one.app is person.app and any(_reached(call.world, one, person.account))
    ]
    return call.paged(found, lambda one: installation(call.world.site, one), "installations")


@endpoint(
    blueprint,
    "GET",
    "/user/installations/<int:installation_id>/repositories",
    "apps/list-installation-repos-for-authenticated-user",
    "person",
)
def list_repositories(call: ApiCall, installation_id: int) -> ApiResponse:
    """The repositories of an installation in which the person has a role, with what it allows."""
    person, found = _person(call), call.world.installations.get(installation_id)
    if found is None or found.app is not person.app:
        raise not_found()
    reached = list(_reached(call.world, found, person.account))

    def shape(one: Repository) -> Json:
        return {
            **repository(call.world.site, one),
            "permissions": _permissions(one, person.account),
        }

    return call.paged(reached, shape, "repositories")


def _person(call: ApiCall) -> UserToken:
    assert call.caller.person is not None
    return call.caller.person


def _reached(world: World, found: Installation, who: Account) -> Iterator[Repository]:
    """Those that everybody may read are not among them, unless the person has a role there."""
    for one in covered_by(world, found):
        if one.owner is who or who.login.lower() in one.roles:
            yield one


def _permissions(one: Repository, who: Account) -> Json:
    role = one.role(who)
    assert role is not None
    levels = {"admin": Role.ADMIN, "maintain": Role.MAINTAIN, "push": Role.WRITE}
    held = {name: role.reaches(level) for name, level in levels.items()}
    return {**held, "triage": role.reaches(Role.TRIAGE), "pull": True}


_TOKEN = {"access_token": text(required=True)}


@endpoint(
    blueprint,
    "POST",
    "/applications/<client_id>/token",
    "apps/check-token",
    "client",
    fields=_TOKEN,
)
def check_token(call: ApiCall, client_id: str) -> Json:
    """What an App's token for somebody is."""
    return authorization(call.world.site, _own_token(call, client_id))


@endpoint(
    blueprint,
    "DELETE",
    "/applications/<client_id>/token",
    "apps/delete-token",
    "client",
    fields=_TOKEN,
)
def delete_token(call: ApiCall, client_id: str) -> None:
    """End an App's token for somebody."""
    del call.world.user_tokens[_own_token(call, client_id).value]


def _own_token(call: ApiCall, client_id: str) -> UserToken:
    app, found = call.caller.client, call.world.user_tokens.get(call.body["access_token"])
    if app is None or app.client_id != client_id or found is None or found.app is not app:
        raise not_found()
    return found

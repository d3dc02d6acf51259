"""Apps, their installations, and the tokens of these."""

from __future__ import annotations

import secrets
from datetime import timedelta

from flask import Blueprint

from bot.demo.simulator.api.body import Field, listing, record, text
from bot.demo.simulator.api.call import ApiCall
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.operations.apps import LEVELS, PERMISSIONS, covered_by
from bot.demo.simulator.records import Installation, Json, Repository, Token
from bot.demo.simulator.serializers.apps import installation as installation_shape
from bot.demo.simulator.serializers.apps import integration
from bot.demo.simulator.serializers.apps import token as token_shape
from bot.demo.simulator.serializers.repositories import repository as repository_shape

blueprint = Blueprint("apps", __name__)

_LEVEL = text(choices=LEVELS)
_MOST_REPOSITORIES = 500
_TOKEN_FIELDS = {
    "repositories": listing(text(), most=_MOST_REPOSITORIES),
    "repository_ids": listing(Field(int), most=_MOST_REPOSITORIES),
    "permissions": record(dict.fromkeys(PERMISSIONS, _LEVEL)),
}


@endpoint(blueprint, "GET", "/app", "apps/get-authenticated", "app")
def get_authenticated(call: ApiCall) -> Json:
    """The App that calls."""
    app = call.caller.app
    assert app is not None
    count = sum(one.app is app for one in call.world.installations.values())
    return {**integration(call.world.site, app), "installations_count": count}


@endpoint(
    blueprint,
    "GET",
    "/repos/<owner>/<repo>/installation",
    "apps/get-repo-installation",
    "app",
    public=False,
)
def get_repo_installation(call: ApiCall) -> Json:
    """The installation on a repository."""
    app = call.caller.app
    assert app is not None
    return installation_shape(call.world.site, call.world.installation(call.repository, app))


@endpoint(
    blueprint,
    "POST",
    "/app/installations/<int:installation_id>/access_tokens",
    "apps/create-installation-access-token",
    "app",
    fields=_TOKEN_FIELDS,
    status=201,
)
def create_token(call: ApiCall, installation_id: int) -> Json:
    """A token, for some repositories and permissions or for all that the installation has."""
    installation = _own(call, installation_id)
    if installation.suspended_at is not None:
        raise RefusedError(403, "This installation has been suspended")
    world = call.world
    chosen = _chosen(call, installation)
    token = Token(
        value=_token_value(),
        installation=installation,
        permissions=_scoped(call.body.get("permissions"), installation.permissions),
        repositories=None if chosen is None else frozenset(one.id for one in chosen),
        expires_at=world.now() + timedelta(seconds=world.limits.token_seconds),
    )
    world.tokens[token.value] = token
    if chosen is None:
        return token_shape(token)
    return {
        **token_shape(token),
        "repositories": [repository_shape(world.site, one) for one in chosen],
    }


def _token_value() -> str:
    """The format of 2026: some 520 characters, with dots, underscores and dashes."""
    parts = (secrets.token_urlsafe(size) for size in (27, 102, 255))
    return f"ghs_{'.'.join(parts)}"


def _chosen(call: ApiCall, installation: Installation) -> list[Repository] | None:
    names, ids = call.body.get("repositories"), call.body.get("repository_ids")
    covered = covered_by(call.world, installation)
    if names is None and ids is None:
        return None if installation.selected is None else covered
    by_name = {one.name.lower(): one for one in covered}
    by_id = {one.id: one for one in covered}
    try:
        named = [by_name[name.lower()] for name in names or ()]
        return list(dict.fromkeys([*named, *(by_id[one] for one in ids or ())]))
    except KeyError:
        message = (
            "There is at least one repository that does not exist or is not accessible to the "
            "parent installation."
        )
        raise RefusedError(422, message) from None


def _scoped(wanted: dict[str, str] | None, granted: dict[str, str]) -> dict[str, str]:
    if not wanted:
        return dict(granted)
    for name, level in wanted.items():
        held = granted.get(name)
        if held is None or LEVELS.index(held) < LEVELS.index(level):
            message = "The permissions requested are not granted to this installation."
            raise RefusedError(422, message)
    return {"metadata": "read", **wanted}


def _own(call: ApiCall, identity: int) -> Installation:
    found = call.world.installations.get(identity)
    if found is None or found.app is not call.caller.app:
        raise not_found()
    return found

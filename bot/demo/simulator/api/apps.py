"""Apps: their installations and tokens, their webhooks, and how they are made from a manifest.

See https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
"""

from __future__ import annotations

import html
import json
import secrets
from datetime import timedelta
from urllib.parse import urlencode

import flask
from flask import Blueprint

from bot.demo.simulator.api.body import Field, listing, record, text
from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.courier import DeliveryAttempt
from bot.demo.simulator.errors import RefusedError, invalid_request, not_found
from bot.demo.simulator.operations.apps import (
    LEVELS,
    PERMISSIONS,
    ManifestError,
    covered_by,
    create_app,
)
from bot.demo.simulator.records import (
    Account,
    AccountKind,
    AppSecrets,
    Conversion,
    Installation,
    Json,
    Repository,
    Token,
)
from bot.demo.simulator.serializers.accounts import installation as installation_shape
from bot.demo.simulator.serializers.accounts import integration, stamp
from bot.demo.simulator.serializers.accounts import token as token_shape
from bot.demo.simulator.serializers.repositories import repository as repository_shape
from bot.demo.simulator.world import World, current

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


_KEPT_DAYS = 3
_DELIVERY = "/app/hook/deliveries/<int:delivery_id>"


@endpoint(blueprint, "GET", "/app/hook/deliveries", "apps/list-webhook-deliveries", "app")
def list_deliveries(call: ApiCall) -> ApiResponse:
    """What was delivered, newest first; the rest is behind the cursor in the Link header."""
    found = _kept(call)
    if status := call.query.get("status"):
        found = [one for one in found if one.succeeded == (status == "success")]
    if cursor := call.query.get("cursor"):
        found = [one for one in found if one.id <= _position(cursor)]
    size = min(max(int(call.query.get("per_page", "30")), 1), 100)
    page, rest = found[:size], found[size:]
    headers = {"Link": call.link("next", cursor=f"v1_{rest[0].id}")} if rest else {}
    return ApiResponse([_item(one) for one in page], headers=headers)


def _position(cursor: str) -> int:
    number = cursor.removeprefix("v1_")
    if not number.isdecimal():
        raise invalid_request(f'"{cursor}" is not a valid cursor.')
    return int(number)


@endpoint(
    blueprint,
    "POST",
    f"{_DELIVERY}/attempts",
    "apps/redeliver-webhook-delivery",
    "app",
    status=202,
)
def redeliver(call: ApiCall, delivery_id: int) -> Json:
    """Deliver again under the same X-GitHub-Delivery."""
    call.world.courier.redeliver(_find(call, delivery_id))
    return {}


def _kept(call: ApiCall) -> list[DeliveryAttempt]:
    now = call.world.now()
    return [
        one
        for one in reversed(call.world.courier.deliveries)
        if one.parcel.app is call.caller.app and (now - one.delivered_at).days < _KEPT_DAYS
    ]


def _find(call: ApiCall, identity: int) -> DeliveryAttempt:
    for one in _kept(call):
        if one.id == identity:
            return one
    raise not_found()


def _item(of: DeliveryAttempt) -> Json:
    return {
        "id": of.id,
        "guid": of.parcel.guid,
        "delivered_at": stamp(of.delivered_at),
        "redelivery": of.parcel.redelivery,
        "duration": of.duration,
        "status": of.status,
        "status_code": of.status_code,
        "event": of.parcel.event,
        "action": of.parcel.action,
        "installation_id": of.parcel.installation_id,
        "repository_id": of.parcel.repository_id,
        "throttled_at": None,
    }


pages = Blueprint("manifest-pages", __name__)

_NEEDED = ("name", "url", "redirect_url")
_LIFE = timedelta(hours=1)
_KNOWN = frozenset(
    [
        "name",
        "url",
        "hook_attributes",
        "redirect_url",
        "callback_urls",
        "setup_url",
        "description",
        "public",
        "default_events",
        "default_permissions",
        "request_oauth_on_install",
        "setup_on_update",
    ]
)


@pages.post("/settings/apps/new")
def new_personal_app() -> flask.typing.ResponseReturnValue:
    """The form comes from the App's own setup page, in the browser of whoever is signed in."""
    world = current().world
    with world.lock:
        people = [one for one in world.accounts.values() if one.kind is AccountKind.USER]
        if not people:
            return _complain("nobody is signed in: add a user first")
        return _new_app(world, people[0])


@pages.post("/organizations/<login>/settings/apps/new")
def new_organization_app(login: str) -> flask.typing.ResponseReturnValue:
    """The same for an App that belongs to an organisation."""
    world = current().world
    with world.lock:
        owner = world.accounts.get(login.lower())
        if owner is None or owner.kind is not AccountKind.ORGANIZATION:
            return flask.Response("Not Found", status=404)
        return _new_app(world, owner)


def _new_app(world: World, owner: Account) -> flask.typing.ResponseReturnValue:
    try:
        manifest = _manifest(flask.request.form.get("manifest", ""))
        credentials = _made(world, owner, manifest)
    except ManifestError as error:
        return _complain(str(error))
    code = secrets.token_hex(20)
    app = world.apps[credentials.app_id]
    world.conversions[code] = Conversion(app, credentials, world.now())
    state = flask.request.args.get("state")
    query = urlencode({"code": code} | ({"state": state} if state else {}))
    joint = "&" if "?" in manifest["redirect_url"] else "?"
    return flask.redirect(f"{manifest['redirect_url']}{joint}{query}")


def _manifest(text: str) -> Json:
    try:
        manifest = json.loads(text)
    except ValueError:
        raise ManifestError("manifest is not valid JSON") from None
    if not isinstance(manifest, dict):
        raise ManifestError("manifest must be an object")
    complaints = [f"unknown key {key}" for key in sorted(manifest.keys() - _KNOWN)]
    complaints += [f"{key} is missing" for key in _NEEDED if not manifest.get(key)]
    complaints += [
        f"{place} must be a URL"
        for place, address in _addresses(manifest).items()
        if not str(address).startswith(("http://", "https://"))
    ]
    if complaints:
        raise ManifestError("; ".join(complaints))
    return manifest


def _addresses(manifest: Json) -> Json:
    places = ("url", "redirect_url", "setup_url")
    found: Json = {key: manifest[key] for key in places if key in manifest}
    callbacks = manifest.get("callback_urls", ())
    found |= {f"callback_urls.{at}": address for at, address in enumerate(callbacks)}
    hook = manifest.get("hook_attributes")
    return found if hook is None else {**found, "hook_attributes.url": hook.get("url", "")}


def _made(world: World, owner: Account, manifest: Json) -> AppSecrets:
    hook = manifest.get("hook_attributes", {})
    return create_app(
        world,
        owner,
        manifest["name"],
        manifest.get("default_permissions", {}),
        manifest.get("default_events", ()),
        url=manifest["url"],
        webhook_url=hook.get("url", ""),
        active=hook.get("active", True),
        callback_urls=manifest.get("callback_urls", ()),
    )


def _complain(problem: str) -> flask.Response:
    page = f"<!doctype html><title>Invalid GitHub App manifest</title><p>{html.escape(problem)}</p>"
    return flask.Response(page, status=422, content_type="text/html; charset=utf-8")


@endpoint(
    blueprint,
    "POST",
    "/app-manifests/<code>/conversions",
    "apps/create-from-manifest",
    "anyone",
    status=201,
)
def convert(call: ApiCall, code: str) -> Json:
    """The App's credentials, once, within an hour."""
    made = call.world.conversions.pop(code, None)
    if made is None or made.created_at + _LIFE <= call.world.now():
        raise not_found()
    return _credentials(call.world, made)


def _credentials(world: World, made: Conversion) -> Json:
    return {
        **integration(world.site, made.app),
        "client_secret": made.credentials.client_secret,
        "webhook_secret": made.credentials.webhook_secret,
        "pem": made.credentials.private_key,
    }

"""Apps made from a manifest: the page that GitHub shows, and the exchange of the code.

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

from bot.demo.simulator.accounts import Account, AccountKind, AppSecrets, Conversion
from bot.demo.simulator.api.call import ApiCall
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import not_found
from bot.demo.simulator.operations.apps import ManifestError, create_app
from bot.demo.simulator.records import Json
from bot.demo.simulator.serializers.apps import integration
from bot.demo.simulator.state import current
from bot.demo.simulator.world import World

blueprint = Blueprint("manifests", __name__)
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
        "client_secret": secrets.token_hex(20),
        "webhook_secret": made.credentials.webhook_secret,
        "pem": made.credentials.private_key,
    }

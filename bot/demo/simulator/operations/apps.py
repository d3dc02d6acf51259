"""Apps: made, installed, changed, suspended, uninstalled."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.demo.simulator.events import NEEDED, emit_installation, emit_ping
from bot.demo.simulator.records import (
    Account,
    AccountKind,
    App,
    AppSecrets,
    Installation,
    Json,
    Repository,
)
from bot.demo.simulator.serializers.accounts import installation as shape
from bot.demo.simulator.serializers.repositories import brief_repository
from bot.demo.simulator.world import World

LEVELS = ("read", "write", "admin")
PERMISSIONS = frozenset(
    [
        "actions",
        "administration",
        "checks",
        "contents",
        "deployments",
        "environments",
        "issues",
        "members",
        "metadata",
        "merge_queues",
        "packages",
        "pages",
        "pull_requests",
        "repository_hooks",
        "secrets",
        "statuses",
        "workflows",
    ]
)
LONGEST_NAME = 34


class ManifestError(ValueError):
    """GitHub's page would show these complaints instead of making the App."""


def create_app(
    world: World,
    owner: Account,
    name: str,
    permissions: Mapping[str, str],
    events: Iterable[str],
    *,
    url: str,
    webhook_url: str,
    secret: str | None = None,
    private_key: str | None = None,
    active: bool = True,
    callback_urls: Iterable[str] = (),
) -> AppSecrets:
    """Register an App, with a key of its own or a given one (PEM), and ping it.

    Raises ManifestError.
    """
    subscribed = tuple(events)
    granted = {"metadata": "read", **permissions}
    check_app(world, name, granted, subscribed)
    pem = private_key or new_private_key()
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    app = App(
        id=world.new_id(),
        client_id=f"Iv23li{secrets.token_hex(7)}",
        slug=slug,
        name=name,
        owner=owner,
        bot=world.add_account(f"{slug}[bot]", AccountKind.BOT),
        public_key=_public(pem),
        url=url,
        webhook_url=webhook_url,
        secret=secrets.token_hex(20) if secret is None else secret,
        permissions=granted,
        events=subscribed,
        created_at=world.now(),
        hook_id=world.new_id(),
        active=active,
        callback_urls=tuple(callback_urls),
        client_secret=secrets.token_hex(20),
    )
    world.apps[app.id] = app
    emit_ping(world, app)
    return AppSecrets(app.id, app.client_id, slug, pem, app.secret, app.client_secret)


def check_app(
    world: World, name: str, permissions: Mapping[str, str], events: tuple[str, ...]
) -> None:
    """Raises ManifestError where GitHub would not make such an App."""
    complaints = [*_about_name(world, name), *_about_permissions(permissions)]
    complaints += [
        f"Default events are not supported by permissions: {event}"
        for event in events
        if not any(needed in permissions for needed in NEEDED.get(event, ()))
    ]
    if complaints:
        raise ManifestError("; ".join(complaints))


def _about_name(world: World, name: str) -> Iterator[str]:
    if not name.strip() or len(name) > LONGEST_NAME:
        yield f"Name must have 1 to {LONGEST_NAME} characters"
    if name.lower() in {app.name.lower() for app in world.apps.values()}:
        yield "Name is already taken"


def _about_permissions(permissions: Mapping[str, str]) -> Iterator[str]:
    for key, level in permissions.items():
        if key not in PERMISSIONS:
            yield f"Default permission records resource is not included: {key}"
        elif level not in LEVELS:
            yield f"Default permission {key}: unknown level {level}"


def install(
    world: World, app: App, account: Account, repositories: list[Repository] | None, actor: Account
) -> Installation:
    """Install on all repositories of an account (None) or on some. Raises ValueError."""
    if any(one.app is app and one.account is account for one in world.installations.values()):
        raise ValueError(f"{app.name} is installed on {account.login} already")
    now = world.now()
    selected = None if repositories is None else {one.id for one in repositories}
    made = Installation(
        world.new_id(), app, account, selected, dict(app.permissions), app.events, now, now
    )
    world.installations[made.id] = made
    covered = [brief_repository(one) for one in covered_by(world, made)]
    _tell(world, made, "created", actor, repositories=covered, requester=None)
    return made


def covered_by(world: World, installation: Installation) -> list[Repository]:
    """The repositories of an installation."""
    return [one for one in world.repositories.values() if installation.covers(one)]


def uninstall(world: World, installation: Installation, actor: Account) -> None:
    """Take an App away; its tokens end."""
    covered = [brief_repository(one) for one in covered_by(world, installation)]
    del world.installations[installation.id]
    _end_tokens(world, installation)
    _tell(world, installation, "deleted", actor, repositories=covered)


def suspend(world: World, installation: Installation, actor: Account) -> None:
    """Stop an installation for a while; its tokens are refused meanwhile."""
    installation.suspended_at, installation.suspended_by = world.now(), actor
    _tell(world, installation, "suspend", actor)


def unsuspend(world: World, installation: Installation, actor: Account) -> None:
    """Let an installation go on."""
    installation.suspended_at = installation.suspended_by = None
    _tell(world, installation, "unsuspend", actor)


def accept_permissions(world: World, installation: Installation, actor: Account) -> None:
    """The account's owner accepts what the App asks for now."""
    installation.permissions = dict(installation.app.permissions)
    installation.events = installation.app.events
    _tell(world, installation, "new_permissions_accepted", actor)


def _tell(
    world: World, installation: Installation, action: str, actor: Account, **more: object
) -> None:
    content: Json = {"installation": shape(world.site, installation), **more}
    emit_installation(world, "installation", action, installation, actor, content)


def _end_tokens(world: World, installation: Installation) -> None:
    for value, token in list(world.tokens.items()):
        if token.installation is installation:
            del world.tokens[value]


def new_private_key() -> str:
    """A key as GitHub hands it out (PKCS#1)."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()


def _public(pem: str) -> str:
    key = serialization.load_pem_private_key(
        pem.encode(), password=None, unsafe_skip_rsa_key_validation=True
    )
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )

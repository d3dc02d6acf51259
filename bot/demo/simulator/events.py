"""Which Apps hear of what, and what they hear."""

from __future__ import annotations

from bot.demo.simulator import description
from bot.demo.simulator.courier import Parcel
from bot.demo.simulator.records import Account, AccountKind, App, Installation, Json, Repository
from bot.demo.simulator.serializers.accounts import account, node_id, organization
from bot.demo.simulator.serializers.repositories import pushed_repository
from bot.demo.simulator.serializers.repositories import repository as repository_shape
from bot.demo.simulator.world import World

NEEDED: dict[str, tuple[str, ...]] = {
    "issues": ("issues",),
    "issue_comment": ("issues", "pull_requests"),
    "label": ("issues", "pull_requests"),
    "pull_request": ("pull_requests",),
    "pull_request_review": ("pull_requests",),
    "pull_request_review_comment": ("pull_requests",),
    "push": ("contents",),
    "create": ("contents",),
    "delete": ("contents",),
    "merge_group": ("merge_queues",),
    "check_run": ("checks",),
    "check_suite": ("checks",),
    "status": ("statuses",),
    "repository": ("metadata",),
    "fork": ("contents",),
}
"""For each event that an App may subscribe to, the permissions of which one is needed."""

_WITH_CHECKS = frozenset({"check_run", "check_suite"})


def emit(
    world: World,
    event: str,
    action: str | None,
    repository: Repository,
    sender: Account,
    content: Json,
    *,
    only: App | None = None,
) -> None:
    """Send what happened in a repository to each App there that subscribed to it."""
    for installation in world.installations.values():
        if only not in (None, installation.app) or installation.suspended_at:
            continue
        if installation.covers(repository) and _wants(installation, event):
            head: Json = {} if action is None else {"action": action}
            payload = {
                **head,
                **content,
                **_context(world, event, repository, sender, installation),
            }
            _send(world, installation, event, action, payload, repository.id)


def emit_installation(
    world: World,
    event: str,
    action: str,
    installation: Installation,
    sender: Account,
    content: Json,
) -> None:
    """Send an App the news of its own installation, which need no subscription."""
    payload = {"action": action, **content, "sender": account(world.site, sender)}
    _send(world, installation, event, action, payload, None)


def emit_ping(world: World, app: App) -> None:
    """The first event that a new App gets."""
    hook = {
        "type": "App",
        "id": app.hook_id,
        "name": "web",
        "active": app.active,
        "events": list(app.events),
        "config": {"content_type": "json", "insecure_ssl": "0", "url": app.webhook_url},
        "updated_at": f"{app.created_at:%Y-%m-%dT%H:%M:%SZ}",
        "created_at": f"{app.created_at:%Y-%m-%dT%H:%M:%SZ}",
        "app_id": app.id,
        "deliveries_url": f"{world.site.api}/app/hook/deliveries",
    }
    payload: Json = {"zen": "Keep it logically awesome.", "hook_id": app.hook_id, "hook": hook}
    description.check_event("ping", None, payload)
    if app.active and app.webhook_url:
        world.courier.send(Parcel(app, "ping", None, payload))


def _wants(installation: Installation, event: str) -> bool:
    granted = installation.permissions
    if event in _WITH_CHECKS:
        return granted.get("checks") == "write" or event in installation.events
    allowed = any(name in granted for name in NEEDED[event])
    return allowed and event in installation.events


def _context(
    world: World, event: str, repository: Repository, sender: Account, installation: Installation
) -> Json:
    owner = repository.owner
    owned = owner.kind is AccountKind.ORGANIZATION
    shape = pushed_repository if event == "push" else repository_shape
    return {
        "repository": shape(world.site, repository),
        **({"organization": organization(world.site, owner)} if owned else {}),
        "sender": account(world.site, sender),
        "installation": {
            "id": installation.id,
            "node_id": node_id("MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u", installation.id),
        },
    }


def _send(
    world: World,
    installation: Installation,
    event: str,
    action: str | None,
    payload: Json,
    repository_id: int | None,
) -> None:
    description.check_event(event, action, payload)
    app = installation.app
    if app.active and app.webhook_url:
        world.courier.send(Parcel(app, event, action, payload, installation.id, repository_id))

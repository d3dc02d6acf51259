"""Apps, installations and tokens."""

from __future__ import annotations

from bot.demo.simulator.accounts import AccountKind, App
from bot.demo.simulator.records import Installation, Json, Token
from bot.demo.simulator.serializers.accounts import account, node_id, optional, stamp
from bot.demo.simulator.site import Site


def integration(site: Site, app: App) -> Json:
    """An App as everyone sees it."""
    return {
        "id": app.id,
        "client_id": app.client_id,
        "slug": app.slug,
        "node_id": node_id("A", app.id),
        "owner": account(site, app.owner),
        "name": app.name,
        "description": None,
        "external_url": app.url,
        "html_url": f"{site.web}/apps/{app.slug}",
        "created_at": stamp(app.created_at),
        "updated_at": stamp(app.created_at),
        "permissions": app.permissions,
        "events": list(app.events),
    }


def installation(site: Site, of: Installation) -> Json:
    """An installation."""
    url = f"{site.api}/app/installations/{of.id}"
    organization = of.account.kind is AccountKind.ORGANIZATION
    place = f"organizations/{of.account.login}/settings" if organization else "settings"
    return {
        "id": of.id,
        "client_id": of.app.client_id,
        "account": account(site, of.account),
        "repository_selection": "all" if of.selected is None else "selected",
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{site.api}/installation/repositories",
        "html_url": f"{site.web}/{place}/installations/{of.id}",
        "app_id": of.app.id,
        "app_slug": of.app.slug,
        "target_id": of.account.id,
        "target_type": of.account.kind.value,
        "permissions": of.permissions,
        "events": list(of.events),
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.updated_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": optional(site, of.suspended_by),
        "suspended_at": stamp(of.suspended_at),
    }


def token(of: Token) -> Json:
    """A token as it is handed out."""
    return {
        "token": of.value,
        "expires_at": stamp(of.expires_at),
        "permissions": of.permissions,
        "repository_selection": "all" if of.repositories is None else "selected",
    }

"""Accounts, Apps, installations and tokens."""

from __future__ import annotations

import hashlib
from datetime import datetime

from bot.demo.simulator.records import (
    Account,
    AccountKind,
    App,
    Installation,
    Issue,
    Json,
    Repository,
    Role,
    Token,
    UserToken,
)
from bot.demo.simulator.settings import Site

_PREFIX = {"User": "U", "Bot": "BOT", "Organization": "O"}
_ROLE = {True: "COLLABORATOR", False: "NONE"}


def stamp(moment: datetime | None) -> str | None:
    """A time as GitHub writes it; None stays None."""
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def node_id(prefix: str, identity: int | str) -> str:
    """An id of GraphQL."""
    return f"{prefix}_kwDO{identity}"


def account(site: Site, who: Account) -> Json:
    """A "simple user"."""
    url = f"{site.api}/users/{who.login}"
    lists = ("followers", "subscriptions", "repos", "received_events")
    return {
        "login": who.login,
        "id": who.id,
        "node_id": node_id(_PREFIX[who.kind], who.id),
        "avatar_url": f"{site.web}/avatars/u/{who.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{site.web}/{who.login.removesuffix('[bot]')}",
        **{f"{name}_url": f"{url}/{name}" for name in lists},
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "organizations_url": f"{url}/orgs",
        "events_url": f"{url}/events{{/privacy}}",
        "type": who.kind.value,
        "user_view_type": "public",
        "site_admin": False,
    }


def public_user(site: Site, who: Account) -> Json:
    """Somebody as the API shows them to an App that asks in their name."""
    unknown = ("name", "company", "blog", "location", "email", "hireable", "bio")
    counted = ("public_repos", "public_gists", "followers", "following")
    return {
        **account(site, who),
        **dict.fromkeys(unknown),
        **dict.fromkeys(counted, 0),
        "created_at": stamp(who.created_at),
        "updated_at": stamp(who.created_at),
    }


def optional(site: Site, who: Account | None) -> Json | None:
    """An account or null."""
    return None if who is None else account(site, who)


def organization(site: Site, who: Account) -> Json:
    """An organisation as events name it."""
    url = f"{site.api}/orgs/{who.login}"
    return {
        "login": who.login,
        "id": who.id,
        "node_id": node_id("O", who.id),
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"{site.web}/avatars/u/{who.id}",
        "description": None,
    }


def association(repository: Repository, who: Account) -> str:
    """What somebody is to a repository."""
    if who is repository.owner:
        return "OWNER"
    role = repository.roles.get(who.login.lower())
    if role is None and any(_merged(issue, who) for issue in repository.issues.values()):
        return "CONTRIBUTOR"
    member = role is not None and repository.owner.kind is AccountKind.ORGANIZATION
    return "MEMBER" if member and role is not Role.READ else _ROLE[role is not None]


def _merged(issue: Issue, who: Account) -> bool:
    return issue.author is who and issue.pull is not None and issue.pull.merged_at is not None


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


def authorization(site: Site, of: UserToken) -> Json:
    """A token for a person, as the App that holds it may look at it."""
    return {
        "id": of.account.id,
        "url": f"{site.api}/authorizations/{of.account.id}",
        "app": {"client_id": of.app.client_id, "name": of.app.name, "url": of.app.url},
        "token": of.value,
        "hashed_token": hashlib.sha256(of.value.encode()).hexdigest(),
        "token_last_eight": of.value[-8:],
        "note": None,
        "note_url": None,
        "scopes": [],
        "fingerprint": None,
        "created_at": stamp(of.account.created_at),
        "updated_at": stamp(of.account.created_at),
        "expires_at": stamp(of.expires_at),
        "user": account(site, of.account),
    }

"""Accounts."""

from __future__ import annotations

from datetime import datetime

from bot.demo.simulator.accounts import Account, AccountKind, Role
from bot.demo.simulator.records import Issue, Json, Repository
from bot.demo.simulator.site import Site

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

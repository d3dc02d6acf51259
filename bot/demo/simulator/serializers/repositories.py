"""Repositories."""

from __future__ import annotations

from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import account, node_id, stamp
from bot.demo.simulator.site import Site

_PLAIN_URLS = [
    "contributors",
    "deployments",
    "downloads",
    "events",
    "forks",
    "hooks",
    "languages",
    "merges",
    "stargazers",
    "subscribers",
    "subscription",
    "tags",
    "teams",
]
_TEMPLATES = {
    "archive": "{archive_format}{/ref}",
    "assignees": "assignees{/user}",
    "blobs": "git/blobs{/sha}",
    "branches": "branches{/branch}",
    "collaborators": "collaborators{/collaborator}",
    "comments": "comments{/number}",
    "commits": "commits{/sha}",
    "compare": "compare/{base}...{head}",
    "contents": "contents/{+path}",
    "git_commits": "git/commits{/sha}",
    "git_refs": "git/refs{/sha}",
    "git_tags": "git/tags{/sha}",
    "issue_comment": "issues/comments{/number}",
    "issue_events": "issues/events{/number}",
    "issues": "issues{/number}",
    "keys": "keys{/key_id}",
    "labels": "labels{/name}",
    "milestones": "milestones{/number}",
    "notifications": "notifications{?since,all,participating}",
    "pulls": "pulls{/number}",
    "releases": "releases{/id}",
    "statuses": "statuses/{sha}",
    "trees": "git/trees{/sha}",
}


def repository_url(site: Site, repository: Repository) -> str:
    """Where the API has a repository."""
    return f"{site.api}/repos/{repository.full_name}"


def repository(site: Site, of: Repository) -> Json:
    """A repository with all its addresses."""
    web = f"{site.web}/{of.full_name}"
    opened = sum(issue.state == "open" for issue in of.issues.values())
    return {
        "id": of.id,
        "node_id": node_id("R", of.id),
        "name": of.name,
        "full_name": of.full_name,
        "private": of.private,
        "visibility": "private" if of.private else "public",
        "owner": account(site, of.owner),
        "html_url": web,
        "description": None,
        "fork": of.parent is not None,
        **_urls(repository_url(site, of)),
        **_addresses(site, web),
        **_settings(),
        **_counts(opened),
        "homepage": None,
        "language": "Python",
        "license": None,
        "default_branch": of.default_branch,
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.pushed_at),
        "pushed_at": stamp(of.pushed_at),
        "topics": [],
        "web_commit_signoff_required": False,
        "custom_properties": {},
    }


def full_repository(site: Site, of: Repository) -> Json:
    """One repository, as an answer to a request for it alone."""
    lineage = {}
    if of.parent is not None:
        parent = repository(site, of.parent)
        lineage = {"parent": parent, "source": parent}
    return {
        **repository(site, of),
        **lineage,
        "permissions": {"admin": False, "push": False, "pull": True},
        "network_count": 0,
        "subscribers_count": 0,
    }


def pushed_repository(site: Site, of: Repository) -> Json:
    """A repository as the event of a push has it: in an older form, with times as numbers."""
    plain = repository(site, of)
    return {
        **plain,
        "owner": {**plain["owner"], "name": of.owner.login, "email": None},
        "created_at": int(of.created_at.timestamp()),
        "pushed_at": int(of.pushed_at.timestamp()),
        "stargazers": 0,
        "master_branch": of.default_branch,
    }


def brief_repository(of: Repository) -> Json:
    """A repository as the events of installations name it."""
    return {
        "id": of.id,
        "node_id": node_id("R", of.id),
        "name": of.name,
        "full_name": of.full_name,
        "private": of.private,
    }


def _urls(url: str) -> Json:
    plain = {f"{name}_url": f"{url}/{name}" for name in _PLAIN_URLS}
    filled = {f"{name}_url": f"{url}/{rest}" for name, rest in _TEMPLATES.items()}
    return {"url": url, **plain, **filled}


def _addresses(site: Site, web: str) -> Json:
    host = site.web.partition("://")[2]
    return {
        "git_url": f"git://{web.partition('://')[2]}.git",
        "ssh_url": f"git@{host}:{web.removeprefix(site.web)[1:]}.git",
        "clone_url": f"{web}.git",
        "svn_url": web,
        "mirror_url": None,
    }


def _settings() -> Json:
    on = ("has_issues", "has_projects", "has_wiki", "has_downloads", "allow_forking")
    off = ("has_pages", "has_discussions", "archived", "disabled", "is_template")
    return {**dict.fromkeys(on, True), **dict.fromkeys(off, False)}


def _counts(opened: int) -> Json:
    nothing = ("forks_count", "stargazers_count", "watchers_count", "size", "forks", "watchers")
    return {**dict.fromkeys(nothing, 0), "open_issues_count": opened, "open_issues": opened}

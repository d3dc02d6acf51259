"""Repositories, their commits and files."""

from __future__ import annotations

import base64
from urllib.parse import quote

from bot.demo.simulator.diffs import FileDiff
from bot.demo.simulator.git import CommitInfo, Entry, Signature
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import account, node_id, stamp
from bot.demo.simulator.settings import Site

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


_ENTRY_KINDS = {"blob": "file", "tree": "dir", "commit": "submodule"}
_UNVERIFIED: Json = {
    "verified": False,
    "reason": "unsigned",
    "signature": None,
    "payload": None,
    "verified_at": None,
}


def _person(signature: Signature) -> Json:
    return {"name": signature.name, "email": signature.email, "date": signature.date}


def git_commit(site: Site, repository: Repository, revision: CommitInfo) -> Json:
    """A commit as the git database has it."""
    url = repository_url(site, repository)
    web = f"{site.web}/{repository.full_name}/commit"
    return {
        "sha": revision.sha,
        "node_id": node_id("C", revision.sha),
        "url": f"{url}/git/commits/{revision.sha}",
        "html_url": f"{web}/{revision.sha}",
        "author": _person(revision.author),
        "committer": _person(revision.committer),
        "message": revision.message,
        "tree": {"sha": revision.tree, "url": f"{url}/git/trees/{revision.tree}"},
        "parents": [
            {"sha": sha, "url": f"{url}/git/commits/{sha}", "html_url": f"{web}/{sha}"}
            for sha in revision.parents
        ],
        "verification": _UNVERIFIED,
    }


def simple_commit(revision: CommitInfo) -> Json:
    """A commit as the events of checks and merge groups have it."""
    return {
        "id": revision.sha,
        "tree_id": revision.tree,
        "message": revision.message,
        "timestamp": revision.committer.date,
        "author": {"name": revision.author.name, "email": revision.author.email},
        "committer": {"name": revision.committer.name, "email": revision.committer.email},
    }


def pushed_commit(site: Site, at: Repository, revision: CommitInfo, files: list[FileDiff]) -> Json:
    """A commit as the event of a push has it."""
    names = {"added": "added", "removed": "removed", "modified": "modified"}
    return {
        **simple_commit(revision),
        "distinct": True,
        "url": f"{site.web}/{at.full_name}/commit/{revision.sha}",
        "author": {**_mail(revision.author), "username": revision.author.name},
        "committer": {**_mail(revision.committer), "username": revision.committer.name},
        **{key: [file.path for file in files if file.status == key] for key in names},
    }


def _mail(signature: Signature) -> Json:
    return {"name": signature.name, "email": signature.email}


def content_item(site: Site, at: Repository, entry: Entry, ref: str) -> Json:
    """A name in a directory."""
    web = f"{site.web}/{at.full_name}"
    api = repository_url(site, at)
    path = quote(entry.path)
    kind = "symlink" if entry.mode == "120000" else _ENTRY_KINDS[entry.kind]
    url = f"{api}/contents/{path}?ref={ref}"
    place = "trees" if kind == "dir" else "blobs"
    git_url = f"{api}/git/{place}/{entry.sha}"
    html = f"{web}/{'tree' if kind == 'dir' else 'blob'}/{ref}/{path}"
    return {
        "type": kind,
        "size": entry.size or 0,
        "name": entry.path.rpartition("/")[2],
        "path": entry.path,
        "sha": entry.sha,
        "url": url,
        "git_url": git_url,
        "html_url": html,
        "download_url": None if kind == "dir" else f"{web}/raw/{ref}/{path}",
        "_links": {"git": git_url, "html": html, "self": url},
    }


def content_file(site: Site, at: Repository, entry: Entry, ref: str, data: bytes) -> Json:
    """A file with its content; above one megabyte GitHub leaves the content out."""
    small = len(data) <= 1024 * 1024
    return {
        **content_item(site, at, entry, ref),
        "encoding": "base64" if small else "none",
        "content": base64.encodebytes(data).decode() if small else "",
    }

"""Commits and files."""

from __future__ import annotations

import base64
from urllib.parse import quote

from bot.demo.simulator.commit import Signature
from bot.demo.simulator.diffs import FileDiff
from bot.demo.simulator.git import CommitInfo, Entry
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import node_id
from bot.demo.simulator.serializers.repositories import repository_url
from bot.demo.simulator.site import Site

_KINDS = {"blob": "file", "tree": "dir", "commit": "submodule"}
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
    kind = "symlink" if entry.mode == "120000" else _KINDS[entry.kind]
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

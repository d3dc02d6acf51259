"""Files in a repository."""

from __future__ import annotations

import base64
import binascii

from flask import Blueprint

from bot.demo.simulator.api.body import Field, record, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, invalid_request, not_found
from bot.demo.simulator.git import Entry, GitError
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.shapes.commits import content_file, content_item, git_commit

blueprint = Blueprint("contents", __name__)
_ROOT = "/repos/<owner>/<repo>/contents"
_PERSON = record({"name": text(required=True), "email": text(required=True), "date": text()})
_RAW = "application/vnd.github.raw; charset=utf-8"
_LARGEST = 100 * 1024 * 1024


@endpoint(blueprint, "GET", f"{_ROOT}/", "repos/get-content", "contents:read")
def get_root(call: Call) -> Reply:
    """The names in the top directory."""
    return get(call, "")


@endpoint(blueprint, "GET", f"{_ROOT}/<path:path>", "repos/get-content", "contents:read")
def get(call: Call, path: str) -> Reply:
    """A file (raw, if asked for), or the names in a directory."""
    repository, site = call.repository, call.world.site
    ref = call.query.get("ref", repository.default_branch)
    commit = _commit(repository, ref)
    path = path.strip("/")
    entry = _entry(repository, commit, path)
    if entry is None or entry.kind == "tree":
        inside = repository.git.entries(commit, f"{path}/" if path else "")
        return Reply([content_item(site, repository, one, ref) for one in inside])
    data = repository.git.blob(entry.sha)
    if len(data) > _LARGEST:
        raise RefusedError(403, "This API returns blobs up to 100 MB in size.")
    if call.media == "raw":
        return Reply(data, media=_RAW)
    return Reply(content_file(site, repository, entry, ref, data))


def _commit(repository: Repository, ref: str) -> str:
    if not repository.git.branches():
        raise RefusedError(404, "This repository is empty.")
    try:
        return repository.git.resolve(ref)
    except GitError:
        raise RefusedError(404, f"No commit found for the ref {ref}") from None


def _entry(repository: Repository, commit: str, path: str) -> Entry | None:
    if not path:
        return None
    for entry in repository.git.entries(commit, path):
        if entry.path == path:
            return entry
    raise not_found()


_WRITE: dict[str, Field] = {
    "message": text(required=True),
    "sha": text(),
    "branch": text(),
    "committer": _PERSON,
    "author": _PERSON,
}


@endpoint(
    blueprint,
    "PUT",
    f"{_ROOT}/<path:path>",
    "repos/create-or-update-file-contents",
    "contents:write",
    fields={**_WRITE, "content": text(required=True)},
    content=True,
)
def put(call: Call, path: str) -> Reply:
    """Write a file in a commit of its own; to change one, its blob's SHA must be told."""
    try:
        data = base64.b64decode(call.body["content"].replace("\n", ""), validate=True)
    except binascii.Error:
        raise RefusedError(422, "content is not valid Base64") from None
    known = _known(call, path)
    commit = _write(call, path, data)
    entry = _entry(call.repository, commit, path)
    assert entry is not None
    site, branch = call.world.site, _branch(call)
    answer: Json = {
        "content": content_item(site, call.repository, entry, branch),
        "commit": git_commit(site, call.repository, call.repository.git.revision(commit)),
    }
    return Reply(answer, 200 if known else 201)


@endpoint(
    blueprint,
    "DELETE",
    f"{_ROOT}/<path:path>",
    "repos/delete-file",
    "contents:write",
    fields={**_WRITE, "sha": text(required=True)},
)
def delete(call: Call, path: str) -> Json:
    """Delete a file in a commit of its own."""
    if not _known(call, path):
        raise not_found()
    commit = _write(call, path, None)
    revision = call.repository.git.revision(commit)
    return {"content": None, "commit": git_commit(call.world.site, call.repository, revision)}


def _branch(call: Call) -> str:
    branch: str = call.body.get("branch", call.repository.default_branch)
    return branch


def _known(call: Call, path: str) -> bool:
    tree, branch = call.repository.git, _branch(call)
    tips = tree.branches()
    if branch not in tips:
        if tips or branch != call.repository.default_branch:
            raise RefusedError(404, f"Branch {branch} not found")
        return False
    known = [one for one in tree.entries(tips[branch], path) if one.path == path]
    if known and "sha" not in call.body:
        raise invalid_request('"sha" wasn\'t supplied.')
    if "sha" in call.body and [one.sha for one in known] != [call.body["sha"]]:
        raise RefusedError(409, f"{path} does not match {call.body['sha']}")
    return bool(known)


def _write(call: Call, path: str, data: bytes | None) -> str:
    repository = call.repository
    before = repository.git.branches()
    signature = call.world.signature(call.caller.actor)
    message = call.body["message"]
    commit = repository.git.commit(_branch(call), {path: data}, message, signature)
    after_push(call.world, repository, before, call.caller.actor)
    return commit

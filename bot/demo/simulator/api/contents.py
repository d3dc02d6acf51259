"""Files in a repository."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.call import ApiCall, ApiResponse
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.git import Entry, GitError
from bot.demo.simulator.records import Repository
from bot.demo.simulator.serializers.commits import content_file, content_item

blueprint = Blueprint("contents", __name__)
_ROOT = "/repos/<owner>/<repo>/contents"
_LARGEST = 100 * 1024 * 1024


@endpoint(blueprint, "GET", f"{_ROOT}/<path:path>", "repos/get-content", "contents:read")
def get(call: ApiCall, path: str) -> ApiResponse:
    """A file, or the names in a directory."""
    repository, site = call.repository, call.world.site
    ref = call.query.get("ref", repository.default_branch)
    commit = _commit(repository, ref)
    path = path.strip("/")
    entry = _entry(repository, commit, path)
    if entry is None or entry.kind == "tree":
        inside = repository.git.entries(commit, f"{path}/" if path else "")
        return ApiResponse([content_item(site, repository, one, ref) for one in inside])
    data = repository.git.blob(entry.sha)
    if len(data) > _LARGEST:
        raise RefusedError(403, "This API returns blobs up to 100 MB in size.")
    return ApiResponse(content_file(site, repository, entry, ref, data))


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

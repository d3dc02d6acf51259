"""Repositories, who may do what in them, their files and their pulls."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.git import Entry, GitError
from bot.demo.simulator.records import Account, Json, Repository, Role
from bot.demo.simulator.serializers.accounts import account
from bot.demo.simulator.serializers.issues import full_pull
from bot.demo.simulator.serializers.issues import pull as pull_shape
from bot.demo.simulator.serializers.repositories import content_file, content_item, full_repository
from bot.demo.simulator.world import pull_of

blueprint = Blueprint("repositories", __name__)

_OLD_NAMES = {Role.MAINTAIN: Role.WRITE, Role.TRIAGE: Role.READ}
_NEEDED = {
    "pull": Role.READ,
    "triage": Role.TRIAGE,
    "push": Role.WRITE,
    "maintain": Role.MAINTAIN,
    "admin": Role.ADMIN,
}


@endpoint(blueprint, "GET", "/repos/<owner>/<repo>", "repos/get", "metadata:read")
def get(call: ApiCall) -> Json:
    """A repository."""
    return full_repository(call.world.site, call.repository)


@endpoint(
    blueprint,
    "GET",
    "/repos/<owner>/<repo>/collaborators/<username>/permission",
    "repos/get-collaborator-permission-level",
    "metadata:read",
    public=False,
)
def get_permission(call: ApiCall, username: str) -> Json:
    """What somebody may do; "maintain" is shown as "write" and "triage" as "read"."""
    who = call.world.account(username)
    role = call.repository.role(who)
    name = "none" if role is None else role.value
    return {
        "permission": "none" if role is None else _OLD_NAMES.get(role, role).value,
        "role_name": name,
        "user": _collaborator(call, who, role),
    }


def _collaborator(call: ApiCall, who: Account, role: Role | None) -> Json:
    allowed = {name: role is not None and role.reaches(needed) for name, needed in _NEEDED.items()}
    name = "none" if role is None else role.value
    return {**account(call.world.site, who), "permissions": allowed, "role_name": name}


def commit_named(repository: Repository, name: str) -> str:
    """The commit that a branch, tag or SHA names. Raises RefusedError (422) as GitHub does."""
    try:
        return repository.git.resolve(name)
    except GitError:
        raise RefusedError(422, f"No commit found for SHA: {name}") from None


PULLS = "/repos/<owner>/<repo>/pulls"
PULL = f"{PULLS}/<int:pull_number>"
_READ_PULLS = "pull_requests:read"


@endpoint(blueprint, "GET", PULLS, "pulls/list", _READ_PULLS)
def list_pulls(call: ApiCall) -> ApiResponse:
    """Pulls, newest first."""
    query = call.query
    state = query.get("state", "open")
    found = [one for one in reversed(call.repository.pulls) if state in ("all", one.issue.state)]
    if query.get("sort") == "updated":
        found.sort(key=lambda one: one.issue.updated_at, reverse=True)
    if query.get("direction") == "asc":
        found.reverse()
    return call.paged(found, lambda one: pull_shape(call.world.site, one))


@endpoint(blueprint, "GET", PULL, "pulls/get", _READ_PULLS)
def get_pull(call: ApiCall, pull_number: int) -> Json:
    """One pull."""
    return full_pull(call.world.site, pull_of(call.repository, pull_number))


_ROOT = "/repos/<owner>/<repo>/contents"
_LARGEST = 100 * 1024 * 1024


@endpoint(blueprint, "GET", f"{_ROOT}/<path:path>", "repos/get-content", "contents:read")
def get_contents(call: ApiCall, path: str) -> ApiResponse:
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

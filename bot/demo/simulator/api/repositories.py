"""Repositories, their branches and people."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.accounts import Account, Role
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.git import GitError
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.shapes.accounts import account
from bot.demo.simulator.shapes.commits import commit
from bot.demo.simulator.shapes.repositories import full_repository, repository_url

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
def get(call: Call) -> Json:
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
def get_permission(call: Call, username: str) -> Json:
    """What somebody may do; "maintain" is told as "write" and "triage" as "read"."""
    who = call.world.account(username)
    role = call.repository.role(who)
    name = "none" if role is None else role.value
    return {
        "permission": "none" if role is None else _OLD_NAMES.get(role, role).value,
        "role_name": name,
        "user": _collaborator(call, who, role),
    }


def _collaborator(call: Call, who: Account, role: Role | None) -> Json:
    allowed = {name: role is not None and role.reaches(needed) for name, needed in _NEEDED.items()}
    name = "none" if role is None else role.value
    return {**account(call.world.site, who), "permissions": allowed, "role_name": name}


@endpoint(
    blueprint, "GET", "/repos/<owner>/<repo>/branches", "repos/list-branches", "contents:read"
)
def list_branches(call: Call) -> Reply:
    """All branches."""
    tips = sorted(call.repository.git.branches().items())
    return call.paged(tips, lambda tip: _short_branch(call, *tip))


@endpoint(
    blueprint,
    "GET",
    "/repos/<owner>/<repo>/branches/<path:branch>",
    "repos/get-branch",
    "contents:read",
)
def get_branch(call: Call, branch: str) -> Json:
    """One branch."""
    tips = call.repository.git.branches()
    if branch not in tips:
        raise RefusedError(404, "Branch not found")
    site, url = call.world.site, repository_url(call.world.site, call.repository)
    html = f"{site.web}/{call.repository.full_name}/tree/{branch}"
    revision = call.repository.git.revision(tips[branch])
    return {
        **_short_branch(call, branch, tips[branch]),
        "commit": commit(site, call.repository, revision),
        "_links": {"self": f"{url}/branches/{branch}", "html": html},
        "protection": {"enabled": False},
    }


def _short_branch(call: Call, name: str, sha: str) -> Json:
    url = repository_url(call.world.site, call.repository)
    return {
        "name": name,
        "commit": {"sha": sha, "url": f"{url}/commits/{sha}"},
        "protected": False,
        "protection_url": f"{url}/branches/{name}/protection",
    }


def commit_named(repository: Repository, name: str) -> str:
    """The commit that a branch, tag or SHA names. Raises RefusedError (422) as GitHub does."""
    try:
        return repository.git.resolve(name)
    except GitError:
        raise RefusedError(422, f"No commit found for SHA: {name}") from None

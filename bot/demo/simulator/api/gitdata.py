"""The git database: references, commits, trees and blobs."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.body import SHA, Field, listing, record, text
from bot.demo.simulator.api.call import ApiCall
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.commit import signature_variables
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.serializers.accounts import node_id
from bot.demo.simulator.serializers.commits import git_commit
from bot.demo.simulator.serializers.repositories import repository_url

blueprint = Blueprint("git", __name__)
_GIT = "/repos/<owner>/<repo>/git"
_PERSON = record({"name": text(required=True), "email": text(required=True), "date": text()})


@endpoint(blueprint, "GET", f"{_GIT}/ref/<path:ref>", "git/get-ref", "contents:read")
def get_ref(call: ApiCall, ref: str) -> Json:
    """One reference ("heads/main")."""
    return _ref(call, f"refs/{ref}", _refs(call.repository, ref))


@endpoint(
    blueprint,
    "PATCH",
    f"{_GIT}/refs/<path:ref>",
    "git/update-ref",
    "contents:write",
    fields={"sha": text(required=True, pattern=SHA), "force": Field(bool)},
)
def update_ref(call: ApiCall, ref: str) -> Json:
    """Move a branch."""
    name, sha = f"refs/{ref}", call.body["sha"]
    tree = call.repository.git
    old = tree.refs(name).get(name)
    if old is None:
        raise RefusedError(422, "Reference does not exist")
    if tree.has(sha) and not call.body.get("force") and not tree.is_ancestor(old, sha):
        raise RefusedError(422, "Update is not a fast forward")
    return _moved(call, name, sha)


def _refs(repository: Repository, ref: str) -> dict[str, str]:
    name = f"refs/{ref}"
    found = repository.git.refs(name)
    if name not in found:
        raise not_found()
    return found


def _moved(call: ApiCall, name: str, sha: str) -> Json:
    tree = call.repository.git
    if not tree.has(sha):
        raise RefusedError(422, "Object does not exist")
    if name.startswith("refs/pull/"):
        raise RefusedError(422, "Reference is read-only")
    before = tree.branches()
    tree.update(name, sha)
    after_push(call.world, call.repository, before, call.caller.actor)
    return _ref(call, name, {name: sha})


def _ref(call: ApiCall, name: str, found: dict[str, str]) -> Json:
    url = f"{repository_url(call.world.site, call.repository)}/git"
    sha = found[name]
    place = {"type": "commit", "sha": sha, "url": f"{url}/commits/{sha}"}
    return {"ref": name, "node_id": node_id("REF", name), "url": f"{url}/{name}", "object": place}


@endpoint(blueprint, "GET", f"{_GIT}/commits/<sha>", "git/get-commit", "contents:read")
def get_commit(call: ApiCall, sha: str) -> Json:
    """A commit."""
    if not call.repository.git.has(sha):
        raise not_found()
    return git_commit(call.world.site, call.repository, call.repository.git.revision(sha))


@endpoint(
    blueprint,
    "POST",
    f"{_GIT}/commits",
    "git/create-commit",
    "contents:write",
    fields={
        "message": text(required=True),
        "tree": text(required=True, pattern=SHA),
        "parents": listing(text(pattern=SHA)),
        "author": _PERSON,
        "committer": _PERSON,
        "signature": text(),
    },
    status=201,
)
def create_commit(call: ApiCall) -> Json:
    """A commit that no branch has yet."""
    body, tree = call.body, call.repository.git
    parents = body.get("parents", [])
    if not tree.has(body["tree"], "tree"):
        raise RefusedError(422, "Tree SHA does not exist")
    if not all(tree.has(one) for one in parents):
        raise RefusedError(422, "Parent SHA does not exist or is not a commit object")
    variables = signature_variables(call.world.signature(call.caller.actor))
    for role in ("author", "committer"):
        given = body.get(role, {})
        names = {f"GIT_{role.upper()}_{key.upper()}": value for key, value in given.items()}
        variables |= names
    over = [word for parent in parents for word in ("-p", parent)]
    message = body["message"].encode()
    sha = tree.line("commit-tree", body["tree"], *over, data=message, variables=variables)
    return git_commit(call.world.site, call.repository, tree.revision(sha))

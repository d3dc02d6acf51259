"""Pull requests."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator import diffs
from bot.demo.simulator.api.body import Field, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, invalid
from bot.demo.simulator.operations import merging
from bot.demo.simulator.operations import pulls as operations
from bot.demo.simulator.records import Json, Pull, Repository
from bot.demo.simulator.shapes.commits import commit as commit_shape
from bot.demo.simulator.shapes.commits import diff_entry
from bot.demo.simulator.shapes.pulls import full_pull
from bot.demo.simulator.shapes.pulls import pull as shape
from bot.demo.simulator.world import pull_of

blueprint = Blueprint("pulls", __name__)
PULLS = "/repos/<owner>/<repo>/pulls"
PULL = f"{PULLS}/<int:pull_number>"
_READ, _WRITE = "pull_requests:read", "pull_requests:write"
_MOST_FILES, _MOST_COMMITS = 3_000, 250


@endpoint(blueprint, "GET", PULLS, "pulls/list", _READ)
def list_pulls(call: Call) -> Reply:
    """Pulls, newest first."""
    query = call.query
    state = query.get("state", "open")
    found = [one for one in reversed(call.repository.pulls) if state in ("all", one.issue.state)]
    if "base" in query:
        found = [one for one in found if one.base_branch == query["base"]]
    if "head" in query:
        found = [one for one in found if _label(one) == query["head"]]
    if query.get("sort") == "updated":
        found.sort(key=lambda one: one.issue.updated_at, reverse=True)
    if query.get("direction") == "asc":
        found.reverse()
    return call.paged(found, lambda one: shape(call.world.site, one))


def _label(pull: Pull) -> str:
    return f"{pull.head_owner.login}:{pull.head_branch}"


@endpoint(
    blueprint,
    "POST",
    PULLS,
    "pulls/create",
    _WRITE,
    fields={
        "title": text(required=True),
        "head": text(required=True),
        "base": text(required=True),
        "body": text(),
        "draft": Field(bool),
        "maintainer_can_modify": Field(bool),
        "head_repo": text(),
    },
    status=201,
    content=True,
)
def create(call: Call) -> Json:
    """A new pull of a branch of this repository or ("login:branch") of a fork."""
    body = call.body
    made = operations.open_pull(
        call.world,
        call.repository,
        call.caller.actor,
        body["title"],
        body.get("body"),
        head=_head(call, body["head"]),
        base=body["base"],
        draft=body.get("draft", False),
        app=call.caller.app,
    )
    return full_pull(call.world.site, made)


def _head(call: Call, named: str) -> tuple[Repository, str]:
    login, colon, branch = named.partition(":")
    repository = call.repository
    if not colon or login.lower() == repository.owner.login.lower():
        return repository, branch if colon else named
    name = f"{login}/{repository.name}".lower()
    fork = call.world.repositories.get(name)
    if fork is None or fork.parent is not repository:
        raise invalid("PullRequest", "head", "invalid")
    return fork, branch


@endpoint(blueprint, "GET", PULL, "pulls/get", _READ)
def get(call: Call, pull_number: int) -> Json | Reply:
    """One pull, as JSON, diff or patch."""
    pull = pull_of(call.repository, pull_number)
    if call.media in ("diff", "patch"):
        changed = diffs.patch(pull.repository.git, start_of(pull), pull.head_commit)
        return Reply(changed, media=f"application/vnd.github.{call.media}; charset=utf-8")
    return full_pull(call.world.site, pull)


@endpoint(
    blueprint,
    "PATCH",
    PULL,
    "pulls/update",
    _WRITE,
    fields={
        "title": text(),
        "body": text(),
        "state": text(choices=("open", "closed")),
        "base": text(),
        "maintainer_can_modify": Field(bool),
    },
)
def update(call: Call, pull_number: int) -> Json:
    """Change a pull."""
    pull, body, actor = pull_of(call.repository, pull_number), call.body, call.caller.actor
    words = {key: body[key] for key in ("title", "body", "base") if key in body}
    operations.edit_pull(call.world, pull, actor, **words)
    if "state" in body:
        operations.set_pull_state(call.world, pull, body["state"], actor)
    return full_pull(call.world.site, pull)


def start_of(pull: Pull) -> str:
    """Where the pull's head left its base."""
    return pull.repository.git.merge_base(pull.base_commit, pull.head_commit)


@endpoint(blueprint, "GET", f"{PULL}/files", "pulls/list-files", _READ)
def list_files(call: Call, pull_number: int) -> Reply:
    """The changed files, 3,000 at most."""
    pull = pull_of(call.repository, pull_number)
    files = diffs.compare(pull.repository.git, start_of(pull), pull.head_commit)[:_MOST_FILES]
    site, head = call.world.site, pull.head_commit
    return call.paged(files, lambda one: diff_entry(site, call.repository, one, head))


@endpoint(blueprint, "GET", f"{PULL}/commits", "pulls/list-commits", _READ)
def list_commits(call: Call, pull_number: int) -> Reply:
    """The commits, oldest first, 250 at most."""
    pull = pull_of(call.repository, pull_number)
    span = f"{start_of(pull)}..{pull.head_commit}"
    found = pull.repository.git.log("--reverse", f"--max-count={_MOST_COMMITS}", span)
    return call.paged(found, lambda one: commit_shape(call.world.site, call.repository, one))


@endpoint(blueprint, "GET", f"{PULL}/merge", "pulls/check-if-merged", _READ, status=204)
def check_if_merged(call: Call, pull_number: int) -> None:
    """204 where it was merged, else 404."""
    if pull_of(call.repository, pull_number).merged_at is None:
        raise RefusedError(404, "Not Found")


@endpoint(
    blueprint,
    "PUT",
    f"{PULL}/merge",
    "pulls/merge",
    "contents:write",
    fields={
        "commit_title": text(),
        "commit_message": text(),
        "sha": text(),
        "merge_method": text(choices=("merge",)),
    },
)
def merge(call: Call, pull_number: int) -> Json:
    """Merge by a merge commit (the simulator knows no other way)."""
    pull = pull_of(call.repository, pull_number)
    if call.body.get("sha", pull.head_commit) != pull.head_commit:
        raise RefusedError(409, "Head branch was modified. Review and try the merge again.")
    title = call.body.get("commit_title", "")
    sha = merging.merge(call.world, pull, call.caller.actor, title)
    return {"sha": sha, "merged": True, "message": "Pull Request successfully merged"}

"""Issues."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint

from bot.demo.simulator.api.body import listing, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.errors import RefusedError, forbidden
from bot.demo.simulator.operations import issues as operations
from bot.demo.simulator.operations.pulls import edit_pull, set_pull_state
from bot.demo.simulator.records import Issue, Json
from bot.demo.simulator.shapes.issues import closed_issue
from bot.demo.simulator.shapes.issues import issue as shape
from bot.demo.simulator.world import issue_of

blueprint = Blueprint("issues", __name__)
ISSUES = "/repos/<owner>/<repo>/issues"
ISSUE = f"{ISSUES}/<int:issue_number>"
READ = "issues:read|pull_requests:read"
WRITE = "issues:write|pull_requests:write"
_LABELS = listing(text())


def writable(call: Call, number: int) -> Issue:
    """An issue, or a pull. Raises RefusedError (403) where the token may write only pulls."""
    found = issue_of(call.repository, number)
    token = call.caller.token
    if token is None or (found.pull is None and token.permissions.get("issues") != "write"):
        raise forbidden()
    return found


@endpoint(
    blueprint,
    "POST",
    ISSUES,
    "issues/create",
    "issues:write",
    fields={
        "title": text(required=True),
        "body": text(nullable=True),
        "labels": _LABELS,
        "assignees": listing(text()),
    },
    status=201,
    content=True,
)
def create(call: Call) -> Json:
    """A new issue."""
    body, actor = call.body, call.caller.actor
    made = operations.open_issue(
        call.world,
        call.repository,
        actor,
        body["title"],
        body.get("body"),
        body.get("labels", ()),
        call.caller.app,
    )
    return closed_issue(call.world.site, made)


@endpoint(blueprint, "GET", ISSUES, "issues/list-for-repo", READ)
def list_for_repo(call: Call) -> Reply:
    """Issues and pulls, newest first."""
    query = call.query
    state = query.get("state", "open")
    wanted = {name.lower() for name in query.get("labels", "").split(",") if name}
    found = [
        one
        for one in reversed(call.repository.issues.values())
        if state in ("all", one.state) and wanted <= {label.name.lower() for label in one.labels}
    ]
    if "since" in query:
        since = datetime.fromisoformat(query["since"])
        found = [one for one in found if one.updated_at >= since]
    if query.get("sort") == "updated":
        found.sort(key=lambda one: one.updated_at, reverse=True)
    if query.get("direction") == "asc":
        found.reverse()
    return call.paged(found, lambda one: shape(call.world.site, one))


@endpoint(blueprint, "GET", ISSUE, "issues/get", READ)
def get(call: Call, issue_number: int) -> Json:
    """One issue, or the issue's side of a pull."""
    return closed_issue(call.world.site, issue_of(call.repository, issue_number))


@endpoint(
    blueprint,
    "PATCH",
    ISSUE,
    "issues/update",
    WRITE,
    fields={
        "title": text(nullable=True),
        "body": text(nullable=True),
        "state": text(choices=("open", "closed")),
        "state_reason": text(
            nullable=True, choices=("completed", "not_planned", "duplicate", "reopened")
        ),
        "labels": _LABELS,
        "assignees": listing(text()),
    },
)
def update(call: Call, issue_number: int) -> Json:
    """Change an issue."""
    issue, body = writable(call, issue_number), call.body
    actor, world = call.caller.actor, call.world
    words = {key: body[key] for key in ("title", "body") if body.get(key) is not None}
    if issue.pull is not None:
        edit_pull(world, issue.pull, actor, **words)
    else:
        operations.edit_issue(world, issue, actor, **words)
    if "labels" in body:
        operations.set_labels(world, issue, body["labels"], actor)
    if "state" in body:
        _set_state(call, issue)
    return closed_issue(world.site, issue)


def _set_state(call: Call, issue: Issue) -> None:
    state, reason = call.body["state"], call.body.get("state_reason")
    if reason == "reopened" and state == "closed":
        raise RefusedError(422, "Validation Failed")
    if issue.pull is not None:
        set_pull_state(call.world, issue.pull, state, call.caller.actor)
    else:
        operations.set_state(call.world, issue, state, reason, call.caller.actor)

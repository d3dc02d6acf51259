"""Issues, their comments and labels, and reactions to comments."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.body import Field, listing, text
from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.errors import RefusedError, forbidden, not_found
from bot.demo.simulator.operations import issues as operations
from bot.demo.simulator.operations.issues import react
from bot.demo.simulator.records import Comment, Issue, Json, Reaction, Repository
from bot.demo.simulator.serializers.issues import EMOJI, closed_issue
from bot.demo.simulator.serializers.issues import comment as comment_shape
from bot.demo.simulator.serializers.issues import issue as issue_shape
from bot.demo.simulator.serializers.issues import label as label_shape
from bot.demo.simulator.serializers.issues import reaction as reaction_shape
from bot.demo.simulator.world import issue_of

blueprint = Blueprint("issues", __name__)
ISSUES = "/repos/<owner>/<repo>/issues"
ISSUE = f"{ISSUES}/<int:issue_number>"
READ = "issues:read|pull_requests:read"
WRITE = "issues:write|pull_requests:write"


def writable(call: ApiCall, number: int) -> Issue:
    """An issue, or a pull. Raises RefusedError (403) where the token may write only pulls."""
    found = issue_of(call.repository, number)
    token = call.caller.token
    if token is None or (found.pull is None and token.permissions.get("issues") != "write"):
        raise forbidden()
    return found


@endpoint(blueprint, "GET", ISSUES, "issues/list-for-repo", READ)
def list_issues(call: ApiCall) -> ApiResponse:
    """Issues and pulls, newest first: open ones, unless another state is asked for."""
    state, creator = call.query.get("state", "open"), call.query.get("creator", "")
    found = [
        one
        for one in reversed(call.repository.issues.values())
        if state in ("all", one.state) and creator.lower() in ("", one.author.login.lower())
    ]
    return call.paged(found, lambda one: issue_shape(call.world.site, one))


_TEXTS = {"title": text(), "body": text(nullable=True)}


@endpoint(
    blueprint,
    "POST",
    ISSUES,
    "issues/create",
    "issues:write",
    fields={**_TEXTS, "title": text(required=True)},
    status=201,
    content=True,
)
def create(call: ApiCall) -> Json:
    """A new issue."""
    title, body = call.body["title"], call.body.get("body")
    made = operations.open_issue(call.world, call.repository, call.caller.actor, title, body)
    return closed_issue(call.world.site, made)


@endpoint(blueprint, "PATCH", ISSUE, "issues/update", "issues:write", fields=_TEXTS)
def update(call: ApiCall, issue_number: int) -> Json:
    """Another title or text."""
    issue = writable(call, issue_number)
    operations.edit_issue(
        call.world,
        issue,
        call.caller.actor,
        title=call.body.get("title"),
        body=call.body.get("body"),
    )
    return closed_issue(call.world.site, issue)


@endpoint(blueprint, "GET", ISSUE, "issues/get", READ)
def get(call: ApiCall, issue_number: int) -> Json:
    """One issue, or the issue's side of a pull."""
    return closed_issue(call.world.site, issue_of(call.repository, issue_number))


COMMENT = f"{ISSUES}/comments/<int:comment_id>"
_COMMENT = {"body": text(required=True)}


@endpoint(blueprint, "GET", f"{ISSUE}/comments", "issues/list-comments", READ)
def list_comments(call: ApiCall, issue_number: int) -> ApiResponse:
    """The comments of an issue, oldest first."""
    issue = issue_of(call.repository, issue_number)
    return call.paged(issue.comments, lambda one: comment_shape(call.world.site, issue, one))


@endpoint(
    blueprint,
    "POST",
    f"{ISSUE}/comments",
    "issues/create-comment",
    WRITE,
    fields=_COMMENT,
    status=201,
    content=True,
)
def create_comment(call: ApiCall, issue_number: int) -> Json:
    """A new comment."""
    issue = writable(call, issue_number)
    actor, text = call.caller.actor, call.body["body"]
    made = operations.comment(call.world, issue, actor, text, call.caller.app)
    return comment_shape(call.world.site, issue, made)


@endpoint(blueprint, "PATCH", COMMENT, "issues/update-comment", WRITE, fields=_COMMENT)
def update_comment(call: ApiCall, comment_id: int) -> Json:
    """Another text."""
    issue, comment = _own(call, comment_id)
    operations.edit_comment(call.world, issue, comment, call.body["body"], call.caller.actor)
    return comment_shape(call.world.site, issue, comment)


@endpoint(blueprint, "DELETE", COMMENT, "issues/delete-comment", WRITE, status=204)
def delete_comment(call: ApiCall, comment_id: int) -> None:
    """Take a comment away."""
    issue, comment = _own(call, comment_id)
    operations.delete_comment(call.world, issue, comment, call.caller.actor)


def find_comment(repository: Repository, identity: int) -> tuple[Issue, Comment]:
    """A comment and what it is on. Raises RefusedError (404)."""
    for issue in repository.issues.values():
        for comment in issue.comments:
            if comment.id == identity:
                return issue, comment
    raise not_found()


def _own(call: ApiCall, identity: int) -> tuple[Issue, Comment]:
    issue, comment = find_comment(call.repository, identity)
    writable(call, issue.number)
    if comment.app is not call.caller.app:
        raise forbidden()
    return issue, comment


_LABELS: dict[str, Field] = {"labels": listing(text())}


@endpoint(
    blueprint, "POST", f"{ISSUE}/labels", "issues/add-labels", WRITE, fields=_LABELS, bare="labels"
)
def add_labels(call: ApiCall, issue_number: int) -> ApiResponse:
    """Put labels on an issue beside those that it has."""
    issue = writable(call, issue_number)
    operations.add_labels(call.world, issue, call.body.get("labels", ()), call.caller.actor)
    return _listed(call, issue)


@endpoint(blueprint, "DELETE", f"{ISSUE}/labels/<path:name>", "issues/remove-label", WRITE)
def remove_label(call: ApiCall, issue_number: int, name: str) -> ApiResponse:
    """Take a label off an issue."""
    issue = writable(call, issue_number)
    for label in issue.labels:
        if label.name.lower() == name.lower():
            operations.remove_label(call.world, issue, label, call.caller.actor)
            return _listed(call, issue)
    raise RefusedError(404, "Label does not exist")


def _listed(call: ApiCall, issue: Issue) -> ApiResponse:
    return call.paged(issue.labels, lambda one: label_shape(call.world.site, call.repository, one))


_REACTION = {"content": text(required=True, choices=EMOJI)}
_ON_COMMENT = f"{COMMENT}/reactions"


@endpoint(
    blueprint, "POST", _ON_COMMENT, "reactions/create-for-issue-comment", WRITE, fields=_REACTION
)
def react_to_comment(call: ApiCall, comment_id: int) -> ApiResponse:
    """React to a comment."""
    issue, comment = find_comment(call.repository, comment_id)
    writable(call, issue.number)
    return _given(call, comment.reactions)


def _given(call: ApiCall, given: list[Reaction]) -> ApiResponse:
    made, new = react(call.world, given, call.caller.actor, call.body["content"])
    return ApiResponse(reaction_shape(call.world.site, made), 201 if new else 200)

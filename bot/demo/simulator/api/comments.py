"""Comments on issues and pulls."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.body import text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.issues import ISSUE, ISSUES, READ, WRITE, writable
from bot.demo.simulator.errors import forbidden, not_found
from bot.demo.simulator.operations import issues as operations
from bot.demo.simulator.records import Comment, Issue, Json, Repository
from bot.demo.simulator.shapes.issues import comment as shape
from bot.demo.simulator.world import issue_of

blueprint = Blueprint("comments", __name__)
COMMENT = f"{ISSUES}/comments/<int:comment_id>"
_FIELDS = {"body": text(required=True)}


@endpoint(blueprint, "GET", f"{ISSUE}/comments", "issues/list-comments", READ)
def list_comments(call: Call, issue_number: int) -> Reply:
    """The comments of an issue, oldest first."""
    issue = issue_of(call.repository, issue_number)
    return call.paged(issue.comments, lambda one: shape(call.world.site, issue, one))


@endpoint(
    blueprint,
    "POST",
    f"{ISSUE}/comments",
    "issues/create-comment",
    WRITE,
    fields=_FIELDS,
    status=201,
    content=True,
)
def create_comment(call: Call, issue_number: int) -> Json:
    """A new comment."""
    issue = writable(call, issue_number)
    actor, text = call.caller.actor, call.body["body"]
    made = operations.comment(call.world, issue, actor, text, call.caller.app)
    return shape(call.world.site, issue, made)


@endpoint(blueprint, "GET", f"{ISSUES}/comments", "issues/list-comments-for-repo", READ)
def list_for_repo(call: Call) -> Reply:
    """All comments of a repository, oldest first."""
    pairs = [(issue, one) for issue in call.repository.issues.values() for one in issue.comments]
    pairs.sort(key=lambda pair: pair[1].id)
    return call.paged(pairs, lambda pair: shape(call.world.site, *pair))


@endpoint(blueprint, "GET", COMMENT, "issues/get-comment", READ)
def get_comment(call: Call, comment_id: int) -> Json:
    """One comment."""
    return shape(call.world.site, *find_comment(call.repository, comment_id))


@endpoint(blueprint, "PATCH", COMMENT, "issues/update-comment", WRITE, fields=_FIELDS)
def update_comment(call: Call, comment_id: int) -> Json:
    """Another text."""
    issue, comment = _own(call, comment_id)
    operations.edit_comment(call.world, issue, comment, call.body["body"], call.caller.actor)
    return shape(call.world.site, issue, comment)


@endpoint(blueprint, "DELETE", COMMENT, "issues/delete-comment", WRITE, status=204)
def delete_comment(call: Call, comment_id: int) -> None:
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


def _own(call: Call, identity: int) -> tuple[Issue, Comment]:
    issue, comment = find_comment(call.repository, identity)
    writable(call, issue.number)
    if comment.app is not call.caller.app:
        raise forbidden()
    return issue, comment

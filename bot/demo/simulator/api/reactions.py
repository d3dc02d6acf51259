"""Reactions to issues and comments."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.body import text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.comments import COMMENT, find_comment
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.issues import ISSUE, READ, WRITE, writable
from bot.demo.simulator.operations.issues import react
from bot.demo.simulator.records import Reaction
from bot.demo.simulator.shapes.issues import EMOJI
from bot.demo.simulator.shapes.issues import reaction as shape
from bot.demo.simulator.world import issue_of

blueprint = Blueprint("reactions", __name__)
_FIELDS = {"content": text(required=True, choices=EMOJI)}
_ON_ISSUE, _ON_COMMENT = f"{ISSUE}/reactions", f"{COMMENT}/reactions"


@endpoint(blueprint, "GET", _ON_ISSUE, "reactions/list-for-issue", READ)
def list_for_issue(call: Call, issue_number: int) -> Reply:
    """The reactions to an issue."""
    given = issue_of(call.repository, issue_number).reactions
    return call.paged(given, lambda one: shape(call.world.site, one))


@endpoint(blueprint, "POST", _ON_ISSUE, "reactions/create-for-issue", WRITE, fields=_FIELDS)
def create_for_issue(call: Call, issue_number: int) -> Reply:
    """React to an issue."""
    return _given(call, writable(call, issue_number).reactions)


@endpoint(blueprint, "GET", _ON_COMMENT, "reactions/list-for-issue-comment", READ)
def list_for_comment(call: Call, comment_id: int) -> Reply:
    """The reactions to a comment."""
    _, comment = find_comment(call.repository, comment_id)
    return call.paged(comment.reactions, lambda one: shape(call.world.site, one))


@endpoint(
    blueprint, "POST", _ON_COMMENT, "reactions/create-for-issue-comment", WRITE, fields=_FIELDS
)
def create_for_comment(call: Call, comment_id: int) -> Reply:
    """React to a comment."""
    issue, comment = find_comment(call.repository, comment_id)
    writable(call, issue.number)
    return _given(call, comment.reactions)


def _given(call: Call, given: list[Reaction]) -> Reply:
    made, new = react(call.world, given, call.caller.actor, call.body["content"])
    return Reply(shape(call.world.site, made), 201 if new else 200)

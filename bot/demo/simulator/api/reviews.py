"""Reviews of pulls, and their comments on lines (suggestions among them)."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator import diffs
from bot.demo.simulator.api.body import SHA, Field, listing, record, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.pulls import PULL, start_of
from bot.demo.simulator.errors import RefusedError, invalid_request
from bot.demo.simulator.operations.issues import LONGEST_BODY
from bot.demo.simulator.records import Json, Pull, Review, ReviewComment
from bot.demo.simulator.shapes.pulls import review as review_shape
from bot.demo.simulator.shapes.pulls import review_comment as comment_shape
from bot.demo.simulator.world import pull_of

blueprint = Blueprint("reviews", __name__)
_READ, _WRITE = "pull_requests:read", "pull_requests:write"
_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
_SIDE = text(choices=("LEFT", "RIGHT"))
_PLACE: dict[str, Field] = {
    "path": text(required=True),
    "body": text(required=True, longest=LONGEST_BODY),
    "line": Field(int),
    "side": _SIDE,
    "start_line": Field(int),
    "start_side": _SIDE,
}


@endpoint(blueprint, "GET", f"{PULL}/reviews", "pulls/list-reviews", _READ)
def list_reviews(call: Call, pull_number: int) -> Reply:
    """The reviews, oldest first."""
    pull = pull_of(call.repository, pull_number)
    return call.paged(pull.reviews, lambda one: review_shape(call.world.site, pull, one))


@endpoint(
    blueprint,
    "POST",
    f"{PULL}/reviews",
    "pulls/create-review",
    _WRITE,
    fields={
        "commit_id": text(pattern=SHA),
        "body": text(longest=LONGEST_BODY),
        "event": text(choices=tuple(_STATES)),
        "comments": listing(record(_PLACE)),
    },
    content=True,
)
def create_review(call: Call, pull_number: int) -> Json:
    """A review with comments on lines, sent at once unless there is no event."""
    pull, body = pull_of(call.repository, pull_number), call.body
    event, comments = body.get("event"), body.get("comments", [])
    if event == "REQUEST_CHANGES" and not body.get("body"):
        raise _unprocessable("Body is required to request changes")
    if event == "COMMENT" and not body.get("body") and not comments:
        raise _unprocessable("Body or comments are required")
    if event in ("APPROVE", "REQUEST_CHANGES") and pull.issue.author is call.caller.actor:
        raise _unprocessable(f"Can not {event.lower().replace('_', ' ')} your own pull request")
    review = _new_review(call, pull, body.get("body", ""), _STATES.get(event or "", "PENDING"))
    review.comments = [_new_comment(call, pull, review, one) for one in comments]
    pull.reviews.append(review)
    return review_shape(call.world.site, pull, review)


@endpoint(blueprint, "GET", f"{PULL}/comments", "pulls/list-review-comments", _READ)
def list_comments(call: Call, pull_number: int) -> Reply:
    """The comments on lines, oldest first."""
    pull = pull_of(call.repository, pull_number)
    found = [one for review in pull.reviews for one in review.comments]
    return call.paged(found, lambda one: comment_shape(call.world.site, pull, one))


@endpoint(
    blueprint,
    "POST",
    f"{PULL}/comments",
    "pulls/create-review-comment",
    _WRITE,
    fields={
        **_PLACE,
        "line": Field(int, required=True),
        "commit_id": text(required=True, pattern=SHA),
    },
    status=201,
    content=True,
)
def create_comment(call: Call, pull_number: int) -> Json:
    """One comment on a line, as a review of its own."""
    pull = pull_of(call.repository, pull_number)
    review = _new_review(call, pull, "", "COMMENTED")
    review.comments = [_new_comment(call, pull, review, call.body)]
    pull.reviews.append(review)
    return comment_shape(call.world.site, pull, review.comments[0])


def _new_review(call: Call, pull: Pull, body: str, state: str) -> Review:
    commit = call.body.get("commit_id", pull.head_commit)
    if not pull.repository.git.has(commit):
        raise _unprocessable("commit_id is not part of the pull request")
    world = call.world
    return Review(world.new_id(), call.caller.actor, body, state, commit, world.now())


def _new_comment(call: Call, pull: Pull, review: Review, given: Json) -> ReviewComment:
    side, line, start = given.get("side", "RIGHT"), given.get("line"), given.get("start_line")
    if line is None:
        raise invalid_request('"line" wasn\'t supplied.')
    if start is not None and start >= line:
        raise _unprocessable("Pull request review thread start line must precede the end line.")
    return ReviewComment(
        id=call.world.new_id(),
        review=review,
        author=call.caller.actor,
        body=given["body"],
        path=given["path"],
        line=line,
        side=side,
        start_line=start,
        commit=review.commit,
        hunk=_hunk(pull, review, given["path"], side, {line, start or line}),
        created_at=call.world.now(),
    )


def _hunk(pull: Pull, review: Review, path: str, side: str, lines: set[int]) -> str:
    files = diffs.compare(pull.repository.git, start_of(pull), review.commit)
    for file in files:
        if file.path == path:
            if not lines <= diffs.commentable(file.patch or "")[side]:
                raise _unprocessable("Pull request review thread line must be part of the diff")
            return file.patch or ""
    raise _unprocessable("Pull request review thread path could not be resolved")


def _unprocessable(told: str) -> RefusedError:
    return RefusedError(422, "Unprocessable Entity", errors=[told])

"""Labels, of a repository and on an issue."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.body import Field, listing, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.issues import ISSUE, READ, WRITE, writable
from bot.demo.simulator.errors import RefusedError, invalid, not_found
from bot.demo.simulator.operations import issues as operations
from bot.demo.simulator.records import Issue, Json, Label
from bot.demo.simulator.shapes.issues import label as shape
from bot.demo.simulator.world import issue_of

blueprint = Blueprint("labels", __name__)
_LABELS = "/repos/<owner>/<repo>/labels"
_NAMES: dict[str, Field] = {"labels": listing(text())}


@endpoint(blueprint, "GET", _LABELS, "issues/list-labels-for-repo", READ)
def list_for_repo(call: Call) -> Reply:
    """The repository's labels."""
    found = list(call.repository.labels.values())
    return call.paged(found, lambda one: shape(call.world.site, call.repository, one))


@endpoint(
    blueprint,
    "POST",
    _LABELS,
    "issues/create-label",
    WRITE,
    fields={
        "name": text(required=True),
        "color": text(pattern="[0-9a-fA-F]{6}"),
        "description": text(longest=100),
    },
    status=201,
)
def create(call: Call) -> Json:
    """A new label."""
    body, known = call.body, call.repository.labels
    if body["name"].lower() in known:
        raise invalid("Label", "name", "already_exists")
    color = body.get("color", "ededed")
    made = Label(call.world.new_id(), body["name"], color, body.get("description"))
    known[made.name.lower()] = made
    return shape(call.world.site, call.repository, made)


@endpoint(blueprint, "GET", f"{_LABELS}/<path:name>", "issues/get-label", READ)
def get(call: Call, name: str) -> Json:
    """One label."""
    if name.lower() not in call.repository.labels:
        raise not_found()
    return shape(call.world.site, call.repository, call.repository.labels[name.lower()])


@endpoint(blueprint, "GET", f"{ISSUE}/labels", "issues/list-labels-on-issue", READ)
def list_on_issue(call: Call, issue_number: int) -> Reply:
    """The labels of an issue."""
    return _listed(call, issue_of(call.repository, issue_number))


@endpoint(
    blueprint, "POST", f"{ISSUE}/labels", "issues/add-labels", WRITE, fields=_NAMES, bare="labels"
)
def add(call: Call, issue_number: int) -> Reply:
    """Put labels on an issue beside those that it has."""
    issue = writable(call, issue_number)
    operations.add_labels(call.world, issue, call.body.get("labels", ()), call.caller.actor)
    return _listed(call, issue)


@endpoint(
    blueprint, "PUT", f"{ISSUE}/labels", "issues/set-labels", WRITE, fields=_NAMES, bare="labels"
)
def replace(call: Call, issue_number: int) -> Reply:
    """Leave just these labels."""
    issue = writable(call, issue_number)
    operations.set_labels(call.world, issue, call.body.get("labels", ()), call.caller.actor)
    return _listed(call, issue)


@endpoint(blueprint, "DELETE", f"{ISSUE}/labels/<path:name>", "issues/remove-label", WRITE)
def remove(call: Call, issue_number: int, name: str) -> Reply:
    """Take a label off an issue."""
    issue = writable(call, issue_number)
    for label in issue.labels:
        if label.name.lower() == name.lower():
            operations.remove_label(call.world, issue, label, call.caller.actor)
            return _listed(call, issue)
    raise RefusedError(404, "Label does not exist")


def _listed(call: Call, issue: Issue) -> Reply:
    return call.paged(issue.labels, lambda one: shape(call.world.site, call.repository, one))

"""Check runs: made, changed, and found by their commit.

See https://docs.github.com/rest/checks/runs for the limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from flask import Blueprint

from bot.demo.simulator.api.body import SHA, WEB, Field, listing, moment, record, text
from bot.demo.simulator.api.endpoint import ApiCall, ApiResponse, endpoint
from bot.demo.simulator.api.repositories import commit_named
from bot.demo.simulator.errors import RefusedError, forbidden, invalid_request
from bot.demo.simulator.operations import checks as operations
from bot.demo.simulator.records import App, CheckRun, CheckSuite, Json
from bot.demo.simulator.serializers.checks import annotation
from bot.demo.simulator.serializers.checks import check_run as shape

blueprint = Blueprint("checks", __name__)
_RUNS = "/repos/<owner>/<repo>/check-runs"
_RUN = f"{_RUNS}/<int:check_run_id>"
READ, WRITE = "checks:read", "checks:write"
_LONGEST, _LONGEST_TITLE, _MOST_ANNOTATIONS = 65_535, 255, 50
_64_KB = 64 * 1024
_CONCLUSIONS = [
    "action_required",
    "cancelled",
    "failure",
    "neutral",
    "success",
    "skipped",
    "timed_out",
]

_ANNOTATION = record(
    {
        "path": text(required=True),
        "start_line": Field(int, required=True),
        "end_line": Field(int, required=True),
        "start_column": Field(int),
        "end_column": Field(int),
        "annotation_level": text(required=True, choices=("notice", "warning", "failure")),
        "message": text(required=True),
        "title": text(longest=_LONGEST_TITLE),
        "raw_details": text(),
    }
)
_IMAGE = record({"alt": text(required=True), "image_url": text(required=True), "caption": text()})
_OUTPUT = {
    "title": text(required=True),
    "summary": text(required=True, longest=_LONGEST),
    "text": text(longest=_LONGEST),
    "annotations": listing(_ANNOTATION, most=_MOST_ANNOTATIONS),
    "images": listing(_IMAGE),
}
_ACTION = record(
    {
        "label": text(required=True, longest=20),
        "description": text(required=True, longest=40),
        "identifier": text(required=True, longest=20),
    }
)
_FIELDS: dict[str, Field] = {
    "name": text(),
    "details_url": text(pattern=WEB),
    "external_id": text(),
    "started_at": moment(),
    "status": text(choices=("queued", "in_progress", "completed")),
    "conclusion": text(choices=tuple(_CONCLUSIONS)),
    "completed_at": moment(),
    "output": record(_OUTPUT),
    "actions": listing(_ACTION, most=3),
}
_NEW = {
    **_FIELDS,
    "name": text(required=True),
    "head_sha": text(required=True, pattern=SHA),
}


def _check(body: Json) -> None:
    if body.get("status") == "completed" and "conclusion" not in body:
        raise invalid_request('"conclusion" wasn\'t supplied.')
    if "name" in body and not body["name"].strip():
        raise invalid_request('"name" cannot be blank.')
    for one in body.get("output", {}).get("annotations", ()):
        _check_annotation(one)


def _check_annotation(one: Json) -> None:
    if one["start_line"] > one["end_line"]:
        raise invalid_request("start_line must be less than or equal to end_line.")
    columns = "start_column" in one or "end_column" in one
    if columns and one["start_line"] != one["end_line"]:
        raise invalid_request("Columns are only allowed on annotations of a single line.")
    for key in ("message", "raw_details"):
        if len(one.get(key, "").encode()) > _64_KB:
            raise invalid_request(f"{key} is too long (maximum is 64 KB).")


@endpoint(blueprint, "POST", _RUNS, "checks/create", WRITE, fields=_NEW, rule=_check, status=201)
def create(call: ApiCall) -> Json:
    """A new run, in the App's suite on that commit."""
    body, repository, world = call.body, call.repository, call.world
    if not repository.git.has(body["head_sha"]):
        raise RefusedError(422, f"No commit found for SHA: {body['head_sha']}")
    suite = operations.suite_for(world, repository, _app(call), body["head_sha"])
    run = CheckRun(world.new_id(), suite, body["name"], world.now())
    _take(call, run)
    operations.keep_run(world, run)
    return shape(world.site, run)


@endpoint(blueprint, "PATCH", _RUN, "checks/update", WRITE, fields=_FIELDS, rule=_check)
def update(call: ApiCall, check_run_id: int) -> Json:
    """Change a run; annotations are added to those that it has."""
    run = _own(call, check_run_id)
    was = run.status
    _take(call, run)
    run.suite.updated_at = call.world.now()
    if run.status == "completed" and was != "completed":
        run.suite.reset = False
        operations.tell_run(call.world, run, "completed", run.suite.app.bot)
    return shape(call.world.site, run)


@endpoint(blueprint, "GET", f"{_RUN}/annotations", "checks/list-annotations", READ)
def list_annotations(call: ApiCall, check_run_id: int) -> ApiResponse:
    """All annotations of a run."""
    run = operations.find_run(call.repository, check_run_id)
    return call.paged(run.annotations, lambda one: annotation(call.world.site, run, one))


def _app(call: ApiCall) -> App:
    if call.caller.app is None:
        raise forbidden()
    return call.caller.app


def _own(call: ApiCall, identity: int) -> CheckRun:
    run = operations.find_run(call.repository, identity)
    if run.suite.app is not call.caller.app:
        problem = (
            f"Invalid app_id `{_app(call).id}` - check run can only be modified by the GitHub App "
            "that created it."
        )
        raise RefusedError(403, problem)
    return run


def _take(call: ApiCall, run: CheckRun) -> None:
    body: dict[str, Any] = call.body
    run.name = body.get("name", run.name)
    run.external_id = body.get("external_id", run.external_id)
    run.details_url = body.get("details_url", run.details_url)
    run.actions = body.get("actions", run.actions)
    if "started_at" in body:
        run.started_at = datetime.fromisoformat(body["started_at"])
    output = body.get("output", {})
    run.title = output.get("title", run.title)
    run.summary = output.get("summary", run.summary)
    run.text = output.get("text", run.text)
    run.annotations += output.get("annotations", [])
    _take_status(call, run)


def _take_status(call: ApiCall, run: CheckRun) -> None:
    body = call.body
    if "conclusion" in body:
        run.status, run.conclusion = "completed", body["conclusion"]
    elif "status" in body:
        run.status = body["status"]
        run.conclusion = run.conclusion if run.status == "completed" else None
    if run.status != "completed":
        run.completed_at = None
    elif "completed_at" in body:
        run.completed_at = datetime.fromisoformat(body["completed_at"])
    else:
        run.completed_at = run.completed_at or call.world.now()


_COMMIT = "/repos/<owner>/<repo>/commits/<path:ref>"


@endpoint(blueprint, "GET", f"{_COMMIT}/check-runs", "checks/list-for-ref", READ)
def list_for_ref(call: ApiCall, ref: str) -> ApiResponse:
    """The runs on a commit, of all Apps."""
    return _runs(call, _on(call, ref))


def _on(call: ApiCall, ref: str) -> list[CheckSuite]:
    sha = commit_named(call.repository, ref)
    return [one for one in call.repository.suites if one.head_commit == sha]


def _runs(call: ApiCall, suites: Iterable[CheckSuite]) -> ApiResponse:
    query = call.query
    found = [run for suite in suites for run in _chosen(suite, query.get("filter", "latest"))]
    if "check_name" in query:
        found = [run for run in found if run.name == query["check_name"]]
    if "status" in query:
        found = [run for run in found if run.status == query["status"]]
    if "app_id" in query:
        found = [run for run in found if str(run.suite.app.id) == query["app_id"]]
    return call.paged(found, lambda one: shape(call.world.site, one), "check_runs")


def _chosen(suite: CheckSuite, which: str) -> list[CheckRun]:
    latest = {run.name: run for run in suite.runs}
    return suite.runs if which == "all" else list(latest.values())

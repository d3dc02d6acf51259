"""Check suites, and the runs of a commit."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint

from bot.demo.simulator.api.body import SHA, text
from bot.demo.simulator.api.call import Call, Reply
from bot.demo.simulator.api.checks import READ, WRITE
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.repositories import commit_named
from bot.demo.simulator.errors import RefusedError, forbidden, not_found
from bot.demo.simulator.operations import checks as operations
from bot.demo.simulator.records import CheckRun, CheckSuite, Json
from bot.demo.simulator.shapes.checks import check_run as run_shape
from bot.demo.simulator.shapes.checks import check_suite as shape

blueprint = Blueprint("suites", __name__)
_SUITES = "/repos/<owner>/<repo>/check-suites"
_SUITE = f"{_SUITES}/<int:check_suite_id>"
_COMMIT = "/repos/<owner>/<repo>/commits/<path:ref>"


@endpoint(
    blueprint,
    "POST",
    _SUITES,
    "checks/create-suite",
    WRITE,
    fields={"head_sha": text(required=True, pattern=SHA)},
)
def create(call: Call) -> Reply:
    """The App's suite on a commit: 201 where it is new."""
    app, repository, sha = call.caller.app, call.repository, call.body["head_sha"]
    if app is None:
        raise forbidden()
    if not repository.git.has(sha):
        raise RefusedError(422, f"No commit found for SHA: {sha}")
    known = operations.find_suite(repository, app, sha)
    suite = operations.suite_for(call.world, repository, app, sha)
    return Reply(shape(call.world.site, suite), 201 if known is None else 200)


@endpoint(blueprint, "GET", _SUITE, "checks/get-suite", READ)
def get(call: Call, check_suite_id: int) -> Json:
    """One suite."""
    return shape(call.world.site, find_suite(call, check_suite_id))


@endpoint(blueprint, "GET", f"{_SUITE}/check-runs", "checks/list-for-suite", READ)
def list_runs(call: Call, check_suite_id: int) -> Reply:
    """The runs of a suite."""
    return _runs(call, [find_suite(call, check_suite_id)])


@endpoint(blueprint, "POST", f"{_SUITE}/rerequest", "checks/rerequest-suite", WRITE, status=201)
def rerequest(call: Call, check_suite_id: int) -> Json:
    """Ask the App for all runs again."""
    suite = find_suite(call, check_suite_id)
    if suite.app is not call.caller.app:
        raise forbidden()
    operations.rerequest_suite(call.world, suite, call.caller.actor)
    return {}


@endpoint(blueprint, "GET", f"{_COMMIT}/check-runs", "checks/list-for-ref", READ)
def list_for_ref(call: Call, ref: str) -> Reply:
    """The runs on a commit, of all Apps."""
    return _runs(call, _on(call, ref))


@endpoint(blueprint, "GET", f"{_COMMIT}/check-suites", "checks/list-suites-for-ref", READ)
def list_suites(call: Call, ref: str) -> Reply:
    """The suites on a commit, of all Apps."""
    found = _on(call, ref)
    if "app_id" in call.query:
        found = [one for one in found if str(one.app.id) == call.query["app_id"]]
    return call.paged(found, lambda one: shape(call.world.site, one), "check_suites")


def find_suite(call: Call, identity: int) -> CheckSuite:
    """A suite by its id. Raises RefusedError (404)."""
    for suite in call.repository.suites:
        if suite.id == identity:
            return suite
    raise not_found()


def _on(call: Call, ref: str) -> list[CheckSuite]:
    sha = commit_named(call.repository, ref)
    return [one for one in call.repository.suites if one.head_commit == sha]


def _runs(call: Call, suites: Iterable[CheckSuite]) -> Reply:
    query = call.query
    found = [run for suite in suites for run in _chosen(suite, query.get("filter", "latest"))]
    if "check_name" in query:
        found = [run for run in found if run.name == query["check_name"]]
    if "status" in query:
        found = [run for run in found if run.status == query["status"]]
    if "app_id" in query:
        found = [run for run in found if str(run.suite.app.id) == query["app_id"]]
    return call.paged(found, lambda one: run_shape(call.world.site, one), "check_runs")


def _chosen(suite: CheckSuite, which: str) -> list[CheckRun]:
    latest = {run.name: run for run in suite.runs}
    return suite.runs if which == "all" else list(latest.values())

"""Check runs and check suites."""

from __future__ import annotations

from bot.demo.simulator.records import CheckRun, CheckSuite, Json, Pull
from bot.demo.simulator.serializers.accounts import integration, node_id, stamp
from bot.demo.simulator.serializers.issues import minimal_pull
from bot.demo.simulator.serializers.repositories import repository, repository_url, simple_commit
from bot.demo.simulator.settings import Site

_WORST_FIRST = [
    "action_required",
    "failure",
    "timed_out",
    "cancelled",
    "stale",
    "success",
    "neutral",
    "skipped",
]


def pulls_of(suite: CheckSuite) -> list[Pull]:
    """The open pulls on a suite's commit; those from forks are not among them, as with GitHub."""
    return [
        pull
        for pull in suite.repository.pulls
        if pull.head_commit == suite.head_commit
        and pull.issue.state == "open"
        and not pull.from_fork
    ]


def suite_state(suite: CheckSuite) -> tuple[str, str | None]:
    """Status and conclusion, which follow from the latest run of each name."""
    latest = {run.name: run for run in suite.runs}.values()
    if not latest or suite.reset:
        return "queued", None
    if any(run.status != "completed" for run in latest):
        started = any(run.status != "queued" for run in latest)
        return ("in_progress" if started else "queued"), None
    conclusions = {run.conclusion for run in latest}
    return "completed", next(one for one in _WORST_FIRST if one in conclusions)


def check_run(site: Site, of: CheckRun) -> Json:
    """A check run."""
    url = f"{repository_url(site, of.suite.repository)}/check-runs/{of.id}"
    web = f"{site.web}/{of.suite.repository.full_name}/runs/{of.id}"
    return {
        "id": of.id,
        "node_id": node_id("CR", of.id),
        "name": of.name,
        "head_sha": of.suite.head_commit,
        "external_id": of.external_id,
        "url": url,
        "html_url": web,
        "details_url": of.details_url or of.suite.app.url,
        "status": of.status,
        "conclusion": of.conclusion,
        "started_at": stamp(of.started_at),
        "completed_at": stamp(of.completed_at),
        "output": {
            "title": of.title,
            "summary": of.summary,
            "text": of.text,
            "annotations_count": len(of.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": of.suite.id},
        "app": integration(site, of.suite.app),
        "pull_requests": [minimal_pull(site, pull) for pull in pulls_of(of.suite)],
    }


def event_run(site: Site, of: CheckRun) -> Json:
    """A check run in an event: with its suite."""
    suite = check_suite(site, of.suite)
    kept = [
        "id",
        "node_id",
        "head_branch",
        "head_sha",
        "status",
        "conclusion",
        "url",
        "before",
        "after",
        "pull_requests",
        "app",
        "created_at",
        "updated_at",
    ]
    return {**check_run(site, of), "check_suite": {name: suite[name] for name in kept}}


def annotation(site: Site, of: CheckRun, given: Json) -> Json:
    """An annotation."""
    at = of.suite.repository.full_name
    optional = ("start_column", "end_column", "title", "raw_details")
    return {
        **dict.fromkeys(optional),
        **given,
        "blob_href": f"{site.web}/{at}/blob/{of.suite.head_commit}/{given['path']}",
    }


def check_suite(site: Site, of: CheckSuite) -> Json:
    """A check suite."""
    url = f"{repository_url(site, of.repository)}/check-suites/{of.id}"
    status, conclusion = suite_state(of)
    return {
        "id": of.id,
        "node_id": node_id("CS", of.id),
        "head_branch": of.head_branch,
        "head_sha": of.head_commit,
        "status": status,
        "conclusion": conclusion,
        "url": url,
        "before": of.before,
        "after": of.head_commit,
        "pull_requests": [minimal_pull(site, pull) for pull in pulls_of(of)],
        "app": integration(site, of.app),
        "created_at": stamp(of.created_at),
        "updated_at": stamp(of.updated_at),
        "rerequestable": True,
        "runs_rerequestable": True,
        "latest_check_runs_count": len({run.name for run in of.runs}),
        "check_runs_url": f"{url}/check-runs",
        "head_commit": simple_commit(of.repository.git.revision(of.head_commit)),
        "repository": repository(site, of.repository),
    }


def event_suite(site: Site, of: CheckSuite) -> Json:
    """A check suite in an event: the repository stands beside it."""
    suite = check_suite(site, of)
    del suite["repository"]
    return suite

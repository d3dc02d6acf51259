"""The dashboard: what was done, what was found, and why, as far as whoever looks may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

import flask

from bot.jobs.types import JobKind, JobState
from bot.settings import Settings
from bot.store import Store
from bot.store.figures import Figures, RepositoryFigures, WeekFigures
from bot.store.kept_tests import KeptTests
from bot.store.tables import Job, StoredVerdict
from bot.web import forms
from bot.web.evidence import evidence_of
from bot.web.steering import may_stop, repeatable
from bot.web.trajectories import Trajectories, repository_in
from bot.web.visitors import Entrance, to_login, visitor

MOST_ROWS: Final = 50
_TRAJECTORY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""These pages carry their style, and a policy of their own that lets only it through."""


def blueprint(settings: Settings, store: Store, entrance: Entrance) -> flask.Blueprint:
    """All pages, for those whom the entrance lets in."""
    routes = flask.Blueprint("dashboard", __name__)
    routes.before_request(entrance.guard)
    routes.before_request(forms.check)
    trajectories = Trajectories(settings.data / "trajectories")
    _add_lists(routes, store)
    _add_results(routes, store, trajectories)
    _add_trajectories(routes, trajectories)

    @routes.app_errorhandler(404)
    def missing(_: Exception) -> flask.typing.ResponseReturnValue:
        return flask.render_template("missing.html"), 404

    return routes


def _add_lists(routes: flask.Blueprint, store: Store) -> None:
    @routes.get("/")
    def overview() -> str:
        repository = flask.request.args.get("repository") or None
        names = _visible(store) if repository is None else frozenset({repository})
        page = overview_of(store, repository, names)
        if repository is not None and not (visitor().may_see(repository) and page.repositories):
            _hidden()
        return flask.render_template("overview.html", page=page)

    @routes.get("/queue")
    def queue() -> str:
        names = _visible(store)
        jobs = store.jobs.unfinished(names)
        failed = store.jobs.latest(names, MOST_ROWS, state=JobState.FAILED)
        return flask.render_template(
            "queue.html",
            jobs=jobs,
            failed=failed,
            stoppable={job.key for job in jobs if may_stop(job)},
            repeatable=repeatable(store, failed),
        )

    @routes.get("/search")
    def search() -> str:
        words, names = flask.request.args.get("q", "").strip()[:200], _visible(store)
        found_by, most = words, MOST_ROWS if words else 0
        return flask.render_template(
            "search.html",
            words=words,
            jobs=store.jobs.latest(names, most, found_by=found_by),
            verdicts=store.verdicts.latest(names, most, found_by=found_by),
        )


def _add_results(routes: flask.Blueprint, store: Store, trajectories: Trajectories) -> None:
    @routes.get("/jobs/<path:key>")
    def job(key: str) -> str:
        row = store.jobs.get(key)
        if row is None or not visitor().may_see(row.repository):
            _hidden()
        return flask.render_template(
            "job.html",
            job=row,
            verdict=store.verdicts.of_job(key),
            tests=_tests_of_issue(store, row),
            trajectory=trajectories.name_of(row.repository, row.number),
            may_stop=may_stop(row),
            may_retry=key in repeatable(store, [row]),
        )

    @routes.get("/verdicts/<int:number>")
    def verdict(number: int) -> str:
        row = store.verdicts.get(number)
        if row is None or not visitor().may_see(row.repository):
            _hidden()
        return flask.render_template(
            "verdict.html",
            verdict=row,
            evidence=evidence_of(row.details),
            wrong=store.verdicts.called_wrong(row.repository, row.number, row.head_sha),
            retired=store.verdicts.has_retired_tests(row.id),
            rests_on=store.tests.of_verdict(row.id),
        )


def _add_trajectories(routes: flask.Blueprint, trajectories: Trajectories) -> None:
    def seen(name: str) -> bool:
        return visitor().may_see(repository_in(name))

    @routes.get("/trajectories")
    def listed() -> str:
        return flask.render_template("trajectories.html", trajectories=trajectories.latest(seen))

    @routes.get("/trajectories/<name>")
    def trajectory(name: str) -> flask.Response:
        page = trajectories.page(name) if seen(name) else None
        if page is None:
            _hidden()
        answer = flask.Response(page, content_type="text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = _TRAJECTORY_POLICY
        return answer


def _hidden() -> NoReturn:
    """What is not there, or not for who looks, is not found; strangers may log in first."""
    flask.abort(to_login() if visitor().who is None else 404)


def _visible(store: Store) -> frozenset[str] | None:
    """The repositories that whoever looks may see; None for all."""
    if visitor().is_operator:
        return None
    return frozenset(one for one in store.jobs.repositories() if visitor().may_see(one))


def _tests_of_issue(store: Store, job: Job) -> KeptTests | None:
    """The tests of the issue that a job reproduces; None where there are none."""
    if job.kind != JobKind.REPRODUCE:
        return None
    return store.tests.newest(job.repository, job.number)


@dataclass(frozen=True)
class Overview:
    """The figures of one repository, or of several.

    `jobs` counts by state, `decisions` by decision, `waiting` the deliveries of all repositories,
    which is for the operator alone.
    """

    jobs: Mapping[str, int]
    decisions: Mapping[str, int]
    usd: float
    waiting: int
    repositories: Sequence[RepositoryFigures]
    repository: str | None
    latest_jobs: Sequence[Job]
    latest_verdicts: Sequence[StoredVerdict]
    weeks: Sequence[WeekFigures]


def overview_of(store: Store, repository: str | None, names: frozenset[str] | None) -> Overview:
    """The figures and the latest of some repositories, or of all (None)."""
    figures = Figures(store.database)
    states: Counter[str] = Counter()
    for (_, state), count in figures.jobs(names).items():
        states[state] += count
    return Overview(
        jobs=states,
        decisions=figures.verdicts(names),
        usd=figures.usd(names),
        waiting=figures.unhandled() if visitor().is_operator else 0,
        repositories=figures.repositories(names),
        repository=repository,
        latest_jobs=store.jobs.latest(names, MOST_ROWS),
        latest_verdicts=store.verdicts.latest(names, MOST_ROWS),
        weeks=figures.weeks(names),
    )

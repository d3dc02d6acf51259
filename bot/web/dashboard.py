"""The dashboard: what was done, what was found, and why; it only shows."""

from __future__ import annotations

import datetime
import heapq
import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import flask

from bot.jobs.types import JobKind
from bot.settings import Settings
from bot.store import Store
from bot.store.figures import Figures, RepositoryFigures, WeekFigures
from bot.store.kept_tests import KeptTests
from bot.store.tables import Job, StoredVerdict
from bot.web.login import guard
from evaluator import InputError
from generator.model.secret import Secret
from generator.trajectory.page import render
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import SUFFIX

_TRAJECTORY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""These pages carry their style, and a policy of their own that lets only it through."""


def blueprint(settings: Settings, store: Store, token: Secret | None) -> flask.Blueprint:
    """All pages, for who is logged in."""
    routes = flask.Blueprint("dashboard", __name__)
    routes.before_request(guard(token))
    trajectories = Trajectories(settings.data / "trajectories")

    @routes.get("/")
    def overview() -> str:
        repository = flask.request.args.get("repository") or None
        page = overview_of(store, repository)
        if repository is not None and not page.repositories:
            flask.abort(404)
        return flask.render_template("overview.html", page=page)

    @routes.get("/jobs/<path:key>")
    def job(key: str) -> str:
        row = store.jobs.get(key) or flask.abort(404)
        return flask.render_template(
            "job.html",
            job=row,
            verdict=store.verdicts.of_job(key),
            tests=_tests_of_issue(store, row),
            trajectory=trajectories.name_of(row.repository, row.number),
        )

    @routes.get("/verdicts/<int:number>")
    def verdict(number: int) -> str:
        row = store.verdicts.get(number) or flask.abort(404)
        wrong = store.verdicts.called_wrong(row.repository, row.number, row.head_sha)
        return flask.render_template(
            "verdict.html",
            verdict=row,
            evidence=evidence_of(row.details),
            wrong=wrong,
            retired=store.verdicts.has_retired_tests(row.id),
            rests_on=store.tests.of_verdict(row.id),
        )

    _add_trajectories(routes, trajectories)

    @routes.app_errorhandler(404)
    def missing(_: Exception) -> flask.typing.ResponseReturnValue:
        return flask.render_template("missing.html"), 404

    return routes


def _tests_of_issue(store: Store, job: Job) -> KeptTests | None:
    """The tests of the issue that a job reproduces; None where there are none."""
    if job.kind != JobKind.REPRODUCE:
        return None
    return store.tests.newest(job.repository, job.number)


def _add_trajectories(routes: flask.Blueprint, trajectories: Trajectories) -> None:
    @routes.get("/trajectories")
    def listed() -> str:
        return flask.render_template("trajectories.html", trajectories=trajectories.latest())

    @routes.get("/trajectories/<name>")
    def trajectory(name: str) -> flask.Response:
        page = trajectories.page(name) or flask.abort(404)
        answer = flask.Response(page, content_type="text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = _TRAJECTORY_POLICY
        return answer


MOST_ROWS = 50


@dataclass(frozen=True)
class Overview:
    """The figures of one repository, or of all.

    `jobs` counts by state, `decisions` by decision, `waiting` the deliveries of all repositories.
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


def overview_of(store: Store, repository: str | None) -> Overview:
    """The figures and the latest of one repository, or of all."""
    figures = Figures(store.database)
    states: Counter[str] = Counter()
    for (_, state), count in figures.jobs(repository).items():
        states[state] += count
    return Overview(
        jobs=states,
        decisions=figures.verdicts(repository),
        usd=figures.usd(repository),
        waiting=figures.unhandled(),
        repositories=[one for one in figures.repositories() if repository in (None, one.full_name)],
        repository=repository,
        latest_jobs=store.jobs.latest(repository, MOST_ROWS),
        latest_verdicts=store.verdicts.latest(repository, MOST_ROWS),
        weeks=figures.weeks(repository),
    )


MOST_TRAJECTORIES = 200


@dataclass(frozen=True)
class Listed:
    """One trajectory, by its name without the suffix."""

    name: str
    changed_at: datetime.datetime


class Trajectories:
    """Those in a directory, which may not be there: workers may run on other machines."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def latest(self) -> Sequence[Listed]:
        """The latest, newest first."""
        found = (
            (path.stat().st_mtime, path.name.removesuffix(SUFFIX))
            for path in self._directory.glob(f"*{SUFFIX}")
        )
        return [
            Listed(name, datetime.datetime.fromtimestamp(changed, datetime.UTC))
            for changed, name in heapq.nlargest(MOST_TRAJECTORIES, found)
        ]

    def name_of(self, repository: str, issue: int) -> str:
        """The name of an issue's trajectory, "" where there is none."""
        name = f"{repository.replace('/', '+')}-{issue}"
        return name if self._path(name) is not None else ""

    def page(self, name: str) -> bytes | None:
        """A page of its own; None for one that is not there, or cannot be read."""
        path = self._path(name)
        try:
            return None if path is None else render(read_trajectory(path))
        except InputError:
            return None

    def _path(self, name: str) -> Path | None:
        path = self._directory / f"{name}{SUFFIX}"
        return path if path.parent == self._directory and path.is_file() else None


MOST_TESTS = 200
_TELLING = ("F->P", "F->F", "P->F")


@dataclass(frozen=True)
class Span:
    """Neighbouring changed lines of one side of a file of which the same is known."""

    side: str
    first: int
    last: int
    state: str
    tests: Sequence[str]


@dataclass(frozen=True)
class FileCoverage:
    """A file, its changed lines that can be executed, and how many of them are."""

    path: str
    spans: Sequence[Span]
    covered: int
    executable: int


@dataclass(frozen=True)
class VerdictEvidence:
    """Reasons, tests and logs are as they were kept; the most telling tests come first."""

    base: str
    head: str
    reasons: Sequence[Mapping[str, Any]]
    tests: Sequence[Mapping[str, Any]]
    hidden_tests: int
    covered: int
    executable: int
    files: Sequence[FileCoverage]
    logs: Sequence[Mapping[str, str]]


def evidence_of(details: str) -> VerdictEvidence:
    """Read what was kept of a verification."""
    kept = json.loads(details)
    tests = sorted(kept.get("tests", ()), key=_rank)
    coverage = kept.get("coverage", {})
    return VerdictEvidence(
        base=kept.get("base", ""),
        head=kept.get("head", ""),
        reasons=kept.get("reasons", ()),
        tests=tests[:MOST_TESTS],
        hidden_tests=len(tests[MOST_TESTS:]),
        covered=coverage.get("covered", 0),
        executable=coverage.get("executable", 0),
        files=_files(kept.get("lines", ())),
        logs=kept.get("logs", ()),
    )


def _rank(test: Mapping[str, Any]) -> tuple[bool, int]:
    kind = test.get("kind")
    rank = _TELLING.index(kind) if kind in _TELLING else len(_TELLING)
    return bool(test.get("preexisting")), rank


def _files(lines: Sequence[Mapping[str, Any]]) -> Sequence[FileCoverage]:
    ordered = sorted(lines, key=lambda line: (line["path"], line["side"], line["line"]))
    return tuple(
        _file(path, list(group))
        for path, group in itertools.groupby(ordered, key=lambda line: line["path"])
    )


def _file(path: str, lines: Sequence[Mapping[str, Any]]) -> FileCoverage:
    executable = [line for line in lines if line["state"] != "not_executable"]
    covered = sum(line["state"] == "covered" for line in executable)
    return FileCoverage(path, tuple(_spans(lines)), covered, len(executable))


def _spans(lines: Sequence[Mapping[str, Any]]) -> Sequence[Span]:
    """Lines that follow one another with the same side, state and tests, together."""
    spans: list[Span] = []
    for line in lines:
        tests = tuple(line.get("tests", ()))
        here = Span(line["side"], line["line"], line["line"], line["state"], tests)
        if spans and _follows(spans[-1], here):
            here = Span(here.side, spans[-1].first, here.last, here.state, tests)
            spans.pop()
        spans.append(here)
    return spans


def _follows(span: Span, line: Span) -> bool:
    same = (span.side, span.state, span.tests) == (line.side, line.state, line.tests)
    return same and span.last + 1 == line.first

"""A job always ends, or comes again: checks and comments on the simulated GitHub."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from rq.timeouts import JobTimeoutException

from bot.errors import GitHubError, RateLimitedError
from bot.github.api import Connection
from bot.github.app import AppClient, PrivateKey
from bot.github.client import InstalledGitHub
from bot.github.minter import Minter
from bot.github.retrying import ApiRetryPolicy
from bot.github.types import RepositoryId
from bot.jobs.run import MOST_ATTEMPTS, conclude_job, run_job
from bot.jobs.services import Services
from bot.jobs.types import JobKind, JobRequest
from bot.store import Store
from evaluator.errors import SandboxError
from tests.demo.simulator.conftest import receiver, studio

__all__ = ["receiver", "studio"]

REQUIRED = "verify:\n  gate: required\n"


class Nowhere:
    def enqueue(self, key):
        raise AssertionError("nothing is queued here")

    stop = enqueue


class Job:
    """A job for a pull or an issue of alice/calc; doing it raises what the test says."""

    def __init__(self, studio, folder):
        self.studio, self.github = studio, studio.github
        self.store = Store(f"sqlite:///{folder}/store.db")
        self.store.database.migrate()
        self.error: Exception = RuntimeError("boom")
        key = PrivateKey(studio.app.private_key.encode(), "test")
        retries = ApiRetryPolicy(attempts=2)
        connection = Connection(self.github.api_url, retries, sleep=lambda _: None)
        tokens = Minter(AppClient(studio.app.client_id, key, connection))
        self.services = Services(
            store=self.store,
            github=InstalledGitHub(tokens, connection),
            queue=Nowhere(),
            data=folder,
            workspace=self.fail,
        )
        self.place = RepositoryId(studio.installation, studio.repository)

    def fail(self, mirror):
        raise self.error

    def for_pull(self):
        number = self.studio.pull()
        pull = self.services.github.repository(self.place.installation, self.place.full_name).pull(
            number
        )
        return self.planned(
            JobRequest(JobKind.VERIFY, self.place, number, pull.head.sha, pull.base.sha)
        )

    def for_issue(self, asked_by=""):
        number = self.studio.alice.open_issue(self.place.full_name, "It breaks", "add(1, 1)")
        return self.planned(
            JobRequest(JobKind.REPRODUCE, self.place, number, requested_by=asked_by)
        )

    def planned(self, request):
        self.store.jobs.plan(request)
        return request

    def run(self, request):
        run_job(self.services, request.key)
        return self.store.jobs.get(request.key)

    def pass_time(self, **amounts):
        now = self.store.database.now() + datetime.timedelta(**amounts)
        self.store.database.now = lambda: now

    def check(self, request):
        (run,) = self.github.check_runs(self.place.full_name, request.head_sha)
        return run

    def comments(self, request):
        issue = self.github.repository(self.place.full_name).issues[request.number]
        return [comment.body for comment in issue.comments]


@pytest.fixture
def job(studio, tmp_path):
    made = Job(studio, tmp_path)
    yield made
    made.store.database.engine.dispose()


def test_a_defect_is_tried_three_times_and_then_told(job):
    request = job.for_pull()
    for attempt in range(1, MOST_ATTEMPTS):
        row = job.run(request)
        assert (row.state, row.attempts, row.reported) == ("queued", attempt, False)
        assert job.check(request).conclusion is None
        assert job.run(request).attempts == attempt, "it was not its time yet"
        job.pass_time(hours=1)
    row = job.run(request)
    assert (row.state, row.reported) == ("failed", True)
    check = job.check(request)
    assert check.conclusion == "neutral"
    assert "RuntimeError" in check.summary
    assert "boom" not in check.summary, "what a defect says may hold anything"


def test_a_required_gate_lets_nothing_through_that_was_not_finished(job):
    job.studio.alice.push(job.place.full_name, "main", {".github/fixgate.yml": REQUIRED})
    request = job.for_pull()
    job.error = JobTimeoutException("Task exceeded maximum timeout value (60 seconds)")
    assert job.run(request).state == "failed"
    assert job.check(request).conclusion == "timed_out"
    other = job.planned(dataclasses.replace(request, round=1))
    job.error = RuntimeError()
    for _ in range(MOST_ATTEMPTS):
        job.run(other)
        job.pass_time(hours=1)
    runs = job.github.check_runs(job.place.full_name, request.head_sha)
    assert [run.conclusion for run in runs] == ["timed_out", "action_required"]


def test_github_asking_to_wait_costs_no_attempt_but_not_for_ever(job):
    request = job.for_pull()
    job.error = RateLimitedError("wait", seconds=1800)
    for _ in range(6):
        row = job.run(request)
        assert (row.state, row.attempts) == ("queued", 0)
        job.pass_time(minutes=31)
    job.pass_time(hours=24)
    assert job.run(request).state == "failed"
    assert job.check(request).conclusion == "neutral"


def test_a_repository_that_is_gone_is_no_reason_to_try_again(job):
    number = job.studio.pull()
    request = job.planned(JobRequest(JobKind.VERIFY, job.place, number, "a" * 40, "b" * 40))
    job.studio.alice.uninstall(job.studio.installation)
    row = job.run(request)
    assert (row.state, row.reported, row.attempts) == ("failed", True, 1)


def test_an_app_that_is_uninstalled_meanwhile_ends_its_jobs(job):
    request = job.for_pull()
    repository = job.services.github.repository(job.place.installation, job.place.full_name)
    assert repository.default_branch() == "main"  # there is a token now, which ends too soon
    job.studio.alice.uninstall(job.studio.installation)
    row = job.run(request)
    assert (row.state, row.reported, row.attempts) == ("failed", True, 1)
    assert row.message.startswith("the App is not installed on alice/calc any more")


@pytest.mark.parametrize("suspended", [False, True])
def test_an_app_that_loses_its_token_while_it_works(job, suspended):
    request = job.for_pull()

    def fail(mirror):
        job.github.world.tokens.clear()
        if suspended:
            job.studio.alice.suspend(job.studio.installation)
        raise SandboxError("nowhere to run")

    services = dataclasses.replace(job.services, workspace=fail)
    run_job(services, request.key)
    row = job.store.jobs.get(request.key)
    assert (row.state, row.reported, row.attempts) == ("failed" if suspended else "done", True, 1)
    assert ("suspended" in row.message) is suspended


def test_what_could_not_be_told_is_told_later(job):
    request = job.for_pull()
    job.error = JobTimeoutException("too long")
    job.github.world.chance.faults.errors = 1.0
    row = job.run(request)
    assert row.state == "queued", "GitHub failed before the work began"
    job.github.world.chance.faults.errors = 0.0
    job.pass_time(hours=1)

    def fail(mirror):
        job.github.world.chance.faults.errors = 1.0
        raise JobTimeoutException("too long")

    services = dataclasses.replace(job.services, workspace=fail)
    with pytest.raises(GitHubError, match=r"500|502"):
        run_job(services, request.key)
    assert [row.key for row in job.store.jobs.unreported()] == [request.key]
    assert job.check(request).conclusion is None
    job.github.world.chance.faults.errors = 0.0
    conclude_job(job.services, request.key)
    assert job.check(request).conclusion == "timed_out"
    assert job.store.jobs.unreported() == []


def test_an_issue_is_told_in_its_one_comment(job):
    request = job.for_issue()
    job.error = JobTimeoutException("too long")
    assert job.run(request).state == "failed"
    (comment,) = job.comments(request)
    assert "could not finish" in comment


def test_a_superseded_head_is_told_as_cancelled_and_only_once(job):
    request = job.for_pull()
    job.store.jobs.begin(request.key)
    newer = job.planned(dataclasses.replace(request, head_sha="f" * 40))
    job.store.jobs.supersede(newer)
    assert job.run(request).state == "superseded"
    conclude_job(job.services, request.key)
    conclude_job(job.services, request.key)
    assert job.check(request).conclusion == "cancelled"
    assert job.store.jobs.unreported() == []


def test_a_job_that_is_not_over_is_not_concluded(job):
    request = job.for_pull()
    conclude_job(job.services, request.key)
    assert job.github.check_runs(job.place.full_name, request.head_sha) == []

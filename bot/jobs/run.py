"""Runs a job from the store: tried again after faults, but not forever, and always reported."""

from __future__ import annotations

import contextlib
import datetime
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rq.timeouts import JobTimeoutException

from bot.errors import ConfigurationError, ForbiddenError, NotFoundError, RateLimitedError
from bot.github.protocol import Repository
from bot.jobs.dashboard import show_dashboard
from bot.jobs.reproduce import reproduce
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobKind, JobRequest, JobResult, JobState
from bot.jobs.verify import verify
from bot.messages import checks, comments
from bot.queue import QueueName
from bot.store.jobs import request_of
from bot.store.tables import Job
from bot.telemetry import continued, sends_spans, span
from evaluator import FixgateError
from generator.costs import CostTracker

MOST_ATTEMPTS: Final = 3
LONGEST_LIFE: Final = datetime.timedelta(hours=24)
"""A job that GitHub asks to wait is given up after this time."""
_HOPELESS = (ForbiddenError, NotFoundError)
_log = logging.getLogger(__name__)


def run_job(services: Services, key: str) -> None:
    """Do a job, unless it has ended or its time has not come.

    Whatever goes wrong, the job comes again later or has ended when this returns; then GitHub shows
    it, or will as soon as it can be reported.
    """
    row = services.store.jobs.get(key)
    if row is None:
        return
    # One that was superseded, or is taken for lost, may still be at work for a moment.
    with services.store.database.exclusive_lock("run", row.concurrency_key):
        request = services.store.jobs.begin(key)
        if request is not None:
            with _traced(services, row, "job"):
                _do(services, key, request)


@contextlib.contextmanager
def _traced(services: Services, row: Job, name: str) -> Iterator[None]:
    """A span of the trace that began with the delivery which asked for a job."""
    known = sends_spans() and row.cause
    began = services.store.deliveries.trace_context(row.cause) if known else ""
    with continued(began), span(name, {"fixgate.job": row.key, "fixgate.kind": row.kind}):
        yield


def _do(services: Services, key: str, request: JobRequest) -> None:
    _log.info("%s begins", request.kind)
    try:
        result = _WORK[request.kind](services, request)
    except Exception as error:  # a defect of ours, too, must not leave a check in progress
        _failed(services, key, error)
    else:
        services.store.jobs.finish(key, JobState.DONE, result.message, result.usd)
        _log.info("%s is done", request.kind)
        if request.kind is JobKind.REPRODUCE:
            show_dashboard(services, request.repository)


def conclude_job(services: Services, key: str) -> None:
    """Show how a job ended. Raises GitHubError."""
    conclude(services, key)


def give_up(services: Services, key: str, message: str) -> None:
    """End a job that failed for good, and report it.

    Raises GitHubError; the sweeper sees to it then.
    """
    if services.store.jobs.finish(key, JobState.FAILED, message):
        _log.error("given up: %s", message)
        conclude(services, key)


def _reproduce(services: Services, request: JobRequest) -> JobResult:
    account: CostTracker = reproduce(services, request)
    return JobResult(account.spending.usd)


_WORK: Mapping[JobKind, Callable[[Services, JobRequest], JobResult]] = {
    JobKind.REPRODUCE: _reproduce,
    JobKind.VERIFY: verify,
}


def _failed(services: Services, key: str, error: Exception) -> None:
    row = services.store.jobs.get(key)
    assert row is not None  # it was begun
    message = str(error) if isinstance(error, FixgateError) else f"a defect: {type(error).__name__}"
    _log.warning("attempt %d failed: %s", row.attempts, message, exc_info=error)
    if isinstance(error, JobTimeoutException):
        give_up(services, key, f"{TIMED_OUT}: {error}")
    elif isinstance(error, _HOPELESS) or _is_used_up(row.attempts, row.created_at, error, services):
        give_up(services, key, message)
    else:
        wait, counts = _wait(row.attempts, error)
        services.store.jobs.postpone(key, wait, message, counts=counts)


def _is_used_up(
    attempts: int, created_at: datetime.datetime, error: Exception, services: Services
) -> bool:
    if isinstance(error, RateLimitedError):
        return services.store.database.now() - created_at > LONGEST_LIFE
    return attempts >= MOST_ATTEMPTS


def _wait(attempts: int, error: Exception) -> tuple[datetime.timedelta, bool]:
    """How long to wait, and whether the attempt counts."""
    if isinstance(error, RateLimitedError):
        return datetime.timedelta(seconds=error.seconds), False
    return datetime.timedelta(seconds=20 * 4 ** (attempts - 1)), True


def canary(services: Services, queue: str) -> None:
    """Use what the tasks of a queue use, and change nothing: it shows that others can be done.

    That is the store and, in the long queue, the sandbox. Raises ConfigurationError where the store
    does not answer, SandboxError where no sandbox works.
    """
    if not services.store.database.answers():
        raise ConfigurationError("the store does not answer")
    if queue == QueueName.LONG:
        services.workspace(services.data)


TIMED_OUT = "it took too long"
"""How the message of a job begins that was stopped at its time limit."""


def conclude(services: Services, key: str) -> None:
    """Show how a job ended, so that nothing stays in progress; safe to do twice.

    Raises GitHubError where GitHub cannot be reached; for a repository that the App may not see any
    more nothing is reported.
    """
    with services.store.database.exclusive_lock("report", key):
        row = services.store.jobs.get(key)
        if row is None or row.reported or not JobState(row.state).is_final:
            return
        request = request_of(row)
        try:
            with _traced(services, row, "conclude"):
                _report(_repository(services, request), request, row)
        except (ForbiddenError, NotFoundError) as error:
            _log.warning("how it ended cannot be reported: %s", error)
        services.store.jobs.mark_reported(key)
    if request.kind is JobKind.REPRODUCE:
        show_dashboard(services, request.repository)


def show_superseded(services: Services, request: JobRequest) -> None:
    """Show at once that nobody waits for a job any more. Raises GitHubError.

    It does not count as reported: until the job is really stopped it may say otherwise, and then
    `conclude` has the last word.
    """
    with services.store.database.exclusive_lock("report", request.key):
        _repository(services, request).put_check(checks.superseded(request))


def _repository(services: Services, request: JobRequest) -> Repository:
    place = request.repository
    return services.github.repository(place.installation, place.full_name)


def _report(repository: Repository, request: JobRequest, row: Job) -> None:
    if row.state == JobState.SUPERSEDED:
        # An issue has one comment, which belongs to whatever took this job's place.
        if request.kind is JobKind.VERIFY:
            repository.put_check(checks.superseded(request))
        return
    configuration, _ = configuration_of(repository, repository.default_branch())
    if request.kind is JobKind.VERIFY:
        gate, late = configuration.verify.gate, row.message.startswith(TIMED_OUT)
        repository.put_check(checks.unfinished(request, row.message, gate=gate, late=late))
    elif request.requested_by or not configuration.reproduce.silent_without_test:
        text = comments.unfinished(request.number, row.message)
        repository.put_comment(request.number, comments.issue_marker(request.number), text)

"""Reports on GitHub how a job ended that cannot do so itself: it died, or was superseded."""

from __future__ import annotations

import logging

from bot.configuration import Configuration
from bot.errors import ForbiddenError, NotFoundError
from bot.github.protocol import Repository
from bot.github.types import Check, Conclusion
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.messages.markdown import fenced, fitted
from bot.messages.reproduction import marker
from bot.messages.verdict import RERUN, conclusion
from bot.store.jobs import request_of
from bot.store.tables import Job
from evaluator import Decision

_log = logging.getLogger(__name__)

TIMED_OUT = "it took too long"
"""How the message of a job begins that was stopped at its time limit."""


def superseded(request: JobRequest) -> Check:
    """The check of a head that nobody waits for any more."""
    summary = "A newer request took the place of this one."
    return Check(
        request.key, request.head_sha, "Superseded", summary, conclusion=Conclusion.CANCELLED
    )


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
            _report(_repository(services, request), request, row)
        except (ForbiddenError, NotFoundError) as error:
            _log.warning("how it ended cannot be reported: %s", error)
        services.store.jobs.mark_reported(key)


def show_superseded(services: Services, request: JobRequest) -> None:
    """Show at once that nobody waits for a job any more. Raises GitHubError.

    It does not count as reported: until the job is really stopped it may say otherwise, and then
    `conclude` has the last word.
    """
    with services.store.database.exclusive_lock("report", request.key):
        _repository(services, request).put_check(superseded(request))


def _repository(services: Services, request: JobRequest) -> Repository:
    place = request.repository
    return services.github.repository(place.installation, place.full_name)


def _report(repository: Repository, request: JobRequest, row: Job) -> None:
    if row.state == JobState.SUPERSEDED:
        # An issue has one comment, which belongs to whatever took this job's place.
        if request.kind is JobKind.VERIFY:
            repository.put_check(superseded(request))
        return
    configuration, _ = configuration_of(repository, repository.default_branch())
    if request.kind is JobKind.VERIFY:
        repository.put_check(_unfinished_check(request, row.message, configuration))
    elif request.requested_by or not configuration.reproduce.silent_without_test:
        repository.put_comment(
            request.number, marker(request.number), _unfinished_comment(request, row.message)
        )


def _unfinished_check(request: JobRequest, message: str, configuration: Configuration) -> Check:
    late = message.startswith(TIMED_OUT)
    decided = conclusion(Decision.ABSTAIN, configuration.verify.gate)
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title="Cannot tell: fixgate could not finish",
        summary=fitted(["**fixgate could not finish this.** Run it again.", fenced(message)]),
        conclusion=Conclusion.TIMED_OUT if late else decided,
        buttons=(RERUN,),
    )


def _unfinished_comment(request: JobRequest, message: str) -> str:
    return fitted(
        [
            marker(request.number),
            "fixgate **could not finish** its work on this; `/fixgate reproduce` tries again.",
            fenced(message),
        ]
    )

"""Keeps the issue up to date that lists what became of bug reports, where one is wanted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from bot.errors import GitHubError
from bot.github.types import RepositoryId
from bot.jobs.services import Services, configuration_of
from bot.jobs.types import JobState
from bot.messages.dashboard import DASHBOARD_MARKER, TITLE, ReportRow, ReportState, dashboard
from bot.store.tables import Job

MOST_ISSUES: Final = 200
"""Open issues that are looked at, those that changed last first."""
_log = logging.getLogger(__name__)


def show_dashboard(services: Services, place: RepositoryId) -> None:
    """Write the list anew, where the configuration wants one.

    An error of GitHub is logged: the list is written again with the next change.
    """
    repository = services.github.repository(place.installation, place.full_name)
    try:
        wanted, _ = configuration_of(repository, repository.default_branch())
        if not wanted.dashboard_issue:
            return
        with services.store.database.exclusive_lock("dashboard", place.full_name):
            is_open = {issue.number for issue in repository.open_issues(MOST_ISSUES)}
            text = dashboard(list(_rows(services, place.full_name, is_open)))
            repository.put_issue(DASHBOARD_MARKER, TITLE, text)
    except GitHubError as error:
        _log.warning("the list of bug reports of %s is not written: %s", place.full_name, error)


def _rows(services: Services, repository: str, is_open: set[int]) -> Iterator[ReportRow]:
    for job in services.store.jobs.newest_of_issues(repository):
        if job.number in is_open:
            yield _row(services, job)


def _row(services: Services, job: Job) -> ReportRow:
    tests = services.store.tests
    if not JobState(job.state).is_final:
        return ReportRow(job.number, ReportState.IN_WORK)
    kept = tests.newest(job.repository, job.number)
    if kept is not None:
        return ReportRow(job.number, ReportState.REPRODUCED, kept.confidence)
    if tests.retired(job.repository, job.number):
        return ReportRow(job.number, ReportState.CALLED_WRONG)
    done = job.state == JobState.DONE
    return ReportRow(job.number, ReportState.NOT_REPRODUCED if done else ReportState.UNFINISHED)

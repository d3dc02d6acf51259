"""Whether an edited issue is to be answered again."""

from __future__ import annotations

import re
from typing import Final

from bot.github.models import IssueEvent
from bot.jobs.services import Services
from bot.jobs.types import JobKind, JobRequest
from bot.store.kept_tests import CONFIDENT

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TASK: Final = re.compile(r"^(\s*[-*+] )\[[ xX]\] ", re.MULTILINE)


def wants_another_test(event: IssueEvent, services: Services) -> bool:
    """Whether the issue was answered, the edit changes what it reports, and no test stands."""
    name, number = event.place.full_name, event.issue.number
    request = JobRequest(JobKind.REPRODUCE, event.place, number)
    was_answered = services.store.jobs.rounds(request.concurrency_key, request.head_sha) > 0
    if not was_answered or essence(event.report_before) == essence(event.issue.report):
        return False
    return not _has_confirmed_test(services, name, number)


def _has_confirmed_test(services: Services, name: str, number: int) -> bool:
    """Whether there is a test that is no mere proposal, or by which a change was judged."""
    kept = services.store.tests.newest(name, number)
    if kept is None:
        return False
    return kept.confidence >= CONFIDENT or bool(services.store.verdicts.resting_on([kept.id]))


def essence(report: str) -> str:
    """What a test can depend on: no comments, ticks of tasks, blank lines or spaces at ends."""
    text = _TASK.sub(r"\1", _COMMENT.sub("", report))
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())

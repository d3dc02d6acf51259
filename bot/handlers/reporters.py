"""What somebody who may not push can ask for: a test of an issue that they wrote."""

from __future__ import annotations

import datetime
from typing import Final

from bot.configuration import ReproduceWhen
from bot.handlers.command import CommentCommand
from bot.handlers.planning import configuration
from bot.jobs.types import JobKind
from bot.messages.comments import CommandAnswer

FOR_REPORTERS: Final = "reproduce"
_DAY: Final = datetime.timedelta(days=1)


def refusal(command: CommentCommand) -> CommandAnswer | None:
    """Why somebody who may not push does not get what they ask for; None where they do.

    A test that is there stays: pull requests may be judged by it already. Raises GitHubError.
    """
    issue = command.event.issue
    if command.word != FOR_REPORTERS or issue.is_pull or issue.user.login != command.author:
        return CommandAnswer.NO_PERMISSION
    chosen = configuration(command.event, command.services)
    if chosen.reproduce.when is ReproduceWhen.NEVER or not chosen.limits.requests_per_reporter:
        return CommandAnswer.NO_PERMISSION
    if command.services.store.tests.newest(command.name, command.number) is not None:
        return CommandAnswer.HAS_TEST
    many = _planned(command, command.author) >= chosen.limits.requests_per_reporter
    if many or _planned(command) >= chosen.limits.issues_per_day:
        return CommandAnswer.TOO_OFTEN
    return None


def _planned(command: CommentCommand, requested_by: str = "") -> int:
    """How many tests were asked for lately; this command does not count, if it comes again."""
    return command.services.store.jobs.planned_since(
        command.name,
        JobKind.REPRODUCE,
        _DAY,
        requested_by=requested_by,
        besides=command.event.delivery,
    )

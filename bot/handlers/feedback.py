"""`/fixgate wrong`: on a pull request about its verdict, on an issue about its test."""

from __future__ import annotations

from bot.handlers.command import CommentCommand
from bot.handlers.planning import configuration, exclusive_lock, plan_verification
from bot.jobs.dashboard import show_dashboard
from bot.jobs.reproduce import REPRODUCED
from bot.messages.checks import withdrawn
from bot.messages.comments import CommandAnswer, issue_marker, retired
from bot.store.jobs import request_of


def call_wrong(command: CommentCommand) -> None:
    """Record it, and show that the verdict or the test does not count any more."""
    if command.event.issue.is_pull:
        _call_verdict_wrong(command)
    else:
        _call_tests_wrong(command)


def _call_verdict_wrong(command: CommentCommand) -> None:
    """Recorded once a person and head; the head is not judged the same way again by itself."""
    pull = command.pull()
    sha = pull.head.sha if pull is not None else ""
    store = command.services.store
    store.verdicts.call_wrong(command.name, command.number, sha, command.author)
    for verdict in store.verdicts.latest(frozenset({command.name})):
        row = store.jobs.get(verdict.job)
        if (verdict.number, verdict.head_sha) == (command.number, sha) and row is not None:
            command.repository.put_check(withdrawn(request_of(row)))
    command.repository.react(command.event.comment.id, "+1")


def _call_tests_wrong(command: CommentCommand) -> None:
    """Retire the tests of the issue; their label goes, and the comment says so."""
    tests, number = command.services.store.tests, command.number
    tests.retire(command.name, number, command.author)
    gone = tests.retired(command.name, number)
    if not gone:
        command.answer(CommandAnswer.NO_TEST)
        return
    text = retired(number, command.author, gone[-1].patch)
    command.repository.put_comment(number, issue_marker(number), text)
    if configuration(command.event, command.services).reproduce.labels:
        command.repository.set_label(number, REPRODUCED, present=False)
    command.repository.react(command.event.comment.id, "+1")
    show_dashboard(command.services, command.event.place)


def judge_without_retired(command: CommentCommand) -> None:
    """Judge the open pull requests again whose verdicts rest on retired tests of the issue.

    Call this outside of `exclusive_lock`: each of them takes its own. Raises GitHubError.
    """
    event, services = command.event, command.services
    gone = [tests.id for tests in services.store.tests.retired(command.name, command.number)]
    verdicts = services.store.verdicts.resting_on(gone)
    # Merge groups have no number; they are gone by now, or soon will be.
    for number, head in sorted({(one.number, one.head_sha) for one in verdicts if one.number}):
        with exclusive_lock(event, number, services):
            pull = command.repository.pull(number)
            if pull.is_open and pull.head.sha == head:
                plan_verification(event, pull, services, again=True, requested_by=command.author)

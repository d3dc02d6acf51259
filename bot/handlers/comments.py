"""Commands: a comment with `/fixgate WORD` at the start of a line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping

from bot.github.models import CommentEvent
from bot.handlers import reporters
from bot.handlers.command import CommentCommand
from bot.handlers.feedback import call_wrong, judge_without_retired
from bot.handlers.planning import (
    exclusive_lock,
    plan_reproduction,
    plan_verification,
    repository_of,
)
from bot.jobs.services import Services
from bot.messages.comments import CommandAnswer, explanation, help_text, marker, unknown_command

_COMMAND = re.compile(r"^/fixgate(?:[ \t]+(\S+))?[^\n]*$", re.MULTILINE)


def on_comment(event: CommentEvent, services: Services) -> None:
    """Carry out the first command of a new comment, if its author may give it."""
    found = _COMMAND.search(_without_quotes(event.comment.text))
    if event.action != "created" or event.comment.user.is_bot or found is None:
        return
    word = (found[1] or "help").lower()
    command = CommentCommand(word, event, repository_of(event, services), services)
    with exclusive_lock(event, event.issue.number, services):
        done = _carry_out(command)
    if done and word == "wrong":
        judge_without_retired(command)


def _carry_out(command: CommentCommand) -> bool:
    """Whether its author may give it, and it is known."""
    act, comment = COMMANDS.get(command.word), command.event.comment
    if act is None:
        _answer_unknown(command)
        return False
    refused = None if act is _help else _refusal(command)
    if refused is not None:
        command.repository.react(comment.id, "confused")
        command.answer(refused)
        return False
    if act is not _help:
        command.repository.react(comment.id, "eyes")
    act(command)
    return True


def _refusal(command: CommentCommand) -> CommandAnswer | None:
    """Why the author may not give the command; None where they may."""
    if command.repository.permission(command.author).may_write:
        return None
    return reporters.refusal(command)


def _reproduce(command: CommentCommand) -> None:
    if command.event.issue.is_pull:
        command.answer(CommandAnswer.REPRODUCE_ON_PULL)
    else:
        plan_reproduction(
            command.event,
            command.number,
            command.services,
            again=True,
            requested_by=command.author,
        )


def _verify(command: CommentCommand) -> None:
    pull = command.pull()
    if pull is None:
        command.answer(CommandAnswer.VERIFY_ON_ISSUE)
    else:
        plan_verification(
            command.event, pull, command.services, again=True, requested_by=command.author
        )


def _explain(command: CommentCommand) -> None:
    verdicts = command.services.store.verdicts.latest(frozenset({command.name}))
    latest = next((v for v in verdicts if v.number == command.number), None)
    text = explanation(latest, command.services.store.verdicts.precision(command.name))
    command.repository.put_comment(command.number, marker("explain"), text)


def _pause(command: CommentCommand) -> None:
    command.services.store.pauses.pause(command.name, command.number, command.author)


def _resume(command: CommentCommand) -> None:
    command.services.store.pauses.resume(command.name, command.number)


def _help(command: CommentCommand) -> None:
    command.repository.put_comment(command.number, marker("help"), help_text())


def _answer_unknown(command: CommentCommand) -> None:
    similar = difflib.get_close_matches(command.word, COMMANDS, n=1)
    text = unknown_command(command.word, similar[0] if similar else "")
    command.repository.put_comment(command.number, marker("help"), text)


COMMANDS: Mapping[str, Callable[[CommentCommand], None]] = {
    "reproduce": _reproduce,
    "verify": _verify,
    "explain": _explain,
    "wrong": call_wrong,
    "pause": _pause,
    "resume": _resume,
    "help": _help,
}


def _without_quotes(body: str) -> str:
    """The text less quoted lines and blocks of code, where a command is only spoken of."""
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", body.replace("\r\n", "\n"), flags=re.S | re.M)
    return "\n".join(line for line in text.split("\n") if not line.startswith(">"))

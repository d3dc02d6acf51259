"""Commands: a comment with `/fixgate WORD` at the start of a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.github.models import CommentEvent, Pull
from bot.github.protocol import Repository
from bot.handlers.planning import (
    exclusive_lock,
    plan_reproduction,
    plan_verification,
    repository_of,
)
from bot.jobs.services import Services
from bot.messages.checks import withdrawn
from bot.messages.comments import (
    ANSWER_MARKER,
    CommandAnswer,
    answer,
    explanation,
    help_text,
    marker,
)
from bot.store.jobs import request_of

_COMMAND = re.compile(r"^/fixgate(?:[ \t]+(\S+))?[^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class _Command:
    """A command, where it was given, and what it is carried out with."""

    event: CommentEvent
    repository: Repository
    services: Services

    @property
    def name(self) -> str:
        return self.event.place.full_name

    @property
    def number(self) -> int:
        return self.event.issue.number

    @property
    def author(self) -> str:
        return self.event.comment.user.login

    def pull(self) -> Pull | None:
        """The pull request; None for an issue."""
        return self.repository.pull(self.number) if self.event.issue.is_pull else None


def on_comment(event: CommentEvent, services: Services) -> None:
    """Carry out the first command of a new comment, if its author may give it."""
    found = _COMMAND.search(_without_quotes(event.comment.text))
    if event.action != "created" or event.comment.user.is_bot or found is None:
        return
    command = _Command(event, repository_of(event, services), services)
    with exclusive_lock(event, event.issue.number, services):
        _carry_out(command, (found[1] or "help").lower())


def _carry_out(command: _Command, word: str) -> None:
    act, comment = COMMANDS.get(word), command.event.comment
    if act is None:
        _help(command, unknown=word)
    elif act is _help:
        _help(command)
    elif command.repository.permission(command.author).may_write:
        command.repository.react(comment.id, "eyes")
        act(command)
    else:
        command.repository.react(comment.id, "confused")
        _answer(command, CommandAnswer.NO_PERMISSION, word)


def _answer(command: _Command, kind: CommandAnswer, word: str) -> None:
    command.repository.put_comment(command.number, ANSWER_MARKER, answer(kind, word))


def _reproduce(command: _Command) -> None:
    if command.event.issue.is_pull:
        _answer(command, CommandAnswer.REPRODUCE_ON_PULL, "reproduce")
    else:
        plan_reproduction(
            command.event, command.number, command.services, requested_by=command.author
        )


def _verify(command: _Command) -> None:
    pull = command.pull()
    if pull is None:
        _answer(command, CommandAnswer.VERIFY_ON_ISSUE, "verify")
    else:
        plan_verification(
            command.event, pull, command.services, again=True, requested_by=command.author
        )


def _explain(command: _Command) -> None:
    verdicts = command.services.store.verdicts.latest(command.name)
    latest = next((v for v in verdicts if v.number == command.number), None)
    text = explanation(latest, command.services.store.verdicts.precision(command.name))
    command.repository.put_comment(command.number, marker("explain"), text)


def _wrong(command: _Command) -> None:
    """Recorded once a person and head; the head is not judged the same way again by itself."""
    pull = command.pull()
    sha = pull.head.sha if pull is not None else ""
    store = command.services.store
    store.verdicts.call_wrong(command.name, command.number, sha, command.author)
    for verdict in store.verdicts.latest(command.name):
        row = store.jobs.get(verdict.job)
        if (verdict.number, verdict.head_sha) == (command.number, sha) and row is not None:
            command.repository.put_check(withdrawn(request_of(row)))
    command.repository.react(command.event.comment.id, "+1")


def _pause(command: _Command) -> None:
    command.services.store.pauses.pause(command.name, command.number, command.author)


def _resume(command: _Command) -> None:
    command.services.store.pauses.resume(command.name, command.number)


def _help(command: _Command, unknown: str = "") -> None:
    command.repository.put_comment(command.number, marker("help"), help_text(unknown))


COMMANDS: Mapping[str, Callable[[_Command], None]] = {
    "reproduce": _reproduce,
    "verify": _verify,
    "explain": _explain,
    "wrong": _wrong,
    "pause": _pause,
    "resume": _resume,
    "help": _help,
}


def _without_quotes(body: str) -> str:
    """The text less quoted lines and blocks of code, where a command is only spoken of."""
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", body.replace("\r\n", "\n"), flags=re.S | re.M)
    return "\n".join(line for line in text.split("\n") if not line.startswith(">"))

"""Commands: a comment with `/fixgate WORD` at the start of a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.github.events import CommentEvent
from bot.github.protocol import Repository
from bot.github.types import Pull
from bot.handlers.planning import alone, plan_reproduction, plan_verification, repository_of
from bot.jobs.services import Services
from bot.jobs.verify import withdrawn
from bot.messages.commands import explanation, help_text, marker
from bot.store.jobs import request_of

_COMMAND = re.compile(r"^/fixgate(?:[ \t]+(\S+))?[^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class _Asked:
    """A command, where it was given, and what it is carried out with."""

    event: CommentEvent
    repository: Repository
    services: Services

    @property
    def name(self) -> str:
        return self.event.context.repository.full_name

    @property
    def number(self) -> int:
        return self.event.issue.number

    def pull(self) -> Pull | None:
        return self.repository.pull(self.number) if self.event.on_pull else None


def happened(event: CommentEvent, services: Services) -> None:
    """Carry out the first command of a new comment, if its author may give it."""
    found = _COMMAND.search(_without_quotes(event.body))
    if event.action != "created" or event.author_is_bot or found is None:
        return
    asked = _Asked(event, repository_of(event.context, services), services)
    with alone(event.context, event.issue.number, services):
        _carry_out(asked, (found[1] or "help").lower())


def _carry_out(asked: _Asked, word: str) -> None:
    act, event = COMMANDS.get(word), asked.event
    if act is None or act is _help:
        _help(asked)
    elif asked.repository.permission(event.author).may_write:
        asked.repository.react(event.comment, "eyes")
        act(asked)
    else:
        asked.repository.react(event.comment, "confused")


def _reproduce(asked: _Asked) -> None:
    if not asked.event.on_pull:
        plan_reproduction(
            asked.event.context, asked.number, asked.services, requested_by=asked.event.author
        )


def _verify(asked: _Asked) -> None:
    pull = asked.pull()
    if pull is not None:
        plan_verification(
            asked.event.context, pull, asked.services, again=True, requested_by=asked.event.author
        )


def _explain(asked: _Asked) -> None:
    verdicts = asked.services.store.verdicts.latest(asked.name)
    told = next((v for v in verdicts if v.number == asked.number), None)
    text = explanation(told, asked.services.store.verdicts.precision(asked.name))
    asked.repository.put_comment(asked.number, marker("explain"), text)


def _wrong(asked: _Asked) -> None:
    """Recorded once a person and head; the head is not judged the same way again by itself."""
    pull = asked.pull()
    sha = pull.head_sha if pull is not None else ""
    store = asked.services.store
    store.verdicts.call_wrong(asked.name, asked.number, sha, asked.event.author)
    for verdict in store.verdicts.latest(asked.name):
        row = store.jobs.get(verdict.job)
        if (verdict.number, verdict.head_sha) == (asked.number, sha) and row is not None:
            asked.repository.put_check(withdrawn(request_of(row)))
    asked.repository.react(asked.event.comment, "+1")


def _pause(asked: _Asked) -> None:
    asked.services.store.pauses.pause(asked.name, asked.number, asked.event.author)


def _resume(asked: _Asked) -> None:
    asked.services.store.pauses.resume(asked.name, asked.number)


def _help(asked: _Asked) -> None:
    asked.repository.put_comment(asked.number, marker("help"), help_text())


COMMANDS: Mapping[str, Callable[[_Asked], None]] = {
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

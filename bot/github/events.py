"""Webhook payloads as typed events, without trust in their form.

https://docs.github.com/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.github import records
from bot.github.event_types import (
    CheckRunEvent,
    CheckSuiteEvent,
    CommentEvent,
    Context,
    InstallationEvent,
    IssueEvent,
    MergeGroupEvent,
    OtherEvent,
    PingEvent,
    PullEvent,
    TypedEvent,
)
from bot.github.reading import Fields
from bot.github.types import Event

__all__ = [
    "CheckRunEvent",
    "CheckSuiteEvent",
    "CommentEvent",
    "Context",
    "InstallationEvent",
    "IssueEvent",
    "MergeGroupEvent",
    "OtherEvent",
    "PingEvent",
    "PullEvent",
    "TypedEvent",
    "read_event",
]


def read_event(event: Event) -> TypedEvent:
    """What a delivery tells. Raises PayloadError naming the field that is missing or wrong."""
    read = _READERS.get(event.name)
    if read is None:
        return OtherEvent(event.name, event.action)
    typed = read(Fields(event.payload))
    if isinstance(typed, InstallationEvent | PingEvent | OtherEvent):
        return typed
    return replace(typed, context=replace(typed.context, delivery=event.delivery))


def _context(fields: Fields) -> Context:
    return Context(
        repository=records.repository(fields),
        default_branch=fields.inside("repository").text("default_branch"),
        sender=records.login(fields, "sender"),
        sender_is_bot=records.is_bot(fields, "sender"),
    )


def _label(fields: Fields) -> str:
    return fields.inside("label").text("name") if fields.has("label") else ""


def _issue(fields: Fields) -> IssueEvent:
    return IssueEvent(
        fields.text("action"),
        _context(fields),
        records.issue(fields.inside("issue")),
        _label(fields),
    )


def _comment(fields: Fields) -> CommentEvent:
    comment = fields.inside("comment")
    return CommentEvent(
        action=fields.text("action"),
        context=_context(fields),
        issue=records.issue(fields.inside("issue")),
        on_pull=fields.inside("issue").has("pull_request"),
        comment=comment.number("id"),
        body=comment.text("body", ""),
        author=records.login(comment),
        author_is_bot=records.is_bot(comment),
    )


def _pull(fields: Fields) -> PullEvent:
    changes = fields.inside("changes") if fields.has("changes") else None
    changed = [name for name in ("base", "body", "title") if changes and changes.has(name)]
    return PullEvent(
        fields.text("action"),
        _context(fields),
        records.pull(fields.inside("pull_request")),
        frozenset(changed),
        _label(fields),
    )


def _check_run(fields: Fields) -> CheckRunEvent:
    run = fields.inside("check_run")
    pressed = fields.has("requested_action")
    return CheckRunEvent(
        action=fields.text("action"),
        context=_context(fields),
        check=run.number("id"),
        name=run.text("name"),
        key=run.text("external_id", ""),
        app=run.inside("app").number("id"),
        head_sha=run.sha("head_sha"),
        button=fields.inside("requested_action").text("identifier", "") if pressed else "",
        pulls=_pulls(run),
    )


def _check_suite(fields: Fields) -> CheckSuiteEvent:
    suite = fields.inside("check_suite")
    return CheckSuiteEvent(
        action=fields.text("action"),
        context=_context(fields),
        app=suite.inside("app").number("id"),
        head_sha=suite.sha("head_sha"),
        pulls=_pulls(suite),
    )


def _pulls(fields: Fields) -> tuple[int, ...]:
    return tuple(pull.number("number") for pull in fields.objects("pull_requests"))


def _merge_group(fields: Fields) -> MergeGroupEvent:
    group = fields.inside("merge_group")
    return MergeGroupEvent(
        action=fields.text("action"),
        context=_context(fields),
        head_sha=group.sha("head_sha"),
        head_branch=group.text("head_ref").removeprefix("refs/heads/"),
        base_sha=group.sha("base_sha"),
        base_branch=group.text("base_ref").removeprefix("refs/heads/"),
        reason=fields.text("reason", ""),
    )


def _installation(fields: Fields) -> InstallationEvent:
    installation = fields.inside("installation")
    action = fields.text("action")
    listed = _names(fields, "repositories")
    gone = action in ("deleted", "suspend")
    return InstallationEvent(
        action=action,
        installation=installation.number("id"),
        account=_account(installation),
        added=_names(fields, "repositories_added") + (() if gone else listed),
        removed=_names(fields, "repositories_removed") + (listed if gone else ()),
    )


def _account(installation: Fields) -> str:
    """Users and organisations have a login, enterprises a slug."""
    if not installation.has("account"):
        return records.GHOST
    account = installation.inside("account")
    return account.text("login", account.text("slug", records.GHOST))


def _names(fields: Fields, name: str) -> tuple[str, ...]:
    return tuple(one.full_name("full_name") for one in fields.objects(name))


def _ping(fields: Fields) -> PingEvent:
    return PingEvent(fields.number("hook_id"))


_READERS: Mapping[str, Callable[[Fields], TypedEvent]] = {
    "issues": _issue,
    "issue_comment": _comment,
    "pull_request": _pull,
    "check_run": _check_run,
    "check_suite": _check_suite,
    "merge_group": _merge_group,
    "installation": _installation,
    "installation_repositories": _installation,
    "ping": _ping,
}

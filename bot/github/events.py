"""Webhook payloads as typed events, without trust in their form.

https://docs.github.com/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.github import records
from bot.github.reading import Fields
from bot.github.types import Event, Issue, Pull, RepositoryId


@dataclass(frozen=True)
class Context:
    """Where something happened, and who did it."""

    repository: RepositoryId
    default_branch: str
    sender: str
    sender_is_bot: bool


@dataclass(frozen=True)
class IssueEvent:
    """`label` is the one that came or went, for `labeled` and `unlabeled`."""

    action: str
    context: Context
    issue: Issue
    label: str = ""


@dataclass(frozen=True)
class CommentEvent:
    """A comment on an issue, or on a pull request's conversation (`on_pull`)."""

    action: str
    context: Context
    issue: Issue
    on_pull: bool
    comment: int
    body: str
    author: str
    author_is_bot: bool


@dataclass(frozen=True)
class PullEvent:
    """`changed` names what an edit changed (`base`, `body`, `title`); `label` as for issues."""

    action: str
    context: Context
    pull: Pull
    changed: frozenset[str] = frozenset()
    label: str = ""


@dataclass(frozen=True)
class CheckRunEvent:
    """`key` is the check's `external_id`; `app` the App's id; `button` the identifier pressed.

    `pulls` is empty for heads on forks: look them up by the commit.
    """

    action: str
    context: Context
    check: int
    name: str
    key: str
    app: int
    head_sha: str
    button: str
    pulls: tuple[int, ...]


@dataclass(frozen=True)
class CheckSuiteEvent:
    """All checks of the App on a commit; `pulls` as for check runs."""

    action: str
    context: Context
    app: int
    head_sha: str
    pulls: tuple[int, ...]


@dataclass(frozen=True)
class MergeGroupEvent:
    """A commit of a merge queue. `reason` tells why a group was destroyed."""

    action: str
    context: Context
    head_sha: str
    head_branch: str
    base_sha: str
    base_branch: str
    reason: str


@dataclass(frozen=True)
class InstallationEvent:
    """The App was installed, changed or taken away; full names of repositories."""

    action: str
    installation: int
    account: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class PingEvent:
    """GitHub tries whether anybody answers."""

    hook: int


@dataclass(frozen=True)
class OtherEvent:
    """An event of no interest."""

    name: str
    action: str


TypedEvent = (
    IssueEvent
    | CommentEvent
    | PullEvent
    | CheckRunEvent
    | CheckSuiteEvent
    | MergeGroupEvent
    | InstallationEvent
    | PingEvent
    | OtherEvent
)


def read_event(event: Event) -> TypedEvent:
    """What a delivery tells. Raises PayloadError naming the field that is missing or wrong."""
    read = _READERS.get(event.name)
    return OtherEvent(event.name, event.action) if read is None else read(Fields(event.payload))


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

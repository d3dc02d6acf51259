"""What can happen on GitHub, as far as the App is concerned."""

from __future__ import annotations

from dataclasses import dataclass

from bot.github.types import Issue, Pull, RepositoryId


@dataclass(frozen=True)
class Context:
    """Where something happened, who did it, and the delivery that tells."""

    repository: RepositoryId
    default_branch: str
    sender: str
    sender_is_bot: bool
    delivery: str = ""


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

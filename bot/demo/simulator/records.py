"""What a simulated GitHub knows: accounts, Apps, repositories, issues, pulls, checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.demo.simulator.git import CommitInfo, Tree


class AccountKind(StrEnum):
    """What an account is."""

    USER = "User"
    ORGANIZATION = "Organization"
    BOT = "Bot"


class Role(StrEnum):
    """What a person may do in a repository, least first."""

    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    def reaches(self, other: Role) -> bool:
        """Whether this role allows what the other one does."""
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(eq=False)
class Account:
    """Someone who owns repositories or acts."""

    id: int
    login: str
    kind: AccountKind
    created_at: datetime


@dataclass(eq=False)
class App:
    """A GitHub App; `public_key` is the PEM against which its tokens are verified."""

    id: int
    client_id: str
    slug: str
    name: str
    owner: Account
    bot: Account
    public_key: str
    url: str
    webhook_url: str
    secret: str
    permissions: dict[str, str]
    events: tuple[str, ...]
    created_at: datetime
    hook_id: int
    active: bool = True
    content_type: str = "json"
    callback_urls: tuple[str, ...] = ()
    client_secret: str = field(default="", repr=False)


@dataclass(frozen=True)
class AppSecrets:
    """What the owner of an App holds."""

    app_id: int
    client_id: str
    slug: str
    private_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    client_secret: str = field(repr=False)


@dataclass(frozen=True)
class Conversion:
    """An App made from a manifest whose credentials were not fetched yet."""

    app: App
    credentials: AppSecrets
    created_at: datetime


Json = dict[str, Any]
"""A JSON object as it goes over the wire; its shape is checked where it enters and leaves."""


@dataclass(eq=False)
class Label:
    """A label of a repository."""

    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass(eq=False)
class Repository:
    """A repository; issues and pulls share their numbers."""

    id: int
    owner: Account
    name: str
    private: bool
    git: Tree
    default_branch: str
    created_at: datetime
    pushed_at: datetime
    parent: Repository | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    suites: list[CheckSuite] = field(default_factory=list)
    groups: list[MergeGroup] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        """OWNER/NAME."""
        return f"{self.owner.login}/{self.name}"

    @property
    def pulls(self) -> list[Pull]:
        """All pulls, oldest first."""
        return [issue.pull for issue in self.issues.values() if issue.pull]

    def role(self, account: Account) -> Role | None:
        """What somebody may do here; None where nothing."""
        if account is self.owner:
            return Role.ADMIN
        return self.roles.get(account.login.lower(), None if self.private else Role.READ)


@dataclass(eq=False)
class Reaction:
    """An emoji on an issue or a comment."""

    id: int
    author: Account
    content: str
    created_at: datetime


@dataclass(eq=False)
class Comment:
    """A comment on an issue or a pull; `app` is the App through which it was written."""

    id: int
    author: Account
    body: str
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(eq=False)
class Issue:
    """An issue, or what a pull shares with one."""

    id: int
    number: int
    repository: Repository
    author: Account
    title: str
    body: str | None
    created_at: datetime
    updated_at: datetime
    state: str = "open"
    state_reason: str | None = None
    closed_at: datetime | None = None
    closed_by: Account | None = None
    labels: list[Label] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    pull: Pull | None = None


@dataclass(eq=False)
class Pull:
    """A pull request beside what it shares with issues.

    `head_repository` is None once the fork is deleted. `merge_commit` is the trial merge until the
    pull is merged; None where head and base conflict.
    """

    id: int
    issue: Issue
    base_branch: str
    base_commit: str
    head_repository: Repository | None
    head_owner: Account
    head_branch: str
    head_commit: str
    draft: bool = False
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_commit: str | None = None
    linked: list[Issue] = field(default_factory=list)
    maintainer_can_modify: bool = True

    @property
    def repository(self) -> Repository:
        """The repository that the pull is for."""
        return self.issue.repository

    @property
    def from_fork(self) -> bool:
        """Whether the head lies in another repository."""
        return self.head_repository is not self.repository


@dataclass(eq=False)
class CheckSuite:
    """All check runs of one App on one commit."""

    id: int
    app: App
    repository: Repository
    head_commit: str
    head_branch: str | None
    before: str | None
    created_at: datetime
    updated_at: datetime
    runs: list[CheckRun] = field(default_factory=list)
    reset: bool = False


@dataclass(eq=False)
class CheckRun:
    """One check on one commit; `output` and `actions` hold what was sent last."""

    id: int
    suite: CheckSuite
    name: str
    started_at: datetime
    status: str = "queued"
    conclusion: str | None = None
    completed_at: datetime | None = None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Json] = field(default_factory=list)
    actions: list[Json] = field(default_factory=list)


@dataclass(eq=False)
class MergeGroup:
    """Pulls tried together in front of a branch."""

    base_branch: str
    base_commit: str
    head_branch: str
    head_commit: CommitInfo
    pull: Pull


@dataclass(eq=False)
class Installation:
    """An App on an account: on all of its repositories, or on the selected ones (by id)."""

    id: int
    app: App
    account: Account
    selected: set[int] | None
    permissions: dict[str, str]
    events: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    suspended_at: datetime | None = None
    suspended_by: Account | None = None

    def covers(self, repository: Repository) -> bool:
        """Whether the App is installed on this repository."""
        if repository.owner is not self.account:
            return False
        return self.selected is None or repository.id in self.selected


@dataclass(frozen=True, eq=False)
class Token:
    """What an installation's token may do, where (repository ids; None: everywhere), and until."""

    value: str
    installation: Installation
    permissions: dict[str, str]
    repositories: frozenset[int] | None
    expires_at: datetime

    def reaches(self, repository: Repository) -> bool:
        """Whether the token was issued for this repository."""
        scoped = self.repositories is None or repository.id in self.repositories
        return scoped and self.installation.covers(repository)


@dataclass(frozen=True)
class AuthorizationCode:
    """What somebody's browser was led back with, for the App to exchange; see `bot.github.oauth`.

    `challenge` is that of PKCE, "" without.
    """

    app: App
    account: Account
    redirect_uri: str
    challenge: str
    created_at: datetime


@dataclass(frozen=True, eq=False)
class UserToken:
    """What an App holds to ask in the name of a person."""

    value: str
    app: App
    account: Account
    expires_at: datetime

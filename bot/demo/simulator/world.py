"""Everything that the simulated GitHub knows, and how it is found."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import flask

from bot.demo.simulator import git
from bot.demo.simulator.courier import Courier
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.git import Signature
from bot.demo.simulator.meter import Meter
from bot.demo.simulator.records import (
    Account,
    AccountKind,
    App,
    AuthorizationCode,
    Conversion,
    Installation,
    Issue,
    Pull,
    Repository,
    Role,
    Token,
    UserToken,
)
from bot.demo.simulator.settings import ApiLimits, Chance, Clock, Site


@dataclass(eq=False)
class World:
    """State in memory (git repositories below `root`); read and written under `lock` only.

    `authorized` are the ids of people and of the Apps that they let act for them.
    """

    root: Path
    site: Site
    limits: ApiLimits
    clock: Clock
    courier: Courier
    chance: Chance
    lock: threading.RLock = field(default_factory=threading.RLock)
    accounts: dict[str, Account] = field(default_factory=dict)
    repositories: dict[str, Repository] = field(default_factory=dict)
    apps: dict[int, App] = field(default_factory=dict)
    installations: dict[int, Installation] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    conversions: dict[str, Conversion] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    user_tokens: dict[str, UserToken] = field(default_factory=dict)
    authorized: set[tuple[int, int]] = field(default_factory=set)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1001))

    def new_id(self) -> int:
        """An id that nothing else has."""
        return next(self._ids)

    def now(self) -> datetime:
        """The time."""
        return self.clock.now()

    def add_account(self, login: str, kind: AccountKind = AccountKind.USER) -> Account:
        """A new account. Raises ValueError where the login is taken."""
        if login.lower() in self.accounts:
            raise ValueError(f"there is an account {login} already")
        account = Account(self.new_id(), login, kind, self.now())
        self.accounts[login.lower()] = account
        return account

    def account(self, login: str) -> Account:
        """Raises RefusedError (404) where there is none."""
        try:
            return self.accounts[login.lower()]
        except KeyError:
            raise not_found() from None

    def add_repository(
        self, owner: Account, name: str, *, private: bool, default_branch: str = "main"
    ) -> Repository:
        """A new, empty repository. Raises ValueError where the name is taken."""
        if f"{owner.login}/{name}".lower() in self.repositories:
            raise ValueError(f"there is a repository {owner.login}/{name} already")
        tree = git.create(self.root / owner.login / f"{name}.git", default_branch)
        return self._keep(owner, name, private, tree, default_branch, None)

    def fork(self, parent: Repository, owner: Account) -> Repository:
        """The fork of a repository that an account has, made where there is none."""
        known = self.repositories.get(f"{owner.login}/{parent.name}".lower())
        if known is not None:
            return known
        tree = git.clone(parent.git, self.root / owner.login / f"{parent.name}.git")
        branch = parent.default_branch
        return self._keep(owner, parent.name, parent.private, tree, branch, parent)

    def _keep(
        self,
        owner: Account,
        name: str,
        private: bool,
        tree: git.Tree,
        branch: str,
        parent: Repository | None,
    ) -> Repository:
        now = self.now()
        identity = self.new_id()
        made = Repository(identity, owner, name, private, tree, branch, now, now, parent)
        self.repositories[made.full_name.lower()] = made
        return made

    def repository(self, full_name: str) -> Repository:
        """Raises RefusedError (404) where there is none."""
        try:
            return self.repositories[full_name.lower()]
        except KeyError:
            raise not_found() from None

    def signature(self, account: Account) -> Signature:
        """How an account signs commits now."""
        mail = f"{account.id}+{account.login}@users.noreply.github.test"
        return Signature(account.login, mail, self.now().isoformat())

    def installation(self, repository: Repository, app: App) -> Installation:
        """The installation of an App on a repository. Raises RefusedError (404)."""
        for found in self.installations.values():
            if found.app is app and found.covers(repository):
                return found
        raise not_found()


def issue_of(repository: Repository, number: int) -> Issue:
    """An issue or a pull. Raises RefusedError (404) where there is none."""
    try:
        return repository.issues[number]
    except KeyError:
        raise not_found() from None


def pull_of(repository: Repository, number: int) -> Pull:
    """A pull. Raises RefusedError (404) where there is none."""
    pull = issue_of(repository, number).pull
    if pull is None:
        raise not_found()
    return pull


def require_role(repository: Repository, account: Account, role: Role) -> None:
    """Raises RefusedError (403) where somebody may not do something."""
    held = repository.role(account)
    if held is None or not held.reaches(role):
        raise RefusedError(403, f"Must have {role} rights to Repository.")


KEY = "fixgate.simulator"


@dataclass(frozen=True)
class Exchange:
    """A request that was answered: for tests to look at."""

    method: str
    path: str
    status: int


@dataclass(frozen=True)
class Simulation:
    """One simulator; several in one process share the application, which is slow to make."""

    world: World
    meter: Meter
    exchanges: list[Exchange] = field(default_factory=list)


def current() -> Simulation:
    """The simulator whose request is being answered."""
    state: Simulation = flask.request.environ[KEY]
    return state

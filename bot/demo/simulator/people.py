"""What people do, one method for each thing that they do on GitHub's pages.

Repositories are named OWNER/NAME. Whoever may not do it gets RefusedError (403); what is not there,
RefusedError (404).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.demo.simulator.operations import apps, checks, issues, pulls, pushes
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.records import Account, Repository, Role
from bot.demo.simulator.world import World, issue_of, pull_of, require_role


@dataclass(frozen=True)
class Person:
    """Somebody with an account, and all that they can do."""

    world: World
    account: Account

    @property
    def login(self) -> str:
        """The account's name."""
        return self.account.login

    def _at(self, repository: str, role: Role) -> Repository:
        """A repository in which this person has a role. Raises RefusedError (403, 404)."""
        found = self.world.repository(repository)
        require_role(found, self.account, role)
        return found

    def open_issue(
        self, repository: str, title: str, body: str = "", labels: Sequence[str] = ()
    ) -> int:
        """The number of a new issue."""
        with self.world.lock:
            at = self._at(repository, Role.READ)
            return issues.open_issue(self.world, at, self.account, title, body, labels).number

    def edit_issue(
        self, repository: str, number: int, *, title: str | None = None, body: str | None = None
    ) -> None:
        """Change one's own issue, or as a maintainer any."""
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.READ), number)
            if issue.author is not self.account:
                self._at(repository, Role.WRITE)
            issues.edit_issue(self.world, issue, self.account, title=title, body=body)

    def close_issue(self, repository: str, number: int) -> None:
        """Close an issue."""
        self._set_issue(repository, number, "closed", "completed")

    def reopen_issue(self, repository: str, number: int) -> None:
        """Open a closed issue again."""
        self._set_issue(repository, number, "open", None)

    def comment(self, repository: str, number: int, body: str) -> int:
        """Write on an issue or a pull; the comment's id."""
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.READ), number)
            return issues.comment(self.world, issue, self.account, body).id

    def label(self, repository: str, number: int, *names: str) -> None:
        """Put labels on an issue or a pull."""
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.TRIAGE), number)
            issues.add_labels(self.world, issue, names, self.account)

    def _set_issue(self, repository: str, number: int, state: str, reason: str | None) -> None:
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.READ), number)
            if issue.author is not self.account:
                self._at(repository, Role.TRIAGE)
            issues.set_state(self.world, issue, state, reason, self.account)

    def push(
        self,
        repository: str,
        branch: str,
        files: Mapping[str, str | bytes | None],
        message: str = "Change",
    ) -> str:
        """Commit files (None: delete) on a branch, and return the commit.

        A new branch starts at the default branch.
        """
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            before = at.git.branches()
            fresh = branch not in before
            parent = at.git.resolve(at.default_branch) if fresh and before else None
            signature = self.world.signature(self.account)
            commit = at.git.commit(branch, files, message, signature, parent=parent)
            after_push(self.world, at, before, self.account)
            return commit

    def fork(self, repository: str) -> str:
        """The full name of one's own fork."""
        with self.world.lock:
            parent = self._at(repository, Role.READ)
            return self.world.fork(parent, self.account).full_name

    def open_pull(
        self,
        repository: str,
        head: str,
        title: str,
        body: str = "",
        *,
        base: str | None = None,
        fork: str | None = None,
        draft: bool = False,
    ) -> int:
        """The number of a new pull of a branch, here or in a fork (given by its full name)."""
        with self.world.lock:
            at = self._at(repository, Role.READ)
            source = self._at(fork or repository, Role.WRITE)
            made = pulls.open_pull(
                self.world,
                at,
                self.account,
                title,
                body,
                head=(source, head),
                base=base or at.default_branch,
                draft=draft,
            )
            return made.issue.number

    def edit_pull(
        self,
        repository: str,
        number: int,
        *,
        title: str | None = None,
        body: str | None = None,
        base: str | None = None,
    ) -> None:
        """Change a pull's title, text or base branch."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.READ), number)
            pulls.edit_pull(self.world, pull, self.account, title=title, body=body, base=base)

    def close_pull(self, repository: str, number: int) -> None:
        """Close a pull without merging it."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.READ), number)
            pulls.set_pull_state(self.world, pull, "closed", self.account)

    def reopen_pull(self, repository: str, number: int) -> None:
        """Open a closed pull again."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.READ), number)
            pulls.set_pull_state(self.world, pull, "open", self.account)

    def set_ready(self, repository: str, number: int) -> None:
        """Say that a draft is ready for review."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.READ), number)
            pulls.set_draft(self.world, pull, False, self.account)

    def link_issue(self, repository: str, number: int, issue: int) -> None:
        """Link an issue to a pull by hand: no event announces it."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.TRIAGE), number)
            pull.linked.append(issue_of(pull.repository, issue))

    def merge(self, repository: str, number: int) -> str:
        """Merge a pull; the commit."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.WRITE), number)
            return pushes.merge(self.world, pull, self.account)

    def enqueue(self, repository: str, number: int) -> str:
        """Put a pull into the merge queue; the commit on which checks are wanted."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.WRITE), number)
            return pushes.enqueue(self.world, pull, self.account).head_commit.sha

    def leave_queue(self, repository: str, number: int, reason: str = "dequeued") -> None:
        """End a pull's time in the merge queue: "merged", "dequeued" or "invalidated"."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            group = next(one for one in at.groups if one.pull.issue.number == number)
            pushes.leave_queue(self.world, group, reason, self.account)

    def request_rerun(self, repository: str, run: int) -> None:
        """Press "Re-run" on a check run (its id)."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            checks.rerequest_run(self.world, checks.find_run(at, run), self.account)

    def request_rerun_all(self, repository: str, run: int) -> None:
        """Press "Re-run all checks" on the suite of a check run (the run's id)."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            suite = checks.find_run(at, run).suite
            checks.rerequest_suite(self.world, suite, self.account)

    def press_button(self, repository: str, run: int, identifier: str) -> None:
        """Press one of the App's own buttons on a check run. Raises ValueError for no such one."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            checks.press(self.world, checks.find_run(at, run), identifier, self.account)

    def install(
        self, app_id: int, login: str | None = None, repositories: Iterable[str] | None = None
    ) -> int:
        """Install an App on an account (one's own), on all or some repositories; its id there."""
        with self.world.lock:
            where = self.world.account(login or self.login)
            chosen = None
            if repositories is not None:
                chosen = [self._at(name, Role.READ) for name in repositories]
            app = self.world.apps[app_id]
            return apps.install(self.world, app, where, chosen, self.account).id

    def uninstall(self, installation: int) -> None:
        """Take an App away."""
        with self.world.lock:
            apps.uninstall(self.world, self.world.installations[installation], self.account)

    def suspend(self, installation: int) -> None:
        """Suspend an installation."""
        with self.world.lock:
            apps.suspend(self.world, self.world.installations[installation], self.account)

    def unsuspend(self, installation: int) -> None:
        """Let a suspended installation go on."""
        with self.world.lock:
            apps.unsuspend(self.world, self.world.installations[installation], self.account)

    def accept_permissions(self, installation: int) -> None:
        """Accept the permissions that an App asks for now."""
        with self.world.lock:
            found = self.world.installations[installation]
            apps.accept_permissions(self.world, found, self.account)

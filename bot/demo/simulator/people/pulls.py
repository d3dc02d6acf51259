"""Pulls, and the merge queue."""

from __future__ import annotations

from bot.demo.simulator.accounts import Role
from bot.demo.simulator.operations import merging, pulls
from bot.demo.simulator.people.account import Work
from bot.demo.simulator.world import issue_of, pull_of


class PullWork(Work):
    """Pulls, and the merge queue."""

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
        """Link an issue to a pull by hand: no event tells of it."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.TRIAGE), number)
            pull.linked.append(issue_of(pull.repository, issue))

    def merge(self, repository: str, number: int) -> str:
        """Merge a pull; the commit."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.WRITE), number)
            return merging.merge(self.world, pull, self.account)

    def enqueue(self, repository: str, number: int) -> str:
        """Put a pull into the merge queue; the commit on which checks are wanted."""
        with self.world.lock:
            pull = pull_of(self._at(repository, Role.WRITE), number)
            return merging.enqueue(self.world, pull, self.account).head_commit.sha

    def leave_queue(self, repository: str, number: int, reason: str = "dequeued") -> None:
        """End a pull's time in the merge queue: "merged", "dequeued" or "invalidated"."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            group = next(one for one in at.groups if one.pull.issue.number == number)
            merging.leave_queue(self.world, group, reason, self.account)

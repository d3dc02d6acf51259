"""Issues, comments and labels."""

from __future__ import annotations

from collections.abc import Sequence

from bot.demo.simulator.accounts import Role
from bot.demo.simulator.operations import issues
from bot.demo.simulator.people.account import Work
from bot.demo.simulator.world import issue_of


class IssueWork(Work):
    """Issues, comments and labels."""

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

    def close_issue(self, repository: str, number: int, reason: str = "completed") -> None:
        """Close an issue."""
        self._set_issue(repository, number, "closed", reason)

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

    def unlabel(self, repository: str, number: int, name: str) -> None:
        """Take a label off."""
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.TRIAGE), number)
            label = issues.label_named(self.world, issue.repository, name)
            issues.remove_label(self.world, issue, label, self.account)

    def _set_issue(self, repository: str, number: int, state: str, reason: str | None) -> None:
        with self.world.lock:
            issue = issue_of(self._at(repository, Role.READ), number)
            if issue.author is not self.account:
                self._at(repository, Role.TRIAGE)
            issues.set_state(self.world, issue, state, reason, self.account)

"""What the App asks of GitHub, for one repository with a token that fits the task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bot.github.models import Issue, Pull
from bot.github.types import Check, Permission


class Repository(Protocol):
    """One repository. Every method raises GitHubError (see bot/errors.py) when GitHub refuses.

    Calls that GitHub may see twice after a fault have the same effect as once: checks are found
    by their key and comments by their marker before they are made.
    """

    def default_branch(self) -> str:
        """The name of the default branch."""
        ...

    def issue(self, number: int) -> Issue:
        """An issue. Raises NotFoundError."""
        ...

    def pull(self, number: int) -> Pull:
        """A pull request. Raises NotFoundError."""
        ...

    def pulls_of(self, sha: str) -> tuple[int, ...]:
        """The open pull requests whose head is a commit, those of forks too."""
        ...

    def issues_closed_by(self, number: int) -> tuple[int, ...]:
        """The issues of this repository that a pull request closes, by keyword or by hand."""
        ...

    def permission(self, user: str) -> Permission:
        """What a user may do here."""
        ...

    def file(self, path: str, reference: str) -> bytes | None:
        """A file at a branch, tag or commit; None where there is none."""
        ...

    def put_check(self, check: Check) -> int:
        """Make or update the check run with this key on this head; its id."""
        ...

    def put_comment(self, number: int, marker: str, body: str) -> int:
        """Make or edit the one comment with this hidden marker on an issue or pull; its id."""
        ...

    def open_issues(self, most: int) -> tuple[Issue, ...]:
        """So many of the open issues at most, those that changed last first."""
        ...

    def put_issue(self, marker: str, title: str, body: str) -> int | None:
        """Make or edit the one issue of the App with this hidden marker; its number.

        None where somebody closed it: then it stays as it is.
        """
        ...

    def react(self, comment: int, content: str) -> None:
        """React to a comment (`eyes`, `+1`, `confused`)."""
        ...

    def set_label(self, number: int, label: str, *, present: bool) -> None:
        """Add or remove a label; it is made where it does not exist."""
        ...

    def commit_files(
        self, branch: str, head_sha: str, files: Mapping[str, bytes | None], message: str
    ) -> str:
        """Commit files onto a branch whose head is `head_sha`; the new commit's id.

        Raises ConflictError where the branch has moved.
        """
        ...

    def clone_source(self) -> tuple[str, Mapping[str, str]]:
        """The URL to fetch from, and variables for git that carry the token (never in a URL)."""
        ...


class GitHub(Protocol):
    """All repositories that the App is installed on."""

    def repository(self, installation: int, full_name: str, *, write: bool = True) -> Repository:
        """One repository, with a token for it alone and only the permissions that are needed."""
        ...

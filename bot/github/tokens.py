"""Installation tokens: for one repository, with the permissions of one task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from bot.github.models import Id, Payload
from generator.model.secret import Secret

Permissions = Mapping[str, str]
"""GitHub's name of a permission and its level (`read` or `write`)."""

READ: Final[Permissions] = {
    "checks": "read",
    "contents": "read",
    "issues": "read",
    "pull_requests": "read",
}
WRITE: Final[Permissions] = {
    "checks": "write",
    "contents": "read",
    "issues": "write",
    "pull_requests": "write",
}
CLONE: Final[Permissions] = {"contents": "read"}
COMMIT: Final[Permissions] = {"contents": "write"}


@dataclass(frozen=True)
class Token:
    """A token and when it ends (UTC)."""

    value: Secret
    expires_at: datetime


class Identity(Payload):
    """The App on GitHub. What it writes is written by `bot`."""

    id: Id
    slug: str

    @property
    def bot(self) -> str:
        """The login under which the App comments."""
        return f"{self.slug}[bot]"


class TokenSource(Protocol):
    """Where tokens come from. The methods raise GitHubError."""

    def token(self, installation: int, full_name: str, permissions: Permissions) -> Token:
        """A token for one repository (`owner/name`) that lasts some minutes at least.

        Raises ForbiddenError where the installation is suspended or has not granted this, and
        NotFoundError where the App is not installed any more.
        """
        ...

    def refused(self, value: Secret) -> None:
        """GitHub does not take a token any more: it is not handed out again."""
        ...

    def identity(self) -> Identity:
        """Which App this is."""
        ...

"""GitHub as one installation of the App sees it: implements `bot.github.protocol`."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from urllib.parse import quote, urlsplit, urlunsplit

from bot.errors import NotFoundError
from bot.github import checks, files, issues
from bot.github.api import Api, Connection
from bot.github.models import Issue, Payload, Pull
from bot.github.tokens import CLONE, COMMIT, READ, WRITE, Permissions, TokenSource
from bot.github.types import Check, Permission
from generator.model.secret import Secret

_ENTERPRISE = "/api/v3"


def web_url(api_url: str) -> str:
    """Where the pages and git of a GitHub are whose API is at a URL (api.HOST or HOST/api/v3)."""
    place = urlsplit(api_url.rstrip("/"))
    path = place.path.removesuffix(_ENTERPRISE)
    return urlunsplit((place.scheme, place.netloc.removeprefix("api."), path, "", ""))


def clone_source(api_url: str, full_name: str, token: Secret) -> tuple[str, Mapping[str, str]]:
    """The URL of a repository, and variables for the environment of `git` that authorise it.

    The header is only sent to this GitHub; git does not ask anybody for a password.
    https://git-scm.com/docs/git-config#ENVIRONMENT
    """
    site = web_url(api_url)
    credentials = base64.b64encode(f"x-access-token:{token.reveal()}".encode()).decode()
    settings = {
        f"http.{site}/.extraHeader": f"Authorization: Basic {credentials}",
        "credential.helper": "",
    }
    variables = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_COUNT": str(len(settings))}
    for at, (key, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return f"{site}/{full_name}.git", variables


class _Repository(Payload):
    default_branch: str


class _Collaborator(Payload):
    permission: str
    role_name: str = ""

    @property
    def held(self) -> Permission:
        """The role; a role that an organisation made itself counts as what it is based on."""
        known = {permission.value: permission for permission in Permission}
        plain = known.get(self.permission, Permission.NONE)
        return known.get(self.role_name, plain)


class InstalledRepository:
    """One repository (`owner/name`); every call uses a token that is for it alone.

    Methods are those of `bot.github.protocol.Repository` and raise GitHubError.
    """

    def __init__(
        self,
        tokens: TokenSource,
        connection: Connection,
        installation: int,
        full_name: str,
        permissions: Permissions,
    ) -> None:
        self._tokens = tokens
        self._connection = connection
        self._installation = installation
        self._full_name = full_name
        self._root = f"/repos/{full_name}"
        self._api = self._with(permissions)

    def default_branch(self) -> str:
        """The name of the default branch."""
        return self._api.get(_Repository, self._root).default_branch

    def issue(self, number: int) -> Issue:
        """An issue. Raises NotFoundError."""
        return issues.issue(self._api, self._root, number)

    def pull(self, number: int) -> Pull:
        """A pull request. Raises NotFoundError."""
        return issues.pull(self._api, self._root, number)

    def pulls_of(self, sha: str) -> tuple[int, ...]:
        """The open pull requests whose head is a commit, those of forks too."""
        return issues.pulls_of(self._api, self._root, sha)

    def issues_closed_by(self, number: int) -> tuple[int, ...]:
        """The issues of this repository that a pull request closes, by keyword or by hand."""
        branch = self.default_branch()
        return tuple(issues.closed_by(self._api, self._root, self._full_name, branch, number))

    def permission(self, user: str) -> Permission:
        """What a user may do here; nothing, for accounts that are not there."""
        path = f"{self._root}/collaborators/{quote(user, safe='')}/permission"
        try:
            return self._api.get(_Collaborator, path).held
        except NotFoundError:
            return Permission.NONE

    def file(self, path: str, reference: str) -> bytes | None:
        """A file at a branch, tag or commit; None where there is none."""
        return files.file(self._api, self._root, path, reference)

    def put_check(self, check: Check) -> int:
        """Make or update the check run with this key on this head; its id."""
        return checks.put_check(self._api, self._root, self._tokens.identity(), check)

    def put_comment(self, number: int, marker: str, body: str) -> int:
        """Make or edit the one comment with this hidden marker; its id."""
        identity = self._tokens.identity()
        return issues.put_comment(self._api, self._root, identity, number, marker, body)

    def open_issues(self, most: int) -> tuple[Issue, ...]:
        """So many of the open issues at most, those that changed last first."""
        return issues.open_issues(self._api, self._root, most)

    def put_issue(self, marker: str, title: str, body: str) -> int | None:
        """Make or edit the one issue of the App with this hidden marker; None where it is closed.

        Two that do so at once may make two: call this under a lock.
        """
        identity = self._tokens.identity()
        return issues.put_issue(self._api, self._root, identity, marker, title, body)

    def react(self, comment: int, content: str) -> None:
        """React to a comment (`eyes`, `+1`, `confused`)."""
        issues.react(self._api, self._root, comment, content)

    def set_label(self, number: int, label: str, *, present: bool) -> None:
        """Add or remove a label; it is made where it does not exist."""
        issues.set_label(self._api, self._root, number, label, present=present)

    def commit_files(
        self, branch: str, head_sha: str, files: Mapping[str, bytes | None], message: str
    ) -> str:
        """Commit files onto a branch whose head is `head_sha`; the new commit's id.

        Uses a token of its own. Raises ConflictError where the branch has moved, and ForbiddenError
        where the App may not write contents.
        """
        return _commit(self._with(COMMIT), self._root, branch, head_sha, files, message)

    def clone_source(self) -> tuple[str, Mapping[str, str]]:
        """The URL to fetch from, and variables for git that carry a token that can only read."""
        token = self._tokens.token(self._installation, self._full_name, CLONE)
        return clone_source(self._connection.url, self._full_name, token.value)

    def _with(self, permissions: Permissions) -> Api:
        return Api(
            self._connection,
            lambda: self._tokens.token(self._installation, self._full_name, permissions).value,
            self._tokens.refused,
        )


class InstalledGitHub:
    """All repositories that the App is installed on: implements `bot.github.protocol.GitHub`."""

    def __init__(self, tokens: TokenSource, connection: Connection | None = None) -> None:
        self._tokens = tokens
        self._connection = connection or Connection()

    def repository(
        self, installation: int, full_name: str, *, write: bool = True
    ) -> InstalledRepository:
        """One repository, with a token for it alone that can or cannot change it.

        Nothing is asked yet, and nothing raised.
        """
        permissions = WRITE if write else READ
        return InstalledRepository(
            self._tokens, self._connection, installation, full_name, permissions
        )


_commit = files.commit_files
"""Under another name, as a parameter of the method is called `files`."""

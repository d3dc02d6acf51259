"""Metadata from GitHub's API, at most three requests a repository."""

from __future__ import annotations

import datetime
from pathlib import Path

import github
from github.Repository import Repository

from evaluator.benchmarks.tests4j.collecting.metadata import Existence, RepositoryMetadata
from evaluator.errors import FixgateError, InputError

API = "https://api.github.com"
_SECONDS = 30
_RETRIES = 3
"""Of connections only: waiting for a limit to end may take an hour."""
_EMPTY = 409
_BLOCKED = frozenset({403, 451})


class GitHubUnavailableError(FixgateError):
    """GitHub does not answer, or not any more: what was found out so far is kept."""


class GitHubMetadata:
    """What GitHub says of repositories, with the last commit of the main branch before a date."""

    def __init__(self, as_of: datetime.date, token: str = "", api: str = API) -> None:
        self._until = datetime.datetime.combine(as_of, datetime.time(), datetime.UTC)
        self._api = github.Github(
            auth=github.Auth.Token(token) if token else None,
            base_url=api,
            timeout=_SECONDS,
            retry=_RETRIES,
            per_page=1,
        )

    def find(self, repo: str) -> RepositoryMetadata:
        """The metadata of `OWNER/NAME`. Raises GitHubUnavailableError."""
        try:
            return self._found(repo)
        except github.UnknownObjectException:
            return RepositoryMetadata(repo=repo, existence=Existence.GONE)
        except github.RateLimitExceededException as error:
            raise GitHubUnavailableError(
                "GitHub's limit of requests is used up; go on later with the same --out, "
                "or name a file with a token by --token-file"
            ) from error
        except github.GithubException as error:
            if error.status in _BLOCKED:
                return RepositoryMetadata(repo=repo, existence=Existence.BLOCKED)
            if error.status == _EMPTY:
                return RepositoryMetadata(repo=repo, existence=Existence.EMPTY)
            raise GitHubUnavailableError(f"GitHub refuses {repo}: {error}") from error
        except OSError as error:  # of which those of its HTTP library are
            raise GitHubUnavailableError(f"GitHub does not answer for {repo}: {error}") from error

    def _found(self, repo: str) -> RepositoryMetadata:
        found = self._api.get_repo(repo)
        commits = found.get_commits(sha=found.default_branch, until=self._until)
        last = next(iter(commits), None)
        if last is None:
            return RepositoryMetadata(repo=repo, existence=Existence.EMPTY)
        return RepositoryMetadata(
            repo=repo,
            full_name="" if found.full_name == repo else found.full_name,
            kilobytes=found.size,
            commit=last.sha,
            committed_at=last.commit.committer.date,
            root_files=_root_files(found, last.sha),
        )


def _root_files(repository: Repository, commit: str) -> tuple[str, ...]:
    return tuple(sorted(entry.path for entry in repository.get_git_tree(commit).tree))


def read_token(path: Path | None) -> str:
    """The token in a file; "" without a file. A variable would reach other processes.

    Raises InputError.
    """
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the token cannot be read from {path}: {error}") from error

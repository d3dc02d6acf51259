"""Bare copies of the repositories that the App is installed on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.errors import GitHubError
from bot.github.protocol import Repository
from bot.github.retrying import ApiRetryPolicy
from bot.jobs.fetching import fetch
from bot.jobs.submodules import bring_submodules
from bot.telemetry import span
from evaluator import CheckoutError
from evaluator.checkout import Mirror, lacking_submodules
from evaluator.storage import DirectoryLock

_log = logging.getLogger(__name__)


class Mirrors:
    """A directory of mirrors, `OWNER+NAME`; several processes may share it."""

    def __init__(
        self,
        directory: Path,
        retries: ApiRetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._directory = directory.absolute()
        self._retries = retries or ApiRetryPolicy(attempts=4)
        self._sleep = sleep

    def fetch(self, repository: Repository, full_name: str, references: Sequence[str]) -> Path:
        """Bring references (commits, branches, `refs/pull/N/head`) into the mirror; its path.

        The token is given to git by variables, and stands in no file and no argument. Raises
        GitHubError with git's own words where something cannot be fetched.
        """
        mirror = self._place(full_name)
        mirror.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(self._retries.attempts - 1):
            try:
                return self._once(repository, full_name, mirror, references)
            except _FetchError as error:
                if _is_for_good(error):
                    raise
                _log.warning("tried again: %s", error)
            self._sleep(self._retries.after_fault(attempt))
        return self._once(repository, full_name, mirror, references)

    def _once(
        self, repository: Repository, full_name: str, mirror: Path, references: Sequence[str]
    ) -> Path:
        url, variables = repository.clone_source()
        # Every reference is kept under a name of ours, so that its commits stay.
        kept = [f"+{name}:refs/fixgate/{name.removeprefix('refs/')}" for name in references]
        with DirectoryLock.waiting(mirror.parent), span("fetch"):
            try:
                fetch(mirror, [url, *kept], variables)
            except CheckoutError as error:
                raise _FetchError(f"{full_name} cannot be fetched: {error}") from error
        return mirror

    def fetch_submodules(
        self, repository: Repository, full_name: str, commit: str, cache: Path
    ) -> None:
        """Bring what the mirror lacks of the submodules of a commit, as far as all may read them.

        The commit is in the mirror, and on a branch of the repository. Raises CheckoutError.
        """
        mirror = self._place(full_name)
        if lacked := lacking_submodules(Mirror.open(mirror, cache), commit):
            url, _ = repository.clone_source()
            with span("fetch submodules"):
                bring_submodules(mirror / "modules", lacked, url)

    def _place(self, full_name: str) -> Path:
        return self._directory / full_name.replace("/", "+")


class _FetchError(GitHubError):
    """git could not fetch."""


def _is_for_good(error: _FetchError) -> bool:
    """Whether asking again is of no use: what was asked for is not there."""
    return "remote ref" in str(error) or "not our ref" in str(error)

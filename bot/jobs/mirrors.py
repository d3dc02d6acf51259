"""Bare copies of repositories that the worker fetches into; nothing of them is ever executed."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bot.errors import GitHubError
from bot.github.protocol import Repository
from bot.github.retrying import ApiRetryPolicy
from bot.telemetry import span
from evaluator import CheckoutError
from evaluator.checkout.git import QUICK_TO_GIVE_UP, git, shielded
from evaluator.storage import DirectoryLock

LONGEST_LOCK: Final = 10.0
"""Seconds; git holds the lock of a reference for moments."""
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
        mirror = self._directory / f"{full_name.replace('/', '+')}"
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
        environment = {**shielded(), **QUICK_TO_GIVE_UP, **variables}
        with DirectoryLock.waiting(mirror.parent), span("fetch"):
            if not (mirror / "HEAD").exists():
                git(["init", "--quiet", "--bare", "--template=", str(mirror)], environment)
            _remove_stale_locks(mirror)
            try:
                git(_fetch(mirror, url, references), environment)
            except CheckoutError as error:
                raise _FetchError(f"{full_name} cannot be fetched: {error}") from error
        return mirror


class _FetchError(GitHubError):
    """git could not fetch."""


def _is_for_good(error: _FetchError) -> bool:
    """Whether asking again is of no use: what was asked for is not there."""
    return "remote ref" in str(error) or "not our ref" in str(error)


def _remove_stale_locks(mirror: Path) -> None:
    """Remove what a killed git left behind, which would keep every later one out of its refs."""
    for lock in (*mirror.glob("*.lock"), *(mirror / "refs").rglob("*.lock")):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > LONGEST_LOCK:
                lock.unlink()


def _fetch(mirror: Path, url: str, references: Sequence[str]) -> list[str]:
    """Every reference is kept under a name of ours, so that its commits stay."""
    kept = [f"+{name}:refs/fixgate/{name.removeprefix('refs/')}" for name in references]
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]
    return ["-C", str(mirror), "fetch", *options, url, *kept]

"""Bare copies of repositories that the worker fetches into; nothing of them is ever executed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.errors import GitHubError
from bot.github.protocol import Repository
from evaluator.checkout.git import fetching, git
from evaluator.errors import CheckoutError
from evaluator.storage.locks import Hold


class Mirrors:
    """A directory of mirrors, `OWNER+NAME`; several processes may share it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory.absolute()

    def fetch(self, repository: Repository, full_name: str, references: Sequence[str]) -> Path:
        """Bring references (commits, branches, `refs/pull/N/head`) into the mirror; its path.

        The token is given to git by variables, and stands in no file and no argument. Raises
        GitHubError with git's own words where something cannot be fetched.
        """
        mirror = self._directory / f"{full_name.replace('/', '+')}"
        url, variables = repository.clone_source()
        environment = {**fetching(), **variables, "GIT_CONFIG_NOSYSTEM": "1"}
        mirror.parent.mkdir(parents=True, exist_ok=True)
        with Hold.waiting(mirror.parent):
            if not (mirror / "HEAD").exists():
                git(["init", "--quiet", "--bare", str(mirror)], environment)
            try:
                git(_fetch(mirror, url, references), environment)
            except CheckoutError as error:
                raise GitHubError(f"{full_name} cannot be fetched: {error}") from error
        return mirror


def _fetch(mirror: Path, url: str, references: Sequence[str]) -> list[str]:
    """Every reference is kept under a name of ours, so that its commits stay."""
    kept = [f"+{name}:refs/fixgate/{name.removeprefix('refs/')}" for name in references]
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]
    return ["-C", str(mirror), "fetch", *options, url, *kept]

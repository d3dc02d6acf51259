"""A change between two commits of a local repository, split into tests and code."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import split
from evaluator.errors import CheckoutError


@dataclass(frozen=True)
class Change:
    """What `head` changes since it left `base`: unified diffs of its code and of its tests.

    `repo` names the repository as `owner/name`; both commits are full ids. `base` is the merge
    base of the two commits that were asked for.
    """

    repo: str
    base: str
    head: str
    code: str
    tests: str


def change_between(repository: Path, base: str, head: str) -> Change:
    """The change from the merge base of two revisions to `head`.

    Raises CheckoutError where the directory is no repository or a revision is unknown.
    """
    head_commit = commit_of(repository, head)
    merge_base = _git(repository, "merge-base", commit_of(repository, base), head_commit).strip()
    options = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--binary")
    parts = split(_git(repository, "diff", *options, merge_base, head_commit))
    name = f"local/{repository.resolve().name}"
    return Change(name, merge_base, head_commit, parts.code, parts.tests)


def commit_of(repository: Path, revision: str) -> str:
    """The full id of a revision. Raises CheckoutError where there is none of that name."""
    if revision.startswith("-"):
        raise CheckoutError(f"{revision!r} is not a revision")
    return _git(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), "-c", "core.fsmonitor=false", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip() or "unknown revision"
        raise CheckoutError(f"{repository}: git {' '.join(arguments)}: {said}")
    return done.stdout.decode(errors="surrogateescape")

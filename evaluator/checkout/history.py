"""Which files changed together, as a repository's history shows."""

from __future__ import annotations

import os
from collections.abc import Iterator

from evaluator.checkout.mirror import Mirror

_LONGEST = 20_000
_COMMIT = "\1"


def changed_together(
    mirror: Mirror, commit: str, *, most: int = _LONGEST
) -> Iterator[tuple[str, ...]]:
    """The paths that each commit changed, newest first, of a commit and up to `most` ancestors.

    A merge shows what it brought to its first parent, so that the commits of a pull request count
    as one too. Only ancestors are walked: no reference, tag or reflog is read. Renames show as
    two paths. Raises CheckoutError when the commit is not there.
    """
    log = mirror.store.git(
        "log",
        "-z",
        "--name-only",
        "--no-renames",
        "--diff-merges=first-parent",
        f"--max-count={most}",
        "--format=%x01",
        mirror.resolve(commit),
        "--",
    )
    for listed in os.fsdecode(log).split(_COMMIT):
        paths = tuple(path for path in (p.lstrip("\n") for p in listed.split("\0")) if path)
        if paths:
            yield paths

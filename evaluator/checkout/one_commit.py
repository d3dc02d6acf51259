"""A repository with a single commit, for who works in a tree and must not see its history."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaluator.checkout.git import git, shielded

_SECONDS = 120
_PERSON = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "fixgate"),
        ("EMAIL", "fixgate@example.invalid"),
        ("DATE", "2000-01-01T00:00:00+00:00"),
    )
}


def one_commit(tree: Path, directory: Path) -> None:
    """Make a git directory whose one commit has all files of a tree.

    The tree is only read. Raises CheckoutError.
    """
    directory.mkdir(parents=True)
    steps = (
        ["init", "--quiet", "--template=", "--initial-branch=main"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", "--allow-empty", "--no-verify", "--message", "the tree"],
        ["repack", "-a", "-d", "--quiet"],
        ["config", "--unset", "core.worktree"],
    )
    own = (f"--git-dir={directory}", f"--work-tree={tree}")
    for step in steps:
        git([*own, *step], environment=shielded() | _PERSON, directory=tree, seconds=_SECONDS)


def added(overlay: Path, tree: Path) -> Iterator[str]:
    """The topmost paths that an overlay adds to a tree, as patterns of a .gitignore."""
    for parent, directories, files in os.walk(overlay):
        below = Path(parent).relative_to(overlay)
        new = [name for name in (*directories, *files) if not (tree / below / name).exists()]
        yield from (f"/{(below / name).as_posix()}" for name in new)
        directories[:] = [name for name in directories if name not in new]


def ignore(directory: Path, patterns: Iterable[str]) -> None:
    """Have a repository ignore paths, without a file in its tree."""
    information = directory / "info"
    information.mkdir(exist_ok=True)
    lines = ("__pycache__/", *patterns)
    (information / "exclude").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

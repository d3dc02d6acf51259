"""Pristine trees that tasks share, and private copies of them to work in."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaluator.checkout.mirror import Mirror
from evaluator.checkout.objects import Commit
from evaluator.checkout.one_commit import added, ignore, one_commit
from evaluator.checkout.repositories import Repositories
from evaluator.checkout.scratch import Scratch, copy_tree, fastest_root, lay_over
from evaluator.checkout.submodules import Submodule, submodules
from evaluator.diff import Changes, write
from evaluator.errors import CheckoutError
from evaluator.storage.keys import short_key
from evaluator.storage.once import completed, make_once


class Trees:
    """Trees of commits under `cache/trees`, work trees under `work`.

    A pristine tree is kept by its content: two repositories share it only where both have it whole.
    Without `work`, they are made in memory if there is plenty of it, else under `cache/work`.
    Safe to share between threads; several processes may use the same directories.
    """

    def __init__(
        self, repositories: Repositories, cache: Path, *, work: Path | None = None
    ) -> None:
        self._repositories = repositories
        self._shelf = cache.absolute() / "trees"
        self._scratch = Scratch((work or fastest_root(cache)).absolute())

    def pristine(self, repo: str, commit: str) -> Path:
        """The tree of a commit, laid down once and never written to again.

        Submodules are in it as far as the repository has them, else empty directories. Raises
        CheckoutError when the commit cannot be found, the tree cannot be written, or something of
        it is not what its id says.
        """
        mirror = self._repositories.find(repo, commit)
        try:
            return self._laid(mirror, mirror.commit(commit)) / "tree"
        except OSError as error:
            raise CheckoutError(f"{repo} at {commit} cannot be laid down: {error}") from error

    def _laid(self, mirror: Mirror, commit: Commit) -> Path:
        # The date is in the key as all files have it.
        key = f"{commit.tree}.{commit.date.timestamp():.0f}"
        inside = submodules(mirror, commit.id)
        if inside:
            key = f"{key}.with.{short_key([(each.path, each.commit) for each in inside])}"
        with contextlib.suppress(FileNotFoundError):
            return completed(self._shelf, key)
        absent = mirror.absent(commit.id)
        if absent:  # not to be taken for the tree by a repository that has it whole
            key = f"{key}.without.{short_key(absent)}"
        return make_once(
            self._shelf, key, functools.partial(_lay, mirror, commit.id, absent, inside)
        )

    def key(self, pristine: Path) -> str:
        """What stands for the content of a pristine tree, wherever it came from."""
        return pristine.parent.name.rpartition("-")[0]

    def absent(self, pristine: Path) -> tuple[str, ...]:
        """The paths that a pristine tree lacks because its repository lacks their content."""
        return tuple(json.loads((pristine.parent / "absent.json").read_text(encoding="utf-8")))

    @contextlib.contextmanager
    def work_tree(
        self, pristine: Path, overlays: Sequence[Path], changes: Changes
    ) -> Iterator[Path]:
        """A private copy of a pristine tree with the files of overlays and some changes.

        It is removed at the end, whatever was done to it. Where this process is killed, the next
        one with the same cache removes it. Raises CheckoutError when it cannot be made.
        """
        with self._scratch.directory() as place:
            tree = place / "tree"
            copy_tree(pristine, tree)
            for overlay in overlays:
                lay_over(overlay, tree)
            write(changes, tree)
            yield tree

    def lay_repository(self, pristine: Path, overlays: Sequence[Path], tree: Path) -> None:
        """Make a work tree a repository whose one commit is the pristine tree.

        What overlays add is ignored there. Raises CheckoutError.
        """
        shelf, key = self._shelf.with_name("repositories"), self.key(pristine)
        kept = make_once(shelf, key, lambda place: one_commit(pristine, place / "git"))
        copy_tree(kept / "git", tree / ".git")
        ignore(tree / ".git", [path for overlay in overlays for path in added(overlay, pristine)])


def _lay(
    mirror: Mirror,
    commit: str,
    absent: Sequence[str],
    inside: Sequence[Submodule],
    place: Path,
) -> None:
    tree = place / "tree"
    tree.mkdir(parents=True)
    lacked = [*mirror.lay(commit, tree)]
    for each in inside:
        lacked += each.mirror.lay(each.commit, tree / each.path)
    if lacked != [*absent]:
        raise CheckoutError(f"the repository changed while {commit} was laid down; try again")
    (place / "absent.json").write_text(json.dumps(absent), encoding="utf-8")

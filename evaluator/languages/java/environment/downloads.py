"""What build tools download for the trees of one repository."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.scratch import copy_tree, remove_tree
from evaluator.storage.locks import locked


@dataclass(frozen=True)
class Downloads:
    """A local repository of Maven, or a home of Gradle, for all trees of one repository.

    Code of a tree may run while Maven does, and could put files of its own there. Only trees that
    are `trusted`, base commits, use it as it is; others get a copy. `place` is None where nothing
    is shared. `beginning` is a local repository to begin with, None for an empty one.
    """

    place: Path | None
    beginning: Path | None
    trusted: bool = False

    @contextlib.contextmanager
    def repository(self, private: Path) -> Iterator[Path]:
        """A directory to download to: the shared one, used by one at a time, or `private`."""
        if self.place is None:
            self._copy_beginning(private)
            yield private
            return
        self.place.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.place.with_suffix(".lock")):
            self._begin(self.place)
            if self.trusted:
                yield from self._shared(self.place)
                return
            copy_tree(self.place, private)
        yield private

    def _shared(self, place: Path) -> Iterator[Path]:
        """Maven does not try again for a day what it once did not find."""
        try:
            yield place
        finally:
            for file in place.rglob("*.lastUpdated"):
                file.unlink()

    def _begin(self, place: Path) -> None:
        """In one step, so that no file is half there where this process is killed."""
        if not place.is_dir():
            begun = place.with_suffix(".begun")
            remove_tree(begun)
            self._copy_beginning(begun)
            begun.rename(place)

    def _copy_beginning(self, place: Path) -> None:
        if self.beginning is None:
            place.mkdir(parents=True)
        else:
            copy_tree(self.beginning, place)
